package constraint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestAlone: looking at few candidates finds whoever satisfies a constraint alone,
// for every tree of two levels over an API that one bundle has, and one that none
// has.
func TestAlone(t *testing.T) {
	leaves := []modelNode{{kind: "gvk", word: "A"}, {kind: "gvk", word: "C"}}
	level := func(children []modelNode) []modelNode {
		all := slices.Clone(leaves)
		for _, kind := range []string{"all", "any", "not"} {
			for i, a := range children {
				all = append(all, modelNode{kind: kind, children: []modelNode{a}})
				for _, b := range children[i:] {
					all = append(all, modelNode{kind: kind, children: []modelNode{a, b}})
				}
			}
		}
		return all
	}
	trees := level(level(leaves))
	var text strings.Builder
	for _, n := range trees {
		fmt.Fprintf(&text, "- {type: olm.constraint, value: %s}\n", n.yaml())
	}
	for _, has := range [][]string{{}, {"gvk:A"}, {"", "gvk:A"}} {
		bundles, models := []*Bundle{bundle(t, "red.v1.0.0", text.String())}, []modelBundle{{}}
		if len(has) > 0 && has[0] != "" { // only red has it
			bundles[0].APIs, models[0].has = []API{{GVK: GVK{"g", "v1", "A"}}}, has
		} else if len(has) > 1 { // another has it
			other := bundle(t, "other.v1.0.0", "")
			other.APIs = []API{{GVK: GVK{"g", "v1", "A"}}}
			bundles, models = append(bundles, other), append(models, modelBundle{has: has[1:]})
		}
		set := readAll(bundles, nil)
		evaluator := newEvaluator(set.candidates)
		for i, r := range set.readings[0].candidate.requirements {
			if got, want := evaluator.alone(r.constraint) >= 0, trees[i].holdsAlone(models); got != want {
				t.Errorf("%s over %v: got %v, want %v", trees[i].yaml(), models, got, want)
			}
		}
	}
}
