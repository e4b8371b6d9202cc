package macro

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/internal/template"
)

func FuzzResolveText(f *testing.F) {
	for _, seed := range []string{
		"{{ .spectro.var.X }}", "a {{- .spectro.pack.a.d | upper -}} b {{ .Values.x }}", "{{ .spectro.pack.none.x | default `x` }}", "{{ .spectro.pack.c1.x }}",
		"{{ printf `%[1]*.3d` 3 | repeat 3 | print .spectro.var.X }}", "{{ regexReplaceAll `(a|b)+` .spectro.var.X `$1` }}", "{{ (dict `a` .spectro.var.X).a }}", "{{ and .spectro.var.Q (or 1 2) }}",
		"{{ untilStep 0 10 3 | join .spectro.var.X }}", "{{ .spectro.var.HALF }}{ .spectro.var.X }}", "{{.spectro.", "{{.spectro.var.HALF}}{.spectro.", "{{ list 1 (list .spectro.var.X) | toJson | fromJson | toPrettyJson | b64enc }}", "{{ seq 1 2 9 | splitList ` ` | chunk 2 | print .spectro.var.X }}",
	} {
		for mode := range 3 {
			f.Add(seed, mode)
		}
	}
	r := [3]*Resolver{fixture(f, Empty), fixture(f, Error), fixture(f, Keep)}
	f.Fuzz(func(t *testing.T, text string, mode int) {
		m := uint(mode) % 3
		checkResolved(t, func() *Resolver {
			fresh := *r[m] // only the packs are shared: they were parsed once
			again := NewResolver(fresh.context, nil)
			again.packs = fresh.packs
			return again
		}, text)
	})
}

// checkResolved checks what holds for every text.
func checkResolved(t rapid.TB, fresh func() *Resolver, text string) {
	t.Helper()
	out, findings := fresh().Text(text)
	for _, f := range findings {
		if f.Position.Line < 1 || f.Position.Column < 1 || f.Found == "" || f.Rule.ID == "" {
			t.Fatalf("%q: %+v", text, f)
		}
	}
	if !template.HasMacro(text) && template.Unclosed(text, 0) < 0 {
		if out != text || hasError(findings) {
			t.Fatalf("%q has no macro, got %q %+v", text, out, findings)
		}
		return
	}
	if hasError(findings) {
		if out != text {
			t.Fatalf("%q became %q with findings %+v", text, out, findings)
		}
		return
	}
	if len(out) > len(text)+MaxResult {
		t.Fatalf("%q: %d bytes", text, len(out))
	}
	outside(t, text, out)
	again, findings := fresh().Text(out)
	if again != out || hasError(findings) {
		t.Fatalf("%q became %q, and again %q %+v", text, out, again, findings)
	}
}

func hasError(findings []diag.Finding) bool {
	return slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Level() == diag.Error })
}

// outside checks that the text outside of macros is in the result, in order. Only
// whitespace may be trimmed.
func outside(t rapid.TB, text, out string) {
	t.Helper()
	last, rest := 0, out
	part := func(end int) {
		want := strings.Trim(text[last:end], " \t\r\n")
		at := strings.Index(rest, want)
		if at < 0 {
			t.Fatalf("%q became %q, without %q", text, out, want)
		}
		rest = rest[at+len(want):]
	}
	for _, a := range template.Actions(text) {
		if a.Macro {
			part(a.Start)
			last = a.End
		}
	}
	part(len(text))
}
