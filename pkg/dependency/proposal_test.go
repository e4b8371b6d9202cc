package dependency

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// errorsOf returns the errors among findings by what they are about. Versions, sentences
// and the part of a constraint that is to blame may change with a version.
func errorsOf(findings []diag.Finding) []string {
	var all []string
	for _, f := range findings {
		if f.Level() == diag.Error {
			entry, _, _ := strings.Cut(f.Path()+" "+f.Key, ".value")
			constraint, _, _ := strings.Cut(f.Tags["constraintKey"], ".value")
			all = append(all, fmt.Sprint(f.Rule.ID, " ", f.Resource(), " ", entry, " ", f.Tags[tagRequirer], " ", f.Tags[tagDependency], " ", constraint))
		}
	}
	return all
}

// apply sets the proposed value of a finding at its field in YAML documents.
func apply(t testing.TB, documents string, f diag.Finding) string {
	t.Helper()
	var all []string
	isApplied := false
	for document := range strings.SplitSeq(documents, "\n---\n") {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(document), &n); err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		if r := f.Resource(); n.Kind != 0 && field(&n, "kind").Value == r.Kind && field(&n, "metadata.name").Value == r.Name {
			isApplied = true
			if f.Origin.Embedded {
				text := field(&n, strings.NewReplacer("[", ".", "]", "", ".", "\x00").Replace(f.Path()))
				var inner yaml.Node
				if err := yaml.Unmarshal([]byte(text.Value), &inner); err != nil {
					t.Fatal(err)
				}
				value := field(&inner, f.Key)
				value.Value, value.Style = fmt.Sprint(f.Proposed), yaml.DoubleQuotedStyle // it may be JSON
				if text.Value = marshal(t, &inner); f.Origin.Name == "pack.json" {
					json, _ := values.JSON(inner.Content[0])
					text.Value = json
				}
			} else {
				field(&n, f.Path()).Value = fmt.Sprint(f.Proposed)
			}
			document = marshal(t, &n)
		}
		all = append(all, document)
	}
	if !isApplied {
		t.Fatalf("%s is not there", f.Resource())
	}
	return strings.Join(all, "\n---\n")
}

func marshal(t testing.TB, n *yaml.Node) string {
	text, err := yaml.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// field returns the scalar at a path, and adds it when it is not there. A NUL in a key
// is a dot.
func field(n *yaml.Node, path string) *yaml.Node {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	for step := range strings.SplitSeq(strings.NewReplacer("[", ".", "]", "").Replace(path), ".") {
		step = strings.ReplaceAll(step, "\x00", ".")
		if i, err := strconv.Atoi(step); err == nil && n.Kind == yaml.SequenceNode {
			n = n.Content[i]
			continue
		}
		at := -1
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				at = i + 1
			}
		}
		if at < 0 {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: step, Style: yaml.DoubleQuotedStyle}, &yaml.Node{Kind: yaml.ScalarNode})
			at = len(n.Content) - 1
		}
		n = n.Content[at]
	}
	n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle // which is JSON, too
	return n
}

// checkProposals applies each proposed value of a run on its own, and runs again: the
// finding must be gone, and no error may be new. It returns the number of proposals.
func checkProposals(t testing.TB, config, documents string) int {
	t.Helper()
	before := evaluate(t, config, documents).Findings
	known := errorsOf(before)
	n := 0
	for _, f := range before {
		if f.Proposed == nil || f.Rule == rule.ConfigInvalid {
			continue
		}
		n++
		after := evaluate(t, config, apply(t, documents, f)).Findings
		errors := errorsOf(after)
		if f.Level() == diag.Error && slices.Contains(errors, errorsOf([]diag.Finding{f})[0]) {
			t.Fatalf("the proposal does not help: %s\n%s\nin %s\n%s", f.Message(), strings.Join(functiontest.Facts(after), "\n"), config, documents)
		}
		if f.Rule == rule.DependencyInvalid {
			continue // what can be read now may have errors of its own
		}
		for _, e := range errors {
			if !slices.Contains(known, e) {
				t.Fatalf("the proposal breaks %s: %s\nin %s\n%s", e, f.Message(), config, documents)
			}
		}
	}
	return n
}

// world draws packs, a cluster and a catalog.
func world(t *rapid.T) (config, documents string) {
	names := rapid.SampledFrom([]string{"a", "b", "c", "d"})
	versions := rapid.SampledFrom([]string{"0.9.0", "1.0.0", "1.2.0", "1.2.3", "2.0.0", "2.1.0", "3.0.0-rc.1", "3.0.0"})
	bounds := rapid.SampledFrom([]string{"", "", "1.0", "1.2.0", "2.0", "2.1.0"})
	ranges := rapid.SampledFrom([]string{">=1.0.0", ">=1.2.0 <2.1.0", "1.x", "2.x", "<3.0.0", ">=2.1.0", "<1.2.0 || >=2.0.0"})
	var constraint func(depth int) string
	constraint = func(depth int) string {
		kinds := []string{"package", "package", "cel", "gvk"}
		if depth > 0 {
			kinds = append(kinds, "any", "any", "all", "not")
		}
		switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
		case "package":
			return fmt.Sprintf("{package: {packageName: %s, versionRange: '%s'}}", names.Draw(t, "of"), ranges.Draw(t, "range"))
		case "cel":
			return fmt.Sprintf("{cel: {rule: 'properties.exists(p, p.type == \"olm.package\" && p.value.packageName == \"%s\" && semver_compare(p.value.version, \"%s\") %s 0)'}}",
				names.Draw(t, "of"), versions.Draw(t, "than"), rapid.SampledFrom([]string{"<", ">=", "=="}).Draw(t, "how"))
		case "gvk":
			return fmt.Sprintf("{gvk: {group: g, version: v1, kind: %s}}", strings.ToUpper(names.Draw(t, "kind")))
		default:
			var children []string
			for range rapid.IntRange(1, 2).Draw(t, "children") {
				children = append(children, constraint(depth-1))
			}
			return fmt.Sprintf("{%s: {constraints: [%s]}}", kind, strings.Join(children, ", "))
		}
	}
	dependencies := func() string {
		var all []string
		for range rapid.IntRange(0, 2).Draw(t, "dependencies") {
			all = append(all, fmt.Sprintf("{packName: %s, minVersion: '%s', maxVersion: '%s', type: %s}", names.Draw(t, "needs"), bounds.Draw(t, "min"), bounds.Draw(t, "max"),
				rapid.SampledFrom([]string{"required", "optional", "notSupported", "''"}).Draw(t, "type")))
		}
		return "{dependencies: [" + strings.Join(all, ", ") + "]}"
	}
	constraints := func(most int) string {
		var all []string
		for range rapid.IntRange(0, most).Draw(t, "constraints") {
			all = append(all, "{type: olm.constraint, value: "+constraint(2)+"}")
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	provided := func(name string) string {
		if rapid.Bool().Draw(t, "provides") {
			return fmt.Sprintf("[{type: olm.gvk, value: {group: g, version: v1, kind: %s}}]", strings.ToUpper(name))
		}
		return "[]"
	}
	var b strings.Builder
	for _, name := range []string{"a", "b", "c", "d"}[:rapid.IntRange(2, 4).Draw(t, "packs")] {
		fmt.Fprintf(&b, `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: %s}
spec: {version: %s, constraints: %s, properties: %s, dependencies: %s}
---
`, name, versions.Draw(t, "version"), dependencies(), provided(name), constraints(2))
	}
	fmt.Fprintf(&b, `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: k}
spec: {constraints: %s}
`, constraints(1))
	var catalog []string
	for range rapid.IntRange(3, 8).Draw(t, "offers") {
		name, version := names.Draw(t, "name"), versions.Draw(t, "version")
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 0:
			catalog = append(catalog, fmt.Sprintf("{name: %s, version: %s, constraints: %s, properties: %s}", name, version, dependencies(), provided(name)))
		case 1:
			catalog = append(catalog, fmt.Sprintf("{schema: olm.bundle, name: %s.v%s, package: %s, properties: %s, dependencies: %s}", name, version, name, provided(name), constraints(1)))
		default:
			catalog = append(catalog, fmt.Sprintf("{name: %s, version: %s}", name, version))
		}
	}
	scope := rapid.SampledFrom([]string{"set", "set", "bundle"}).Draw(t, "scope")
	return `apiVersion: fn.kpt.dev/v1alpha1
kind: CheckDependencies
metadata: {name: config}
spec:
  scope: ` + scope + `
  catalog: |
    ` + strings.Join(catalog, "\n    ---\n    "), b.String()
}

// What is proposed helps, and breaks nothing else, whatever alternatives, rules and
// constraints of the cluster there are.
func TestProposalsFitTheWholePackage(t *testing.T) {
	n := 0
	draws.Same(t, func(rt *rapid.T) {
		config, documents := world(rt)
		n += checkProposals(t, config, documents)
	})
	if n < 10 {
		t.Errorf("only %d proposals were applied", n)
	}
}

// The same in the examples.
func TestProposalsOfExamples(t *testing.T) {
	folders, err := filepath.Glob("../../examples/check-dependencies-*")
	if err != nil || len(folders) == 0 {
		t.Fatal(err, len(folders))
	}
	n := 0
	for _, folder := range folders {
		var documents []string
		config := ""
		files, err := filepath.Glob(folder + "/*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(file) == "fn-config.yaml" {
				config = string(text)
			} else if filepath.Base(file) != "kustomization.yaml" {
				documents = append(documents, strings.TrimSpace(string(text)))
			}
		}
		n += checkProposals(t, config, strings.Join(documents, "\n---\n"))
	}
	if n == 0 {
		t.Error("no proposal was applied")
	}
}

// A proposal is an error's only in the field whose value it replaces.
func TestProposalsAreOfTheirField(t *testing.T) {
	documents := strings.ReplaceAll(documentsOf(stack, operator, vault), "---\n\n", "---\n")
	for _, f := range evaluate(t, data(`catalog: '{"name": "elastic-operator", "version": "3.4.0"}'`), documents).Findings {
		if f.Current == nil {
			continue
		}
		if got := valueAt(t, documents, f); got != f.Current {
			t.Errorf("%s is %q, and not %v", f.Path(), got, f.Current)
		}
	}
}

func valueAt(t *testing.T, documents string, f diag.Finding) string {
	t.Helper()
	for document := range strings.SplitSeq(documents, "\n---\n") {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(document), &n); err != nil {
			t.Fatal(err)
		}
		if field(&n, "metadata.name").Value == f.Resource().Name {
			return field(&n, f.Path()).Value
		}
	}
	t.Fatal(cmp.Diff(f, nil))
	return ""
}
