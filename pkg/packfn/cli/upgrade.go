package cli

import (
	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/upgrade"
)

func (c *commands) upgradeCommand() *cobra.Command {
	var o output
	var write bool
	var source []string
	options := upgrade.Options{Check: check.Options{Functions: c.program.Functions}}
	command := &cobra.Command{
		Use:     "upgrade PACKAGE PACK-DIR…",
		Short:   "Say what a newer version of a pack changes for a package",
		GroupID: "packages",
		Long: `Upgrade compares the packs of PACKAGE with their newer versions in directories:
values whose key was removed or renamed, values that are now required or no longer
accepted, applied presets that were removed or changed, requirements that the package does
not meet, other errors and warnings that come with the newer version, defaults that change
(with the old and the new one, unless they may be secrets), and what is new: keys, presets
and rules of the schema. Nothing is written without --write.

With --write the files of the pack are replaced, and its presets are applied again. --from
names the directory that the pack was imported from; without it, packfn looks for that
directory in the folders of --source. Then packfn knows your edits of the
pack's values, and keeps them. If an edit cannot be kept, nothing is written. A pack that was
imported with a cluster profile needs it: all of its values may be edited.`,
		Example: "  packfn upgrade platform packs/vault-0.7.0 --from packs/vault-0.6.0 --write",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := o.validate()
			if err == nil {
				options.Check.Root, err = check.Root()
			}
			if err != nil {
				return err
			}
			named, err := c.pulled(cmd.Context(), append(args[1:], options.From))
			if err != nil {
				return err
			}
			newer := named[:len(named)-1]
			options.From = named[len(newer)]
			if options.From == "" {
				file, err := c.configuration()
				if err != nil {
					return err
				}
				found, err := c.sources(cmd, source, file)
				if err != nil {
					return err
				}
				options.Sources = found.folders
				if len(found.registries) > 0 {
					if options.Archive, err = found.pull(cmd.Context()); err != nil {
						return err
					}
				}
			}
			plan, err := upgrade.New(args[0], newer, options)
			if err != nil {
				return err
			}
			for _, note := range plan.Notes {
				c.note("%s", note)
			}
			switch {
			case write && plan.Lost > 0:
				c.note("%s: nothing is written: %s cannot be carried over", args[0], count(plan.Lost, "edit"))
			case write:
				if err := c.write(cmd.Context(), plan.Changes); err != nil {
					return err
				}
				c.note("%s: %s written", args[0], count(len(plan.Changes), "file"))
			}
			return c.print(cmd.Context(), o, plan.Report)
		},
	}
	o.flags(command)
	command.Flags().StringVar(&options.From, "from", "", "the directory that the pack was imported from")
	command.Flags().StringArrayVar(&source, "source", nil, "without --from, look in this folder, or registry oci://HOST/BASE, for what packs were imported from")
	command.Flags().BoolVar(&write, "write", false, "replace the packs")
	return command
}
