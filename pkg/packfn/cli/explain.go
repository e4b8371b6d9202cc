package cli

import (
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
				return c.printRules()
			}
			id := strings.Trim(args[0], "[]") // as a message ends
			r := rule.Of(id)
			if r.ID == "" {
				f := diag.Unknown("rule", id, ids())
				return fmt.Errorf("%s", f.Message())
			}
			fmt.Fprintf(c.out, "%s (%s, %s)\n\n%s.\n\nExample:\n\n%s\nFix:\n\n    %s\n",
				id, r.Severity, strings.Join(reporters(r), ", "), sentence(r.Plain()), indented(r.Breaks), r.Fix)
			return nil
		},
	}
}

// ids are the ids of all rules.
func ids() []string { return rule.IDs(func(rule.Rule) bool { return true }) }

// sentence makes a meaning begin with a capital letter.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".")
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString("    " + line + "\n")
	}
	return b.String()
}
