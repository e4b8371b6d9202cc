package preview

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

const (
	// fewRows is the number of packages up to which the table lists all of them.
	fewRows = 50
	// mostVerdicts is the maximum number of packages that a line about outcomes names.
	mostVerdicts = 10
	// mostListed is the maximum number of packages without a change that a line names.
	mostListed = 20
)

// writeTable prints the packages that cannot be deployed, or all packages, then the findings and
// the changes:
//
//	CLUSTER   OUTCOME           FINDINGS
//	edge-1    refused           error dependency/missing
//	edge-2    can be deployed   none
func (p *Preview) writeTable(w io.Writer, how Print) {
	all := how.All || len(p.Rows) <= fewRows
	listed := p.count(func(r *Row) bool { return all || !r.isPlain() })
	if listed > 0 {
		table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		fmt.Fprintf(table, "%s\tOUTCOME\tFINDINGS\n", strings.ToUpper(p.noun()))
		for i := range p.Rows {
			if row := &p.Rows[i]; all || !row.isPlain() {
				fmt.Fprintf(table, "%s\t%s\t%s\n", diag.OneLine(p.name(row)), row.Verdict(), diag.OneLine(p.short(row, how)))
			}
		}
		table.Flush()
		fmt.Fprintln(w)
	}
	if left := len(p.Rows) - listed; left > 0 {
		fmt.Fprintf(w, "%s can be deployed and not listed; --all lists all\n\n", Plural(left, p.noun()))
	}
	r := &report.Report{Display: report.Display{Color: how.Color}}
	for _, g := range p.problems(how.shown()...) {
		fmt.Fprintf(w, "%s %s: %s\n  %s\n", r.Paint(g.Finding.Severity), diag.OneLine(g.Finding.Rule), diag.OneLine(p.about(&g, fewNames)), diag.OneLine(g.Finding.Message))
		if at := where(&g.Finding); at != "" {
			fmt.Fprintf(w, "  %s\n", diag.OneLine(at))
		}
		fmt.Fprintln(w)
	}
	if p.Patches != nil {
		p.writeChanges(w)
	}
	fmt.Fprint(w, p.Summary())
	if n := len(p.problems(diag.Info)); n > 0 {
		fmt.Fprint(w, "; "+Plural(n, "note"))
		if cmp.Or(how.Least, diag.Warning) == diag.Warning {
			fmt.Fprint(w, " (--notes shows them)")
		}
	}
	coverage := p.coverage()
	coverage.Color = how.Color
	coverage.WriteCoverage(w)
}

// writeChanges prints the packages whose outcome differs from an earlier preview, and the
// changes.
func (p *Preview) writeChanges(w io.Writer) {
	c := p.Patches
	isAny := false
	for _, list := range c.Outcomes.Lists() {
		if len(list.Names) > 0 {
			fmt.Fprintf(w, "%s: %s (%s)\n", list.Title, number(len(list.Names)), diag.OneLine(some(list.Names, mostVerdicts)))
			isAny = true
		}
	}
	if isAny {
		fmt.Fprintln(w)
	}
	all := c.Same + len(c.New) + len(c.Unknown)
	for i := range c.Groups {
		all += len(c.Groups[i].Packages)
	}
	for i := range c.Groups {
		group := &c.Groups[i]
		fmt.Fprintf(w, "%s %s of %s: %s\n", group.what(), number(len(group.Packages)), Plural(all, p.noun()), diag.OneLine(some(group.Packages, fewNames)))
		if group.NamesDiffer {
			fmt.Fprintf(w, "(but for the name of the %s; this is %s)\n", p.noun(), diag.OneLine(group.Packages[0]))
		}
		fmt.Fprintf(w, "%s\n", diag.ShownLines(group.Patch))
	}
	if p.hasMasked() {
		fmt.Fprintf(w, "%s\n\n", masking)
	}
	for _, list := range c.Lists() {
		if len(list.Names) > 0 {
			fmt.Fprintf(w, "%s: %s: %s\n", list.Title, Plural(len(list.Names), p.noun()), diag.OneLine(some(list.Names, mostListed)))
		}
	}
	if c.Same > 0 {
		fmt.Fprintf(w, "no change in %s\n", Plural(c.Same, p.noun()))
	}
}

// short lists the rules that a package violates, for errors and for warnings that are shown.
func (p *Preview) short(row *Row, how Print) string {
	if row.Reason != "" {
		f := failure(row.Reason)
		return string(f.Severity) + " " + f.Rule
	}
	var parts []string
	var counts []int
	for _, at := range row.Findings {
		f := &p.Groups[at].Finding
		if f.Severity == diag.Info || !slices.Contains(how.shown(), f.Severity) {
			continue
		}
		part := string(f.Severity) + " " + f.Rule
		if last := len(parts) - 1; last >= 0 && parts[last] == part {
			counts[last]++
			continue
		}
		parts, counts = append(parts, part), append(counts, 1)
	}
	for i, n := range counts {
		if n > 1 {
			parts[i] += fmt.Sprintf(" ×%d", n)
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// maxMarkdown is the maximum number of characters of a comment. GitHub accepts 65,536.
const maxMarkdown = 60_000

// writeMarkdown prints a comment for a pull request. Entries that do not fit are counted.
func (p *Preview) writeMarkdown(w io.Writer, how Print) {
	size, left := 0, 0
	// add prints a part and returns true, unless the comment would become too long.
	add := func(format string, args ...any) bool {
		text := fmt.Sprintf(format, args...)
		if size+utf8.RuneCountInString(text) > maxMarkdown-500 {
			return false
		}
		size += utf8.RuneCountInString(text)
		fmt.Fprint(w, text)
		return true
	}
	mark := ":white_check_mark:"
	if p.IsFailed() {
		mark = ":x:"
	}
	add("### packfn fleet %s %s\n", mark, p.Summary())
	escape := report.MarkdownCode
	if p.IsFailed() {
		add("\n| %s | outcome | findings |\n|---|---|---|\n", p.noun())
		for i := range p.Rows {
			if row := &p.Rows[i]; !row.isPlain() && (left > 0 || size > maxMarkdown/3 || !add("| %s | %s | %s |\n", escape(p.name(row)), row.Verdict(), escape(p.short(row, how)))) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown.\n", Plural(left, "more "+p.noun()))
		}
	}
	if problems := p.problems(how.shown()...); len(problems) > 0 {
		add("\n| finding | in | where | rule |\n|---|---|---|---|\n")
		left = 0
		for _, g := range problems {
			f := &g.Finding
			if left > 0 || size > 2*maxMarkdown/3 || !add("| **%s** %s | %s | %s | %s |\n", f.Severity, escape(f.Message), escape(p.about(&g, fewNames)), escape(where(f)), escape(f.Rule)) {
				left++
			}
		}
		if left > 0 {
			add("\n%s not shown; run packfn fleet for all.\n", Plural(left, "more finding"))
		}
	}
	add("\n%s.\n", p.Coverage())
	if lines := p.SkippedLines(); len(lines) > 0 {
		text := "\n<details><summary>Not checked</summary>\n\n"
		for _, line := range lines {
			text += "* " + escape(line) + "\n"
		}
		add("%s\n</details>\n", text)
	}
	c := p.Patches
	if c == nil {
		return
	}
	for _, list := range c.Outcomes.Lists() {
		if len(list.Names) > 0 {
			add("\n%s: %s (%s)\n", list.Title, number(len(list.Names)), escape(some(list.Names, mostVerdicts)))
		}
	}
	left = 0
	names := p.names()
	for i := range c.Groups {
		g := &c.Groups[i]
		summary := fmt.Sprintf("%s %s: %s", g.what(), Plural(len(g.Packages), p.noun()), report.HTMLCode(some(names(g.Packages), fewNames)))
		if left > 0 || !add("\n%s", report.MarkdownFolded(summary, diag.ShownLines(g.Patch))) {
			left++
		}
	}
	if left > 0 {
		add("\n%s not shown.\n", Plural(left, "more change"))
	}
	if p.hasMasked() {
		add("\n%s\n", masking)
	}
	for _, list := range []struct {
		what  string
		count int
	}{{"New", len(c.New)}, {"Gone", len(c.Gone)}, {"Not rendered", len(c.Unknown)}, {"No change", c.Same}} {
		if list.count > 0 {
			add("\n%s: %s.\n", list.what, Plural(list.count, p.noun()))
		}
	}
}
