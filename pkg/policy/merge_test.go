package policy

import (
	"testing"

	"github.com/krm-packs/functions/pkg/policy/manifest"
)

const configurable = `additionalInput: {parameters: {params: {typeRef: {path: cap.type.params, revision: 0.1.0}}, more: {typeRef: {path: cap.type.params, revision: 0.1.0}}}, typeInstances: {extra: {typeRef: {path: cap.type.a, revision: 0.1.0}}, spare: {typeRef: {path: cap.type.b, revision: 0.1.0}}}}
requires: {cap.type: {anyOf: [{name: a, revision: 0.1.0, alias: one}, {name: b, revision: 0.1.0, alias: two}, {name: c, revision: 0.1.0}]}}`

var mergeHub = join(dbInterface, implementation("a", configurable), implementation("b", configurable),
	instance("a1", "cap.type.a"), instance("a2", "cap.type.a"), instance("b1", "cap.type.b"), instance("b2", "cap.type.b"), instance("c1", "cap.type.c"))

// The order of lists in constraints does not matter, nor do duplicates.
func TestSameConstraints(t *testing.T) {
	a := manifest.Constraints{Attributes: []manifest.RefMatch{{Path: "a"}, {Path: "b", Revision: "0.1.0"}}, Requires: []manifest.RefMatch{{Path: "c"}, {Path: "d"}}}
	b := manifest.Constraints{Attributes: []manifest.RefMatch{{Path: "b", Revision: "0.1.0"}, {Path: "a"}, {Path: "a"}}, Requires: []manifest.RefMatch{{Path: "d"}, {Path: "c"}}}
	if constraintsKey(a) != constraintsKey(b) {
		t.Errorf("%q and %q differ", constraintsKey(a), constraintsKey(b))
	}
	for _, other := range []manifest.Constraints{
		{Attributes: a.Attributes}, {Requires: a.Requires}, {Path: "p", Attributes: a.Attributes, Requires: a.Requires},
		{Attributes: a.Requires, Requires: a.Attributes},
		{Attributes: []manifest.RefMatch{{Path: "a"}, {Path: "b"}}, Requires: a.Requires},
	} {
		if constraintsKey(other) == constraintsKey(a) {
			t.Errorf("%+v is used as the same as %+v", other, a)
		}
	}
}

// Of several rules that were probably meant the first one is named.
func TestAlmost(t *testing.T) {
	for range 20 {
		m := &Merged{rules: map[manifest.RefMatch]*MergedRule{}}
		for _, revision := range []string{"0.3.0", "0.1.0", "0.4.0", "0.2.0"} {
			m.rules[manifest.RefMatch{Path: "cap.interface.db", Revision: revision}] = &MergedRule{Interface: manifest.RefMatch{Revision: revision}}
		}
		if got := m.almost(manifest.Ref{Path: "cap.interface.db", Revision: "1.0.0"}); got == nil || got.Interface.Revision != "0.1.0" {
			t.Fatalf("got %+v", got)
		}
	}
}
