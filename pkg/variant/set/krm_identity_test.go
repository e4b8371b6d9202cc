package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A variant is known by its downstream package. Under another name it is updated in
// place: a new one would delete the package of the old one.
func TestExistingVariantOfAnotherName(t *testing.T) {
	withUID := strings.Replace(one, "  name: example\n", "  name: example\n  uid: u1\n", 1)
	const owner = "  ownerReferences:\n  - apiVersion: config.porch.kpt.dev/v1alpha2\n    kind: PackageVariantSet\n    name: example\n    uid: u1\n    controller: true\n"
	const finalizers = "  finalizers:\n  - config.porch.kpt.dev/packagevariants\n"
	const label = "  labels:\n    config.porch.kpt.dev/packagevariantset: u1\n"
	old := strings.Replace(oneSpec, "revision: 1\n", "revision: 0 # pinned\n", 1)
	now := strings.Replace(oneSpec, "revision: 1\n", "revision: 1 # pinned\n", 1)
	for _, tc := range []struct{ name, set, before, after string }{
		{"by annotation", one, "  namespace: default\n" + ours, "  namespace: default\n" + ours},
		{"by label and owner", withUID, "  namespace: default\n" + label + finalizers + owner, "  namespace: default\n" + label + finalizers + owner + ours},
	} {
		for _, config := range []string{"", configured("prune: false")} {
			before := tc.set + existingVariant("old-name", tc.before, old)
			want := tc.set + existingVariant("old-name", tc.after, now)
			got, facts := run(t, config, before)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %s: -want +got:\n%s", tc.name, config, diff)
			}
			again, more := run(t, config, got)
			if diff := cmp.Diff(got, again) + cmp.Diff(facts, more); diff != "" {
				t.Errorf("%s: a second run: -want +got:\n%s", tc.name, diff)
			}
		}
	}
}

// Where two variants would have one name, the one that exists keeps its name.
func TestNewVariantOfATakenName(t *testing.T) {
	two := strings.Replace(one, "    - name: a\n", "    - name: a\n    - name: b\n", 1)
	existing := existingVariant("example-a-foo", "  namespace: default\n"+ours, strings.Replace(oneSpec, "repo: a\n", "repo: b\n", 1))
	for _, config := range []string{"", configured("prune: false")} {
		got, facts := run(t, config, two+existing)
		hashed := distinctName("example", "a", "foo")
		if !strings.HasPrefix(got, two+existing) || changes(two+existing, got) != "1 new, 1 as before" || !strings.Contains(got, "name: "+hashed+"\n") {
			t.Errorf("%v\n%s", facts, got)
		}
		if again, _ := run(t, config, got); again != got {
			t.Errorf("a second run: %s", cmp.Diff(got, again))
		}
	}
	// A stale variant that stays has its name, too.
	stale := existingVariant("example-a-foo", "  namespace: default\n"+ours, staleSpec)
	got, facts := run(t, configured("prune: false"), one+stale)
	if !strings.HasPrefix(got, one+stale) || !strings.Contains(got, "name: "+distinctName("example", "a", "foo")+"\n") {
		t.Errorf("%v\n%s", facts, got)
	}
	// One that goes away gives its name, its file and its comments to the new one.
	got, facts = run(t, "", one+stale)
	if want := one + existingVariant("example-a-foo", "  namespace: default\n"+ours, oneSpec); got != want {
		t.Errorf("%v\n%s", facts, cmp.Diff(want, got))
	}
}

// Another PackageVariant of the same package is named in a warning.
func TestAnotherVariantOfTheSamePackage(t *testing.T) {
	const warning = "warning variant-set/duplicate PackageVariantSet/default/example spec.targets[0].repositories[0] package=foo repository=a"
	for name, metadata := range map[string]string{
		"without a set":   "  namespace: default\n",
		"of the same set": "  namespace: default\n" + ours,
	} {
		input := one + existingVariant("mine", metadata, oneSpec) + existingVariant("example-a-foo", "  namespace: default\n"+ours, oneSpec)
		got, facts := run(t, "", input)
		found := 0
		for _, fact := range facts {
			if fact == warning {
				found++
			}
		}
		if got != input || found != 1 || len(errorsOf(facts)) > 0 {
			t.Errorf("%s: %v\n%s", name, facts, cmp.Diff(input, got))
		}
	}
	// The first one by name is that of the set, whatever their order.
	old := strings.Replace(oneSpec, "revision: 1\n", "revision: 0\n", 1)
	mine, first := existingVariant("mine", "  namespace: default\n"+ours, old), "  namespace: default\n"+ours
	got, _ := run(t, "", one+mine+existingVariant("example-a-foo", first, old))
	if diff := cmp.Diff(one+mine+existingVariant("example-a-foo", first, oneSpec), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// In another namespace it is of another Repository.
	if _, facts := run(t, "", one+existingVariant("mine", "  namespace: far\n", oneSpec)); strings.Contains(strings.Join(facts, "\n"), "duplicate") {
		t.Errorf("got %v", facts)
	}
}
