package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// packsAtHand returns the packs of paths that can be read. It says nothing of others: the shell
// waits for names.
func (c *commands) packsAtHand(paths []string) []check.Pack {
	c.notes = io.Discard
	options := c.checks()
	root, err := report.Root()
	if err != nil {
		return nil
	}
	options.Root = root
	if file, err := c.configuration(""); err == nil {
		options.Excluded, _ = file.Excluded()
	}
	packs, err := check.Readable(orHere(paths), options)
	if err != nil {
		return nil
	}
	return packs
}

// packNames returns the names of packs, each once.
func packNames(packs []check.Pack) (names []string) {
	for i := range packs {
		names = append(names, packs[i].Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// completePacks completes a flag with names of packs in the paths that are arguments.
func (c *commands) completePacks(command *cobra.Command, flag string) {
	command.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, paths []string, typed string) ([]string, cobra.ShellCompDirective) {
		return inList(typed, packNames(c.packsAtHand(paths))), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// completeRules completes a flag with ids of rules, or with --severity what follows them.
func completeRules(command *cobra.Command, flag string) {
	command.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		names := ids()
		if last := typed[strings.LastIndex(typed, ",")+1:]; flag == "severity" {
			rule, _, isNamed := strings.Cut(last, "=")
			levels := []string{""} // the id is typed first
			if isNamed {
				names, levels = []string{rule}, []string{string(diag.Error), string(diag.Warning), string(diag.Info), "off"}
			}
			var all []string
			for _, name := range names {
				for _, level := range levels {
					all = append(all, name+"="+level)
				}
			}
			names = all
		}
		return inList(typed, names), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// inList returns completions of a comma-separated list: each name appended to the elements that
// are already typed.
func inList(typed string, names []string) (lists []string) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	for _, name := range names {
		lists = append(lists, before+name)
	}
	return lists
}

// completePack completes the arguments PACK [KEY] of commands, from the working directory: the
// paths come after them.
func (c *commands) completePack(hasKey bool) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
		switch {
		case len(args) == 0:
			return packNames(c.packsAtHand(nil)), cobra.ShellCompDirectiveNoFileComp
		case len(args) > 1 || !hasKey:
			return nil, cobra.ShellCompDirectiveDefault
		}
		for _, p := range c.packsAtHand(nil) {
			if p.Name != args[0] {
				continue
			}
			all, _ := inventory.Values(p.Pack)
			for _, v := range all {
				names = append(names, v.Key)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeUpgrade completes the arguments PACKAGE NAME… of an upgrade to a version.
func (c *commands) completeUpgrade(command *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 || !command.Flags().Changed("version") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return packNames(c.packsAtHand(args[:1])), cobra.ShellCompDirectiveNoFileComp
}
