package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/upgrade"
)

// upgradeRun is a run of packfn upgrade: its options, and what they name.
type upgradeRun struct {
	*commands
	output  output
	deploy  deployment
	options upgrade.Options
	// write replaces the packs, template compares what is rendered, and show does not mask values.
	write, template, show bool
	// source are the folders and registries that packs were imported from, and version is the range of newer versions.
	source  []string
	version string
	// pkg is the package, and newer are the directories of the newer packs.
	pkg   string
	newer []string
}

func (c *commands) upgradeCommand() *cobra.Command {
	r := &upgradeRun{commands: c, output: output{notes: true}, deploy: deployment{options: c.checks()}} // notes are the changes
	r.options.Check = check.Options{Functions: c.program.Functions, Evaluator: c.evaluator()}
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
			if err := r.validate(cmd, args); err != nil {
				return err
			}
			return r.run(cmd.Context())
		},
	}
	r.output.flags(command)
	r.output.detailFlags(command)
	r.output.failOn.flag(command, failOnUsage)
	command.Flags().StringVar(&r.options.From, "from", "", "the directory that the pack was imported from")
	command.Flags().StringArrayVar(&r.source, "source", nil, "without --from, look in this folder, or registry oci://HOST/BASE, for what packs were imported from")
	command.Flags().StringVar(&r.version, "version", "", "upgrade packs of these names to the newest version that fits, such as 2.4.x, in the folders and registries of --source")
	command.Flags().BoolVar(&r.write, "write", false, "replace the packs")
	command.Flags().BoolVar(&r.options.DiscardEdits, "discard-edits", false, "drop your edits of the packs' values if the older version is not at hand, and of other files that the newer version changes")
	command.Flags().BoolVar(&r.template, "template", false, "report the changes of the rendered manifests that a cluster refuses, or that delete data, and print all changes")
	listFlag(command.Flags(), &r.deploy.options.Charts, "charts", "with --template: a pack directory with the charts of the old version")
	r.deploy.templating.flags(command)
	r.deploy.exec.flags(command)
	showValues(command, &r.show)
	return command
}

// validate reads the flags, the configuration and the arguments, and gets the packs that they name.
func (r *upgradeRun) validate(cmd *cobra.Command, args []string) (err error) {
	if err := r.output.validate(cmd); err != nil {
		return err
	}
	if r.options.Check.Root, err = report.Root(); err != nil {
		return err
	}
	file, err := r.noted()
	if err == nil {
		err = r.output.failOn.read(cmd, file.FailOn)
	}
	if err != nil {
		return err
	}
	found, err := r.sources(cmd, r.source, file)
	if err != nil {
		return err
	}
	if r.deploy.options.Programs, err = r.deploy.exec.set(cmd.Context(), file); err != nil {
		return err
	}
	r.options.Check.Programs = r.deploy.options.Programs
	r.options.Check.Configured, r.deploy.options.Configured = file.Severity, file.Severity
	if r.pkg, r.newer = args[0], args[1:]; r.version != "" {
		for i, name := range r.newer {
			if r.newer[i], err = found.Newest(cmd.Context(), name, r.version); err != nil {
				return err
			}
			r.note("%s %s is %s", name, r.version, r.newer[i])
		}
	}
	named, err := r.pulled(cmd.Context(), append(r.newer, r.options.From))
	if err != nil {
		return err
	}
	r.newer, r.options.From = named[:len(named)-1], named[len(named)-1]
	if r.options.From != "" {
		return nil
	}
	d := &r.deploy.options
	if err := give(found, d); err != nil {
		return err
	}
	if !found.IsEmpty() {
		if r.options.Sources, err = found.Open(cmd.Context(), r.note); err != nil {
			return err
		}
	}
	if r.template && len(d.Charts)+len(d.Sources)+len(d.Registries) == 0 {
		return fmt.Errorf("--template: name the directory with the charts of the old version, by --from, --charts or --source")
	}
	return nil
}

// run makes the plan of the upgrade, writes it if the user asks for that, and prints the report.
func (r *upgradeRun) run(ctx context.Context) error {
	plan, err := upgrade.New(r.pkg, r.newer, r.options)
	if err != nil {
		return err
	}
	isPartial := false
	if r.template {
		changes, err := r.compareManifests(plan)
		if err != nil {
			return err
		}
		plan.Report.Findings = append(plan.Report.All(), changes.Report.All()...)
		for _, skipped := range changes.Report.Skipped {
			plan.Report.Skip(skipped)
		}
		plan.Report.Finish()
		isPartial = changes.IsPartial
		r.output.appendix = manifestChanges(changes.Before, changes.After, r.show)
	}
	r.noteAll(plan.Notes)
	if r.write {
		if err := r.writePlan(ctx, plan, isPartial); err != nil {
			return err
		}
	}
	r.output.isPrivate = r.show
	return r.print(ctx, r.output, plan.Report)
}

// writePlan writes the packs, unless edits would be lost or the cluster refuses the upgrade. isPartial is true if that is
// unknown.
func (r *upgradeRun) writePlan(ctx context.Context, plan *upgrade.Plan, isPartial bool) error {
	switch refused := refusals(plan.Report); {
	case plan.Lost > 0:
		r.note("%s: nothing is written, because edits would be lost", r.pkg)
	case refused > 0:
		r.note("%s: nothing is written, because of %s", r.pkg, diag.Count(refused, "upgrade/* error"))
	case isPartial:
		r.note("%s: nothing is written, because charts cannot be rendered, so it is unknown what the upgrade breaks; without --template it is written", r.pkg)
	default:
		if err := r.area.Write(ctx, plan.Changes); err != nil {
			return err
		}
		r.note("%s: %s written", r.pkg, diag.Count(len(plan.Changes), "file"))
	}
	return nil
}

// compareManifests renders the packs of the package before and after an upgrade, and compares what they deploy.
func (r *upgradeRun) compareManifests(plan *upgrade.Plan) (*check.Comparison, error) {
	r.deploy.options.Packs = plan.Packs
	old, next := r.deploy.options, r.deploy.options
	if r.options.From != "" {
		old.Charts = append([]string{r.options.From}, old.Charts...)
	}
	next.Charts, next.Replace = r.newer, plan.Texts
	paths := []string{r.pkg}
	return r.compare("packfn upgrade --template", &r.deploy, check.Deployment{Paths: paths, Options: old}, check.Deployment{Paths: paths, Options: next}, true)
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
