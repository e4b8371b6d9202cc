package policy

import "github.com/krm-packs/functions/pkg/list"

// waits reports whether the content of a resource is still to be injected.
func (p *processor) waits(item *list.Item) bool {
	status := p.injection.Of(item)
	p.points = append(p.points, status)
	p.isWaiting = p.isWaiting || status.IsPending
	return status.IsPending
}

// checkOthers reports the faults of the resources that do not wait. Nothing is selected, and the
// selections of an earlier run stay: each may rest on content that is still to be injected.
func (p *processor) checkOthers() {
	_, findings := NewIndex(p.hub, p.config.assumed())
	p.report(findings...)
	p.report(checkScopes(p.policies)...)
}
