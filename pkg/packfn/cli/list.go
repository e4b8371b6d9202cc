package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

func (c *commands) listCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "list",
		Short:   "List packs, presets, values, macros or rules",
		GroupID: "packages",
		Args:    c.noCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(c.listInventory()...)
	command.AddCommand(&cobra.Command{
		Use:   "rules",
		Short: "List the rules of all functions: severity, function and meaning",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { c.printRules() },
	})
	return command
}

// printRules prints a row for each rule.
//
//	RULE      SEVERITY  FUNCTION  MEANING
//	accepted  info      all       a finding that an annotation packs.kpt.dev/accept accepts
func (c *commands) printRules() {
	var rows [][]string
	for _, r := range rule.All() {
		rows = append(rows, []string{r.ID, string(r.Severity), strings.Join(reporters(r), ","), r.Plain()})
	}
	c.table([]string{"RULE", "SEVERITY", "FUNCTION", "MEANING"}, rows)
}

// table prints rows in columns, below their heads if there are any.
func (c *commands) table(head []string, rows [][]string) {
	if head != nil {
		rows = append([][]string{head}, rows...)
	}
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
		for i := range row {
			row[i] = diag.Shown(row[i])
			widths[i] = max(widths[i], min(utf8.RuneCountInString(row[i]), widest))
		}
	}
	var out strings.Builder
	for _, row := range rows {
		for i, text := range row[:len(row)-1] {
			out.WriteString(text + strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(text))+2))
		}
		out.WriteString(row[len(row)-1] + "\n")
	}
	fmt.Fprint(c.out, out.String())
}

// widest is the maximum width of a column of a table. A longer text does not widen its column, so
// a single text cannot make the whole table large.
const widest = 100

// reporters returns the functions and commands that report a rule, or "all".
func reporters(r rule.Rule) []string {
	if r.By == "" {
		return []string{"all"}
	}
	var names []string
	for _, by := range r.Reporters() {
		if words := strings.Fields(by); len(words) > 2 { // packfn, the command, the part of it
			by = words[0] + " " + words[1]
		}
		names = append(names, by)
	}
	return names
}
