package pipeline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// A finding names the selectors that may hide what is missing, and a later injection.
func TestExplain(t *testing.T) {
	p := read(t, map[string]string{"Kptfile": kptfile + `  mutators:
  - exec: validate-pack-values
    selectors: [{kind: Pack}]
    exclude: [{name: a}]
  - exec: apply-preset
    exclude: [{name: a}]
  - exec: resolve-macros
  - exec: inject-config
`})
	steps, faults := Steps(p, functions)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	hidden := diag.NotFound("pack", "vault", nil).Of(rule.DependencyMissing)
	waits := diag.Say("x").Of(rule.MacroUnset)
	for _, tc := range []struct {
		name string
		step *Step
		f    diag.Finding
		want string
	}{
		{"no step", nil, hidden, ""},
		{"a step of no Kptfile", &Step{}, hidden, ""},
		{"both", &steps[0], hidden, "if it exists, check line 7: pipeline.mutators[0].selectors and line 8: pipeline.mutators[0].exclude in the Kptfile"},
		{"one", &steps[1], hidden, "if it exists, check line 10: pipeline.mutators[1].exclude in the Kptfile"},
		{"none", &steps[2], hidden, ""},
		{"an injection that comes later", &steps[2], waits, "move inject-config, which runs later in this pipeline (line 12: pipeline.mutators[3]), before resolve-macros"},
		{"an injection behind other steps", &steps[1], waits, "move inject-config, which runs later in this pipeline (line 12: pipeline.mutators[3]), before apply-preset"},
		{"another rule", &steps[2], diag.Say("x").Of(rule.PresetUnknown), ""},
		{"the injection itself", &steps[3], waits, ""},
		{"an injection, with an action", &steps[2], waits.Do("set it"), "set it, or move inject-config, which runs later in this pipeline (line 12: pipeline.mutators[3]), before resolve-macros"},
	} {
		f := tc.step.Explain(tc.f)
		if diff := cmp.Diff(tc.want, strings.Trim(f.Action+" | "+f.Unseen, " |")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	for path, want := range map[string]string{"data.vault": "pipeline.mutators[1].configMap.vault", "data": "pipeline.mutators[1].configMap", "spec.a": "pipeline.mutators[1]"} {
		f := diag.Say("x").About(diag.Resource{}, path)
		if got := steps[1].ConfigField(&f); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if got, want := steps[1].KptfileResource(), (diag.Resource{APIVersion: "kpt.dev/v1", Kind: "Kptfile", Name: "x"}); got != want {
		t.Errorf("got %+v", got)
	}
}

// A function gets its configuration, and leaves the list of the caller as it is.
func TestRun(t *testing.T) {
	const pack = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec:
  version: 1.0.0
  values: |
    port: 7
  presets:
  - {name: small, add: "port: 5\n"}
`
	p := read(t, map[string]string{
		"Kptfile": kptfile + `  mutators:
  - {exec: apply-preset, configMap: {a: small}}
`,
		"a.yaml": pack,
	})
	steps, faults := Steps(p, functions)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for config, want := range map[bool]string{true: "port: 5", false: "port: 7"} {
		items := list.FileItems([]byte(pack), "a.yaml")
		given := steps[0].Config
		if !config {
			given = nil
		}
		outcome, all := Run(steps[0].Function, given, items)
		if outcome.Failed || len(all) != 1 || !strings.Contains(string(all[0].Text()), want) {
			t.Errorf("with a configuration %v: %+v\n%s", config, outcome, all[0].Text())
		}
	}
}
