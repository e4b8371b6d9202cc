package fleet

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// HasSkipped reports whether anything was skipped for a reason; "" stands for any reason.
func (p *Preview) HasSkipped(reason report.Reason) bool { return p.skipped().HasSkipped(reason) }

// skipped returns a report with what was not checked: packages with functions of other suites, and
// what is injected later.
func (p *Preview) skipped() *report.Report {
	r := &report.Report{}
	for i := range p.Rows {
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

// SkippedLines returns what was not checked, for the page.
func (p *Preview) SkippedLines() []string {
	lines, more := p.skipped().SkippedLines()
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more; --format json has all", more))
	}
	return lines
}
