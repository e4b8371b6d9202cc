package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// The parts of a set are together what it makes as a whole, each variant in the part that
// has its name: also one that is in the package under another name, one that takes the
// place of a stale one, and names that get a hash. Of variants of other parts only the
// fields that others depend on are kept.
func TestParts(t *testing.T) {
	documents := fleet + "---\n" + setHead + spec + `  targets:
  - repositorySelector:
      matchLabels:
        env: prod
    packageNames: [a, b, a-long-name-of-a-package-that-makes-the-name-too-long-1, a-long-name-of-a-package-that-makes-the-name-too-long-2]
    template:
      downstream:
        repoExpr: target.name
        packageExpr: packageDefault + "-x"
      annotationExprs:
      - key: region
        valueExpr: repository.labels["region"]
      injectors:
      - nameExpr: repository.name
      pipeline:
        validators:
        - image: check:v1
  - repositories:
    - name: cluster
      packageNames: [01-b-x] # has the name of cluster-01 and b-x
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: cluster
  namespace: default
`
	existing := func(name, repo, pkg string) string {
		return "---\n" + variantText(name, "", `spec:
  upstream:
    repo: example-repo
    package: old
  downstream:
    repo: `+repo+`
    package: `+pkg+"\n")
	}
	documents += existing("named-by-its-user", "cluster-01", "a-x") + existing("example-cluster-02-b-x", "cluster-09", "stale")
	list := functiontest.List("", documents)
	variants := func(output string) map[string]string {
		all := map[string]string{}
		for document := range strings.SplitSeq(functiontest.Documents(output), "---\n") {
			if strings.Contains(document, "kind: PackageVariant\n") {
				_, name, _ := strings.Cut(document, "\n  name: ")
				name, _, _ = strings.Cut(name, "\n")
				all[name] = document
			}
		}
		return all
	}
	output, outcome := functiontest.Evaluate(t, Function(), list)
	want, got := variants(output), map[string]string{}
	const parts = 4
	short := 0
	for part := range parts {
		wants := func(name string) bool { return len(name)%parts == part }
		var others []string
		output, found := functiontest.Evaluate(t, Preview{Wants: wants, Other: func(s *Set, v *Variant) {
			others = append(others, v.Name)
			if len(v.Spec.Pipeline.Validators) == 0 && v.Spec.Annotations == nil {
				short++
			}
			if s.Identity() != "default/example" || v.Spec.Downstream.Package == "" || v.Spec.Upstream.Package != "foo" || len(v.Spec.Injectors) != 1 && v.Spec.Downstream.Repo != "cluster" || v.Namespace != "default" {
				t.Errorf("got %+v", v)
			}
		}}.Function(), list)
		if diff := cmp.Diff(functiontest.Facts(outcome.Findings), functiontest.Facts(found.Findings)); diff != "" {
			t.Errorf("part %d (-whole +part):\n%s", part, diff)
		}
		var names []string
		for name, document := range variants(output) {
			switch {
			case wants(name):
				got[name] = document
			case name != "named-by-its-user" && name != "example-cluster-02-b-x": // these were there
				t.Errorf("part %d makes %s", part, name)
			}
			names = append(names, name)
		}
		for name := range want {
			if slices.Contains(others, name) == slices.Contains(names, name) {
				t.Errorf("part %d: %s is made, and one of the others: %t", part, name, slices.Contains(others, name))
			}
		}
	}
	if short == 0 {
		t.Error("all of the variants of other parts is kept")
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 17 {
		t.Errorf("%s (-whole +parts):\n%s", fmt.Sprint(len(want)), diff)
	}
}

// What was added is in the list: the variants do not keep it a second time.
func TestAddedIsKeptOnce(t *testing.T) {
	f := Function()
	p := f.New().(*processor)
	f.New = func() function.Processor { return p }
	functiontest.Run(t, f, "", one)
	if variants := p.sets[0].variants(); len(variants) != 1 || variants[0].Spec.Downstream.Repo != "" {
		t.Errorf("got %+v", variants)
	}
}
