package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// fleetPreview is a run of packfn fleet: its options, and what they name.
type fleetPreview struct {
	*commands
	output  output
	deploy  deployment
	options fleet.Options
	done    fleetRun
	// upstreams and downstreams are the flags --upstream and --downstream, and shard the flag --shard.
	upstreams, downstreams []string
	shard                  string
	// byKpt lets kpt render packages with functions of other suites.
	byKpt bool
}

func (c *commands) fleetCommand() *cobra.Command {
	r := &fleetPreview{commands: c, deploy: deployment{options: c.checks()}, options: fleet.Options{Functions: c.program.Functions}}
	r.output = output{formats: preview.Formats, failOn: failOn{isOfFleet: true}}
	command := &cobra.Command{
		Use:     "fleet --set PATH --upstream REPO/PACKAGE[@REVISION]=DIR",
		Short:   "Say what every cluster of a PackageVariantSet gets, and whether it can be deployed",
		GroupID: "packages",
		Long: `Fleet makes, renders and checks the package of each PackageVariant in memory. It does what
Porch does in a cluster, without a cluster.

--set names files or packages with PackageVariantSets and PackageVariants. Repositories and
in-cluster objects are there, too, or in --objects. --upstream names the folder of each
upstream package. A folder without REPO/PACKAGE is used for all of them.

--like says whether a clone is rendered before it is changed, as Porch does, or only after
that, as inject-config and kpt do. --downstream names the folder of a repository with
packages that exist: Porch upgrades them, and --upstream also names their old revision.

--to writes the packages to a folder, as REPO/PACKAGE. --against compares them with
such a folder of an earlier run: which clusters are newly refused or no longer refused, and
what changes in which of them. With --fail-on new only newly refused clusters make the exit
code 1; with --fail-on warning, clusters with warnings do, too. Values that may be secrets are masked in the changes: --show-values.

With --against, --template renders the charts of the packages that change, before and after. It reports
what a cluster refuses to change, and what deletes data or stops a workload, once for all clusters. The
table and Markdown also show what changes in the manifests, equal changes once. The charts are in the
pack directories of --charts and --source, or of sources in ` + config.Name + `.

A package whose pipeline names functions of other suites is not rendered, only checked.
--allow-exec runs such functions as programs, each once for equal inputs. --kpt lets kpt fn
render such packages, in a folder that is removed; the arguments after -- are for kpt.

--shard I/N computes a part of a fleet on one of N machines, and writes it to the file of
--output. packfn report --merge prints the report of all parts.`,
		Example: "  packfn fleet --set clusters --upstream blueprints/platform=platform --to after --against before",
		Args: func(cmd *cobra.Command, args []string) error {
			if cmd.ArgsLenAtDash() == 0 { // all are for kpt
				return nil
			}
			return cobra.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.validate(cmd, args); err != nil {
				return err
			}
			return c.fleet(cmd.Context(), r.options, r.output, r.done, &r.deploy)
		},
	}
	flags := command.Flags()
	r.output.flags(command)
	listFlag(flags, &r.options.Sets, "set", "files or folders with PackageVariantSets and PackageVariants")
	listFlag(flags, &r.options.Objects, "objects", "files or folders with Repositories and in-cluster objects (default: those of --set)")
	flags.StringArrayVar(&r.upstreams, "upstream", nil, "folder of an upstream package: REPO/PACKAGE[@REVISION]=DIR, or DIR for all")
	flags.StringArrayVar(&r.downstreams, "downstream", nil, "folder of a repository with packages that exist, which Porch upgrades: REPO=DIR, or DIR with a folder for each repository")
	flags.StringVar(&r.options.Like, "like", fleet.Porch, "make packages like porch, which renders each clone before it changes it, or like kpt")
	command.RegisterFlagCompletionFunc("like", cobra.FixedCompletions(fleet.Likes, cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&r.done.to, "to", "", "write the packages to this folder, which must be absent or empty")
	flags.StringVar(&r.done.against, "against", "", "show what changes since the packages were written to this folder")
	r.output.detailFlags(command)
	r.done.flags(command)
	r.output.failOn.flag(command, "a package of the fleet that cannot be deployed, or also a warning, or never any, or only what is newly refused since --against")
	flags.BoolVar(&r.done.template, "template", false, "with --against: also render the charts of packages that change, report what a cluster refuses to change, and show all changes")
	listFlag(flags, &r.deploy.options.Charts, "charts", "with --template: a pack directory with the charts of packs")
	flags.StringArrayVar(&r.deploy.source, "source", nil, "with --template: look in this folder for pack directories with the charts of packs")
	r.deploy.templating.flags(command)
	r.deploy.exec.flags(command)
	flags.BoolVar(&r.byKpt, "kpt", false, "render packages with functions of other suites by the kpt on PATH")
	flags.StringVar(&r.shard, "shard", "", "compute the I-th of N parts of the fleet, I/N from 1 on (0 is the last), and write it to --output for packfn report --merge")
	flags.IntVar(&r.options.Cores, "cores", 0, "the number of cores to use (default: all)")
	return command
}

// validate reads the flags and the configuration.
func (r *fleetPreview) validate(cmd *cobra.Command, args []string) error {
	if err := r.output.validate(cmd); err != nil {
		return err
	}
	switch {
	case r.byKpt:
		kpt, err := kptFor(cmd.Context(), args)
		if err != nil {
			return err
		}
		r.options.Kpt = kpt
	case len(args) > 0:
		return errors.New("arguments after -- are for kpt; add --kpt")
	}
	file, err := r.noted()
	if err == nil {
		err = r.output.failOn.read(cmd, file.FailOn)
	}
	if err == nil {
		err = configureFleet(cmd, file, &r.options, &r.upstreams)
	}
	if err == nil {
		r.options.Programs, err = r.deploy.exec.set(cmd.Context(), file)
		r.deploy.options.Programs = r.options.Programs
	}
	if err == nil {
		err = r.validateTemplate(cmd, file)
	}
	if err != nil {
		return err
	}
	if r.output.failOn.has(failOnNew) && r.done.against == "" {
		return fmt.Errorf("--fail-on new needs --against with the folder of an earlier run")
	}
	if err := r.parseStreams(); err != nil {
		return err
	}
	root, err := report.Root()
	if err != nil {
		return err
	}
	r.options.Display = (&check.Options{Root: root}).Display
	r.options.Graphs = r.output.format == string(report.HTML)
	r.options.KeepFiles = r.done.to != "" || r.done.against != ""
	return r.validateShard(cmd)
}

// validateTemplate checks the flags of --template, and finds the charts.
func (r *fleetPreview) validateTemplate(cmd *cobra.Command, file *config.File) error {
	if err := excludes(cmd, "shard", "template"); err != nil {
		return err
	}
	if err := r.done.validateTemplate(cmd); err != nil || !r.done.template {
		return err
	}
	found, err := r.sources(cmd, r.deploy.source, file)
	if err == nil {
		err = give(found, &r.deploy.options)
	}
	if err == nil {
		r.deploy.options.Root, err = report.Root()
	}
	return err
}

// parseStreams parses the flags --upstream and --downstream.
func (r *fleetPreview) parseStreams() error {
	for _, text := range r.upstreams {
		upstream := fleet.Upstream{Dir: text}
		if info, err := os.Stat(text); err != nil || !info.IsDir() {
			if upstream, err = fleet.ParseUpstream(text); err != nil {
				return fmt.Errorf("--upstream: %w", err)
			}
		}
		r.options.Upstreams = append(r.options.Upstreams, upstream)
	}
	for _, text := range r.downstreams {
		downstream, err := fleet.ParseDownstream(text)
		if err != nil {
			return fmt.Errorf("--downstream: %w", err)
		}
		r.options.Downstreams = append(r.options.Downstreams, downstream)
	}
	return nil
}

// validateShard parses the flag --shard. A shard has no report, so flags of the report are errors.
func (r *fleetPreview) validateShard(cmd *cobra.Command) (err error) {
	if r.shard == "" {
		return nil
	}
	if r.options.Shard, err = preview.ParseShard(r.shard); err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	for _, name := range []string{"format", "all", "notes", "quiet", "fail-on"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s: a shard has no report; give it to packfn report --merge", name)
		}
	}
	if r.output.file == "" {
		return fmt.Errorf("--shard: want --output with the file for the shard")
	}
	r.options.Graphs = true
	return nil
}

// kptFor returns what renders a folder by the kpt on PATH.
func kptFor(ctx context.Context, args []string) (func(dir string) (string, error), error) {
	kpt, err := exec.LookPath("kpt")
	if err != nil {
		return nil, fmt.Errorf("--kpt: there is no kpt on PATH: %w", err)
	}
	return func(dir string) (string, error) {
		text, err := exec.CommandContext(ctx, kpt, append([]string{"fn", "render", dir}, args...)...).CombinedOutput()
		if _, isExit := errors.AsType[*exec.ExitError](err); !isExit {
			return "", err
		}
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), dir, "the package")), "\n")
		return "kpt fn render: " + diag.OneLine(strings.Join(lines[max(0, len(lines)-2):], " ")), nil
	}, nil
}

// configureFleet applies the settings of fleets in the configuration, unless a flag overrides
// them.
func configureFleet(command *cobra.Command, file *config.File, options *fleet.Options, upstreams *[]string) error {
	var missing []string
	for _, flag := range []struct {
		name  string
		given *[]string
		file  []string
	}{{"set", &options.Sets, file.Sets()}, {"upstream", upstreams, file.Upstreams()}} {
		if command.Flags().Changed(flag.name) {
			continue
		}
		if err := file.Require("fleet." + flag.name); err != nil {
			return err
		}
		if *flag.given = flag.file; len(flag.file) == 0 {
			missing = append(missing, strconv.Quote(flag.name))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("required flag(s) %s not set. Usage: %s, or fleet in %s. See %s --help", strings.Join(missing, ", "), command.UseLine(), config.Name, command.CommandPath())
	}
	return nil
}

// fleetRun holds the flags that decide what is done with a preview.
type fleetRun struct {
	// to is the folder to write packages to, and against an earlier preview to compare with.
	to, against string
	// all lists every package in a table, and show unmasks values.
	all, show bool
	template  bool
}

// flags adds the flags of all commands that print a preview.
func (r *fleetRun) flags(command *cobra.Command) {
	flags := command.Flags()
	flags.BoolVar(&r.all, "all", false, "list all packages of a fleet in the table, also when there are many")
	flags.BoolVar(&r.show, "show-values", false, "do not mask values in changes")
}

// isFailedFleet reports whether a preview makes the exit code 1. It returns an error if this
// cannot be determined.
func (o *failOn) isFailedFleet(p *preview.Preview) (bool, error) {
	hasError := p.IsFailed()
	if o.has(failOnNew) {
		if p.Patches == nil || p.Patches.Outcomes == nil {
			return false, fmt.Errorf("--fail-on new: the earlier folder has no record of outcomes; write it again with --to")
		}
		hasError = p.IsWorse()
	}
	hasWarning := p.Sets.Has(diag.Warning) || slices.ContainsFunc(p.Groups, func(g preview.Group) bool { return g.Finding.Severity == diag.Warning })
	return o.isFailed(hasError, hasWarning, p.HasSkipped), nil
}

// fleet runs a preview, prints it, and writes the packages with --to.
func (c *commands) fleet(ctx context.Context, options fleet.Options, o output, run fleetRun, d *deployment) error {
	growth := heap.Fleet
	if options.Shard != nil {
		growth = heap.Shard
	}
	defer growth.Set()()
	values.KeepRecent(fleet.RecentBytes, fleet.MostRecentBytes)
	defer values.KeepRecent(0, 0)
	for _, upstream := range options.Upstreams {
		if parents.IsWithin(run.to, upstream.Dir) {
			return fmt.Errorf("--to: %s is in the package %s, which would get the packages of all clusters; name another folder", run.to, upstream.Dir)
		}
	}
	options.Progress = c.bar.Set
	p, err := fleet.Run(ctx, options)
	if err != nil {
		return err
	}
	if run.against != "" {
		if err := p.Compare(run.against, o.audience(c, run.show)); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	c.noteAll(p.Notes)
	if _, err := o.failOn.isFailedFleet(p); err != nil {
		return err
	}
	if run.to != "" {
		if err := c.area.WriteTree(ctx, run.to, p.Files(function.Version())); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		if n := p.WrittenRefused(); n > 0 {
			c.note("%s has the packages as rendered, also %s that must not be deployed", run.to, diag.Count(n, "package"))
		}
	}
	o.isPrivate = run.show
	if options.Shard != nil {
		write := func(w io.Writer) error { return p.WriteShard(w, function.Version()) }
		return c.deliver(ctx, o, write, false)
	}
	if run.template {
		if o.appendix, err = c.fleetManifests(ctx, p, d, run); err != nil {
			return err
		}
	}
	return c.printFleet(ctx, p, o, run)
}

// printFleet writes the report of a preview.
func (c *commands) printFleet(ctx context.Context, p *preview.Preview, o output, run fleetRun) error {
	failed, err := o.failOn.isFailedFleet(p)
	if err != nil {
		return err
	}
	how := preview.Print{
		Format: report.Format(o.format), Version: function.Version(), All: run.all,
		Color: o.file == "" && c.color, Least: o.detail(),
	}
	write := func(w io.Writer) error { return p.Write(w, how) }
	if how.Format == report.HTML || o.appendix != "" {
		var text bytes.Buffer
		if err := write(&text); err != nil {
			return err
		}
		o.append(&text)
		write = writerOf(text.Bytes())
		if how.Format == report.HTML {
			write = writerOf([]byte(diag.ShownLines(text.String())))
		}
	}
	return c.deliver(ctx, o, write, failed)
}

// mergeFleet prints the report of the shards of a preview.
func (c *commands) mergeFleet(ctx context.Context, files []string, o output, run fleetRun) error {
	p, err := preview.Merge(files, function.Version(), run.show)
	if err != nil {
		return fmt.Errorf("--merge: %w", err)
	}
	switch {
	case o.failOn.has(failOnNew) && p.Patches == nil:
		return fmt.Errorf("--fail-on new: the shards were computed without --against")
	case run.show && p.IsMasked():
		return fmt.Errorf("--show-values: the shards were computed without it")
	}
	c.noteAll(p.Notes)
	o.isPrivate = run.show
	return c.printFleet(ctx, p, o, run)
}
