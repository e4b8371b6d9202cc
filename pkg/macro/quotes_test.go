package macro

import (
	"testing"

	"github.com/krm-packs/functions/pkg/rule"
)

// Quotes that YAML does not have around a macro become a part of the value.
func TestTypographicQuotes(t *testing.T) {
	for text, want := range map[string]int{
		"“{{ .spectro.var.TOKEN }}”":     1,
		"‘x-{{ .spectro.var.TOKEN }}’":   1,
		"„{{ .spectro.var.TOKEN }}“\n":   1,
		"“a” {{ .spectro.var.TOKEN }} b": 0,
		"“{{ .spectro.var.TOKEN }}":      0,
		"“a”":                            0,
		"“{{ .Values.a.var.b }}”":        0,
		`"{{ .spectro.var.TOKEN }}"`:     0,
	} {
		r := NewResolver(Context{Variables: map[string]string{"TOKEN": "t"}}, nil)
		_, findings := r.Text(text)
		if len(findings) != want || want > 0 && findings[0].Rule != rule.MacroSuspicious {
			t.Errorf("%s: got %+v", text, findings)
		}
	}
}
