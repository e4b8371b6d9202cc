package macro

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/values"
)

// written resolves the macros of a document and writes them.
func written(t testing.TB, r *Resolver, text string) (string, []diag.Finding) {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	sources := hydration.Read(d, nil, hydration.Edited)
	results, findings := r.Document(sources)
	if len(findings) > 0 {
		return text, findings
	}
	edits := sources.Edits(results, hydration.Bare)
	if d, err = d.Rewrite(edits.Scalars, edits.Comments); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d.Text(), nil
}

func TestDocument(t *testing.T) {
	r := func() *Resolver {
		return NewResolver(Context{Variables: map[string]string{
			"V": "1.30", "B": "true", "C": "a: b", "H": "x #y", "Q": `say "hi"`, "N": "l1\nl2", "E": "", "T": "text", "Z": "~",
		}}, nil)
	}
	for _, tc := range []struct{ name, in, want string }{
		{"M3 comments", "# {{ .spectro.var.T }}\na: '{{ .spectro.var.T }}' # {{ .spectro.var.T }}\n", "# {{ .spectro.var.T }}\na: 'text' # {{ .spectro.var.T }}\n"},
		{"M3 an escaped quote", `a: "{{ .spectro.var.X | default \"d\" }}"` + "\n", "a: \"d\"\n"},
		{"M3 no YAML is injected", "a: \"{{ .spectro.var.Q }}\"\nb: '{{ .spectro.var.N }}'\n", "a: \"say \\\"hi\\\"\"\nb: \"l1\\nl2\"\n"},
		{"M3 block scalars", "a: |\n  x {{ .spectro.var.T }}\n    {{ .Values.x }}\nb: >-\n  y\n  {{ .spectro.var.T }}\n", "a: |\n  x text\n    {{ .Values.x }}\nb: >-\n  y\n  text\n"},
		{"M4 folded scalars keep their lines", "a: >- # c\n  one {{ .spectro.var.T }}\n  two\n    more {{ .spectro.var.T }}\n\n  {{ .spectro.var.T }} three {{- .spectro.var.T -}}\n  four\n", "a: >- # c\n  one text\n  two\n    more text\n\n  text threetextfour\n"},
		{"M4 folded scalars keep their lines after one trim", "a: >-\n  one\n  two {{ .spectro.var.T -}}\n  three\n  four\n", "a: >-\n  one\n  two textthree\n  four\n"},
		{"M4 folded scalars keep their lines before one trim", "a: >-\n  one\n  two\n  {{- .spectro.var.T }} three\n  four\n", "a: >-\n  one\n  twotext three\n  four\n"},
		{"M4 folded scalars with lines in a value", "a: >-\n  one {{ .spectro.var.T }}\n  two {{ \"x\\ny\" | print .spectro.var.T }}\n", "a: >-\n  one text two textx\n\n  y\n"},
		{"M4 quotes stay", "a: \"{{ .spectro.var.V }}\"\nb: '{{ .spectro.var.B }}'\n", "a: \"1.30\"\nb: 'true'\n"},
		{"M4 plain stays plain", "a: v{{ .spectro.var.V }}\n", "a: v1.30\n"},
		{"foreign templates", "a: '{{ .Values.x }}' # c\nb: \"{{ `x` }}\\t\"\n", "a: '{{ .Values.x }}' # c\nb: \"{{ `x` }}\\t\"\n"},
		{"lists and nesting", "a:\n- {b: '{{ .spectro.var.T }}'}\n-   'x{{ .spectro.var.T }}'   # c\n", "a:\n- {b: 'text'}\n-   'xtext'   # c\n"},
		{"anchors", "a: &x '{{ .spectro.var.T }}'\nb: *x\nc: {d: *x}\n", "a: &x 'text'\nb: *x\nc: {d: *x}\n"},
		{"merge keys", "a: &x {k: '{{ .spectro.var.T }}'}\nb: {<<: *x}\n", "a: &x {k: 'text'}\nb: {<<: *x}\n"},
		{"a written tag", "a: !!str '{{ .spectro.var.V }}'\nb: !own '{{ .spectro.var.T }}'\n", "a: !!str '1.30'\nb: !own 'text'\n"},
		{"a written tag of another type", "a: !!float '{{ .spectro.var.V }}'\n", "a: !!float '1.30'\n"},
		{"escaped braces", "a: \"\\x7b\\u007B .spectro\\x2evar.T }}\"\n", "a: \"text\"\n"},
		{"nothing", "# only {{ .spectro.var.T }}\n", "# only {{ .spectro.var.T }}\n"},
	} {
		got, findings := written(t, r(), tc.in)
		if diff := cmp.Diff(tc.want, got); diff != "" || len(findings) > 0 {
			t.Errorf("%s: %+v -want +got:\n%s", tc.name, findings, diff)
		}
	}
	// One that cannot be resolved leaves the others as they are, too.
	for _, in := range []string{"a: '{{ .spectro.var.none }}'\nb: '{{ .spectro.var.T }}'\n", "a: '{{ .spectro.var.T }}'\nb: '{{ .spectro.var.none }}'\n"} {
		d, _ := values.Parse(in)
		if results, findings := r().Document(hydration.Read(d, nil, hydration.Edited)); len(results) > 0 || len(findings) != 1 {
			t.Errorf("%q: got %+v %+v", in, results, findings)
		}
	}
	// A plain scalar cannot start with the action, so empty text comes first.
	for name, want := range map[string]string{"V": `"1.30"`, "B": `"true"`, "C": `"a: b"`, "H": `"x #y"`, "T": "text", "Z": `"~"`, "E | default ``": `""`} {
		in := "a: X {{- .spectro.var." + name + " | print }}\n"
		d, _ := values.Parse(in)
		sources := hydration.Read(d, nil, hydration.Edited)
		results, _ := r().Document(sources)
		edits := sources.Edits(results, hydration.Bare)
		if len(edits.Scalars) != 1 {
			t.Fatalf("%s: %d edits", in, len(edits.Scalars))
		}
		edits.Scalars[0].Text = strings.TrimPrefix(edits.Scalars[0].Text, "X")
		out, err := d.ReplaceScalars(edits.Scalars...)
		if err != nil || out.Text() != "a: "+want+"\n" {
			t.Errorf("M4 %s: got %q %v, want %s", name, out.Text(), err, want)
		}
	}
}

// Places in the document are exact in every style.
func TestDocumentPlaces(t *testing.T) {
	text := "# c {{ x }}\na: é{{ .spectro.var.Q }}\nb:\n- \"{{ .x }}\\n {{ .spectro.var.Q2 }}\"\n- k: | # {{ c }}\n    one {{ x }}\n    é {{ .spectro.var.Q3 }} {{ .spectro.var.Q4 }}\nc: '{{ .spectro.var.Q5 }}{{ print `a` | uper .spectro.var.Q6 }}'\nd: \"{{ default \\\"x\\\" .spectro.var.Q7 | foo }}\"\ne: \"\\x7b{ .spectro.var.Q8 }}\"\nf: x ${spectro.var.Q}\n"
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	origin := &diag.Origin{Field: "data[values.yaml]", Embedded: true}
	_, findings := NewResolver(Context{}, nil).Document(hydration.Read(d.From(origin), nil, hydration.Edited))
	var got []string
	for _, f := range findings {
		got = append(got, fmt.Sprintf("%s %s %s", f.Key, f.Tags["macro"], f.Position))
		if f.Origin != origin {
			t.Errorf("%s has the origin %v", f.Key, f.Origin)
		}
	}
	want := []string{
		"a .spectro.var.Q line 2, column 8",
		"b[0] .spectro.var.Q2 line 4, column 18",
		"b[1].k .spectro.var.Q3 line 7, column 10",
		"b[1].k .spectro.var.Q4 line 7, column 32",
		"c .spectro.var.Q5 line 8, column 8",
		"c uper line 8, column 41",
		"d foo line 9, column 5",              // escapes are between them: the start of the macro
		"e .spectro.var.Q8 line 10, column 4", // no brace is written as it is
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
