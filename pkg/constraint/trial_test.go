package constraint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/internal/cases"
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

// A case is bundles.yaml and cluster.yaml as in TestCheck, the list changes.yaml, and unchecked, a bundle that is not
// checked. Version 2.9.0 of each package is installed. The outcome is what is in the way of each change, in the scope bundle
// only if it is another, and what the check finds afterwards.
func TestObstacles(t *testing.T) {
	cases.Table(t, "obstacles", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		bundles, cluster := readBundles(t, c.Text("bundles.yaml")), readCluster(t, c.Text("cluster.yaml"))
		checker := func(scope Scope) *Checker {
			return readAll(bundles, cluster).Checker(Options{
				Scope: scope, IsExempt: func(_, version string) bool { return version == "2.9.0" },
				IsChecked: func(b *Bundle) bool { return b.Name != strings.TrimSpace(c.Text("unchecked")) },
			})
		}
		set, alone := checker(ScopeSet), checker(ScopeBundle)
		for _, e := range entries(t, "changes", c.Text("changes.yaml")) {
			field := func(name string) string { return values.Text(values.Field(e.Node, name)) }
			change := Change{Package: field("package"), Version: field("version")}
			if name := field("bundle"); name != "" {
				change.Bundle = &Bundle{}
				if i := slices.IndexFunc(bundles, func(b *Bundle) bool { return b.Name == name }); i >= 0 {
					change.Bundle = bundles[i]
				}
			}
			if content := values.Field(e.Node, "content"); content != nil {
				change.Content = &Bundle{Name: change.Package + ".v" + change.Version, Properties: entriesOf("properties", content)}
			}
			bySet, byBundle := cmp.Or(set.Obstacle(change), "nothing"), cmp.Or(alone.Obstacle(change), "nothing")
			fmt.Fprintf(&b, "%s: %s\n", e.Key, bySet)
			if byBundle != bySet {
				fmt.Fprintf(&b, "%s, scope bundle: %s\n", e.Key, byBundle)
			}
		}
		return b.String() + messages(set.Check())
	})
}
