package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

func (c *commands) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain [RULE]",
		Short:   "Say what a rule means, with an example and how to fix it",
		GroupID: "packages",
		Example: "  packfn explain values/format",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ids(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				c.printRules()
				return nil
			}
			id := strings.Trim(args[0], "[]") // as a message ends
			r := rule.Of(id)
			if r.ID == "" {
				f := diag.Unknown("rule", id, ids())
				return errors.New(f.Message())
			}
			fmt.Fprintf(c.out, "%s (%s, %s)\n\n%s.\n\nExample:\n\n    %s\n\nFix:\n\n    %s\n",
				id, r.Severity, strings.Join(reporters(r), ", "), sentence(r.Plain()), strings.ReplaceAll(r.Breaks, "\n", "\n    "), r.Fix)
			return nil
		},
	}
}

// ids are the ids of all rules.
func ids() []string { return rule.IDs(func(rule.Rule) bool { return true }) }

// sentence returns a text with a capital first letter and without a final period.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".")
}
