package fleet

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
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
		f := &p.Groups[i].Finding
		if f.Severity == diag.Info && strings.HasSuffix(f.Rule, "/waiting") {
			message := fmt.Sprintf("%s (%s)", f.Message, p.about(&p.Groups[i], fewNames))
			r.Skip(report.Skipped{Reason: report.Waiting, File: f.File, Line: f.Line, Resource: f.Resource, Message: message})
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
