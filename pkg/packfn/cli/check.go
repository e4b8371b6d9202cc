package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/terminal"
)

// output is the destination and the format of a report.
type output struct {
	// format is the chosen format, and file the path to write to, or "" for standard output.
	format, file string
	// formats are the formats that the command supports.
	formats []string
	// besides is true if standard output is used for something else, so the report goes to
	// standard error.
	besides bool
	// isPrivate is true if the report contains values that other users must not read.
	isPrivate bool
	// appendix are the differences that follow the report in a table and in Markdown, or "".
	appendix string
	// notes and quiet select the findings that the table shows.
	notes, quiet bool
	failOn       failOn
}

// flags adds --format and --output. A command without formats of its own has the formats of reports.
func (o *output) flags(command *cobra.Command) {
	if o.formats == nil {
		o.formats = report.Formats
	}
	command.Flags().StringVar(&o.format, "format", string(report.Table), "format of the report: "+diag.OneOf(o.formats))
	command.Flags().StringVarP(&o.file, "output", "o", "", "write the report to this file")
	command.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(o.formats, cobra.ShellCompDirectiveNoFileComp))
}

// detailFlags adds the flags that select the findings in the table.
func (o *output) detailFlags(command *cobra.Command) {
	command.Flags().BoolVar(&o.notes, "notes", o.notes, "the table also shows notes")
	command.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "the table shows only errors, and warnings with --fail-on warning")
}

// validate rejects an unknown format, and flags that do not go together, before any work.
func (o *output) validate(command *cobra.Command) error {
	if !slices.Contains(o.formats, o.format) {
		return wrongValue("format", o.format, o.formats)
	}
	if o.file == standardOutput {
		o.file = ""
	}
	if name := strings.ToLower(o.file); slices.Contains(o.formats, name) { // as kubectl has it
		return fmt.Errorf("%s is a format: --format %s. A file of this name is --output ./%s", name, name, o.file)
	}
	for _, name := range []string{"notes", "quiet"} {
		if command.Flags().Changed(name) && o.format != string(report.Table) {
			return fmt.Errorf("--%s is for the table: a report in the format %s has all findings", name, o.format)
		}
	}
	return excludes(command, "notes", "quiet")
}

// detail is the least severity of the findings that the table shows.
func (o *output) detail() diag.Severity {
	switch {
	case o.quiet && !o.failOn.has(failOnWarning): // the table shows why the exit code is 1
		return diag.Error
	case o.notes:
		return diag.Info
	}
	return diag.Warning
}

// audience is who reads the output: its owner if it is a table at the terminal.
func (o *output) audience(c *commands, showValues bool) diag.Audience {
	if audience := c.audience(showValues); audience != diag.Terminal || o.file == "" && o.format == string(report.Table) {
		return audience
	}
	return diag.Record
}

// print writes a report, and returns errFindings if it contains findings that --fail-on names.
func (c *commands) print(ctx context.Context, o output, r *report.Report) error {
	isShown := o.file == "" && !o.besides
	r.Version, r.Color = function.Version(), isShown && c.color
	if isShown && c.terminal {
		r.Width = terminal.Width(c.out.Writer)
	}
	r.Audience, r.Least = o.audience(c, false), o.detail()
	var text bytes.Buffer
	if err := r.Write(&text, report.Format(o.format)); err != nil {
		return err
	}
	o.append(&text)
	return c.deliver(ctx, o, writerOf(text.Bytes()), o.failOn.isFailed(r.Has(diag.Error), r.Has(diag.Warning), r.HasSkipped))
}

// mostAppendix is the number of characters of an appendix in Markdown. GitHub accepts comments of 65,536.
const mostAppendix = 30_000

// append adds the appendix to a report in a format for people.
func (o *output) append(text *bytes.Buffer) {
	switch format := report.Format(o.format); {
	case o.appendix == "":
	case format == report.Table:
		fmt.Fprintf(text, "\n%s", o.appendix)
	case format == report.Markdown && utf8.RuneCountInString(o.appendix) > mostAppendix:
		text.WriteString("\nThe changes of the manifests are too long for a comment; the table shows them.\n")
	case format == report.Markdown:
		fmt.Fprintf(text, "\n%s", report.MarkdownFolded("Changes of the manifests", o.appendix))
	}
}

// writerOf returns what writes a text.
func writerOf(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// deliver writes a text to the destination of an output, and returns errFindings if failed is
// true.
func (c *commands) deliver(ctx context.Context, o output, write func(io.Writer) error, failed bool) error {
	if o.file != "" {
		if err := c.area.Write(ctx, []staging.Change{{Path: o.file, Write: write, IsPrivate: o.isPrivate}}); err != nil {
			return err
		}
	} else {
		var out io.Writer = c.out
		if o.besides {
			out = c.notes
		}
		if err := write(out); err != nil {
			return err
		}
	}
	if failed {
		return errFindings
	}
	return nil
}

// readStandard reads standard input. It returns an error for a terminal, and for what is no text.
func readStandard(in io.Reader) ([]byte, error) {
	if terminal.Is(in) {
		return nil, errors.New("standard input is a terminal; write resources to it, such as kustomize build overlays/prod | packfn check -")
	}
	return folder.ReadStream(check.StandardName, in)
}

func (c *commands) checkCommand() *cobra.Command {
	var o output
	var severity []string
	var baseline string
	var given checkFlags
	var run execFlags
	options := c.checks()
	command := &cobra.Command{
		Use:     "check [PATH…]",
		Short:   "Run every check over packages, files and pack directories",
		GroupID: "packages",
		Long: `Check runs ` + diag.AllOf(check.Names(c.program.Functions)) + `
over each PATH: a kpt package, KRM files, a pack directory, or a bundle directory or file-based
catalog of OLM. The default is the working directory. In a folder that is not a package, check
finds all of these, and other files with resources that packfn reads. It leaves out all other
files, such as workflows and Helm charts, what ` + config.Name + ` excludes, and, outside of
packages, what git ignores. A PATH of - is standard input: YAML documents, such as
kustomize build prints, or a ResourceList.

Where a Kptfile's pipeline names one of these functions, it runs with its
functionConfig and selectors. The mutators of the pipelines run first, in memory, if all are
of this suite. --as-written checks packages as they are on disk: macros are not resolved
then, and faults in them are not found.

Pack directories are checked one by one. A published pack has no other packs, no machine
pools, and no values that the user fills in: they are notes, not errors. --as-deployed
checks a pack directory like a pack of a package.

The values of a pack directory are checked against its charts: keys that no template reads, and
the schemas of charts. --charts names pack directories with the charts for the packs of
the same names and versions in packages. --template also renders the charts with Helm's
engine, and reports those that fail, and images that a pack directory deploys and does not
list.

Bundles of OLM that are in no package are candidates, and a cluster installs some of them: what
one requires must be among them, or in the catalogs of --catalog.

--kube-version and --api-versions say what the cluster is, in place of the ClusterContext, for
requirements of packs and bundles, and for charts. Pack directories have no ClusterContext.

A cluster profile that Palette exported, profile.json, is checked as the package that packfn
import makes of it, with the packs of --source. So are the profiles in a folder of Terraform.

Capact's own files are checked as the resources that packfn import makes of them: manifests
(OCF), policies as Capact's documentation writes them, and the TypeInstances that Capact
prints. All manifests under the paths are one hub. --scope names the scope of policies.`,
		Example: `  packfn check platform --format sarif --output results.sarif
  kustomize build overlays/prod | packfn check -`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			err := o.validate(cmd)
			if err == nil {
				options.Severity, err = parseSeverity(severity)
			}
			if err == nil {
				options.Root, err = report.Root()
			}
			if err == nil {
				options.Cluster, err = given.templating.cluster()
			}
			var file *config.File
			if err == nil {
				file, err = c.configure(cmd, given, &options)
			}
			if err == nil {
				err = o.failOn.read(cmd, file.FailOn)
			}
			if err == nil {
				options.Programs, err = run.set(cmd.Context(), file)
			}
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("notes") { // who names rules, or asks for more, wants to see them
				o.notes = len(options.Only) > 0 || options.Verbose
			}
			var known map[string]bool
			if baseline != "" {
				if known, err = readBaseline(baseline); err != nil {
					return err
				}
			}
			if slices.Contains(paths, check.Standard) {
				if options.Stdin, err = readStandard(cmd.InOrStdin()); err != nil {
					return err
				}
			}
			if options.Template != nil {
				defer options.Template.Renderer.Close()
			}
			start := time.Now()
			options.Progress = c.bar.Set
			r, err := check.Run(orHere(paths), options)
			if err != nil {
				return err
			}
			r.Took = time.Since(start)
			r.Without(known)
			if c.terminal && o.file == "" {
				r.Next = next(paths, r)
			}
			return c.print(cmd.Context(), o, r)
		},
	}
	o.flags(command)
	o.detailFlags(command)
	o.failOn.flag(command, failOnUsage)
	flags := command.Flags()
	listFlag(flags, &options.Only, "only", "report only these rules; unreadable inputs are always reported")
	listFlag(flags, &severity, "severity", "RULE=SEVERITY: error, warning, info or off")
	listFlag(flags, &options.Packs, "packs", "check only the packs of these names")
	flags.BoolVar(&options.AsDeployed, "as-deployed", false, "check pack directories as packs of a package")
	given.add(command)
	flags.BoolVar(&options.Verbose, "verbose", false, "list the files outside of packages that are not checked")
	flags.BoolVar(&given.asWritten, "as-written", false, "check packages as they are on disk, and not as the mutators of their pipelines change them")
	listFlag(flags, &options.Charts, "charts", "check packs in packages, and Helm releases, against the charts in this folder: pack directories, charts, and archives NAME-VERSION.tgz")
	listFlag(flags, &options.Catalogs, "catalog", "a file-based catalog of OLM, or a folder with bundles: they satisfy what bundles require, and advice names them")
	flags.BoolVar(&given.template, "template", false, "render the charts, and report those that fail")
	given.templating.flags(command)
	run.flags(command)
	c.completePacks(command, "packs")
	completeRules(command, "only")
	completeRules(command, "severity")
	flags.StringVar(&baseline, "baseline", "", "report only what this earlier report (format json) does not have")
	return command
}

// next returns the last lines of the table, which suggest what to do about errors and warnings.
//
//	Next: packfn fix platform corrects 2 findings.
//	Next: packfn explain values/format says what the rule means, and how to fix it.
func next(paths []string, r *report.Report) (lines []string) {
	fixable, first := 0, ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if len(f.Fix()) > 0 && f.Severity != diag.Info {
			fixable++
		}
		if first == "" && f.Severity == diag.Error || first == "" && f.Severity == diag.Warning && !r.Failed() {
			first = f.Rule
		}
	}
	if fixable > 0 {
		lines = append(lines, fmt.Sprintf("Next: %s corrects %s.", strings.Join(append([]string{"packfn fix"}, paths...), " "), diag.Count(fixable, "finding")))
	}
	if first != "" {
		lines = append(lines, fmt.Sprintf("Next: packfn explain %s says what the rule means, and how to fix it.", first))
	}
	return lines
}

// parseSeverity reads the flag --severity, whose values are RULE=SEVERITY. The check validates both
// parts.
//
//	--severity values/unknown-key=error
func parseSeverity(flags []string) (map[string]diag.Severity, error) {
	severity := map[string]diag.Severity{}
	for _, flag := range flags {
		rule, value, ok := strings.Cut(flag, "=")
		if !ok {
			return nil, fmt.Errorf("--severity %s: want RULE=SEVERITY", flag)
		}
		severity[rule] = diag.Severity(value)
	}
	return severity, nil
}

// readBaseline reads the fingerprints of an earlier report.
func readBaseline(path string) (map[string]bool, error) {
	text, err := folder.Read(path, folder.MaxBytes)
	if err != nil {
		return nil, err
	}
	known, err := report.ReadFingerprints(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return known, nil
}
