package constraint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// modelBundle is a bundle of the model: what it is and has, as plain words.
type modelBundle struct {
	name, version string
	has           []string
}

// modelNode is a constraint of the model: a leaf, or a compound.
type modelNode struct {
	kind     string
	word     string // of leaves; "name version" of a package
	children []modelNode
}

var (
	modelNames    = []string{"red", "green", "blue"}
	modelVersions = []string{"1.0.0", "1.1.0", "2.0.0"}
	modelWords    = []string{"gvk:A", "gvk:B", "cel:x", "cel:y"}
)

func drawBundle(t *rapid.T) modelBundle {
	return modelBundle{
		rapid.SampledFrom(modelNames).Draw(t, "name"), rapid.SampledFrom(modelVersions).Draw(t, "version"),
		rapid.SliceOfNDistinct(rapid.SampledFrom(modelWords), 0, 3, rapid.ID[string]).Draw(t, "has"),
	}
}

func drawNode(t *rapid.T, depth int) modelNode {
	kinds := []string{"gvk", "cel", "package"}
	if depth > 0 {
		kinds = []string{"all", "any", "not", "gvk", "cel", "package"}
	}
	n := modelNode{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch n.kind {
	case "gvk":
		n.word = rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "api")
	case "cel":
		n.word = rapid.SampledFrom([]string{"x", "y", "z", "xy"}).Draw(t, "rule")
	case "package":
		n.word = rapid.SampledFrom(modelNames).Draw(t, "package") + " " + rapid.SampledFrom(modelVersions).Draw(t, "exactly")
	default:
		for range rapid.IntRange(1, 3).Draw(t, "children") {
			n.children = append(n.children, drawNode(t, depth-1))
		}
	}
	return n
}

func (n modelNode) yaml() string {
	switch n.kind {
	case "gvk":
		return fmt.Sprintf("{gvk: {group: g, version: v1, kind: %s}}", n.word)
	case "cel":
		var terms []string
		for _, letter := range n.word {
			terms = append(terms, fmt.Sprintf(`properties.exists(p, p.type == "%c")`, letter))
		}
		return fmt.Sprintf("{cel: {rule: '%s'}}", strings.Join(terms, " && "))
	case "package":
		name, version, _ := strings.Cut(n.word, " ")
		return fmt.Sprintf("{package: {packageName: %s, versionRange: '%s'}}", name, version)
	}
	var children []string
	for _, child := range n.children {
		children = append(children, child.yaml())
	}
	return fmt.Sprintf("{%s: {constraints: [%s]}}", n.kind, strings.Join(children, ", "))
}

// holds is the meaning of a constraint over bundles, spelt out: over several each
// leaf may be satisfied by any of them, over one it must be satisfied by that one.
func (n modelNode) holds(bundles []modelBundle) bool {
	leaf := func(satisfies func(modelBundle) bool) bool { return slices.ContainsFunc(bundles, satisfies) }
	count := 0
	for _, child := range n.children {
		if child.holds(bundles) {
			count++
		}
	}
	switch n.kind {
	case "gvk":
		return leaf(func(b modelBundle) bool { return slices.Contains(b.has, "gvk:"+n.word) })
	case "cel":
		return leaf(func(b modelBundle) bool {
			for _, letter := range n.word {
				if !slices.Contains(b.has, "cel:"+string(letter)) {
					return false
				}
			}
			return true
		})
	case "package":
		return leaf(func(b modelBundle) bool { return b.name+" "+b.version == n.word })
	case "all":
		return count == len(n.children)
	case "any":
		return count > 0
	default:
		return count == 0
	}
}

func (n modelNode) holdsAlone(bundles []modelBundle) bool {
	return slices.ContainsFunc(bundles, func(b modelBundle) bool { return n.holds([]modelBundle{b}) })
}

func (b modelBundle) read(t *rapid.T, name string, constraints ...modelNode) *Bundle {
	var text strings.Builder
	fmt.Fprintf(&text, "- {type: olm.package, value: {packageName: %s, version: %s}}\n", b.name, b.version)
	for _, word := range b.has {
		if kind, ok := strings.CutPrefix(word, "gvk:"); ok {
			fmt.Fprintf(&text, "- {type: olm.gvk, value: {group: g, version: v1, kind: %s}}\n", kind)
		} else {
			fmt.Fprintf(&text, "- {type: %s, value: true}\n", strings.TrimPrefix(word, "cel:"))
		}
	}
	for _, n := range constraints {
		fmt.Fprintf(&text, "- {type: olm.constraint, value: %s}\n", n.yaml())
	}
	d, err := values.Parse(text.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	made := &Bundle{Name: name}
	for i, n := range d.Root().Content {
		made.Properties = append(made.Properties, Entry{Node: n, Key: fmt.Sprintf("properties[%d]", i)})
	}
	return made
}

// count counts the findings of a rule.
func count(findings []diag.Finding, rule diag.Rule) int {
	n := 0
	for _, f := range findings {
		if f.Rule == rule {
			n++
		}
	}
	return n
}

// TestAlgebra: all, any and not over leaves of every kind mean what the model
// says, over the set and alone, in both scopes and for the cluster; and what is
// reported does not depend on the order of the bundles.
func TestAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		models := make([]modelBundle, rapid.IntRange(1, 5).Draw(t, "bundles"))
		nodes := make([]modelNode, rapid.IntRange(1, 3).Draw(t, "constraints"))
		for i := range nodes {
			nodes[i] = drawNode(t, 3)
		}
		var bundles []*Bundle
		for i := range models {
			models[i] = drawBundle(t)
			name := fmt.Sprintf("bundle-%d", i)
			if i == 0 {
				bundles = append(bundles, models[i].read(t, name, nodes...))
			} else {
				bundles = append(bundles, models[i].read(t, name))
			}
		}
		set, alone, differ, barred := 0, 0, 0, 0
		for _, n := range nodes {
			s, a := n.holds(models), n.holdsAlone(models)
			if !s {
				set++
			}
			if !a {
				alone++
			}
			if s != a {
				differ++
			}
			for _, m := range models {
				if !n.holds([]modelBundle{m}) {
					barred++
				}
			}
		}
		bySet := check(bundles, nil, Options{})
		byBundle := check(bundles, nil, Options{Scope: ScopeBundle})
		cluster := &Cluster{}
		for _, e := range bundles[0].Properties {
			if values.Text(values.Field(e.Node, "type")) == "olm.constraint" {
				cluster.Constraints = append(cluster.Constraints, e)
			}
		}
		byCluster := check(bundles, cluster, Options{})
		got := []int{count(bySet, rule.ConstraintUnsatisfied), count(byBundle, rule.ConstraintUnsatisfied), count(bySet, rule.ConstraintScopeDiffers), count(byBundle, rule.ConstraintScopeDiffers), count(byCluster, rule.ClusterConstraintUnsatisfied), count(bySet, rule.ConstraintInvalid)}
		if diff := cmp.Diff([]int{set, alone, differ, differ, barred, 0}, got); diff != "" {
			t.Fatalf("set, bundle, differs, differs, cluster, invalid: -want +got\n%s\n%v", diff, nodes)
		}
		order := rapid.Permutation(bundles).Draw(t, "order")
		shuffled := check(order, nil, Options{})
		for _, rule := range []diag.Rule{rule.ConstraintUnsatisfied, rule.ConstraintScopeDiffers, rule.ConstraintTopLevelNot, rule.ProviderDuplicate} {
			if a, b := count(bySet, rule), count(shuffled, rule); a != b {
				t.Fatalf("%s: %d, in another order %d", rule.ID, a, b)
			}
		}
		for _, f := range slices.Concat(bySet, byBundle, byCluster) {
			if strings.Contains(f.Message(), "%!") || strings.Contains(f.Message(), "\n") || strings.Contains(f.Message(), "  ") || f.Message() == "" {
				t.Fatalf("no message: %q", f.Message())
			}
		}
	})
}
