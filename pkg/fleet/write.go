package fleet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/report"
	"github.com/krm-packs/functions/pkg/staging"
)

// Formats are the forms of a preview.
var Formats = []string{string(report.Table), string(report.JSON), string(report.JUnit), string(report.SARIF), string(report.Markdown), string(HTML)}

// Print says how a preview is printed.
type Print struct {
	Format report.Format
	// Version and Help are as in a report.
	Version string
	Help    func(rule string) string
	Color   bool
	// Values shows all values in changes.
	Values bool
}

// Write prints a preview.
func (p *Preview) Write(w io.Writer, how Print) error {
	out := bufio.NewWriter(w)
	var err error
	switch how.Format {
	case report.Table:
		err = p.writeTable(out, how)
	case report.JSON:
		err = p.writeJSON(out, how)
	case report.JUnit:
		r := p.cases()
		r.Version = how.Version
		err = r.Write(out, report.JUnit)
	case report.SARIF:
		r := p.Report()
		r.Version, r.Help = how.Version, how.Help
		err = r.Write(out, report.SARIF)
	case report.Markdown:
		err = p.writeMarkdown(out, how)
	case HTML:
		err = p.writeHTML(out, how)
	default:
		f := diag.GotName(string(how.Format), Formats)
		err = fmt.Errorf("--format: %s", f.Message())
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

// noun is what users call a package: the cluster, when each has one package.
func (p *Preview) noun() string {
	if p.called == "" {
		p.called = "cluster"
		for i := range p.Rows {
			if i > 0 && p.Rows[i].Repo == p.Rows[i-1].Repo {
				p.called = "package"
			}
		}
	}
	return p.called
}

// name is how a table calls a row.
func (p *Preview) name(row *Row) string {
	if p.noun() == "cluster" && row.Repo != "" {
		return row.Repo
	}
	if name := row.Name(); name != "" {
		return name
	}
	return row.Variant
}

// Summary counts the packages.
func (p *Preview) Summary() string {
	return fmt.Sprintf("%s: %s can be deployed, %s refused, %s failed", plural(len(p.Rows), p.noun()),
		number(p.Count(Deployable)), number(p.Count(Refused)), number(p.Count(Failed)))
}

// Report returns the errors and warnings, each once, with the packages that have it.
func (p *Preview) Report() *report.Report {
	r := &report.Report{}
	for i := range p.Groups {
		if g := &p.Groups[i]; g.Severity != diag.Info {
			f := g.Finding
			var rows []*Row
			for _, row := range g.Rows {
				rows = append(rows, &p.Rows[row])
			}
			f.Message = p.count(rows) + f.Message
			r.Findings = append(r.Findings, f)
		}
	}
	for _, f := range p.Sets.Findings {
		if f.Severity != diag.Info {
			r.Findings = append(r.Findings, f)
		}
	}
	r.Findings = append(r.Findings, p.failures()...)
	r.Finish()
	return r
}

// failures returns a finding for each reason why packages cannot be computed.
func (p *Preview) failures() []report.Finding {
	var reasons []string
	rows := map[string][]*Row{}
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Outcome == Failed {
			if len(rows[row.Reason]) == 0 {
				reasons = append(reasons, row.Reason)
			}
			rows[row.Reason] = append(rows[row.Reason], row)
		}
	}
	var all []report.Finding
	for _, reason := range reasons {
		f := failure(rows[reason][0])
		if len(rows[reason]) > 1 {
			f.Resource.Name = ""
			f.Message = p.count(rows[reason]) + f.Message
		}
		all = append(all, f)
	}
	return all
}

// count says how many packages something is about: `3 of 1,000 clusters (a, b, c): `.
func (p *Preview) count(rows []*Row) string {
	const most = 5
	var names []string
	for _, row := range rows[:min(most, len(rows))] {
		names = append(names, p.name(row))
	}
	shown := strings.Join(names, ", ")
	if left := len(rows) - most; left > 0 {
		shown += fmt.Sprintf(" and %s more", number(left))
	}
	return fmt.Sprintf("%s of %s (%s): ", number(len(rows)), plural(len(p.Rows), p.noun()), shown)
}

// failure is the finding about a package that cannot be computed.
func failure(row *Row) report.Finding {
	return report.Finding{
		Rule: diag.InputInvalid.ID, Severity: diag.Error, Function: "fleet", Message: row.Reason,
		Resource: &report.Resource{Kind: "PackageVariant", Name: row.Variant},
	}
}

// cases returns a report with a case for each package and function.
func (p *Preview) cases() *report.Report {
	r := &report.Report{}
	for i := range p.Rows {
		row := &p.Rows[i]
		resource := report.Resource{Kind: "PackageVariant", Name: row.Variant}
		for _, name := range row.Ran {
			r.Cases = append(r.Cases, report.Case{Function: name, File: row.Name(), Resource: resource})
		}
		for _, at := range row.Groups {
			f := p.Groups[at].Finding
			f.Message = subject(&f) + f.Message
			f.File, f.Line, f.Column, f.Resource, f.Field, f.Key = row.Name(), 0, 0, &resource, "", ""
			r.Findings = append(r.Findings, f)
		}
		if row.Outcome == Failed {
			f := failure(row)
			f.File = row.Name()
			r.Findings = append(r.Findings, f)
		}
	}
	r.Findings = append(r.Findings, p.Sets.Findings...)
	return r
}

// subject names the file, the resource and the field of a finding.
func subject(f *report.Finding) string {
	var b strings.Builder
	for _, part := range []string{f.File, f.Resource.String(), f.Field} {
		if part != "" {
			b.WriteString(part + ": ")
		}
	}
	return b.String()
}

// writeTable prints a row for each package, the groups of findings, and the changes.
func (p *Preview) writeTable(w io.Writer, how Print) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintf(table, "%s\tOUTCOME\tFINDINGS\n", strings.ToUpper(p.noun()))
	for i := range p.Rows {
		row := &p.Rows[i]
		fmt.Fprintf(table, "%s\t%s\t%s\n", diag.OneLine(p.name(row)), row.Outcome, p.short(row))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	r := p.Report()
	r.Color = how.Color
	if len(r.Findings) > 0 {
		if err := r.Write(w, report.Table); err != nil {
			return err
		}
	}
	if p.Patches != nil {
		if err := p.Patches.write(w, p.noun(), how.Values); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, p.Summary())
	return err
}

// short names the rules that a package breaks.
func (p *Preview) short(row *Row) string {
	if row.Outcome == Failed {
		return row.Reason
	}
	var parts []string
	for _, at := range row.Groups {
		if g := &p.Groups[at]; g.Severity != diag.Info {
			part := string(g.Severity) + " " + g.Rule
			if n := len(parts) - 1; n >= 0 && strings.HasPrefix(parts[n], part) {
				var count int
				if _, err := fmt.Sscanf(strings.TrimPrefix(parts[n], part), " ×%d", &count); err != nil {
					count = 1
				}
				parts[n] = fmt.Sprintf("%s ×%d", part, count+1)
				continue
			}
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// FormatVersion names the form of the JSON. Fields may be added to it; what they mean
// does not change.
const FormatVersion = "packfn.fleet/v1"

// File is a preview as JSON. Its schema is build/schemas/fleet.json.
type File struct {
	// Format is the version of the form, packfn.fleet/v1.
	Format string `json:"format" required:"true"`
	// Version is that of the program that wrote the file.
	Version string `json:"version" required:"true"`
	// Summary counts the packages by their outcome.
	Summary Summary `json:"summary" required:"true"`
	// Packages are sorted by repository, package and variant.
	Packages []FilePackage `json:"packages" required:"true"`
	// Findings are those about packages, each once.
	Findings []FileFinding `json:"findings" required:"true"`
	// Sets are the findings about the sets.
	Sets []report.Finding `json:"sets" required:"true"`
	// Changes are those since an earlier preview, when there is one to compare with.
	Changes *FileChanges `json:"changes,omitempty"`
}

// Summary counts packages by their outcome.
type Summary struct {
	Packages   int `json:"packages" required:"true"`
	Deployable int `json:"deployable" required:"true"`
	Refused    int `json:"refused" required:"true"`
	Failed     int `json:"failed" required:"true"`
}

// FilePackage is the package of a variant.
type FilePackage struct {
	// Variant is the name of the PackageVariant.
	Variant string `json:"variant" required:"true"`
	// Repo and Package are its downstream.
	Repo    string `json:"repo" required:"true"`
	Package string `json:"package" required:"true"`
	// Upstream is what it is made of, `blueprints/platform@v3`.
	Upstream string `json:"upstream" required:"true"`
	// Outcome says what becomes of it.
	Outcome string `json:"outcome" required:"true" enum:"can be deployed,refused,failed"`
	// Reason says why it cannot be computed.
	Reason string `json:"reason,omitempty"`
	// Functions are the functions that ran on it.
	Functions []string `json:"functions,omitempty"`
	// Findings are indexes of findings.
	Findings []int `json:"findings,omitempty"`
}

// FileFinding is a finding about one or several packages.
type FileFinding struct {
	// Packages are indexes of packages.
	Packages []int `json:"packages" required:"true"`
	// Finding is what was found.
	Finding report.Finding `json:"finding" required:"true"`
}

// FileChanges are the changes since an earlier preview.
type FileChanges struct {
	// Same is the number of packages without a change.
	Same int `json:"same" required:"true"`
	// New, Gone and Unknown are packages, REPO/PACKAGE: those that are new, those that
	// are no more, and those that could not be rendered.
	New     []string `json:"new,omitempty"`
	Gone    []string `json:"gone,omitempty"`
	Unknown []string `json:"unknown,omitempty"`
	// Groups are equal changes.
	Groups []FileChange `json:"groups" required:"true"`
}

// FileChange is a change of one or several packages.
type FileChange struct {
	Packages []string `json:"packages" required:"true"`
	// Patch is the unified difference of the first of them. Values are masked unless
	// the user asked for them.
	Patch string `json:"patch" required:"true"`
}

func (p *Preview) writeJSON(w io.Writer, how Print) error {
	file := File{
		Format: FormatVersion, Version: how.Version,
		Summary:  Summary{len(p.Rows), p.Count(Deployable), p.Count(Refused), p.Count(Failed)},
		Packages: []FilePackage{}, Findings: []FileFinding{}, Sets: p.Sets.Findings,
	}
	if file.Sets == nil {
		file.Sets = []report.Finding{}
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		file.Packages = append(file.Packages, FilePackage{
			Variant: row.Variant, Repo: row.Repo, Package: row.Package, Upstream: row.Upstream,
			Outcome: string(row.Outcome), Reason: row.Reason, Functions: row.Ran, Findings: row.Groups,
		})
	}
	single := report.Report{}
	for i := range p.Groups {
		single.Findings = []report.Finding{p.Groups[i].Finding}
		single.Finish()
		file.Findings = append(file.Findings, FileFinding{p.Groups[i].Rows, single.Findings[0]})
	}
	if c := p.Patches; c != nil {
		file.Changes = &FileChanges{Same: c.Same, New: c.New, Gone: c.Gone, Unknown: c.Unknown, Groups: []FileChange{}}
		for i := range c.Groups {
			file.Changes.Groups = append(file.Changes.Groups, FileChange{c.Groups[i].Packages, c.Groups[i].show(how.Values)})
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(file)
}

// show returns the differences of all files.
func (p *Patch) show(values bool) string {
	var b strings.Builder
	for i := range p.Files {
		b.WriteString(p.Files[i].Show(values))
	}
	return b.String()
}

// maxMarkdown is the number of characters of a comment. GitHub takes 65,536.
const maxMarkdown = 60_000

// writeMarkdown prints a comment for a pull request. What does not fit is counted.
func (p *Preview) writeMarkdown(w io.Writer, how Print) error {
	var b strings.Builder
	size := 0
	add := func(format string, args ...any) bool {
		text := fmt.Sprintf(format, args...)
		if size+utf8.RuneCountInString(text) > maxMarkdown-500 {
			return false
		}
		size += utf8.RuneCountInString(text)
		b.WriteString(text)
		return true
	}
	mark := ":white_check_mark:"
	if p.IsFailed() {
		mark = ":x:"
	}
	add("### packfn fleet %s %s\n", mark, p.Summary())
	escape := report.EscapeMarkdown
	left := 0
	if p.IsFailed() {
		add("\n| %s | outcome | findings |\n|---|---|---|\n", p.noun())
		for i := range p.Rows {
			if row := &p.Rows[i]; row.Outcome != Deployable && (left > 0 || size > maxMarkdown/3 || !add("| %s | %s | %s |\n", escape(p.name(row)), row.Outcome, escape(p.short(row)))) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown.\n", plural(left, "more "+p.noun()))
		}
	}
	if r := p.Report(); len(r.Findings) > 0 {
		add("\n| severity | finding | rule |\n|---|---|---|\n")
		left = 0
		for i := range r.Findings {
			f := &r.Findings[i]
			if left > 0 || size > 2*maxMarkdown/3 || !add("| %s | %s | %s |\n", f.Severity, escape(subject(f)+f.Message), escape(f.Rule)) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown; run packfn fleet for all.\n", plural(left, "more finding"))
		}
	}
	if c := p.Patches; c != nil {
		left = 0
		for i := range c.Groups {
			g := &c.Groups[i]
			patch := strings.ReplaceAll(strings.ReplaceAll(g.show(how.Values), "&", "&amp;"), "<", "&lt;")
			if left > 0 || !add("\n<details><summary>a change in %s: %s</summary>\n\n<pre>\n%s</pre>\n</details>\n", plural(len(g.Packages), p.noun()), escape(some(g.Packages, 5)), patch) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown.\n", plural(left, "more change"))
		}
		add("\nNo change in %s; %s new, %s gone.\n", plural(c.Same, p.noun()), number(len(c.New)), number(len(c.Gone)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Files returns the files of all packages, by their paths in the folder of the fleet.
func (p *Preview) Files() []staging.Change {
	var files []staging.Change
	for i := range p.Rows {
		for _, file := range p.Rows[i].Files {
			files = append(files, staging.Change{Path: filepath.FromSlash(folder(&p.Rows[i], file.Path)), Text: file.Text})
		}
	}
	return files
}
