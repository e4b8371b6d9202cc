package policy

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/injection"
	"github.com/krm-packs/functions/pkg/list"
)

// point is an injection point into which nothing is injected.
type point struct {
	injection.Status
	resource diag.Resource
}

// waits reports whether the content of a resource is still to be injected.
func (p *processor) waits(item *list.Item) bool {
	status := injection.Of(p.run, item)
	switch one := (point{status, item.Resource()}); {
	case status.Waits:
		p.waiting = append(p.waiting, one)
	case status.Doubt != nil:
		p.unclear = append(p.unclear, one)
	}
	return status.Waits
}

// checkOthers reports what is wrong with the resources that do not wait. Nothing is
// selected, and the selections of an earlier run stay: each may rest on what is still to
// be injected.
func (p *processor) checkOthers() {
	_, findings := NewIndex(p.hub, p.config.assumed())
	p.report(findings...)
	p.report(CheckScopes(p.policies)...)
}

// reportPoints says what waits for injection, and why something does not.
func (p *processor) reportPoints() {
	for _, points := range [][]point{p.waiting, p.unclear} {
		if len(points) == 0 {
			continue
		}
		first := slices.MinFunc(points, func(a, b point) int { return a.resource.Compare(b.resource) })
		consequence := "nothing is selected"
		switch others := len(points) - 1; {
		case others == 1:
			consequence += " (1 other resource waits, too)"
		case others > 1:
			consequence += " (" + diag.Count(others, "other resource") + " wait, too)"
		}
		first.Report(p.run, first.resource, RuleWaiting, consequence, "")
	}
}
