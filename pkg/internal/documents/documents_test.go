package documents

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// shown are documents as `line: text`.
func shown(in io.Reader) (all []string) {
	for d := range Each(in) {
		text := fmt.Sprintf("%d: %s", d.Line, d.Text)
		if d.Err != nil {
			text += "error: " + d.Err.Error()
		}
		all = append(all, text)
	}
	return all
}

func TestEach(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"nothing": {" \n\n", nil},
		"one":     {"a: 1\n", []string{"0: a: 1\n"}},
		"several": {
			`# c
---
a: 1
--- # d
b: 2
... # e
c: 3`,
			[]string{
				`1: ---
a: 1
`,
				`3: --- # d
b: 2
`,
				"6: c: 3",
			},
		},
		"comments alone": {`# c
--- # d

---
# e
`, nil},
		"a directive": {
			`%YAML 1.2
---
a: 1
`,
			[]string{`1: ---
a: 1
`},
		},
		"a mark that is text": {
			`a: |
  ---
----
`,
			[]string{`0: a: |
  ---
----
`},
		},
		"objects": {
			`{"a": 1}
{
 "b": "}\"{"
}
`,
			[]string{`0: {"a": 1}`, `1: {
 "b": "}\"{"
}`},
		},
		"objects on a line": {`{"a": {"b": 1}}{} {"c": 2}`, []string{`0: {"a": {"b": 1}}`, `0: {}`, `0:  {"c": 2}`}},
		"objects after a mark": {`---
# c
{"a": 1}
---
{"b": 1}`, []string{"2: {\"a\": 1}", "4: {\"b\": 1}"}},
		"an object without end": {
			`{"a": 1
---
b: 2
`,
			[]string{`0: {"a": 1
---
b: 2
`},
		},
		"a flow mapping": {"{a: '}'}\n", []string{"0: {a: '}'}\n"}},
		"an object, then a text": {
			`{"a": 1}, x
---
b: 2
`,
			[]string{`0: {"a": 1}`, "0: , x\n", `1: ---
b: 2
`},
		},
		"a byte order mark": {"\ufeff{\"a\": 1}\n{\"b\": 1}", []string{`0: {"a": 1}`, `1: {"b": 1}`}},
		"many spaces":       {"{" + strings.Repeat(" ", 70000) + "\"a\": 1}", []string{"0: {" + strings.Repeat(" ", 70000) + "\"a\": 1}"}},
	} {
		for reader, in := range map[string]io.Reader{"": strings.NewReader(tc.text), ", slowly": iotest.OneByteReader(strings.NewReader(tc.text))} {
			if diff := cmp.Diff(tc.want, shown(in)); diff != "" {
				t.Errorf("%s%s: -want +got:\n%s", name, reader, diff)
			}
		}
	}
}

// A document that is too large is left out, and those after it are read.
func TestTooLarge(t *testing.T) {
	large := strings.Repeat("x", values.MaxBytes)
	for _, text := range []string{"a: " + large + "\n---\nb: 1\n", `{"a": "` + large + `"}` + "\n\nb: 1\n"} {
		var got []string
		for d := range Each(strings.NewReader(text)) {
			if d.Err == nil {
				got = append(got, strings.TrimPrefix(strings.TrimSpace(d.Text), "---\n"))
			} else {
				got = append(got, d.Err.Error())
			}
		}
		if diff := cmp.Diff([]string{"it has more than 32 MiB", "b: 1"}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestErrorOfReader(t *testing.T) {
	for _, text := range []string{"a: 1\n", `{"a": `, ""} {
		in := io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("broken")))
		got := shown(in)
		if len(got) == 0 || !strings.HasSuffix(got[len(got)-1], "error: broken") {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func TestStops(t *testing.T) {
	for range Each(strings.NewReader(`a: 1
---
b: 1
`)) {
		break
	}
}

// The bytes from where a document begins are its text, so that it can be read again.
func FuzzEach(f *testing.F) {
	for _, seed := range []string{
		`a: 1
---
b: 2
...
`,
		"{\"a\": {}}{\"b\": \"\\\"}\"}\n", "\ufeff# x\n{a: 1}\n--- {\"c\": 1}\n",
		`{

"`,
		"---\r\n{}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := int64(0)
		for d := range Each(strings.NewReader(text)) {
			if d.Start < at || !strings.HasPrefix(text[d.Start:], d.Text) {
				t.Fatalf("%q: at %d of %q", d.Text, d.Start, text)
			}
			if lines := strings.Count(text[:d.Start], "\n"); lines != d.Line {
				t.Fatalf("%q: line %d, want %d", d.Text, d.Line, lines)
			}
			at = d.Start + int64(len(d.Text))
			d.Parse()
		}
	})
}

// A document begins at its first line with content.
func TestFirst(t *testing.T) {
	for text, want := range map[string]int{
		"a: 1\n": 11,
		`---
a: 1
`: 12,
		"\n# a comment\n  \n--- \na: 1\n": 15,
		`--- a
b
`: 11,
		"": 11,
	} {
		if got := (Document{Text: text, Line: 10}).First(); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// JSON keeps its place, also after a marker.
func TestPlaceInJSON(t *testing.T) {
	for text, want := range map[string]int{`{"a": 1}`: 7, `--- {"a": 1}`: 11} {
		d, err := Document{Text: text}.Parse()
		if err != nil {
			t.Fatal(err)
		}
		if at := values.At(values.Field(d.Root(), "a")); at.Column != want {
			t.Errorf("%s: got %v", text, at)
		}
	}
}
