package set

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// FuzzTemplate expands a target with any template. Whatever it is, every finding
// has a path, a rule and a message, and a set without errors makes
// PackageVariants that have none, and the same ones again.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{
		`{downstream: {repo: a, packageExpr: "packageDefault + '-' + repository.name"}}`,
		`{downstream: {repoExpr: "target.labels['region'] + target.name"}}`,
		`{labels: {a: b}, labelExprs: [{keyExpr: "'a' + repoDefault", valueExpr: "target.labels['region']"}]}`,
		`{annotationExprs: {key: a, value: "yes"}, packageContext: {data: {a: "two\nlines"}, removeKeyExprs: [repoDefault]}}`,
		`{pipeline: {mutators: [{image: a, configMapExprs: [{key: a, valueExpr: string(1)}], selectors: [{kind: A}, [], [[a, {b: 1}]]], x: !t 1}], validators: [{exec: b}]}}`,
		`{injectors: [{group: "", version: v1, kind: A, nameExpr: "'x'", point: p}], injectorExprs: [{name: b}]}`,
		`{adoptionPolicy: adoptExisting, deletionPolicy: orphan, unknown: [1]}`,
		"&a {labels: &b {c: d}, annotations: *b, packageContext: {<<: {data: *b}}}",
		`{labelExprs: [{key: x, valueExpr: "[1,2,3].map(a, string(a)).join('')"}]}`,
	} {
		f.Add(seed)
	}
	inventory := repositories(map[string]string{"region": "us"}, "a", "b")
	inventory.AddRevision(&PackageRevision{Object: Object{Name: "r"}, Repository: "example-repo", PackageName: "foo", Revision: "1"})
	environment := NewEnvironment()
	count := 0
	f.Fuzz(func(t *testing.T, template string) {
		if count++; count%1000 == 0 {
			environment = NewEnvironment() // which keeps what it has compiled
		}
		d, err := values.Parse(`metadata: {name: s}
spec:
  ` + upstream + `  targets:
  - repositorySelector: {}
    template:
      ` + strings.ReplaceAll(template, "\n", "\n      ") + "\n")
		if err != nil {
			return
		}
		s := Read(d.Root())
		e, findings := New(s, environment)
		x, more := e.Expand(inventory, 0)
		for _, f := range append(findings, more...) {
			if f.Key == "" || f.Message() == "" || f.Rule.ID == "" {
				t.Fatalf("%+v", f)
			}
		}
		if variant.HasError(findings) || variant.HasError(more) {
			return
		}
		if len(x.Variants) != 2*len(s.Targets) && len(s.Targets) == 1 {
			t.Fatalf("%d variants", len(x.Variants))
		}
		printer := &Printer{}
		for i := range x.Variants {
			document := printer.Print(s, &x.Variants[i], nil)
			valid(t, document)
			had, err := values.Parse(document)
			if err != nil {
				t.Fatal(err)
			}
			again, err := s.update(had, had.Root())
			if err != nil || again != had {
				t.Fatalf("%v\n%s", err, document)
			}
		}
	})
}
