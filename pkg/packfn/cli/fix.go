package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/fix"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

func (c *commands) fixCommand() *cobra.Command {
	var dryRun, show bool
	var given checkFlags
	var failing failOn
	options := c.checks()
	command := &cobra.Command{
		Use:     "fix [PATH…]",
		Short:   "Write what findings propose, where that is certain",
		GroupID: "packages",
		Long: `Fix runs the checks and writes what is certain: a misspelt name with one candidate, an
option in the wrong letter case, missing quotes, a forgotten unit. It changes neither
versions, nor the sizes of pools, nor what the authors of packs wrote. All other bytes of
the files stay.

It prints the changes as a unified diff, without values that may be secrets.
The checks run again before anything is written. A change
is left out, with a note, if its finding remains or a new error or warning appears.`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			var err error
			var file *config.File
			if options.Root, err = report.Root(); err == nil {
				file, err = c.configure(cmd, given, &options)
			}
			if err == nil {
				err = failing.read(cmd, file.FailOn)
			}
			if err != nil {
				return err
			}
			options.Progress = c.bar.Set
			plan, err := fix.New(orHere(paths), options)
			if err != nil {
				return err
			}
			masked := false
			for _, d := range plan.Diffs {
				text := d.Text(options.Display(d.Path), c.audience(show))
				fmt.Fprint(c.out, text)
				masked = masked || strings.Contains(text, shown.Hidden)
			}
			c.noteMasked(masked && !show)
			if !dryRun {
				if err := c.area.Write(cmd.Context(), plan.Changes); err != nil {
					return err
				}
			}
			c.noteAll(plan.Notes)
			what := "fixed"
			if dryRun {
				what = "would fix"
			}
			fmt.Fprintf(c.notes, "%s %s; left: %s", what, diag.Count(len(plan.Fixed), "finding"), plan.Left.Summary())
			plan.Left.WriteCoverage(c.notes)
			if failing.isFailed(plan.Left.Has(diag.Error), plan.Left.Has(diag.Warning), plan.Left.HasSkipped) {
				return errFindings
			}
			return nil
		},
	}
	given.add(command)
	failing.flag(command, failOnUsage+", of those that are left")
	flags := command.Flags()
	flags.BoolVar(&dryRun, "dry-run", false, "only print the changes")
	flags.BoolVar(&show, "show-values", false, "do not mask values in the changes")
	listFlag(flags, &options.Only, "only", "fix only findings of these rules")
	listFlag(flags, &options.Packs, "packs", "check only the packs of these names")
	c.completePacks(command, "packs")
	completeRules(command, "only")
	return command
}
