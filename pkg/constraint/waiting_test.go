package constraint

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/rule"
)

// While properties of the cluster are still to come, a requirement is unsatisfied only if
// no further candidate can satisfy it.
func TestWaits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		models := make([]modelBundle, rapid.IntRange(1, 3).Draw(t, "bundles"))
		n := drawNode(t, 3)
		var bundles []*Bundle
		for i := range models {
			models[i] = drawBundle(t)
			bundles = append(bundles, models[i].read(t, fmt.Sprintf("bundle-%d", i), []modelNode{n}[:max(0, 1-i)]...))
		}
		for _, scope := range []Scope{ScopeSet, ScopeBundle} {
			findings := check(bundles, nil, Options{Scope: scope, IsPending: true})
			reported := count(findings, rule.ConstraintUnsatisfied) > 0
			extra := append(models, drawBundle(t))
			switch {
			case reported && scope == ScopeBundle:
				t.Fatalf("%s: the cluster can satisfy it alone", n.yaml())
			case reported && (n.holds(models) || n.holds(extra)):
				t.Fatalf("%s is reported, but %v satisfy it", n.yaml(), extra)
			case !reported && scope == ScopeSet && !n.holds(models) && !n.mayHold(models, true):
				t.Fatalf("%s is not reported, but nothing can satisfy it next to %v", n.yaml(), models)
			}
			if count(findings, rule.ConstraintScopeDiffers) > 0 {
				t.Fatal("what one candidate satisfies alone is not known yet")
			}
		}
	})
}

// mayHold says, spelt out, whether a constraint can hold (or not) if each leaf that does
// not hold may do so.
func (n modelNode) mayHold(bundles []modelBundle, wanted bool) bool {
	can := 0
	for _, child := range n.children {
		if child.mayHold(bundles, wanted != (n.kind == "not")) {
			can++
		}
	}
	switch {
	case len(n.children) == 0:
		return wanted || !n.holds(bundles)
	case n.kind == "any" && wanted, n.kind != "any" && !wanted:
		return can > 0
	}
	return can == len(n.children)
}
