package preview

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// HasSkipped reports whether anything was skipped for a reason; "" stands for any reason.
func (p *Preview) HasSkipped(reason report.Reason) bool { return p.coverage().HasSkipped(reason) }

// coverage returns a report with what was checked in all packages, and what was not: packages with
// functions of other suites, and what is injected later.
func (p *Preview) coverage() *report.Report {
	r := &report.Report{Extent: report.Extent{Counts: true, Units: make([]report.Unit, 1), Nothing: "no check has read a resource"}}
	for i := range p.Rows {
		r.Units[0].Checked.Add(p.Rows[i].Checked)
		if row := &p.Rows[i]; row.Outcome == NotRendered {
			r.Skip(report.Skipped{Reason: report.OtherFunction, File: row.Name(), Message: row.Reason})
		}
	}
	for i := range p.Groups {
		if f := &p.Groups[i].Finding; f.IsWaiting() {
			s := f.Skipped()
			s.Message = fmt.Sprintf("%s (%s)", s.Message, p.about(&p.Groups[i], fewNames))
			r.Skip(s)
		}
	}
	for _, s := range p.Sets.Skipped {
		r.Skip(s)
	}
	return r
}

// Coverage is a sentence about what was checked and what was not.
func (p *Preview) Coverage() string { return p.coverage().Coverage() }

// SkippedLines returns what was not checked, for the page.
func (p *Preview) SkippedLines() []string {
	lines, more := p.coverage().SkippedLines()
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more; --format json has all", more))
	}
	return lines
}
