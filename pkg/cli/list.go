package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/chart"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pipeline"
	"github.com/krm-packs/functions/pkg/upgrade"
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
		RunE:  func(*cobra.Command, []string) error { return c.printRules() },
	})
	return command
}

func (c *commands) printRules() error {
	var rows [][]string
	for _, r := range c.rules() {
		rows = append(rows, []string{r.ID, string(r.Severity), strings.Join(r.Functions, ","), plain(r.Meaning)})
	}
	return c.table([]string{"RULE", "SEVERITY", "FUNCTION", "MEANING"}, rows)
}

// table prints rows in columns, below their heads if there are any.
func (c *commands) table(head []string, rows [][]string) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	if head != nil {
		rows = append([][]string{head}, rows...)
	}
	for _, row := range rows {
		for i := range row {
			row[i] = diag.Shown(row[i])
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// rule is a rule with its documents.
type rule struct {
	diag.Rule
	// Functions are the names of the functions that report it; "all" for every one.
	Functions []string
	// Meaning is the line of the function's README.
	Meaning string
}

var ruleRow = regexp.MustCompile("(?m)^\\| `([a-z-]+(?:/[a-z-]+)?)` \\| (?:error|warning|info) \\| (.*?) *\\|$")

// rules returns the rules of all functions by their ids.
func (c *commands) rules() []rule {
	byID := map[string]*rule{}
	common := []diag.Rule{diag.ConfigInvalid, diag.InputInvalid, diag.Panic, diag.NothingToDo, diag.Accepted, diag.AcceptUnused}
	meanings := map[string]string{}
	for _, row := range ruleRow.FindAllStringSubmatch(string(c.program.Docs("packfn").Readme), -1) {
		meanings[row[1]] = row[2]
	}
	for command, rules := range map[string][]diag.Rule{"packfn check": slices.Concat(chart.Rules, pipeline.Rules), "packfn upgrade": upgrade.Rules} {
		for _, r := range rules {
			byID[r.ID] = &rule{Rule: r, Functions: []string{command}, Meaning: meanings[r.ID]}
		}
	}
	for _, f := range c.program.Functions {
		meanings := map[string]string{}
		for _, row := range ruleRow.FindAllStringSubmatch(string(c.program.Docs(f.Name).Readme), -1) {
			meanings[row[1]] = row[2]
		}
		for _, r := range slices.Concat(f.Rules, common) {
			known, ok := byID[r.ID]
			if !ok {
				known = &rule{Rule: r, Meaning: meanings[r.ID]}
				byID[r.ID] = known
			}
			known.Functions = append(known.Functions, f.Name)
		}
	}
	var rules []rule
	for _, r := range byID {
		if len(r.Functions) == len(c.program.Functions) {
			r.Functions = []string{"all"}
		}
		rules = append(rules, *r)
	}
	slices.SortFunc(rules, func(a, b rule) int { return strings.Compare(a.ID, b.ID) })
	return rules
}
