package hydration

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/values"
)

// FuzzComment: what is read from a comment is written so that it reads as the same, and keeps
// what users wrote.
func FuzzComment(f *testing.F) {
	for _, text := range []string{
		"# ours", "# kpt-macro: {{ .spectro.var.x }}", "# ours # kpt-macro: a {{ .spectro.var.x }} b", "#kpt-macro:{{ .spectro.var.x }}",
		`# kpt-macro: "{{ .spectro.var.x }}\u2028\n"`, `# kpt-macro: ["{{ .spectro.var.x }}", 1.50] # behind`, `# kpt-macro: {"a": {"b": "{{ .spectro.var.x }}"}}`,
		`# kpt-macro: {"a": `, "# kpt-macro: ", "# kpt-macro: {{ .spectro.", "# kpt-macro: x # kpt-macro: {{ .spectro.var.x }}", "# kpt-macro: {{ .spectro.var.x }}\u200b", `# kpt-macro: "\ud800{{ .spectro.var.x }}"`,
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, isFlow bool) {
		if !strings.HasPrefix(text, "#") || !utf8.ValidString(text) {
			return
		}
		c, offset, fault := parse(text, isFlow)
		if offset < 0 || offset > len(text) {
			t.Fatalf("offset %d of %q", offset, text)
		}
		if c == nil {
			if strings.Contains(fault, "\n") {
				t.Errorf("the fault %q", fault)
			}
			return
		}
		again, _, fault := parse(write(c.others, c.written()), isFlow)
		if again == nil {
			t.Fatalf("%q is written as %q: %s", text, write(c.others, c.written()), fault)
		}
		if again.source != c.source || again.others != c.others || (again.collection == nil) != (c.collection == nil) || again.written() != c.written() {
			t.Errorf("%q is written as %q, and read as %+v, not %+v", text, write(c.others, c.written()), again, c)
		}
	})
}

// FuzzSources: values that are resolved and written have the same sources as before, and a
// second render with the same facts changes no byte.
func FuzzSources(f *testing.F) {
	for _, text := range []string{
		`a: '{{ .spectro.var.x }}' # ours
b: ["{{ .spectro.var.x }}", 1]
`,
		`a: |
  {{ .spectro.var.x }}
  b
c: >-
  {{ .spectro.var.x }}

  d
`,
		"[{a: '{{ .spectro.var.x }}'}]\n",
		`a: 1 # kpt-macro: {{ .spectro.var.x }}
b: {c: 1} # kpt-macro: {"c": "{{ .spectro.var.x }}"}
`,
		`a: &m '{{ .spectro.var.x }}'
b: *m
<<: {c: *m}
`,
		"? a\n: '{{ .spectro.var.x }}'\n", "a: !!str {{ .spectro.var.x }}\n", "- '{{ .spectro.var.x }} #'\n- \"{{ .spectro.var.x }}\\u2028\"\r\n", "a: '{{ .spectro.var.x }}",
	} {
		f.Add(text, "1")
	}
	f.Fuzz(func(t *testing.T, text, x string) {
		d, err := values.Parse(text)
		if err != nil || d.Root() == nil || strings.Contains(x, "{{") || strings.Contains(x, "}}") {
			return
		}
		before := Read(d, nil, Edited)
		edits := before.Edits(resultsOf(before.Values(), facts{"x": x}), Renew)
		rendered, err := d.Rewrite(edits.Scalars, edits.Comments)
		if err != nil {
			return // the edit is refused
		}
		after := Read(rendered, nil, Edited)
		if edits.Unrecorded == 0 && !values.Equal(before.Values(), after.Values()) {
			t.Fatalf("%q with %q becomes %q, with the sources %s", text, x, rendered.Text(), after.Document().Text())
		}
		edits = after.Edits(resultsOf(after.Values(), facts{"x": x}), Renew)
		if again, err := rendered.Rewrite(edits.Scalars, edits.Comments); err != nil || again.Text() != rendered.Text() {
			t.Errorf("%q with %q becomes %q, and then %q (%v)", text, x, rendered.Text(), again.Text(), err)
		}
	})
}
