package fleet

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/rule"
)

// Formats are the forms of a preview.
var Formats = []string{string(report.Table), string(report.JSON), string(report.JUnit), string(report.SARIF), string(report.Markdown), string(HTML)}

// Print says how a preview is printed.
type Print struct {
	Format report.Format
	// Version is as in a report.
	Version string
	Color   bool
	// Audience is who reads the changes.
	Audience diag.Audience
	// All lists all packages in the table, also the many that can be deployed.
	All bool
	// Least is the least severity of the findings that the table shows; "" is warning.
	Least diag.Severity
}

// shown are the severities that the table shows.
func (how Print) shown() []diag.Severity {
	all := []diag.Severity{diag.Error, diag.Warning, diag.Info}
	return all[:slices.Index(all, cmp.Or(how.Least, diag.Warning))+1]
}

// ShowsAll reports whether changes are shown with all values.
func (how Print) ShowsAll() bool { return how.Audience == diag.All }

// Write prints a preview.
func (p *Preview) Write(w io.Writer, how Print) error {
	out := bufio.NewWriter(w)
	if p.IsMasked() {
		how.Audience = diag.Record
	}
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
		r.Version = how.Version
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
				break
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

// Report returns the errors and warnings, each once, with the packages that have it.
func (p *Preview) Report() *report.Report {
	r := &report.Report{Given: p.given}
	for i := range p.Groups {
		if g := &p.Groups[i]; g.Severity != diag.Info {
			f := g.Finding
			f.Frame(p.count(p.rowsOf(g)), "")
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

// rowsOf returns the packages of a group.
func (p *Preview) rowsOf(g *Group) []*Row {
	rows := make([]*Row, len(g.Rows))
	for i, at := range g.Rows {
		rows[i] = &p.Rows[at]
	}
	return rows
}

// failures returns a finding for each reason why packages cannot be computed.
func (p *Preview) failures() []report.Finding {
	var all []report.Finding
	for _, rows := range p.failed() {
		f := failure(rows[0])
		if len(rows) > 1 {
			f.Resource.Name = ""
			f.Frame(p.count(rows), "")
		}
		all = append(all, f)
	}
	return all
}

// failed returns the packages that cannot be computed, those of one reason together.
func (p *Preview) failed() [][]*Row {
	var all [][]*Row
	at := map[string]int{}
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Reason == "" {
			continue
		}
		n, known := at[row.Reason]
		if !known {
			n = len(all)
			at[row.Reason], all = n, append(all, nil)
		}
		all[n] = append(all[n], row)
	}
	return all
}

// count says how many packages something is about: `3 of 1,000 clusters (a, b, c): `.
func (p *Preview) count(rows []*Row) string {
	const most = 5
	return p.share(rows, most) + ": "
}

// share counts packages, and names the first ones: `3 of 1,000 clusters (a, b, c)`.
func (p *Preview) share(rows []*Row, most int) string {
	var names []string
	for _, row := range rows[:min(most, len(rows))] {
		names = append(names, p.name(row))
	}
	return fmt.Sprintf("%s of %s (%s)", number(len(rows)), plural(len(p.Rows), p.noun()), someOf(names, len(rows)))
}

// failure is the finding about a package that cannot be computed.
func failure(row *Row) report.Finding {
	return report.Finding{
		Rule: rule.InputInvalid.ID, Severity: diag.Error, Function: "fleet", Message: row.Reason,
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
			if f.Severity == diag.Info {
				continue
			}
			if at := where(&f); at != "" {
				f.Message += " (" + at + ")"
			}
			f.File, f.Line, f.Column, f.Resource, f.Field, f.Key = row.Name(), 0, 0, &resource, "", ""
			r.Findings = append(r.Findings, f)
		}
		if row.Reason != "" {
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

// problem is a finding as tables show it.
type problem struct {
	severity                       diag.Severity
	rule, packages, message, where string
}

// problems are the findings of some severities, in their order: of each, those about the sets and
// those about packages, in the order of the groups. The reasons why packages cannot be computed
// come before the groups.
func (p *Preview) problems(severities ...diag.Severity) []problem {
	var all []problem
	for _, severity := range severities {
		for i := range p.Sets.Findings {
			if f := &p.Sets.Findings[i]; f.Severity == severity {
				all = append(all, problem{severity, f.Rule, "sets", f.Message, where(f)})
			}
		}
		for _, rows := range p.failed() {
			if f := failure(rows[0]); f.Severity == severity {
				all = append(all, problem{severity, f.Rule, p.share(rows, fewNames), f.Message, ""})
			}
		}
		for i := range p.Groups {
			if g := &p.Groups[i]; g.Severity == severity {
				all = append(all, problem{severity, g.Rule, p.share(p.rowsOf(g), fewNames), g.Message, where(&g.Finding)})
			}
		}
	}
	return all
}

// where names the file with its line, the resource and the field of a finding.
func where(f *report.Finding) string {
	text := strings.TrimSuffix(subject(f), ": ")
	if f.File != "" && f.Line > 0 {
		text = fmt.Sprintf("%s:%d%s", f.File, f.Line, strings.TrimPrefix(text, f.File))
	}
	return text
}

// fewRows is the number of packages up to which the table lists all of them.
const fewRows = 50

// writeTable prints the packages that cannot be deployed, or all, then the groups of
// findings, and the changes.
func (p *Preview) writeTable(w io.Writer, how Print) error {
	listed, left := p.listed(how.All || len(p.Rows) <= fewRows)
	if len(listed) > 0 {
		table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		fmt.Fprintf(table, "%s\tOUTCOME\tFINDINGS\n", strings.ToUpper(p.noun()))
		for _, row := range listed {
			fmt.Fprintf(table, "%s\t%s\t%s\n", diag.OneLine(p.name(row)), row.Outcome, diag.OneLine(p.short(row, how.shown())))
		}
		if err := table.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if left > 0 {
		fmt.Fprintf(w, "%s can be deployed and not listed; --all lists all\n\n", plural(left, p.noun()))
	}
	r := &report.Report{Color: how.Color}
	for _, g := range p.problems(how.shown()...) {
		fmt.Fprintf(w, "%s %s: %s\n  %s\n", r.Paint(g.severity), diag.OneLine(g.rule), diag.OneLine(g.packages), diag.OneLine(g.message))
		if g.where != "" {
			fmt.Fprintf(w, "  %s\n", diag.OneLine(g.where))
		}
		fmt.Fprintln(w)
	}
	p.Verdicts.write(w)
	if p.Patches != nil {
		if err := p.Patches.write(w, p.noun(), how.Audience); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, p.Summary()+p.notes(how))
	return err
}

// notes counts the notes for the last line of the table: `; 2 notes (--notes shows them)`.
func (p *Preview) notes(how Print) string {
	n := len(p.problems(diag.Info))
	switch {
	case n == 0:
		return ""
	case cmp.Or(how.Least, diag.Warning) == diag.Warning:
		return "; " + plural(n, "note") + " (--notes shows them)"
	}
	return "; " + plural(n, "note")
}

// listed returns the packages that a table lists, all or those that cannot be deployed,
// and counts the others.
func (p *Preview) listed(all bool) (rows []*Row, left int) {
	for i := range p.Rows {
		if row := &p.Rows[i]; all || row.Outcome != Deployable {
			rows = append(rows, row)
		} else {
			left++
		}
	}
	return rows, left
}

// write prints how outcomes differ from those of an earlier preview, if they do.
func (v *Verdicts) write(w io.Writer) {
	if v == nil {
		return
	}
	isAny := false
	for _, list := range v.Lists() {
		if isAny = isAny || len(list.Names) > 0; len(list.Names) > 0 {
			fmt.Fprintf(w, "%s: %s (%s)\n", list.Title, number(len(list.Names)), diag.OneLine(some(list.Names, mostVerdicts)))
		}
	}
	if isAny {
		fmt.Fprintln(w)
	}
}

// mostVerdicts is the number of packages that a line about outcomes names.
const mostVerdicts = 10

// short names the rules that a package breaks, errors and those warnings that are shown.
func (p *Preview) short(row *Row, shown []diag.Severity) string {
	if row.Reason != "" {
		f := failure(row)
		return string(f.Severity) + " " + f.Rule
	}
	var parts []string
	for _, at := range row.Groups {
		if g := &p.Groups[at]; g.Severity != diag.Info && slices.Contains(shown, g.Severity) {
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

// Files returns the files of all packages, by their paths in the folder of the fleet, and
// a record of the outcomes for a later comparison. version is that of the program.
func (p *Preview) Files(version string) []staging.Change {
	files := []staging.Change{p.record(version)}
	for i := range p.Rows {
		for _, file := range p.Rows[i].Files {
			files = append(files, staging.Change{Path: filepath.FromSlash(pathOf(&p.Rows[i], file.Path)), Text: file.Text})
		}
	}
	return files
}
