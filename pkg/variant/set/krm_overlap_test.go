package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// inPackage puts a resource into a package of the list.
func inPackage(document, path string) string {
	return strings.Replace(document, "  namespace: default\n", "  namespace: default\n  annotations:\n    internal.config.kubernetes.io/package-path: "+path+"\n", 1)
}

// Packages that two sets make are told once for the two, and written.
func TestOverlaps(t *testing.T) {
	three := strings.Replace(one, "    - name: a\n", "    - name: a\n      packageNames: [foo, x, y]\n    - name: c\n", 1)
	other := strings.Replace(strings.Replace(one, "name: example", "name: other", 1), "    - name: a\n", "    - name: b\n    - name: a\n      packageNames: [foo, y, z]\n", 1)
	overlaps := func(documents string) []string {
		_, results := evaluate(t, functiontest.List("", documents))
		var found []string
		for _, result := range results {
			if strings.Contains(result, "duplicate") || strings.HasPrefix(result, "error") {
				found = append(found, result)
			}
		}
		return found
	}
	want := []string{`warning: spec.targets[0].repositories[1].packageNames[0]: the package "foo" in the repository "a" and 1 more: the PackageVariantSet default/example makes the same, and Porch would make drafts for both; take them out of one of the sets [variant-set/duplicate]`}
	if diff := cmp.Diff(want, overlaps(three+"---\n"+other)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got, _ := evaluate(t, functiontest.List("", three+"---\n"+other))
	if count := strings.Count(got, "kind: PackageVariant\n"); count != 8 {
		t.Errorf("%d variants are written, want 8", count)
	}
	// Other namespaces have other Repositories, and packages their own sets.
	for _, apart := range []string{strings.Replace(other, "namespace: default", "namespace: far", 1), inPackage(other, "/far")} {
		if found := overlaps(three + "---\n" + apart); found != nil {
			t.Errorf("got %v", found)
		}
	}
}

// A set that stands in two packages makes its variants in both, whatever is in
// the other one.
func TestOneSetInTwoPackages(t *testing.T) {
	input := inPackage(one, "/x") + "---\n" + inPackage(one, "/y")
	got, results := evaluate(t, functiontest.List("", input))
	if strings.Count(got, "name: example-a-foo\n") != 2 || !strings.Contains(strings.Join(results, "\n"), "1 new") {
		t.Errorf("%v\n%s", results, got)
	}
	if again, results := evaluate(t, functiontest.List("", got)); again != got {
		t.Errorf("a second run: %v %s", results, cmp.Diff(got, again))
	}
	// One that somebody wrote takes the name in its own package only.
	foreign := existingVariant("example-a-foo", "  namespace: default\n", oneSpec)
	if got, results := evaluate(t, functiontest.List("", inPackage(one, "/x")+inPackage(foreign, "/y"))); strings.Count(got, "name: example-a-foo\n") != 2 {
		t.Errorf("%v\n%s", results, got)
	}
	if got, results := evaluate(t, functiontest.List("", inPackage(one, "/x")+inPackage(foreign, "/x"))); strings.Count(got, "name: example-a-foo\n") != 1 {
		t.Errorf("%v\n%s", results, got)
	}
}

// Of several PackageVariants of one name the set has its own, wherever it stands;
// when none is, the first is told.
func TestSeveralOfOneName(t *testing.T) {
	foreign := func(file string) string {
		return existingVariant("example-a-foo", "  namespace: default\n  annotations:\n    internal.config.kubernetes.io/path: "+file+"\n", oneSpec)
	}
	own := existingVariant("example-a-foo", "  namespace: default\n"+ours, spec+"  downstream:\n    repo: x\n    package: y\n")
	got, results := evaluate(t, functiontest.List("", one+foreign("a.yaml")+own))
	want := one + foreign("a.yaml") + existingVariant("example-a-foo", "  namespace: default\n"+ours, oneSpec)
	if diff := cmp.Diff(want, got); diff != "" || summary(results) != "1 changed" {
		t.Errorf("%v -want +got:\n%s", results, diff)
	}
	_, results = evaluate(t, functiontest.List("", one+foreign("a.yaml")+foreign("b.yaml")))
	if text := strings.Join(results, "\n"); !strings.Contains(text, "is in the list (a.yaml) and is none of the set") {
		t.Errorf("got %s", text)
	}
}

// A PackageVariant that can not be read, and may be one of several sets, is told.
func TestUnreadableVariantOfSeveralSets(t *testing.T) {
	other := strings.Replace(strings.Replace(one, "name: example", "name: other", 1), "name: a\n", "name: b\n", 1)
	broken := "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: v\n  annotations:\n    packs.kpt.dev/variant-set: default/example\nspec:\n    a: b\n   c: d\n"
	input := one + "---\n" + other + broken + "---\napiVersion: v1\nkind: A\nmetadata:\n  name: z\n"
	got, results := evaluate(t, functiontest.List("", input))
	if text := strings.Join(results, "\n"); got != input || !strings.Contains(text, "v: can not be read: ") {
		t.Errorf("%s\n%s", text, got)
	}
}
