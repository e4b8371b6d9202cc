package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/upgrade"
)

func (c *commands) upgradeCommand() *cobra.Command {
	o := output{notes: true} // notes are the changes
	d := deployment{options: c.checks()}
	var write, withTemplate, show bool
	var source []string
	var version string
	options := upgrade.Options{Check: check.Options{Functions: c.program.Functions, Evaluator: c.evaluator()}}
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

With --version 2.4.x the arguments are names of packs, and packfn takes the newest version that fits
from the sources: those of --source, or of packfn.yaml.

With --write the files of the pack are replaced, and its presets are applied again. All else in
the resource of the pack stays as it is, and so does a file that you edited or added, if the
newer version does not change it, too. --from
names the directory that the pack was imported from; without it, packfn looks for that
directory in the folders of --source. Then packfn knows your edits of the
pack's values, and keeps them. If an edit cannot be kept, nothing is written. Without the
older version nothing is written, unless the record of the import says that there are no
edits, or --discard-edits drops them. A pack that was imported with a cluster profile needs the
older version: all of its values may be edited.

--template renders both versions, and reports what a cluster refuses to change, and what deletes
data or stops a workload. The table and Markdown also show what changes in the manifests, by kind and
name. The charts of the old version are in the directory of --from, or in the directories of
--charts and --source. What looks like a secret, or is named like one, is masked: --show-values.

With --write nothing is written while an error of a rule upgrade/* is left, or if --template cannot
render a chart, because it is unknown then what the upgrade breaks.`,
		Example:           "  packfn upgrade platform packs/vault-0.7.0 --from packs/vault-0.6.0 --write",
		Args:              cobra.MinimumNArgs(2),
		ValidArgsFunction: c.completeUpgrade,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := o.validate(cmd)
			if err == nil {
				options.Check.Root, err = report.Root()
			}
			if err != nil {
				return err
			}
			file, err := c.noted()
			if err == nil {
				err = o.failOn.read(cmd, file.FailOn)
			}
			if err != nil {
				return err
			}
			found, err := c.sources(cmd, source, file)
			if err != nil {
				return err
			}
			if d.options.Programs, err = d.exec.set(cmd.Context(), file); err != nil {
				return err
			}
			options.Check.Programs = d.options.Programs
			if version != "" {
				for i, name := range args[1:] {
					if args[1+i], err = found.Newest(cmd.Context(), name, version); err != nil {
						return err
					}
					c.note("%s %s is %s", name, version, args[1+i])
				}
			}
			named, err := c.pulled(cmd.Context(), append(args[1:], options.From))
			if err != nil {
				return err
			}
			newer := named[:len(named)-1]
			options.From = named[len(newer)]
			if options.From == "" {
				if err := give(found, &d.options); err != nil {
					return err
				}
				if !found.IsEmpty() {
					if options.Sources, err = found.Open(cmd.Context(), c.note); err != nil {
						return err
					}
				}
			}
			if withTemplate && options.From == "" && len(d.options.Charts)+len(d.options.Sources)+len(d.options.Registries) == 0 {
				return fmt.Errorf("--template: name the directory with the charts of the old version, by --from, --charts or --source")
			}
			options.Check.Configured, d.options.Configured = file.Severity, file.Severity
			plan, err := upgrade.New(args[0], newer, options)
			if err != nil {
				return err
			}
			isPartial := false
			if withTemplate {
				changes, err := c.changesOfUpgrade(&d, args[0], newer, plan, options.From)
				if err != nil {
					return err
				}
				plan.Report.Findings = append(plan.Report.All(), changes.Report.All()...)
				for _, skipped := range changes.Report.Skipped {
					plan.Report.Skip(skipped)
				}
				plan.Report.Finish()
				isPartial = changes.IsPartial
				o.appendix = manifestChanges(changes.Before, changes.After, show)
			}
			c.noteAll(plan.Notes)
			switch refused := refusals(plan.Report); {
			case write && plan.Lost > 0:
				c.note("%s: nothing is written, because edits would be lost", args[0])
			case write && refused > 0:
				c.note("%s: nothing is written, because of %s", args[0], diag.Count(refused, "upgrade/* error"))
			case write && isPartial:
				c.note("%s: nothing is written, because charts cannot be rendered, so it is unknown what the upgrade breaks; without --template it is written", args[0])
			case write:
				if err := c.area.Write(cmd.Context(), plan.Changes); err != nil {
					return err
				}
				c.note("%s: %s written", args[0], diag.Count(len(plan.Changes), "file"))
			}
			o.isPrivate = show
			return c.print(cmd.Context(), o, plan.Report)
		},
	}
	o.flags(command)
	o.detailFlags(command)
	o.failOn.flag(command, failOnUsage)
	command.Flags().StringVar(&options.From, "from", "", "the directory that the pack was imported from")
	command.Flags().StringArrayVar(&source, "source", nil, "without --from, look in this folder, or registry oci://HOST/BASE, for what packs were imported from")
	command.Flags().StringVar(&version, "version", "", "upgrade packs of these names to the newest version that fits, such as 2.4.x, in the folders and registries of --source")
	command.Flags().BoolVar(&write, "write", false, "replace the packs")
	command.Flags().BoolVar(&options.DiscardEdits, "discard-edits", false, "drop your edits of the packs' values if the older version is not at hand, and of other files that the newer version changes")
	command.Flags().BoolVar(&withTemplate, "template", false, "report the changes of the rendered manifests that a cluster refuses, or that delete data, and print all changes")
	listFlag(command.Flags(), &d.options.Charts, "charts", "with --template: a pack directory with the charts of the old version")
	d.templating.flags(command)
	d.exec.flags(command)
	showValues(command, &show)
	return command
}

// changesOfUpgrade renders the packs of a package before and after an upgrade, and compares what they deploy.
func (c *commands) changesOfUpgrade(d *deployment, pkg string, newer []string, plan *upgrade.Plan, from string) (*check.Comparison, error) {
	d.options.Packs = plan.Packs
	old, next := d.options, d.options
	if from != "" {
		old.Charts = append([]string{from}, d.options.Charts...)
	}
	next.Charts, next.Replace = newer, plan.Texts
	return c.compare("packfn upgrade --template", d, check.Deployment{Paths: []string{pkg}, Options: old}, check.Deployment{Paths: []string{pkg}, Options: next}, true)
}

// refusals returns the number of errors of the upgrade that nobody has accepted.
func refusals(r *report.Report) (count int) {
	for _, f := range r.Findings {
		if f.Severity == diag.Error && strings.HasPrefix(f.Rule, "upgrade/") {
			count++
		}
	}
	return count
}
