package set

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// read reads a set with a spec.
func read(t testing.TB, spec string) *Set {
	t.Helper()
	d, err := values.Parse("metadata:\n  name: example\nspec:\n  " + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, spec)
	}
	return Read(d.Root())
}

// isUnpinned reports whether a finding says that the revision of a set does not pin its
// upstream. Most sets of the tests have a revision alone, and leave it out; see
// TestUnpinned.
func isUnpinned(f diag.Finding) bool {
	return f.Rule == rule.VariantSetNotInPorch && f.Path() == "spec.upstream.revision" && f.Kind == diag.Statement
}

// TestUnpinned: Porch uses the workspaceName of an upstream, and not its revision.
func TestUnpinned(t *testing.T) {
	for upstream, want := range map[string]int{
		"revision: 3": 1, "revision: '3'": 1, "revision: v3": 1, // text, too
		"revision: 3, workspaceName: v3": 0, "workspaceName: v3": 0, "revision: 3, workspaceName: ''": 1,
	} {
		spec := "upstream: {repo: example-repo, package: foo, " + upstream + "}\ntargets: [{repositories: [{name: a}]}]"
		_, findings := New(read(t, spec), NewEnvironment())
		got := 0
		for _, f := range findings {
			if isUnpinned(f) && f.Level() == diag.Warning {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %v", upstream, functiontest.Facts(findings))
		}
	}
}

// facts are those of findings, in the order of their paths.
func facts(findings []diag.Finding) []string {
	findings = slices.DeleteFunc(slices.Clone(findings), isUnpinned)
	diag.Sort(findings)
	return functiontest.Facts(findings)
}

// note puts the messages about a spec into the golden list.
func note(t testing.TB, spec string) {
	t.Helper()
	functiontest.Run(t, Function(), "", setHead+"spec:\n  "+strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ")+"\n"+fleet)
}

const upstream = "upstream: {repo: example-repo, package: foo, revision: 1}\n"

// withTarget is a spec with one target.
func withTarget(target string) string { return upstream + "targets:\n- " + target }

// withTemplate is a spec with one template.
func withTemplate(template string) string {
	return withTarget("repositories: [{name: a}]\n  template: " + template)
}

func TestAliases(t *testing.T) {
	const spec = `{labelExprs: {key: a, valueExpr: "'b'"}, injectors: {name: c}, injectorExprs: [{nameExpr: "'d'"}], packageContext: {dataExprs: {key: e, value: f}}}`
	note(t, withTemplate(spec))
	e, findings := New(read(t, withTemplate(spec)), NewEnvironment())
	const at = "warning variant-set/alias spec.targets[0].template."
	want := []string{at + "injectorExprs", at + "injectors", at + "labelExprs", at + "packageContext.dataExprs"}
	if diff := cmp.Diff(want, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	x, _ := e.Expand(&Inventory{}, 0)
	got := x.Variants[0].Spec
	if got.Labels["a"] != "b" || got.PackageContext.Data["e"] != "f" || len(got.Injectors) != 2 || got.Injectors[0].Name != "c" || got.Injectors[1].Name != "d" {
		t.Errorf("got %+v", got)
	}
	// Findings in it have the path of the alias.
	_, findings = New(read(t, withTemplate(`{injectors: [{name: c}], injectorExprs: [{nameExpr: "1"}, {}]}`)), NewEnvironment())
	want = []string{
		"warning variant-set/alias spec.targets[0].template.injectorExprs",
		"error variant-set/expression spec.targets[0].template.injectorExprs[0].nameExpr got=int want=string",
		`error variant-set/invalid spec.targets[0].template.injectorExprs[1]`,
	}
	if diff := cmp.Diff(want, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A file may say the same thing once, by YAML's own means.
func TestAnchorsAndMergeKeys(t *testing.T) {
	s := read(t, withTarget("repositories: &r [{name: a}]\n  template: &t {labels: &l {a: b}}\n- repositories: *r\n  template:\n    <<: *t\n    annotations: {<<: [*l], c: d}\n    packageContext: {data: {<<: *l, a: e}}"))
	if _, findings := New(s, NewEnvironment()); len(facts(findings)) > 0 {
		t.Error(facts(findings))
	}
	second := s.Targets[1].Template
	if diff := cmp.Diff([]variant.Texts{{"a": "b"}, {"a": "b", "c": "d"}, {"a": "e"}}, []variant.Texts{second.Labels, second.Annotations, second.PackageContext.Data}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSpecOfAnotherType(t *testing.T) {
	d, err := values.Parse("metadata: {name: a}\nspec: [a]\n")
	if err != nil {
		t.Fatal(err)
	}
	_, findings := New(Read(d.Root()), NewEnvironment())
	if diff := cmp.Diff([]string{`error variant-set/invalid spec got="a list" want="a map"`}, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A set of typed objects gets the same findings.
func TestValidateTyped(t *testing.T) {
	s := &Set{Targets: []Target{{
		RepositorySelector: &LabelSelector{MatchExpressions: []LabelRequirement{{Key: "a", Operator: "in"}}},
		Template:           &Template{Pipeline: &PipelineTemplate{Mutators: []FunctionTemplate{{}}}},
	}}}
	_, findings := New(s, NewEnvironment())
	want := []string{
		"error variant-set/invalid metadata.name missing=",
		`error variant-set/invalid spec.targets[0].repositorySelector.matchExpressions[0].operator got="\"in\"" want="In, NotIn, Exists or DoesNotExist" near=In`,
		`error variant-set/invalid spec.targets[0].template.pipeline.mutators[0]`,
		`error variant-set/invalid spec.upstream`,
		"error variant-set/invalid spec.upstream.package missing=",
		"error variant-set/invalid spec.upstream.repo missing=",
	}
	if diff := cmp.Diff(want, facts(findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
