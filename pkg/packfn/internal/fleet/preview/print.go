package preview

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
)

// Formats are the output formats of a preview.
var Formats = []string{string(report.Table), string(report.JSON), string(report.JUnit), string(report.SARIF), string(report.Markdown), string(report.HTML)}

// Print configures how a preview is printed.
type Print struct {
	// Format is one of Formats.
	Format report.Format
	// Version is the version of packfn.
	Version string
	// Color allows colors in the table.
	Color bool
	// All lists all packages in the table, including the packages that can be deployed.
	All bool
	// Least is the lowest severity of the findings that the table shows. "" means warning.
	Least diag.Severity
}

// shown returns the severities that the table shows.
func (how Print) shown() []diag.Severity {
	return severities[:slices.Index(severities, cmp.Or(how.Least, diag.Warning))+1]
}

// Write prints a preview.
func (p *Preview) Write(w io.Writer, how Print) error {
	out := bufio.NewWriter(w) // it keeps its first error
	var err error
	switch how.Format {
	case report.Table:
		p.writeTable(out, how)
	case report.JSON:
		err = p.writeJSON(out, how)
	case report.JUnit:
		r := p.cases()
		r.Version, r.Skipped = how.Version, p.coverage().Skipped
		err = r.Write(out, report.JUnit)
	case report.SARIF:
		r := p.Report()
		r.Version, r.Skipped = how.Version, p.coverage().Skipped
		err = r.Write(out, report.SARIF)
	case report.Markdown:
		p.writeMarkdown(out, how)
	case report.HTML:
		err = p.writeHTML(out, how)
	default:
		f := diag.GotName(string(how.Format), Formats)
		err = fmt.Errorf("--format: %s", f.Message())
	}
	return cmp.Or(err, out.Flush())
}

// FormatVersion is the version of the JSON format. Fields may be added to it; the meaning of a
// field does not change.
const FormatVersion = "packfn.fleet/v1"

// File is a preview as JSON. Its schema is build/schemas/fleet.json.
type File struct {
	// Format is the version of the format, packfn.fleet/v1.
	Format string `json:"format" required:"true"`
	// Version is the version of packfn that wrote the file.
	Version string `json:"version" required:"true"`
	// Summary counts the packages by their outcome.
	Summary Summary `json:"summary" required:"true"`
	// Checked counts what the checks have read in all packages.
	Checked report.Checked `json:"checked" required:"true"`
	// Packages are sorted by repository, package and variant.
	Packages []Row `json:"packages" required:"true"`
	// Findings are the findings about packages, each once.
	Findings []Group `json:"findings" required:"true"`
	// Sets are the findings about the sets.
	Sets []report.Finding `json:"sets" required:"true"`
	// Skipped is what was not checked, such as what comes after functions of other suites.
	Skipped []report.Skipped `json:"skipped,omitempty"`
	// Changes are the changes since an earlier preview, if there is one to compare with.
	Changes *Patches `json:"changes,omitempty"`
}

// Summary counts packages by their outcome.
type Summary struct {
	// Packages is the number of all packages.
	Packages int `json:"packages" required:"true"`
	// Deployable is the number of packages that can be deployed.
	Deployable int `json:"deployable" required:"true"`
	// Refused counts the packages that are refused at any step.
	Refused int `json:"refused" required:"true"`
	// Failed is the number of packages that could not be computed.
	Failed int `json:"failed" required:"true"`
	// Outcomes are the counts of all outcomes, starting with packages that can be deployed.
	Outcomes []OutcomeCount `json:"outcomes" required:"true"`
}

// writeJSON writes a [File] in parts, so that it is never in memory as a whole.
func (p *Preview) writeJSON(w io.Writer, how Print) error {
	refused := p.count(func(r *Row) bool { return r.Outcome.IsRefused() })
	out := report.NewJSONObject(w)
	out.Field("format", FormatVersion)
	out.Field("version", how.Version)
	out.Field("summary", Summary{len(p.Rows), p.countOf(Deployable), refused, p.countOf(Failed), p.Counts()})
	out.Field("checked", p.coverage().Sum())
	out.List("packages", len(p.Rows), func(i int) any { return &p.Rows[i] })
	out.List("findings", len(p.Groups), func(i int) any {
		alone := report.Report{Findings: []report.Finding{p.Groups[i].Finding}}
		alone.Finish() // it gives the fingerprint
		return Group{p.Groups[i].Packages, alone.Findings[0]}
	})
	out.List("sets", len(p.Sets.Findings), func(i int) any { return &p.Sets.Findings[i] })
	if all := p.coverage().Skipped; len(all) > 0 {
		out.List("skipped", len(all), func(i int) any { return &all[i] })
	}
	if p.Patches != nil {
		out.Field("changes", p.Patches)
	}
	return out.Close()
}

// Files returns the files of all packages, by their paths in the folder of the fleet, and a
// record of the outcomes for a later comparison. version is the version of packfn.
func (p *Preview) Files(version string) []staging.Change {
	files := []staging.Change{p.record(version)}
	for i := range p.Rows {
		for _, file := range p.Rows[i].Files {
			files = append(files, staging.Change{Path: filepath.FromSlash(path.Join(p.Rows[i].Name(), file.Path)), Text: file.Text})
		}
	}
	return files
}

// noun returns the word for a package: "cluster" if each repository has one package, otherwise
// "package".
func (p *Preview) noun() string {
	if p.called == "" {
		p.called = "cluster"
		for i := range p.Rows {
			if i > 0 && p.Rows[i].Repo == p.Rows[i-1].Repo {
				p.called = "package"
				break
			}
		}
	}
	return p.called
}

// name returns the display name of a row.
func (p *Preview) name(row *Row) string {
	if p.noun() == "cluster" && row.Repo != "" {
		return row.Repo
	}
	return cmp.Or(row.Name(), row.Variant)
}

// namesOf lists the display names of the first packages of a group, and counts the others.
func (p *Preview) namesOf(g *Group, most int) string {
	var names []string
	for _, at := range g.Packages[:min(len(g.Packages), most)] {
		names = append(names, p.name(&p.Rows[at]))
	}
	return someOf(names, len(g.Packages))
}

// about describes the packages of a finding and names the first ones, such as `3 of 1,000
// clusters (a, b, c)`. It returns "sets" for a finding about the sets.
func (p *Preview) about(g *Group, most int) string {
	if len(g.Packages) == 0 {
		return "sets"
	}
	return fmt.Sprintf("%s of %s (%s)", number(len(g.Packages)), Plural(len(p.Rows), p.noun()), p.namesOf(g, most))
}

// fewNames is the maximum number of packages that one line names, and mostNames the maximum that
// a report names.
const (
	fewNames  = 3
	mostNames = 5
)

// Report returns the errors and warnings, each once, with the packages that have it.
func (p *Preview) Report() *report.Report {
	r := &report.Report{Given: p.Given}
	add := func(g Group, isFramed bool) {
		if g.Finding.Severity == diag.Info {
			return
		}
		if isFramed {
			g.Finding.Frame(p.about(&g, mostNames)+": ", "")
		}
		r.Findings = append(r.Findings, g.Finding)
	}
	for _, g := range p.Groups {
		add(g, true)
	}
	for _, g := range p.ofSets() {
		add(g, false)
	}
	for _, g := range p.failed() {
		g.Finding.Resource = &report.Resource{Kind: "PackageVariant"}
		if len(g.Packages) == 1 {
			g.Finding.Resource.Name = p.Rows[g.Packages[0]].Variant
		}
		add(g, len(g.Packages) > 1)
	}
	r.Finish()
	return r
}

// cases returns a report with a test case for each package and function, for JUnit.
func (p *Preview) cases() *report.Report {
	r := &report.Report{}
	for i := range p.Rows {
		row := &p.Rows[i]
		resource := report.Resource{Kind: "PackageVariant", Name: row.Variant}
		add := func(f report.Finding) {
			f.File, f.Line, f.Column, f.Resource, f.Field, f.Key = row.Name(), 0, 0, &resource, "", ""
			r.Findings = append(r.Findings, f)
		}
		for _, name := range row.Functions {
			r.Cases = append(r.Cases, report.Case{Function: name, File: row.Name(), Resource: resource})
		}
		for _, at := range row.Findings {
			f := p.Groups[at].Finding
			if f.Severity == diag.Info {
				continue
			}
			if at := where(&f); at != "" {
				f.Message += " (" + at + ")"
			}
			add(f)
		}
		if row.Reason != "" {
			add(failure(row.Reason))
		}
	}
	r.Findings = append(r.Findings, p.Sets.Findings...)
	return r
}

// problems returns the findings with some severities, in the order of the severities. Within a
// severity, findings about the sets come first, then the reasons why packages cannot be computed,
// then the groups.
func (p *Preview) problems(severities ...diag.Severity) []Group {
	all := slices.Concat(p.ofSets(), p.failed(), p.Groups)
	var problems []Group
	for _, severity := range severities {
		for _, g := range all {
			if g.Finding.Severity == severity {
				problems = append(problems, g)
			}
		}
	}
	return problems
}

// ofSets returns the findings about the sets, as groups without packages.
func (p *Preview) ofSets() []Group {
	all := make([]Group, len(p.Sets.Findings))
	for i := range all {
		all[i].Finding = p.Sets.Findings[i]
	}
	return all
}

// failed returns the reasons why packages cannot be computed, each with its packages.
func (p *Preview) failed() (all []Group) {
	index := map[string]int{}
	for i := range p.Rows {
		reason := p.Rows[i].Reason
		if reason == "" {
			continue
		}
		at, known := index[reason]
		if !known {
			at = len(all)
			index[reason] = at
			all = append(all, Group{Finding: failure(reason)})
		}
		all[at].Packages = append(all[at].Packages, i)
	}
	return all
}

// failure returns the finding for a package that cannot be computed.
func failure(reason string) report.Finding {
	return report.Finding{Rule: rule.InputInvalid.ID, Severity: diag.Error, Function: "fleet", Message: reason}
}

// where returns the file with its line, the resource and the field of a finding.
func where(f *report.Finding) string {
	file := f.File
	if file != "" && f.Line > 0 {
		file = fmt.Sprintf("%s:%d", file, f.Line)
	}
	parts := slices.DeleteFunc([]string{file, f.Resource.String(), f.Field}, func(part string) bool { return part == "" })
	return strings.Join(parts, ": ")
}

// IsMasked reports whether values were masked before the preview was merged.
func (p *Preview) IsMasked() bool { return p.earlier != nil && !p.earlier.HasValues }

// masking is the note below masked changes that explains how to show the values.
const masking = "Values that may be secrets are masked (" + shown.Hidden + "); packfn fleet --show-values shows them."

// hasMasked reports whether a change contains masked values.
func (p *Preview) hasMasked() bool {
	return p.Audience != diag.All && slices.ContainsFunc(p.Patches.Groups, func(g Patch) bool { return strings.Contains(g.Patch, shown.Hidden) })
}

// what returns the start of a group's title, such as `the same change in`.
func (g *Patch) what() string {
	if len(g.Packages) > 1 {
		return "the same change in"
	}
	return "a change in"
}

// Few lists the first names, and counts the others: `a, b, c and 4 more`.
func Few(names []string) string { return some(names, fewNames) }

// some lists the first names, and counts the others.
func some(names []string, most int) string {
	return someOf(names[:min(len(names), most)], len(names))
}

// someOf lists names, and counts the remaining ones; all is the total number.
func someOf(names []string, all int) string {
	text := strings.Join(names, ", ")
	if more := all - len(names); more > 0 {
		text += fmt.Sprintf(" and %s more", number(more))
	}
	return text
}

// number formats a number with commas, such as 1,000.
func number(n int) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Plural returns a number with its noun, such as `1 package` or `1,000 packages`.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}
