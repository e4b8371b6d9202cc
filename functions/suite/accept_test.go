package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// A pipeline may have several steps of one function, each for other packs or sets. An
// acceptance that one step needs is not unused in the others.
func TestAcceptancesOfOtherSteps(t *testing.T) {
	const packs = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: one, annotations: {packs.kpt.dev/accept: "RULE: so"}}
spec: {values: {a: 1}, presets: [{name: x, add: {a: 2}}]}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: upper, annotations: {packs.kpt.dev/accept: "RULE: so"}}
spec: {packRef: {name: one}, values: {b: 1}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: two}
spec: {values: {a: 1}, presets: [{name: x, add: {a: 2}}]}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: one, annotations: {packs.kpt.dev/accept: "RULE: so"}}
spec: {upstream: {repo: a, package: b, revision: 1}, targets: [{repositories: [{name: r}]}]}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: two}
spec: {upstream: {repo: a, package: c, revision: 1}, targets: [{repositories: [{name: r}]}]}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: one, annotations: {packs.kpt.dev/accept: "RULE: so"}}
spec: {values: {a: 1}}
`
	for _, tc := range []struct {
		function, rule string
		// other is the spec of a step that leaves out what is accepted, and own of one
		// that does not.
		other, own string
	}{
		{"validate-pack-values", "values/format", "{packs: [two]}", "{packs: [one]}"},
		{"validate-pack-values", "values/unknown-key", "{}", "{unknownKeys: warning}"},
		{"check-dependencies", "dependency/missing", "{packs: [two]}", "{}"},
		{"check-resources", "resources/invalid", "{packs: [two]}", "{}"},
		{"apply-preset", "preset/overridden", "{presets: [{pack: two, name: x}]}", "{presets: [{pack: one, name: x}]}"},
		{"resolve-macros", "macro/empty", "{packs: [two]}", "{}"},
		{"expand-variant-set", "variant-set/unmatched", "{sets: [two]}", "{}"},
	} {
		f := All()[slices.IndexFunc(All(), func(f function.Function) bool { return f.Name == tc.function })]
		for spec, want := range map[string]bool{tc.other: false, tc.own: true} {
			config := "{apiVersion: fn.kpt.dev/v1alpha1, kind: " + f.Kind + ", metadata: {name: step}, spec: " + spec + "}"
			_, outcome := functiontest.Evaluate(t, f, functiontest.List(config, strings.ReplaceAll(packs, "RULE", tc.rule)))
			got := slices.ContainsFunc(outcome.Findings, func(one diag.Finding) bool {
				// expand-variant-set looks at all resources.
				return one.Rule == rule.AcceptUnused && (one.Resource().Kind == "PackageVariantSet") == (f.Kind == "ExpandVariantSet")
			})
			if got != want {
				t.Errorf("%s %s: got %q", f.Name, spec, functiontest.Facts(outcome.Findings))
			}
		}
	}
}
