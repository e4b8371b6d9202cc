package macro

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Macros that no function resolves stay, and are counted with the values that were made of
// macros.
func TestFunctionOfUnresolved(t *testing.T) {
	const at = "info macro/unresolved ConfigMap/a data[values.yaml] "
	for name, tc := range map[string]struct {
		values, message string
		want            []string
	}{
		"one macro":            {"x: '{{ .spectro.var.TOKEN }}'", "1 macro stays as it is", []string{at + "key=x at=1:5 pack=a macros=1 results=0"}},
		"one value":            {"y: 1\nx: b # kpt-macro: {{ .spectro.var.NONE }}", "1 value of macros stays as it is", []string{at + "key=x at=2:19 pack=a macros=0 results=1"}},
		"both":                 {"y: '{{ .spectro.var.TOKEN }}{{ .spectro.var.SHARED }}'\nx: b # kpt-macro: {{ .spectro.var.NONE }}", "2 macros and 1 value of macros stay as they are", []string{at + "key=y at=1:5 pack=a macros=2 results=1"}},
		"a mistake":            {"y: '{{ .spectro.var.TOKEM }}'", "", []string{at + "key=y at=1:5 pack=a macros=1 results=0", `warning macro/unset ConfigMap/a data[values.yaml] key=y at=1:8 no="variable named \"TOKEM\"" want="SHARED or TOKEN" near=TOKEN pack=a macro=.spectro.var.TOKEM`}},
		"a default":            {"y: '{{ .spectro.var.NONE | default \"x\" }}'", "", []string{at + "key=y at=1:5 pack=a macros=1 results=0"}},
		"what reads a mistake": {"y: '{{ .spectro.pack.a.x }}'\nx: '{{ .spectro.var.NONE }}'", "", []string{at + "key=y at=1:5 pack=a macros=2 results=0", `warning macro/unset ConfigMap/a data[values.yaml] key=x at=2:8 no="variable named \"NONE\"" want="SHARED or TOKEN" pack=a macro=.spectro.var.NONE`}},
		"a slip":               {"y: '{{ .Spectro.var.TOKEN }}'", "", []string{"warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=1:8 near=.spectro.var.TOKEN pack=a macro=.spectro.var.TOKEN"}},
		"other texts":          {"y: spectro", "", nil},
	} {
		list := functiontest.List("", cluster+"\n---\n"+packOf("a", tc.values))
		output, outcome := functiontest.Evaluate(t, Unresolved(), list)
		if output != list {
			t.Errorf("%s: the list was changed:\n%s", name, output)
		}
		if got := functiontest.Facts(outcome.Findings); !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q", name, got)
		}
		if tc.message != "" && !strings.Contains(outcome.Findings[0].Message(), tc.message) {
			t.Errorf("%s: %s", name, outcome.Findings[0].Message())
		}
	}
}
