package render

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// A finding about what an injection can bring says that inject-config comes too late. One
// that no injection mends does not.
func TestRulesThatWaitForInjection(t *testing.T) {
	values := func(text string) map[string]string {
		return map[string]string{"a.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  version: 1.0.0\n  values:\n    b: '{{ .spectro.pack.a.b }}'\n    c: \"" + text + "\"\n"}
	}
	requests := func(more string) map[string]string {
		return map[string]string{"a.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  version: 1.0.0\n  constraints: {dependencies: [{packName: z, type: required}], resources: [{type: cpu, minLimit: 5000}]}\n" + more}
	}
	const ocf = "apiVersion: ocf.capact.io/v1alpha1\nkind: "
	policy := func(rules string) map[string]string {
		return map[string]string{
			"interface.yaml": ocf + "Interface\nmetadata: {name: i}\nspec: {path: cap.interface.db, revision: 1.0.0}\n---\n" + ocf +
				"Implementation\nmetadata: {name: m}\nspec: {path: cap.implementation.db, revision: 1.0.0, implements: [{path: cap.interface.db, revision: 1.0.0}]}\n",
			"policy.yaml": ocf + "Policy\nmetadata: {name: p}\nspec:\n  scope: GLOBAL\n  interface: {rules: [" + rules + "]}\n",
		}
	}
	point := func(kind, spec string, files map[string]string) map[string]string {
		files = maps.Clone(files)
		files["point.yaml"] = "apiVersion: " + kind + "\nmetadata: {name: point, annotations: {kpt.dev/config-injection: required}}\nspec: " + spec + "\n"
		return files
	}
	context := func(files map[string]string) map[string]string {
		return point("packs.kpt.dev/v1alpha1\nkind: ClusterContext", "{}", files)
	}
	small := "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1}}]}\n"
	for _, tc := range []struct {
		rule, function string
		files          map[string]string
		waits          bool
	}{
		{"macro/unset", "resolve-macros", values("{{ .spectro.var.TOKEN }}"), true},
		{"macro/unknown", "resolve-macros", values("{{ .spectro.system.zzz }}"), true},
		{"macro/empty", "resolve-macros\n    configMap: {missing: empty}", values("{{ .spectro.pack.a.none }}"), true},
		{"macro/defaulted", "resolve-macros\n    configMap: {explain: 'true'}", values("{{ .spectro.var.TOKEN | default `x` }}"), true},
		{"macro/waiting", "resolve-macros", context(values("{{ .spectro.var.TOKEN }}")), true},
		{"macro/invalid", "resolve-macros", values("{{ uper .spectro.var.TOKEN }}"), false},
		{"macro/cycle", "resolve-macros", values("{{ .spectro.var.TOKEN }}"), false},
		{"resources/no-pool", "check-resources", requests(""), true},
		{"resources/waiting", "check-resources", context(requests("")), true},
		{"resources/insufficient", "check-resources", requests(small), false},
		{"dependency/missing", "check-dependencies", requests(""), false},
		{"dependency/waiting", "check-dependencies", context(requests("")), true},
		{"preset/waiting", "apply-preset\n    configMap: {a: large}", point("packs.kpt.dev/v1alpha1\nkind: PackValues", "{packRef: {name: a}, strategy: replace, values: {}}", map[string]string{"a.yaml": whenPack}), true},
		{"preset/unknown", "apply-preset\n    configMap: {a: lrge}", map[string]string{"a.yaml": whenPack}, false},
		{"policy/no-rule", "select-implementations", policy("{interface: {path: cap.other}, oneOf: []}"), true},
		{"policy/denied", "select-implementations", policy("{interface: {path: cap.*}, oneOf: []}"), false},
		{"policy/waiting", "select-implementations", point("ocf.capact.io/v1alpha1\nkind: Policy", "{scope: ACTION, interface: {rules: []}}", policy("{interface: {path: cap.other}, oneOf: []}")), true},
	} {
		files := maps.Clone(tc.files)
		files["Kptfile"] = head + "pipeline:\n  mutators:\n  - exec: " + tc.function + "\n  - exec: inject-config\n"
		tree := load(t, files)
		result, err := tree.Render(Options{Functions: functions})
		if err != nil {
			t.Fatal(err)
		}
		found := NewReporter(tree, func(name string) string { return name }).Report(result).Findings
		at := slices.IndexFunc(found, func(f report.Finding) bool { return f.Rule == tc.rule })
		if at < 0 {
			t.Errorf("%s: got %v", tc.rule, found)
			continue
		}
		if got := strings.Contains(found[at].Message, "which runs later"); got != tc.waits {
			t.Errorf("%s: got %s", tc.rule, found[at].Message)
		}
	}
}
