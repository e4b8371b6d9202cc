package macro

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
)

// pieces are texts of values files without macros.
func pieces() []string {
	return []string{
		"plain text", "\n", "  ", ": ", "é", "{", "}}", "\"", "`", "#", "{{ .Values.x }}", "{{- include \"a\" . -}}", "{{ `{{ .spectro.var.X }}` }}", "{% raw %}", "{{/* c */}}",
	}
}

func macros() []string {
	return []string{
		"{{ .spectro.var.X }}", "{{- .spectro.system.cluster.name -}}", "{{ .spectro.pack.a.d | lower }}", "{{ .spectro.pack.none.x | default \"d\" }}", "{{.spectro.pack.none.x}}",
		"{{ .spectro.var.Q }}", "{{ .spectro.pack.c1.x }}", "{{ .spectro.pack.c3.z.0 }}", "{{ .spectro.pack.c1.into }}", "{{ .spectro.pack.undef.bad }}", "{{ .spectro.var.X | repeat 2 -}}", "{{ .spectro.var.HALF }}", "{{ .spectro.var.FOREIGN }}", "{{ .spectro.system.cluster.kubevip }}",
	}
}

func text(t *rapid.T, from []string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(from), 0, 8).Draw(t, "text"), "")
}

// A text without macros, foreign templates included, stays byte for byte.
func TestTextWithoutMacrosIsUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := text(t, pieces())
		if rapid.Bool().Draw(t, "any") {
			in += strings.ReplaceAll(rapid.String().Draw(t, "string"), ".spectro.", "")
		}
		if out, findings := fixture(t, Error).Text(in); !template.HasMacro(in) && (out != in || len(findings) > 0) {
			t.Fatalf("%q became %q %+v", in, out, findings)
		}
	})
}

// Text outside of macros is unchanged, and resolving twice is resolving once.
func TestResolvingTwiceIsOnce(t *testing.T) {
	resolvers := [3]*Resolver{fixture(t, Empty), fixture(t, Error), fixture(t, Keep)}
	rapid.Check(t, func(t *rapid.T) {
		r := resolvers[rapid.IntRange(0, 2).Draw(t, "mode")]
		checkResolved(t, func() *Resolver { return r }, text(t, append(pieces(), macros()...)))
	})
}

// The value of a name does not depend on what was resolved before.
func TestOrderMakesNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first, second := text(t, macros()), text(t, macros())
		mode := rapid.SampledFrom([]Mode{Empty, Error, Keep}).Draw(t, "mode")
		ab, ba := fixture(t, mode), fixture(t, mode)
		all := func(out string, findings []diag.Finding) string { return fmt.Sprintf("%q %+v", out, findings) }
		one := all(ab.Text(first))
		ba.Text(second)
		if two := all(ba.Text(first)); one != two {
			t.Fatalf("%q: %s, and after %q: %s", first, one, second, two)
		}
	})
}
