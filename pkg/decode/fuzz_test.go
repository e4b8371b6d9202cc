package decode_test

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// FuzzNode asserts that no document makes it fail, that findings are complete, and
// that they do not depend on anything but the document.
func FuzzNode(f *testing.F) {
	for _, text := range []string{
		`name: a
labels: {a: b}
targets: [{kind: A}]
`,
		`name: &a b
<<: [{mode: *a}, {<<: {count: 5}}]
`,
		"- a\n",
		`{a: b}: c
? [a]
: b
`,
		`name: 5
name: ''
size: 1e3
`,
		"single: {kind: A, inner: {deep: {x: {value: 1}}}}\n",
		`eithers: [a, [b], {c: d}, null]
raw: !!binary x
`,
		`<<: 5
<<: {}
`,
		`~: a
true: b
1: c
`,
		`targets: [null, 5, [], {}]
force: TRUE
`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document, err := values.Parse(text)
		if err != nil || strings.Count(text, "*") > 20 { // a bomb takes too long here
			return
		}
		var out, again form
		findings := decode.Node(document.Root(), "spec", &out)
		for i := range findings {
			f := &findings[i]
			if !strings.HasPrefix(f.Key, "spec") || f.Position.Line == 0 || f.Position.Column == 0 || f.Found == "" && f.Kind != diag.KindMissing && f.Kind != diag.KindDuplicate {
				t.Fatalf("incomplete: %+v", f)
			}
		}
		if twice := decode.Node(document.Root(), "spec", &again); strings.Join(faults(findings), "\n") != strings.Join(faults(twice), "\n") {
			t.Fatal("the findings differ")
		}
		if len(findings) == 0 && document.Root() != nil && out.Name == "" {
			t.Fatal("the name is missing, and that is not found")
		}
	})
}

// FuzzFlat does so for the data of a ConfigMap.
func FuzzFlat(f *testing.F) {
	for _, seed := range [][2]string{{"mode", "strict"}, {"labels", "a=b,,c="}, {"variables.A", ""}, {"variable", "x"}, {"", ""}, {"count", "-0"}, {"severity", "=,=="}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, key, value string) {
		var out flatForm
		for _, f := range decode.Flat(map[string]string{key: value}, "data", &out, "Demo") {
			if f.Found == "" || f.Key != diag.Join("data", key) {
				t.Fatalf("incomplete: %+v", f)
			}
		}
	})
}

// BenchmarkNode decodes a list of 10,000 entries, each with a fault: the time of one
// must not depend on how many there are.
func BenchmarkNode(b *testing.B) {
	document, err := values.Parse(`name: a
targets:
` + strings.Repeat("- inner: {}\n", 10_000))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if findings := decode.Node(document.Root(), "spec", &form{}); len(findings) != 10_000 {
			b.Fatalf("got %d findings", len(findings))
		}
	}
}
