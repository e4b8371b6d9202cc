package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/explain"
)

func (c *commands) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain [RULE]",
		Short:   "Say what a rule means, with an example and how to fix it",
		GroupID: "packages",
		Example: "  packfn explain values/format",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return explain.IDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.printRules()
			}
			id := strings.Trim(args[0], "[]") // as a message ends
			about, ok := explain.Of(id)
			if !ok {
				f := diag.Unknown("rule", id, explain.IDs())
				return fmt.Errorf("%s", f.Message())
			}
			fmt.Fprint(c.out, id)
			for _, known := range c.rules() {
				if known.ID == id {
					fmt.Fprintf(c.out, " (%s, %s)\n\n%s.", known.Severity, strings.Join(known.Functions, ", "), sentence(plain(known.Meaning)))
				}
			}
			fmt.Fprintf(c.out, "\n\nExample:\n\n%s\nFix:\n\n    %s\n", indented(about.Breaks), about.Fix)
			return nil
		},
	}
}

// sentence makes a line of a README begin with a capital letter.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".")
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString("    " + line + "\n")
	}
	return b.String()
}
