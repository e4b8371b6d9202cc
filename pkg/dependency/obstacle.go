package dependency

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/constraint"
)

// obstacle returns the reason why a version of the catalog cannot be used, or "" if there is none.
func (a *advisor) obstacle(q Question, text string) string {
	if a.Obstacle == nil || q.Bundle == nil && !q.IsMissing {
		return ""
	}
	change := constraint.Change{Bundle: q.Bundle, Package: q.Name, Version: text}
	if q.Bundle != nil { // the version alone can be changed, too
		if obstacle := a.Obstacle(change); obstacle != "" {
			return obstacle
		}
	}
	first := ""
	for _, o := range a.offers[q.Name] {
		if o.Version != text || !layersMatch(o.Layer, q.Layer) {
			continue
		}
		obstacle := a.offerObstacle(o, change)
		if obstacle == "" {
			return ""
		}
		first = cmp.Or(first, obstacle)
	}
	return first
}

// offerObstacle returns the reason why an offer cannot be used, or "" if there is none.
func (a *advisor) offerObstacle(o Offer, change constraint.Change) string {
	if o.Content == nil {
		return a.Obstacle(change)
	}
	content := o.Content()
	for i := range content.Dependencies {
		if obstacle := a.unsatisfied(o, &content.Dependencies[i]); obstacle != "" {
			return obstacle
		}
	}
	if content.Bundle == nil {
		return a.Obstacle(change)
	}
	change.Content = content.Bundle
	return a.Obstacle(change)
}

// unsatisfied describes the dependency of an offer that is not satisfied. It returns "" if there is
// none.
func (a *advisor) unsatisfied(o Offer, d *Dependency) string {
	if d.Pack == o.Name || d.Type == Upgrade {
		return ""
	}
	found := slices.DeleteFunc(slices.Clone(a.packs[d.Pack]), func(p *Pack) bool { return !d.matches(p) })
	if len(found) == 0 && d.Pack == "kubernetes" && a.Kubernetes != nil {
		found = []*Pack{a.Kubernetes}
	}
	what := fmt.Sprintf("it requires %q %s", d.Pack, d.Range)
	if d.Type == NotSupported {
		what = fmt.Sprintf("it does not support %q %s", d.Pack, d.Range)
	}
	if len(found) == 0 && d.Type == Required {
		return what + ", which is missing"
	}
	for _, p := range found {
		if v, err := p.version(d.isKubernetes() || isKubernetes(p.Name, p.Layer)); !d.Range.IsOpen() && (err != nil || !d.accepts(v)) {
			if p.Version == "" {
				return fmt.Sprintf("%s, and pack %q has no version", what, d.Pack)
			}
			return fmt.Sprintf("%s (the package has %s)", what, p.Version)
		}
	}
	return ""
}
