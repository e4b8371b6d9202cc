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
)

// read reads a set with a spec.
func read(t testing.TB, spec string) *Set {
	t.Helper()
	d, err := values.Parse(`metadata:
  name: example
spec:
  ` + strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, spec)
	}
	return Read(d.Root())
}

// isUnpinned reports whether a finding is about a revision that does not pin the upstream of a set. Most sets of
// the tests have a revision alone, and leave it out; see TestUnpinned.
func isUnpinned(f diag.Finding) bool {
	return f.Rule == rule.VariantSetNotInPorch && f.Path() == "spec.upstream.revision" && f.Kind == diag.KindStatement
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

// facts returns the facts of findings, in the order of their paths.
func facts(findings []diag.Finding) []string {
	findings = slices.DeleteFunc(slices.Clone(findings), isUnpinned)
	diag.Sort(findings)
	return functiontest.Facts(findings)
}

const upstream = "upstream: {repo: example-repo, package: foo, revision: 1}\n"

// withTarget is a spec with one target.
func withTarget(target string) string {
	return upstream + `targets:
- ` + target
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
