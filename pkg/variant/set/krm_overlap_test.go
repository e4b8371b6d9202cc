package set

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inPackage puts a resource into a package.
func inPackage(document, path string) string {
	return strings.Replace(document, "  namespace: default\n", "  namespace: default\n  annotations:\n    internal.config.kubernetes.io/package-path: "+path+"\n", 1)
}

// Packages that two sets make are reported once for the two, and written.
func TestOverlaps(t *testing.T) {
	three := strings.Replace(one, "    - name: a\n", "    - name: a\n      packageNames: [foo, x, y]\n    - name: c\n", 1)
	other := strings.Replace(strings.Replace(one, "name: example", "name: other", 1), "    - name: a\n", "    - name: b\n    - name: a\n      packageNames: [foo, y, z]\n", 1)
	overlaps := func(documents string) []string {
		_, facts := run(t, "", documents)
		return slices.DeleteFunc(facts, func(fact string) bool {
			return !strings.Contains(fact, "duplicate") && !strings.HasPrefix(fact, "error")
		})
	}
	want := []string{"warning variant-set/duplicate PackageVariantSet/default/other spec.targets[0].repositories[1].packageNames[0]"}
	if diff := cmp.Diff(want, overlaps(three+"---\n"+other)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	got, _ := run(t, "", three+"---\n"+other)
	if count := strings.Count(got, "kind: PackageVariant\n"); count != 8 {
		t.Errorf("%d variants are written, want 8", count)
	}
	// Other namespaces have other Repositories, and packages their own sets.
	for _, apart := range []string{strings.Replace(other, "namespace: default", "namespace: far", 1), inPackage(other, "/far")} {
		if found := overlaps(three + "---\n" + apart); len(found) > 0 {
			t.Errorf("got %v", found)
		}
	}
}

// A set that is in two packages makes its variants in both, whatever is in
// the other one.
func TestOneSetInTwoPackages(t *testing.T) {
	input := inPackage(one, "/x") + "---\n" + inPackage(one, "/y")
	got, results := run(t, "", input)
	if strings.Count(got, "name: example-a-foo\n") != 2 {
		t.Errorf("%v\n%s", results, got)
	}
	if again, results := run(t, "", got); again != got {
		t.Errorf("a second run: %v %s", results, cmp.Diff(got, again))
	}
	// One of the user takes the name in its own package only.
	foreign := existingVariant("example-a-foo", "  namespace: default\n", oneSpec)
	if got, results := run(t, "", inPackage(one, "/x")+inPackage(foreign, "/y")); strings.Count(got, "name: example-a-foo\n") != 2 {
		t.Errorf("%v\n%s", results, got)
	}
	if got, results := run(t, "", inPackage(one, "/x")+inPackage(foreign, "/x")); strings.Count(got, "name: example-a-foo\n") != 1 {
		t.Errorf("%v\n%s", results, got)
	}
}

// Of several PackageVariants of one name the set has its own, wherever it is;
// if none is, the first is reported.
func TestSeveralOfOneName(t *testing.T) {
	foreign := func(file string) string {
		return existingVariant("example-a-foo", "  namespace: default\n  annotations:\n    internal.config.kubernetes.io/path: "+file+"\n", oneSpec)
	}
	own := existingVariant("example-a-foo", "  namespace: default\n"+ours, spec+"  downstream:\n    repo: x\n    package: y\n")
	got, results := run(t, "", one+foreign("a.yaml")+own)
	want := one + foreign("a.yaml") + existingVariant("example-a-foo", "  namespace: default\n"+ours, oneSpec)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%v -want +got:\n%s", results, diff)
	}
	_, results = run(t, "", one+foreign("a.yaml")+foreign("b.yaml"))
	if want := "error variant-set/duplicate PackageVariantSet/default/example spec.targets[0].repositories[0] package=foo repository=a"; len(errorsOf(results)) != 1 || errorsOf(results)[0] != want {
		t.Errorf("got %q", results)
	}
}

// A PackageVariant that cannot be read, and may be one of several sets, is reported.
func TestUnreadableVariantOfSeveralSets(t *testing.T) {
	other := strings.Replace(strings.Replace(one, "name: example", "name: other", 1), "name: a\n", "name: b\n", 1)
	broken := "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: v\n  annotations:\n    packs.kpt.dev/variant-set: default/example\nspec:\n    a: b\n   c: d\n"
	input := one + "---\n" + other + broken + "---\napiVersion: v1\nkind: A\nmetadata:\n  name: z\n"
	got, results := run(t, "", input)
	if got != input || !slices.Contains(results, "error input/invalid PackageVariant/v") {
		t.Errorf("%s\n%s", results, got)
	}
}
