package constraint

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// TestObstacle: a change has an obstacle exactly when something holds without it and not
// with it, as the model says: for a new version, a new content and a new bundle, in both
// scopes, with constraints of the cluster.
func TestObstacle(t *testing.T) {
	seen := map[bool]int{}
	draws.Same(t, func(t *rapid.T) {
		models := make([]modelBundle, rapid.IntRange(1, 4).Draw(t, "bundles"))
		nodes := make([]modelNode, rapid.IntRange(1, 3).Draw(t, "constraints"))
		for i := range nodes {
			nodes[i] = drawNode(t, 2)
		}
		var bundles []*Bundle
		for i := range models {
			models[i] = drawBundle(t)
			if i == 0 {
				bundles = append(bundles, models[i].read(t, "bundle-0", nodes...))
			} else {
				bundles = append(bundles, models[i].read(t, fmt.Sprintf("bundle-%d", i)))
			}
		}
		var cluster *Cluster
		barring := drawNode(t, 1)
		if rapid.Bool().Draw(t, "cluster") {
			cluster = &Cluster{}
			for _, e := range (modelBundle{name: "x", version: "1.0.0"}).read(t, "x", barring).Properties {
				if values.Text(values.Field(e.Node, "type")) == typeConstraint {
					cluster.Constraints = append(cluster.Constraints, e)
				}
			}
		}
		scope := rapid.SampledFrom([]Scope{ScopeSet, ScopeBundle}).Draw(t, "scope")
		holds := func(n modelNode, all []modelBundle) bool {
			if cluster != nil {
				all = append(slices.Clone(all), modelBundle{}) // the cluster is a candidate, too
			}
			if scope == ScopeBundle {
				return n.holdsAlone(all)
			}
			return n.holds(all)
		}
		at := rapid.IntRange(0, len(models)).Draw(t, "at") // the last adds one
		after := slices.Clone(models)
		change, own := Change{}, []modelNode{}
		isNew := at == len(models)
		if isNew {
			after = append(after, drawBundle(t))
		} else {
			change.Bundle = bundles[at]
		}
		if hasContent := isNew || rapid.Bool().Draw(t, "content"); hasContent {
			after[at] = drawBundle(t)
			if rapid.Bool().Draw(t, "requires") {
				own = append(own, drawNode(t, 1))
			}
			change.Content = after[at].read(t, "content", own...)
		} else {
			after[at].version = rapid.SampledFrom(modelVersions).Draw(t, "version")
		}
		change.Package, change.Version = after[at].name, after[at].version
		want := false
		if change.Content == nil || at != 0 { // else the constraints are replaced
			for _, n := range nodes {
				want = want || holds(n, models) && !holds(n, after)
			}
		}
		for _, n := range own {
			want = want || !holds(n, after)
		}
		if cluster != nil {
			before := !isNew && !barring.holds(models[at:at+1])
			want = want || !before && !barring.holds(after[at:at+1])
		}
		checker := readAll(bundles, cluster).Checker(Options{Scope: scope})
		if rapid.Bool().Draw(t, "checked before") {
			checker.Check()
		}
		got := checker.Obstacle(change)
		if seen[want]++; (got != "") != want {
			t.Fatalf("got %q, want one: %t\nbundles %+v\nafter %+v\nconstraints %+v, own %+v, cluster %+v", got, want, models, after, nodes, own, barring)
		}
	})
	if seen[true] < 5 || seen[false] < 5 {
		t.Errorf("obstacles: %v", seen)
	}
}

// TestObstacleSays names what is in the way.
func TestObstacleSays(t *testing.T) {
	pink := bundle(t, "pink.v1.0.0", `[{type: olm.constraint, value: {failureMessage: no new blue, not: {constraints: [{package: {packageName: blue, versionRange: '>=3.0.0'}}]}}}]`)
	green := bundle(t, "green.v1.0.0", `[{type: olm.gvk.required, value: {group: g, version: v1, kind: K}}]`)
	blue := bundle(t, "blue.v1.0.0", `[{type: olm.package, value: {packageName: blue, version: 1.0.0}}, {type: olm.gvk, value: {group: g, version: v1, kind: K}}]`)
	cluster := &Cluster{Constraints: entries(t, "constraints", `[{type: olm.constraint, value: {failureMessage: not two, not: {constraints: [{package: {packageName: blue, versionRange: 2.x}}]}}}]`)}
	checker := readAll([]*Bundle{pink, green, blue}, cluster).Checker(Options{IsExempt: func(name, version string) bool { return version == "2.9.0" }})
	for _, c := range []struct {
		name   string
		change Change
		want   string
	}{
		{"nothing", Change{Bundle: blue, Package: "blue", Version: "1.5.0"}, ""},
		{"a constraint", Change{Bundle: blue, Package: "blue", Version: "3.0.0"}, `a constraint of bundle "pink.v1.0.0" (failureMessage: "no new blue") would not be satisfied`},
		{"the cluster", Change{Bundle: blue, Package: "blue", Version: "2.0.0"}, `the cluster does not allow it (failureMessage: "not two")`},
		{"a version that is installed", Change{Bundle: blue, Package: "blue", Version: "2.9.0"}, ""},
		{"a version that OLM does not read", Change{Bundle: blue, Package: "blue", Version: "1.5"}, "OLM does not read it: want three numbers"},
		{"a requirement", Change{Bundle: blue, Package: "blue", Version: "1.5.0", Content: bundle(t, "blue.v1.5.0", "")}, `a requirement of bundle "green.v1.0.0" would not be satisfied`},
		{"a new requirement", Change{Package: "new", Version: "1.5.0", Content: bundle(t, "new.v1.5.0", `[{type: olm.package.required, value: {packageName: none, versionRange: 1.x}}]`)}, `it requires OLM package "none" with version 1.x, which is missing`},
		{"content that cannot be read", Change{Package: "new", Version: "1.5.0", Content: bundle(t, "new.v1.5.0", `[{type: olm.constraint, value: 5}]`)}, "it has properties or dependencies that cannot be read"},
		{"a new package", Change{Package: "blue", Version: "3.0.0"}, `a constraint of bundle "pink.v1.0.0" (failureMessage: "no new blue") would not be satisfied`},
		{"a bundle that is not there", Change{Bundle: &Bundle{}, Package: "blue", Version: "3.0.0"}, ""},
	} {
		if got := checker.Obstacle(c.change); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got := checker.Check(); len(got) != 1 || got[0].Rule != rule.ConstraintTopLevelNot {
		t.Errorf("afterwards: %s", messages(got))
	}
}

// What provides a label, or a rule's property, cannot lose it while another bundle needs it.
func TestObstacleOfOthers(t *testing.T) {
	cel := func(rule string) string { return `[{type: olm.constraint, value: {cel: {rule: '` + rule + `'}}}]` }
	labeled := bundle(t, "labeled.v1.0.0", "[{type: olm.label.required, value: {label: lit}}]")
	ruled := bundle(t, "ruled.v1.0.0", cel(`properties.exists(p, p.type == "lamp" && p.value == "on")`))
	lamp := bundle(t, "lamp.v1.0.0", "[{type: olm.label, value: {label: lit}}, {type: lamp, value: on}]")
	second := bundle(t, "second.v1.0.0", "[{type: olm.label, value: {label: lit}}, {type: lamp, value: on}]")
	const label, property = `a requirement of bundle "labeled.v1.0.0" would not be satisfied`, `a constraint of bundle "ruled.v1.0.0" would not be satisfied`
	for _, tc := range []struct {
		name    string
		bundles []*Bundle
		content string
		want    string
	}{
		{"the same", []*Bundle{labeled, ruled, lamp}, "[{type: olm.label, value: {label: lit}}, {type: lamp, value: on}]", ""},
		{"no label", []*Bundle{labeled, lamp}, "[{type: lamp, value: on}]", label},
		{"another label", []*Bundle{labeled, lamp}, "[{type: olm.label, value: {label: dark}}]", label},
		{"no label, of two", []*Bundle{labeled, lamp, second}, "", ""},
		{"no label, of two, the last", []*Bundle{labeled, second, lamp}, "", ""},
		{"another property", []*Bundle{ruled, lamp}, "[{type: lamp, value: off}]", property},
		{"another property, of two", []*Bundle{ruled, lamp, second}, "[{type: lamp, value: off}]", ""},
		{"another property, of two, the last", []*Bundle{second, ruled, lamp}, "[{type: lamp, value: off}]", ""},
		{"a new requirement of a label", []*Bundle{lamp}, "[{type: olm.label.required, value: {label: dim}}]", `it requires label "dim", which is missing`},
		{"a new requirement of the own label", []*Bundle{lamp}, "[{type: olm.label, value: {label: dim}}, {type: olm.label.required, value: {label: dim}}]", ""},
	} {
		for _, scope := range []Scope{ScopeSet, ScopeBundle} {
			got := readAll(tc.bundles, nil).Checker(Options{Scope: scope}).Obstacle(Change{Bundle: lamp, Package: "lamp", Version: "1.1.0", Content: bundle(t, "lamp.v1.1.0", tc.content)})
			if got != tc.want {
				t.Errorf("%s, %v: got %q, want %q", tc.name, scope, got, tc.want)
			}
		}
	}
	// Bundles that are not checked require nothing, and the cluster does not bar them.
	barring := &Cluster{Constraints: entries(t, "constraints", cel(`properties.exists(p, p.type == "lamp" && p.value == "on")`))}
	for _, unchecked := range []*Bundle{nil, ruled, lamp} {
		options := Options{IsChecked: func(b *Bundle) bool { return b != unchecked }}
		got := readAll([]*Bundle{ruled, lamp}, barring).Checker(options).Obstacle(Change{Bundle: lamp, Package: "lamp", Version: "1.1.0", Content: bundle(t, "lamp.v1.1.0", "")})
		want := map[*Bundle]string{nil: property, ruled: "the cluster does not allow it", lamp: property}[unchecked]
		if got != want {
			t.Errorf("without %v: got %q, want %q", unchecked, got, want)
		}
	}
	if got := readAll([]*Bundle{lamp}, barring).Checker(Options{IsChecked: func(b *Bundle) bool { return b != lamp }}).Obstacle(Change{Bundle: lamp, Package: "lamp", Version: "1.1.0", Content: bundle(t, "lamp.v1.1.0", "")}); got != "" {
		t.Errorf("got %q", got)
	}
}

// A bundle and a leaf name what is provided alike.
func TestProvided(t *testing.T) {
	b := bundle(t, "a.v1.0.0", "[{type: olm.gvk, value: {group: g, version: v1, kind: K}}, {type: olm.label, value: {label: lit}}, {type: olm.package, value: {packageName: a, version: 1.0.0}}, {type: other, value: {label: dim}}]")
	if got := b.Provided(); !slices.Equal(got, []string{(&Constraint{Kind: KindGVK, GVK: GVK{"g", "v1", "K"}}).Provided(), (&Constraint{Kind: KindLabel, Label: "lit"}).Provided()}) {
		t.Errorf("got %q", got)
	}
	names := map[string]bool{}
	for _, c := range []Constraint{{Kind: KindLabel, Label: "lit"}, {Kind: KindPackage, Package: "lit"}, {Kind: KindGVK, GVK: GVK{"", "", "lit"}}} {
		names[c.Provided()] = true
	}
	if len(names) != 3 {
		t.Errorf("got %v", names)
	}
}
