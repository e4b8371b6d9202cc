package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// variantSet is a set with a target of a criterion and a template.
func variantSet(name, target string) string {
	return `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: ` + name + `
  annotations:
    internal.config.kubernetes.io/path: 'sets/` + name + `.yaml'
spec:
  upstream: {repo: catalog, package: foo, revision: 1}
  targets:
  - ` + target + "\n"
}

func repository(name, labels string) string {
	return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: ` + name + `
  labels: {` + labels + "}\n"
}

// What was there stays byte for byte, what is new comes after it, and running
// it on its own output changes nothing.
func TestVariantSet(t *testing.T) {
	input := list(deployment, variantSet("example", "repositorySelector: {matchLabels: {env: prod}}"), repository("a", "env: prod"), repository("b", "env: dev"))
	first := start(t, "expand-variant-set", input)
	if first.exit != 0 || first.stderr != "" || !strings.HasPrefix(first.stdout, input) {
		t.Fatalf("exit %d, %s, output:\n%s", first.exit, first.stderr, first.stdout)
	}
	items, _, _ := strings.Cut(first.stdout, "results:")
	if added := strings.TrimPrefix(items, input); strings.Count(added, "kind: PackageVariant\n") != 1 || !strings.Contains(added, "internal.config.kubernetes.io/path: sets/packagevariants/example-a-foo.yaml\n") {
		t.Errorf("added:\n%s", added)
	}
	wants(t, first.results(t), "variant-set/expanded", "example", "expands to 1 PackageVariant: 1 from targets[0].repositorySelector")
	second := start(t, "expand-variant-set", items)
	if again, _, _ := strings.Cut(second.stdout, "results:"); again != items || second.exit != 0 {
		t.Errorf("exit %d, the second run gives\n%s", second.exit, again)
	}
}

// With any error nothing is written, every error is reported, and each is a line of
// standard error.
func TestVariantSetFails(t *testing.T) {
	right := variantSet("right", "repositories: [{name: a}]")
	wrong := variantSet("wrong", `repositorySelector: {}
    template: {labelExprs: [{key: x, valueExpr: "repository.labels['region']"}]}`)
	broken := variantSet("broken", `repositorySelector: {}
    template: {downstream: {packageExpr: "1 +"}}`)
	old := strings.Replace(variantSet("old", "x: y"), "v1alpha2", "v1alpha1", 1)
	input := list(right, wrong, broken, old, repository("a", ""), repository("b", ""))
	got := start(t, "expand-variant-set", input)
	if got.exit != 1 || !strings.HasPrefix(got.stdout, input) || strings.Contains(got.stdout, "kind: PackageVariant\n") {
		t.Errorf("exit %d, output:\n%s", got.exit, got.stdout)
	}
	results := got.results(t)
	wants(t, results, "variant-set/expression", "wrong", `no label named "region" for Repository "a", package "foo"`)
	wants(t, results, "variant-set/expression", "wrong", `no label named "region" for Repository "b", package "foo"`)
	wants(t, results, "variant-set/expression", "broken", "line 1")
	wants(t, results, "variant-set/invalid", "old", "v1alpha2")
	if !slices.ContainsFunc(results, func(r result) bool { return r.Field.Path == "spec.targets[0].template.downstream.packageExpr" }) {
		t.Errorf("no result has the path of the expression: %+v", results)
	}
	if n := strings.Count(got.stderr, "\n"); n != 4 {
		t.Errorf("%d lines on standard error:\n%s", n, got.stderr)
	}
}

// A set that would never end is ended.
func TestVariantSetIsBounded(t *testing.T) {
	numbers := "[1" + strings.Repeat(",1", 99) + "]"
	hostile := []string{
		fmt.Sprintf("%[1]s.map(a, %[1]s.map(b, %[1]s.map(c, %[1]s.map(d, 'x').join('')).join('')).join('')).join('')", numbers),
		strings.Repeat("(", 20000) + "'a'" + strings.Repeat(")", 20000),
		strings.Repeat("'a' + ", 5000) + "'a'",
	}
	for _, expression := range hostile {
		got := start(t, "expand-variant-set", list(variantSet("example", `repositories: [{name: a}]
    template: {labelExprs: [{key: x, valueExpr: "`+expression+`"}]}`)))
		if got.exit == 0 {
			t.Errorf("%.40s…: exit 0", expression)
			continue
		}
		wants(t, got.results(t), "variant-set/expression", "example")
		if !slices.ContainsFunc(got.results(t), func(r result) bool {
			return r.Severity == "error" && r.Field.Path == "spec.targets[0].template.labelExprs[0].valueExpr"
		}) {
			t.Errorf("%.40s…: no error has the path of the expression", expression)
		}
	}
}

// With files as arguments the variants are printed after the resources.
func TestVariantSetFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "set.yaml")
	set := variantSet("example", "repositories: [{name: a}]")
	if err := os.WriteFile(path, []byte(set), 0o600); err != nil {
		t.Fatal(err)
	}
	got := start(t, "expand-variant-set", "", path)
	if got.exit != 0 || !strings.HasPrefix(got.stdout, set+`---
# packagevariants/example-a-foo.yaml
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
`) || !strings.Contains(got.stderr, "1 PackageVariant: ") {
		t.Errorf("%+v", got)
	}
}
