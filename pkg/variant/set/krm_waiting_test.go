package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A set whose content is still to be injected is not expanded, and its variants stay.
func TestWaiting(t *testing.T) {
	const (
		kptfile  = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n---\n"
		revision = "apiVersion: porch.kpt.dev/v1alpha1\nkind: PackageRevision\nmetadata:\n  name: x\n  annotations: {kpt.dev/config-injection: required}\nspec: {repository: none}\n---\n"
		point    = "  annotations: {kpt.dev/config-injection: required}\n"
	)
	of := func(name, annotations, repository string) string {
		return "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: " + name + "\n" + annotations +
			"spec:\n  upstream: {repo: a, package: b, workspaceName: v1}\n  targets:\n  - repositories: [{name: " + repository + "}]\n---\n"
	}
	expanded, _ := run(t, "", kptfile+of("s", "", "one"))
	earlier := strings.TrimPrefix(expanded, kptfile+of("s", "", "one")) + "---\n"
	for _, tc := range []struct {
		name, documents, changes string
		want                     []string
	}{
		{"a set", kptfile + of("s", point, "two") + earlier, "1 as before", []string{"info variant-set/waiting PackageVariantSet/s metadata.annotations[kpt.dev/config-injection]"}},
		{"one of two sets", kptfile + of("s", point, "two") + of("t", "", "three") + earlier, "1 new, 1 as before", []string{
			"info variant-set/waiting PackageVariantSet/s metadata.annotations[kpt.dev/config-injection]",
			"info variant-set/expanded PackageVariantSet/t spec.targets variants=1",
		}},
		{"a PackageRevision", kptfile + of("s", "", "two") + revision + earlier, "1 as before", []string{"info variant-set/waiting PackageRevision/x metadata.annotations[kpt.dev/config-injection]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			documents := strings.TrimSuffix(tc.documents, "---\n")
			output, facts := run(t, "", documents)
			facts = deleteRules(facts, "variant-set/unverified", "variant-set/invalid")
			if diff := cmp.Diff(tc.want, facts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := changes(documents, output); got != tc.changes {
				t.Errorf("want %q, got %q", tc.changes, got)
			}
		})
	}
}

// deleteRules removes the facts of some rules.
func deleteRules(facts []string, rules ...string) []string {
	var kept []string
	for _, fact := range facts {
		isOf := false
		for _, rule := range rules {
			isOf = isOf || strings.Contains(fact, " "+rule+" ")
		}
		if !isOf {
			kept = append(kept, fact)
		}
	}
	return kept
}
