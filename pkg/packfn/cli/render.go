package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

func (c *commands) renderCommand() *cobra.Command {
	o := output{notes: true} // notes are the changes that the functions made
	var byKpt bool
	var to renderTo
	var run execFlags
	other := against{deployment: deployment{options: c.checks()}}
	command := &cobra.Command{
		Use:     "render [PACKAGE…]",
		Short:   "Run the pipelines of packages without kpt",
		GroupID: "packages",
		Long: `Render runs the functions that the Kptfiles of each PACKAGE and its subpackages name,
in this process and in kpt's order, and writes what they change. The default is the
working directory. All other bytes of the files stay as they are. kpt would format every file.

Nothing is written to a package when a function finds errors, or when its pipeline names
a function that is not of this suite. --allow-exec runs such functions as programs: those that
--function and packfn.yaml name, and those that a Kptfile names by exec. --kpt runs kpt fn render
instead; the arguments after -- are for kpt.

--to writes the rendered files of one package to another folder, and leaves the package as it
is. --to - prints the resources as one stream of YAML, and the report goes to standard error.
--deployable leaves out what no cluster gets: the Kptfile, files of kustomize, functionConfigs,
and resources with the annotation config.kubernetes.io/local-config.

--against compares what one package deploys with what it deploys in another folder, or at a revision
of git, and writes nothing. It reports what a cluster refuses to change, and what deletes data or stops
a workload. --template also renders the charts of packs and Helm releases. They are in
the pack directories of --charts and --source, before and after. A revision is read by git; nothing is checked out.`,
		Example: "  packfn render platform\n  packfn render platform --to - --deployable | kubectl apply -f -\n  packfn render --kpt platform -- --allow-exec\n  packfn render platform --against origin/main --template --source packs",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.validate(cmd); err != nil {
				return err
			}
			file, err := c.noted()
			if err == nil {
				err = o.failOn.read(cmd, file.FailOn)
			}
			if err != nil {
				return err
			}
			dirs, rest := args, []string(nil)
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				dirs, rest = args[:dash], args[dash:]
			}
			dirs = withoutSame(orHere(dirs))
			if err := to.validate(byKpt, dirs); err != nil {
				return err
			}
			if err := other.validate(cmd, byKpt, to, dirs); err != nil {
				return err
			}
			if byKpt {
				if err := excludes(cmd, "kpt", "fail-on"); err != nil {
					return err
				}
				return c.renderByKpt(cmd.Context(), dirs, rest)
			}
			if len(rest) > 0 {
				return errors.New("arguments after -- are for kpt; add --kpt")
			}
			if other.what != "" {
				found, err := c.sources(cmd, other.deployment.source, file)
				if err == nil {
					err = found.give(&other.deployment.options)
				}
				if err == nil {
					other.deployment.options.Programs, err = run.set(cmd.Context(), file)
				}
				if err != nil {
					return err
				}
				other.deployment.options.Configured = file.Severity
				return c.renderAgainst(cmd.Context(), dirs[0], &other, o)
			}
			programs, err := run.set(cmd.Context(), file)
			if err != nil {
				return err
			}
			if to.dir != "" {
				return c.renderTo(cmd.Context(), dirs[0], to, o, programs)
			}
			return c.render(cmd.Context(), dirs, o, programs)
		},
	}
	o.flags(command)
	o.detailFlags(command)
	o.failOn.flag(command, failOnUsage+". Packages with errors are not written, whatever it is")
	to.flags(command)
	other.flags(command)
	run.flags(command)
	command.Flags().BoolVar(&byKpt, "kpt", false, "render by the kpt on PATH")
	return command
}

// withoutSame returns folders without those that are named before, in this or another way.
func withoutSame(dirs []string) (once []string) {
	for _, dir := range dirs {
		if !slices.ContainsFunc(once, func(other string) bool { return isWithin(dir, other) && isWithin(other, dir) }) {
			once = append(once, dir)
		}
	}
	return once
}

// render renders packages, and writes those without errors.
func (c *commands) render(ctx context.Context, dirs []string, o output, programs *program.Set) error {
	root, err := check.Root()
	if err != nil {
		return err
	}
	for i, dir := range dirs {
		for j, other := range dirs {
			if i != j && isWithin(dir, other) {
				return fmt.Errorf("%s is in %s, which is rendered with it; name one of them", dir, other)
			}
		}
	}
	options := check.Options{Root: root}
	all := newRendered(dirs, options.Display)
	var changes []staging.Change
	var done []string // notes to print after the files are written
	var failures []error
	for _, dir := range dirs {
		tree, result, err := c.renderOne(dir, options.Display, all, programs)
		if err != nil {
			if !c.isFault(err, dir, options.Display, all) {
				failures = append(failures, err)
			}
			continue
		}
		if result.Failed {
			continue
		}
		own := tree.Changes(result.Items)
		changes = append(changes, own...)
		done = append(done, fmt.Sprintf("%s: %s, %s changed", dir, ran(result), diag.Count(len(own), "file")))
	}
	if len(failures) == len(dirs) {
		return joined(failures)
	}
	if err := c.area.Write(ctx, changes); err != nil {
		return err
	}
	c.noteAll(done)
	finishRendered(all)
	if err := c.print(ctx, o, all); len(failures) == 0 {
		return err
	}
	return joined(failures)
}

// ran describes the functions that a render ran:
//
//	2 functions ran (packfn v0.9.0 in place of ghcr.io/krm-packs/apply-preset:v0.8.0), 1 was left out by its field when
func ran(result *workspace.Result) string {
	n := len(result.Runs)
	if n > 0 && result.Runs[0].Field == "" { // what checks the Kptfiles
		n--
	}
	text := diag.Count(n, "function") + " ran"
	if images := result.Replaced(function.Release); len(images) > 0 {
		text += fmt.Sprintf(" (packfn %s in place of %s)", function.Release, diag.AllOf(images))
	}
	switch n := len(result.Skipped); n {
	case 0:
	case 1:
		text += ", 1 was left out by its field when"
	default:
		text += fmt.Sprintf(", %d were left out by their field when", n)
	}
	return text
}

// joined returns errors as one.
func joined(all []error) error {
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// isFault reports whether an error is about what kpt rejects in a package, and adds it to a report.
func (c *commands) isFault(err error, dir string, display func(string) string, all *report.Report) bool {
	faults := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		faults = several.Unwrap()
	}
	for _, err := range faults {
		fault, ok := errors.AsType[*kptpackage.Fault](err)
		if !ok {
			return false
		}
		all.Findings = append(all.Findings, report.OfFault(fault, display))
	}
	c.note("%s: nothing is written", dir)
	return true
}

// newRendered returns a report about the render of packages.
func newRendered(dirs []string, display func(string) string) *report.Report {
	all := &report.Report{Extent: report.Extent{Counts: true, Nothing: "no check of a pipeline has read a resource"}}
	if len(dirs) == 1 {
		all.In = display(dirs[0])
	}
	return all
}

// finishRendered finishes a report about the render of packages.
func finishRendered(all *report.Report) {
	all.Findings = report.WithoutRepeated(all.Findings)
	all.SetAside()
	all.Finish()
}

// renderOne renders a package in memory, and adds the findings to a report.
func (c *commands) renderOne(dir string, display func(string) string, all *report.Report, programs *program.Set) (*workspace.Package, *workspace.Result, error) {
	p, err := workspace.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	tree, err := workspace.Load(p)
	if err != nil {
		return nil, nil, err
	}
	result, err := tree.Render(workspace.Options{Functions: c.program.Functions, Programs: programs})
	if err != nil {
		return nil, nil, err
	}
	found := workspace.NewReporter(tree, display).Report(result)
	all.Findings, all.Cases, all.Units = append(all.Findings, found.Findings...), append(all.Cases, found.Cases...), append(all.Units, found.Units...)
	all.Given = found.Given
	if result.Failed {
		c.note("%s: nothing is written; %s", dir, ran(result))
		if tree.SavesFailed() {
			c.note("%s: kpt writes what ran before an error, because the Kptfile has the annotation %s; packfn does not", dir, workspace.SaveAnnotation)
		}
	}
	return tree, result, nil
}

// renderByKpt hands packages to the kpt on PATH.
func (c *commands) renderByKpt(ctx context.Context, dirs, args []string) error {
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		return fmt.Errorf("--kpt: there is no kpt on PATH: %w", err)
	}
	c.bar.End() // kpt prints its own
	var failed error
	for _, dir := range dirs {
		command := exec.CommandContext(ctx, kpt, append([]string{"fn", "render", dir}, args...)...)
		command.Stdout, command.Stderr = c.out.Writer, c.stderr
		err := command.Run()
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
			failed = errFindings
		} else if err != nil {
			return err
		}
	}
	return failed
}
