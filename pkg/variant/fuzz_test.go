package variant

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// FuzzKptfile edits any Kptfile: the edits are rejected with a reason, or they
// do what they are for, leave everything else as it reads, and change
// nothing when they are made again.
func FuzzKptfile(f *testing.F) {
	for _, seed := range []string{
		"kind: Kptfile\n", "",
		`# top
kind: Kptfile
info:
  readinessGates:
  - conditionType: a # b
pipeline:
  mutators:
    # c
    - image: x
      name: PackageVariant.pv.x.0

    - exec: y
`,
		`pipeline: {mutators: [{image: x, name: PackageVariant.pv..0}], validators: []}
status: {conditions: [{type: config.injection.A.b, status: True}]}
`,
		`status:
  conditions:
  - type: config.injection.K.n
    status: 'False'
    extra: |
      text

  - type: config.injection.Gone.x
`,
		`a: &a [1]
pipeline:
  mutators: *a
`,
		"pipeline:\r\n  mutators:\r\n  - x: 1\r\n",
		`? pipeline
: mutators:
  - {x: y}
`,
		`pipeline:
  mutators: &m
  - a: b
  validators: *m
`,
		"<<: {pipeline: {mutators: [{a: b}]}}\n",
	} {
		f.Add(seed)
	}
	v := &PackageVariant{Name: "pv", Namespace: DefaultNamespace}
	v.Spec.Pipeline.Mutators = []PipelineFunction{{Image: "i", Name: "n", ConfigMap: Texts{"a": "yes", "b": "x\n y\n"}}, {Exec: "e"}}
	conditions := []Condition{{"config.injection.K.n", "True", ReasonInjected, "a: b # c"}, {"config.injection.L.n", "False", ReasonNoResource, "no"}}
	edit := func(d *values.Document) (*values.Document, []diag.Finding) {
		d, faults := v.ApplyPipeline(d)
		if faults != nil {
			return d, faults
		}
		return applyConditions(d, conditions, []string{"config.injection.K.n"})
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := values.Parse(text)
		if err != nil || d.Root() == nil || d.Root().Kind != yaml.MappingNode || len(d.Duplicates()) > 0 {
			return
		}
		got, faults := edit(d)
		if faults != nil {
			for _, f := range faults {
				if f.Rule != rule.InputInvalid || f.Key == "" && f.Kind != diag.KindStatement {
					t.Fatalf("%+v", f)
				}
			}
			return
		}
		check(t, v, d, got)
		again, faults := edit(got)
		if faults != nil || again.Text() != got.Text() {
			t.Fatalf("again: %v\n%q\nbecame\n%q", faults, got.Text(), again.Text())
		}
		unedited(t, d, got)
	})
}

func elements(d *values.Document, keys ...string) []*yaml.Node {
	if n := values.Field(d.Root(), keys...); !values.IsNull(n) {
		return n.Content
	}
	return nil
}

func text(n *yaml.Node) string {
	text, _ := values.JSON(n)
	return text
}

// check holds the edited Kptfile against what the edits are for.
func check(t *testing.T, v *PackageVariant, before, after *values.Document) {
	t.Helper()
	names := func(d *values.Document) (own, other []string) {
		for _, n := range elements(d, "pipeline", "mutators") {
			if name := values.Text(values.Field(n, "name")); Owns(v.Name, name) {
				own = append(own, name)
			} else {
				other = append(other, text(n))
			}
		}
		return own, other
	}
	own, others := names(after)
	if strings.Join(own, " ") != "PackageVariant.pv.n.0 PackageVariant.pv..1" {
		t.Fatalf("functions: %q in\n%q", own, after.Text())
	}
	if _, first := names(before); strings.Join(first, "\n") != strings.Join(others, "\n") {
		t.Fatalf("functions of others: %q became %q", first, others)
	}
	found := map[string]int{}
	for _, n := range elements(after, "status", "conditions") {
		found[values.Text(values.Field(n, "type"))]++
	}
	for conditionType, count := range found {
		if isInjection(conditionType) && count != 1 || isInjection(conditionType) && conditionType != "config.injection.K.n" && conditionType != "config.injection.L.n" {
			t.Fatalf("%d conditions %q", count, conditionType)
		}
	}
	if found["config.injection.K.n"] != 1 || found["config.injection.L.n"] != 1 {
		t.Fatalf("conditions: %v", found)
	}
}

// unedited checks that all other fields read as before.
func unedited(t *testing.T, before, after *values.Document) {
	t.Helper()
	for _, e := range values.Pairs(before.Root()) {
		if name, ok := e.Name(); ok && name != "info" && name != "pipeline" && name != "status" && !values.Equal(e.Value, values.Field(after.Root(), name)) {
			t.Fatalf("%s changed:\n%q\n%q", name, before.Text(), after.Text())
		}
	}
}
