package macro

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/template"
)

func FuzzResolveText(f *testing.F) {
	for _, seed := range []string{
		"{{ .spectro.var.X }}", "a {{- .spectro.pack.a.d | upper -}} b {{ .Values.x }}", "{{ .spectro.pack.none.x | default `x` }}", "{{ .spectro.pack.c1.x }}",
		"{{ printf `%[1]*.3d` 3 | repeat 3 | print .spectro.var.X }}", "{{ regexReplaceAll `(a|b)+` .spectro.var.X `$1` }}", "{{ (dict `a` .spectro.var.X).a }}", "{{ and .spectro.var.Q (or 1 2) }}",
		"{{ untilStep 0 10 3 | join .spectro.var.X }}", "{{ .spectro.var.HALF }}{ .spectro.var.X }}", "{{ list 1 (list .spectro.var.X) | toJson | fromJson | toPrettyJson | b64enc }}", "{{ seq 1 2 9 | splitList ` ` | chunk 2 | print .spectro.var.X }}",
	} {
		for mode := range 3 {
			f.Add(seed, mode)
		}
	}
	r := [3]*Resolver{fixture(f, Empty), fixture(f, Error), fixture(f, Keep)}
	f.Fuzz(func(t *testing.T, text string, mode int) {
		m := uint(mode) % 3
		checkResolved(t, func() *Resolver {
			fresh := *r[m] // the packs are parsed once; the rest starts anew
			again := NewResolver(fresh.context, nil)
			again.packs = fresh.packs
			return again
		}, text)
	})
}

// checkResolved checks what holds for every text.
func checkResolved(t rapid.TB, fresh func() *Resolver, text string) {
	t.Helper()
	out, _, problems := fresh().Text(text)
	for _, p := range problems {
		if p.Offset < 0 || p.Offset > len(text) || p.Line < 1 || p.Column < 1 || p.Message == "" || strings.ContainsAny(p.Message, "\n\r") || p.Rule == "" {
			t.Fatalf("%q: %+v", text, p)
		}
	}
	if !template.HasMacro(text) {
		if out != text || len(problems) > 0 {
			t.Fatalf("%q has no macro, got %q %+v", text, out, problems)
		}
		return
	}
	if len(problems) > 0 {
		return
	}
	if len(out) > len(text)+MaxResult {
		t.Fatalf("%q: %d bytes", text, len(out))
	}
	outside(t, text, out)
	again, _, problems := fresh().Text(out)
	if again != out || len(problems) > 0 {
		t.Fatalf("%q became %q, and again %q %+v", text, out, again, problems)
	}
}

// outside checks that what stands outside of macros is in the result, in order.
// Trimmed blanks aside, it is all there.
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
