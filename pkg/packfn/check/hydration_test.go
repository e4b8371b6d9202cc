package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/rule"
)

// hydrated checks a package, and returns the findings about what its renders keep.
func hydrated(t *testing.T, files map[string]string) []string {
	t.Helper()
	dir := folderOf(t, files)
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range r.Findings {
		if slices.Contains([]string{rule.MacroUnset.ID, rule.MacroEmpty.ID, rule.MacroInvalid.ID, rule.PresetLeft.ID}, f.Rule) {
			found = append(found, fmt.Sprintf("%s %s %s:%d", f.Severity, f.Rule, f.File, f.Line))
		}
	}
	return found
}

func packWith(values string) string {
	return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: web\nspec:\n  version: 1.0.0\n  values: |\n    " + values + "\n"
}

func mutators(text string) string { return kptfileHead + "pipeline:\n  mutators:\n" + text }

// A value stays where a fact is not in a run. It is an error only where no step has the fact.
func TestFactsOfNoStep(t *testing.T) {
	const (
		known   = "x: a # kpt-macro: {{ .spectro.var.A }}"
		unknown = "x: b # kpt-macro: {{ .spectro.var.B }}"
		both    = "x: ab # kpt-macro: {{ .spectro.var.A }}{{ .spectro.var.B }}"
		a       = "  - exec: resolve-macros\n    configMap: {variables.A: a}\n"
		keepsA  = "  - exec: resolve-macros\n    configMap: {variables.A: a, missing: keep}\n"
		b       = "  - exec: resolve-macros\n    configMap: {variables.B: b}\n"
		unset   = "error macro/unset web.yaml:8"
	)
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a fact that is there", map[string]string{"Kptfile": mutators(a), "web.yaml": packWith(known)}, nil},
		{"one that is not", map[string]string{"Kptfile": mutators(a), "web.yaml": packWith(unknown)}, []string{unset}},
		{"facts of two steps", map[string]string{"Kptfile": mutators(keepsA + b), "web.yaml": packWith(both)}, nil},
		{"one of none of two", map[string]string{"Kptfile": mutators(keepsA + a), "web.yaml": packWith(both)}, []string{unset}},
		{"a default", map[string]string{"Kptfile": mutators(a), "web.yaml": packWith("x: b # kpt-macro: {{ .spectro.var.B | default \"b\" }}")}, nil},
		{"a pipeline that resolves no macros", map[string]string{"Kptfile": mutators("  - exec: apply-preset\n    configMap: {web: ha}\n"), "web.yaml": packWith(unknown) + "  presets: |\n    presets: [{name: ha, add: {y: 1}}]\n"}, nil},
		{"a subpackage that has the fact", map[string]string{"Kptfile": mutators(a), "sub/Kptfile": mutators(b), "sub/web.yaml": packWith(unknown)}, nil},
		{"a pack that is not there", map[string]string{"Kptfile": mutators(a), "web.yaml": packWith("x: b # kpt-macro: {{ .spectro.pack.db.b }}")}, []string{"warning macro/empty web.yaml:8"}},
	} {
		if got := hydrated(t, tc.files); !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// A preset that is recorded is selected by a step, or nothing holds it.
func TestPresetsThatAreLeft(t *testing.T) {
	const (
		presets = "  presets: |\n    presets: [{name: ha, group: size, add: {x: 1}}, {name: small, group: size, add: {x: 2}}]\n"
		record  = "metadata:\n  annotations:\n    packs.kpt.dev/applied-presets: '[\"size:ha\"]'\n"
		found   = "info preset/left web.yaml:5"
	)
	pack := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\n" + record + "  name: web\nspec:\n  version: 1.0.0\n  values: 'x: 1'\n" + presets
	for _, tc := range []struct {
		name, kptfile string
		files         map[string]string
		want          []string
	}{
		{"a step selects it", mutators("  - exec: apply-preset\n    configMap: {web: ha}\n"), nil, nil},
		{"by its full name", mutators("  - exec: apply-preset\n    configMap: {web: 'size:ha'}\n"), nil, nil},
		{"a kind selects it", mutators("  - exec: apply-preset\n    configPath: fn.yaml\n"), map[string]string{"fn.yaml": "apiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyPreset\nmetadata: {name: f}\nspec: {presets: [{pack: web, name: ha}]}\n"}, nil},
		{"no step selects presets", mutators("  - exec: resolve-macros\n"), nil, []string{found}},
		{"a step selects one of another pack", mutators("  - exec: apply-preset\n    configMap: {other: ha}\n"), map[string]string{"other.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: other}\nspec: {version: 1.0.0, values: 'x: 1', presets: [{name: ha, add: {x: 1}}]}\n"}, []string{found}},
		{"no pipeline", kptfileHead, nil, []string{found}},
	} {
		files := map[string]string{"Kptfile": tc.kptfile, "web.yaml": pack}
		for name, text := range tc.files {
			files[name] = text
		}
		if got := hydrated(t, files); !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
	if got := hydrated(t, map[string]string{"web.yaml": pack}); len(got) > 0 {
		t.Errorf("outside of a package: got %q", got)
	}
}

// Where no function resolves macros, they are checked by the facts that are there, and counted.
func TestUnresolved(t *testing.T) {
	const (
		facts    = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {system: {cluster.name: a}, variables: {TEAM: x}}\n"
		checks   = kptfileHead + "pipeline:\n  validators:\n  - exec: validate-pack-values\n"
		resolves = "  - exec: resolve-macros\n    configMap: {variables.TAEM: a}\n"
		count    = "info macro/unresolved web.yaml:8"
		unset    = "warning macro/unset web.yaml:8"
		unknown  = "warning macro/unknown web.yaml:8"
	)
	variable, system := packWith("x: '{{ .spectro.var.TAEM }}'"), packWith("x: '{{ .spectro.system.cluster.nmae }}'")
	for name, tc := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a variable that is not supplied":   {map[string]string{"Kptfile": checks, "web.yaml": variable, "c.yaml": facts}, []string{count, unset}},
		"a misspelt name":                   {map[string]string{"Kptfile": checks, "web.yaml": system, "c.yaml": facts}, []string{count, unknown}},
		"a macro that does not end":         {map[string]string{"Kptfile": checks, "web.yaml": packWith("x: '{{ .spectro.var.TEAM '")}, []string{"warning macro/invalid web.yaml:8"}},
		"what is supplied":                  {map[string]string{"Kptfile": checks, "web.yaml": packWith("x: '{{ .spectro.var.TEAM }}'"), "c.yaml": facts}, []string{count}},
		"no facts":                          {map[string]string{"Kptfile": checks, "web.yaml": variable}, []string{count}},
		"no pipeline":                       {map[string]string{"Kptfile": kptfileHead, "web.yaml": system}, []string{count, unknown}},
		"no package":                        {map[string]string{"web.yaml": variable, "c.yaml": facts}, []string{unset}},
		"a value that nothing makes again":  {map[string]string{"Kptfile": checks, "web.yaml": packWith("x: b # kpt-macro: {{ .spectro.var.B }}"), "c.yaml": facts}, []string{count}},
		"a pipeline that resolves":          {map[string]string{"Kptfile": mutators(resolves), "web.yaml": variable, "c.yaml": facts}, nil},
		"a subpackage that does not":        {map[string]string{"Kptfile": mutators(resolves), "sub/Kptfile": checks, "sub/web.yaml": variable, "c.yaml": facts}, nil},
		"a package around one that does":    {map[string]string{"Kptfile": checks, "web.yaml": variable, "c.yaml": facts, "sub/Kptfile": mutators(resolves), "sub/db.yaml": strings.Replace(variable, "web", "db", 1)}, []string{count, unset}},
		"a variable of the cluster profile": {map[string]string{"Kptfile": checks, "web.yaml": variable, "c.yaml": facts + "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: p}\nspec: {packs: [{name: web, packRef: {name: web}}], variables: [{name: TAEM, displayName: x}]}\n"}, []string{count}},
		"facts that wait":                   {map[string]string{"Kptfile": checks, "web.yaml": variable, "c.yaml": strings.Replace(facts, "name: c}", "name: c, annotations: {kpt.dev/config-injection: required}}", 1)}, []string{count}},
		"no macro":                          {map[string]string{"Kptfile": checks, "web.yaml": packWith("x: '{{ .Values.x }}'"), "c.yaml": facts}, nil},
	} {
		dir := folderOf(t, tc.files)
		r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range r.Findings {
			if strings.HasPrefix(f.Rule, "macro/") {
				found = append(found, fmt.Sprintf("%s %s %s:%d", f.Severity, f.Rule, f.File, f.Line))
			}
		}
		if slices.Sort(found); !slices.Equal(found, tc.want) {
			t.Errorf("%s: got %q", name, found)
		}
	}
}
