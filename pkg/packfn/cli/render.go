package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
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
			dirs = render.WithoutSame(orHere(dirs))
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
					err = give(found, &other.deployment.options)
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

// render renders packages, and writes those without errors.
func (c *commands) render(ctx context.Context, dirs []string, o output, programs *program.Set) error {
	options, err := c.rendering(programs)
	if err != nil {
		return err
	}
	plan, err := render.Packages(dirs, options)
	if err != nil {
		return err
	}
	if err := c.area.Write(ctx, plan.Changes); err != nil {
		return err
	}
	c.noteAll(plan.Notes)
	return cmp.Or(plan.Failure, c.print(ctx, o, plan.Report))
}

// rendering returns the options of commands that render packages.
func (c *commands) rendering(programs *program.Set) (render.Options, error) {
	root, err := report.Root()
	display := (&check.Options{Root: root}).Display
	return render.Options{Functions: c.program.Functions, Programs: programs, Display: display, Note: c.note}, err
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
