package macro

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "macro")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

const typedConfig = `
apiVersion: fn.kpt.dev/v1alpha1
kind: ResolveMacros
metadata: {name: resolve}
spec:
`

func packOf(name, values string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  pack.json: '{\"name\": \"" + name + "\"}'\n  values.yaml: |\n    " +
		strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ")
}

const cluster = `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: one}
spec:
  system: {cluster: {name: c1}, kubernetes.version: 1.30}
  variables: {TOKEN: t0, SHARED: cluster}
  macros: {proxy: http://p}`

// What cannot be known once the values are written is said by the run that writes them, and not by
// the next one. All else the next run says again.
func TestSaidOnce(t *testing.T) {
	for _, tc := range []struct {
		name, config, documents string
		has                     string   // of the output
		results                 []string // facts
	}{
		{"explain", typedConfig + "  explain: true", packOf("a", "x: '{{ .spectro.pack.a.none | default \"d\" }}'\ny: \"{{ .spectro.pack.a.none }}\""), "x: 'd'\n      y: \"\"",
			[]string{
				`info macro/defaulted ConfigMap/a data[values.yaml] key=x at=1:8 pack=a macro=.spectro.pack.a.none`,
				`warning macro/empty ConfigMap/a data[values.yaml] key=y at=2:8 pack=a macro=.spectro.pack.a.none`,
			}},
		{"a warning, and written", "", cluster + "\n---\n" + packOf("a", "x: '{{ .spectro.pack.a.nane }}'\ny: '{{ .Spectro.var.TOKEN }}'\nname: n"), "x: ''\n      y: '{{ .Spectro.var.TOKEN }}'",
			[]string{
				`warning macro/empty ConfigMap/a data[values.yaml] key=x at=1:8 near=name pack=a macro=.spectro.pack.a.nane`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=2:8 near=.spectro.var.TOKEN pack=a macro=.spectro.var.TOKEN`,
			}},
		{"JSON has no comments", "", cluster + "\n---\n" + strings.Replace(packOf("a", "{x: '{{ .spectro.var.TOKEN }}', y: ['{{ .spectro.var.TOKEN }}']}"), "  name: a\n", "  name: a\n  annotations:\n    internal.config.kubernetes.io/path: a.yaml\n", 1), "{x: 't0', y: ['t0']}",
			[]string{"info macro/unrecorded ConfigMap/a a.yaml#0 data[values.yaml] pack=a"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, outcome := functiontest.RunList(t, Function(), functiontest.List(tc.config, tc.documents))
			if diff := cmp.Diff(tc.results, functiontest.Facts(outcome.Findings)); diff != "" {
				t.Errorf("findings -want +got:\n%s", diff)
			}
			if !strings.Contains(output, tc.has) {
				t.Errorf("the output lacks %q:\n%s", tc.has, output)
			}
			again, second := functiontest.Evaluate(t, Function(), output)
			if again != output {
				t.Errorf("the second run returns\n%s", again)
			}
			isGone := func(f diag.Finding) bool {
				return f.Rule == rule.MacroEmpty || f.Rule == rule.MacroDefaulted || f.Rule == rule.MacroUnrecorded
			}
			if diff := cmp.Diff(functiontest.Facts(slices.DeleteFunc(outcome.Findings, isGone)), functiontest.Facts(second.Findings)); diff != "" {
				t.Errorf("results of the second run:\n%s", diff)
			}
		})
	}
}

// A resource that cannot be read is an error.
func TestDeepResource(t *testing.T) {
	got := functiontest.Run(t, Function(), typedConfig+"  resources: [{kind: Pod}]", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec: "+strings.Repeat("[", 1100)+strings.Repeat("]", 1100)+"\n---\n"+packOf("a", "x: 1"))
	if diff := cmp.Diff([]string{"error input/invalid Pod/p"}, functiontest.Facts(got.Findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
