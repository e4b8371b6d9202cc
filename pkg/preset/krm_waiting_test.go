package preset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// No preset is applied to values that wait for injection. It would be recorded as applied
// to the values that are injected.
func TestWaiting(t *testing.T) {
	const (
		kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n---\n"
		pack    = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {values: {n: 1}, presets: [{name: ha, add: {n: 3}}]}\n---\n"
		site    = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site, annotations: {kpt.dev/config-injection: required}}\nspec: {packRef: {name: a}, values: {n: 2}}\n"
		info    = " metadata.annotations[kpt.dev/config-injection]"
		applied = "info preset/applied Pack/a spec.values pack=a preset=ha"
	)
	replace := strings.Replace(site, "values:", "strategy: replace, values:", 1)
	waiting := func(resource string) string {
		return strings.Replace(resource, "{name: a}", "{name: a, annotations: {kpt.dev/config-injection: required}}", 1)
	}
	for _, tc := range []struct {
		name, config, documents string
		isApplied               bool
		want                    []string
	}{
		{"an override on top", asked("a ha"), kptfile + pack + site, true, []string{applied}},
		{"an override that replaces", asked("a ha"), kptfile + pack + replace, false, []string{"info preset/waiting PackValues/site" + info}},
		{"the override that into names", asked("a ha > site"), kptfile + pack + site, false, []string{"info preset/waiting PackValues/site" + info}},
		{"the pack", asked("a ha"), kptfile + waiting(pack), false, []string{"info preset/waiting Pack/a" + info}},
		{"a pack that may come", asked("b ha"), kptfile + waiting(pack), false, []string{"info preset/waiting Pack/a" + info}},
		{"the first of two packs", asked("b ha"), kptfile + strings.ReplaceAll(waiting(pack), "{name: a,", "{name: b,") + waiting(pack), false, []string{"info preset/waiting Pack/b" + info}},
		{"another pack", asked("b ha"), kptfile + waiting(pack) + strings.Replace(pack, "{name: a}", "{name: b}", 1), true, []string{strings.ReplaceAll(strings.Replace(applied, "Pack/a", "Pack/b", 1), "pack=a", "pack=b")}},
		{"what is wrong in itself", asked("a hb"), kptfile + pack + replace, false, []string{`error preset/unknown ApplyPreset/presets spec.presets[0].name unknown="preset \"hb\"" want=ha pack=a`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, facts := evaluate(t, tc.config, tc.documents)
			if diff := cmp.Diff(tc.want, facts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if isApplied := strings.Contains(output, RecordAnnotation); isApplied != tc.isApplied {
				t.Errorf("applied: %v\n%s", isApplied, output)
			}
		})
	}
}
