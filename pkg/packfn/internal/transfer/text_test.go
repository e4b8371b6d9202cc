package transfer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// The whitespace at the ends of lines is recorded by ranges, and restored.
func TestLineEnds(t *testing.T) {
	for before, want := range map[string]string{
		"a\nb":                 "{}\n",
		"a \nb":                "\" \": \"1\"\n",
		"a\nb ":                "\" \": \"2\"\n",
		"a \nb \nc \nd":        "\" \": 1-3\n",
		"a \nb\nc \nd \ne\nf ": "\" \": 1,3-4,6\n",
		"a \nb\t\nc \nd \r\ne\t\nf\t\ng": `" ": 1,3
"\t": 2,5-6
? " \r"
: "4"
`,
	} {
		parts := strings.SplitAfter(before, "\n")
		for i := range parts {
			parts[i] = trimmedLine(parts[i])
		}
		after := strings.Join(parts, "")
		ends := lineEnds(before, after)
		got, err := values.Print(ends)
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, want %q, %v", before, got, want, err)
		}
		if again := restoreLineEnds(after, ends); again != before {
			t.Errorf("%q: restored is %q", before, again)
		}
	}
	for text, want := range map[string]string{`{"-": "0-1,3-9,x"}`: "a-\nb", `{"-": "2-1"}`: "a\nb", `{"-": "2"}`: "a\nb-", "": "a\nb"} {
		document, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := restoreLineEnds("a\nb", document.Root()); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

// What is not JSON of a mapping, or has no place in a Pack, stays a ConfigMap.
func TestNoPackResource(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "p", "a": [1, 1.50, true, false, null, "x", {}, []]}`: `name: p
a:
- 1
- 1.50
- true
- false
- null
- x
- {}
- []
`,
		"\ufeff{}":                 "{}\n",
		`{"a": 1} x`:               "expected nothing after the end",
		`{"a": 1`:                  "not JSON",
		`{"a": [1`:                 "not JSON",
		`{"a"`:                     "not JSON",
		``:                         "not JSON",
		`[{}]`:                     "must be a map, got a list",
		`"a"`:                      "must be a map",
		`{"a": 1, "b": 2, "a": 3}`: `a: duplicate key`,
		`{"a": {"b": 1, "b": 2}}`:  `a.b: duplicate key`,
		`{"a": "b", "b": "a"}`: `a: b
b: a
`,
		`{"schema": {}}`: "has the field schema, which means the file in a Pack",
	} {
		r := &resource{name: "p", form: Pack, files: []packdir.File{{Name: packdir.Metadata, Text: []byte(text)}}}
		spec, err := r.spec(0)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v", text, err)
			}
			if strings.HasSuffix(want, "\n") || !strings.Contains(err.Error(), "--as configmap") {
				t.Errorf("%s: got %v", text, err)
			}
			continue
		}
		got, err := values.Print(spec)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q, want %q, %v", text, got, want, err)
		}
	}
	r := &resource{name: "p", form: Pack, files: []packdir.File{{Name: "other.yaml"}}}
	if _, err := r.spec(0); err == nil || !strings.Contains(err.Error(), "no place for other.yaml; import it with --as configmap") {
		t.Errorf("another file: %v", err)
	}
}

// A note says why kpt quotes a text.
func TestQuotedTexts(t *testing.T) {
	files := []packdir.File{{Name: "a.yaml"}, {Name: "values.yaml"}, {Name: "b.yaml"}, {Name: "c.yaml"}, {Name: "absent.yaml"}}
	got := quotedTexts([]byte(`data:
  a.yaml: "x \ny"
  b.yaml: |
    x
    y
  c.yaml: "x"
spec:
  values: "x\ny"
`), files)
	want := []string{"a.yaml: kpt stores it as one quoted line, because line 1 ends in whitespace", "values.yaml: kpt stores it as one quoted line"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := quotedTexts([]byte("a: ["), files); got != nil {
		t.Errorf("no YAML: %q", got)
	}
}

// The version and the tag of an entry follow the version of its resource.
func TestVersionOfEntry(t *testing.T) {
	for name, tc := range map[string]struct{ entry, metadata, want string }{
		"the same":          {"{version: 1.4.0, tag: 1.4.x}", `{"version": "1.4.0"}`, "{version: 1.4.0, tag: 1.4.x}\n"},
		"another":           {"{version: 1.4.0, tag: 1.4.0}", `{"version": "1.5.0"}`, "{version: 1.5.0, tag: 1.5.0}\n"},
		"a tag that fits":   {"{version: 1.4.0, tag: 1.4.x}", `{"version": "1.4.1"}`, "{version: 1.4.1, tag: 1.4.x}\n"},
		"a tag that is old": {"{version: 1.4.0, tag: 1.4.x}", `{"version": "1.40.0"}`, "{version: 1.40.0, tag: 1.40.0}\n"},
		"no tag":            {"{version: 1.4.0}", `{"version": "1.5.0"}`, "{version: 1.5.0}\n"},
		"no version":        {"{tag: 1.4.x}", `{"version": "1.5.0"}`, "{tag: 1.4.x}\n"},
		"none now":          {"{version: 1.4.0}", `{}`, "{version: 1.4.0}\n"},
		"no JSON":           {"{version: 1.4.0}", `{`, "{version: 1.4.0}\n"},
	} {
		document, err := values.Parse(tc.entry)
		if err != nil {
			t.Fatal(err)
		}
		x := &profileExport{place: "p.yaml"}
		x.version(document.Root(), &Exported{Name: "p", Files: []packdir.File{{Name: packdir.Metadata, Text: []byte(tc.metadata)}}})
		got, err := values.Print(document.Root())
		if err != nil || string(got) != tc.want || len(x.notes) > 0 != (tc.want != tc.entry+"\n") {
			t.Errorf("%s: got %q, want %q, %q", name, got, tc.want, x.notes)
		}
	}
}

// A text without a pack, or with two, is not loaded.
func TestLoad(t *testing.T) {
	const one = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec: {version: 1.0.0}
`
	if p, item, err := Load([]byte(one), "a.yaml"); err != nil || p.Name != "a" || item == nil {
		t.Errorf("got %v, %v, %v", p, item, err)
	}
	for _, text := range []string{"", "kind: A\n", one + "---\n" + strings.Replace(one, "name: a", "name: b", 1)} {
		if _, _, err := Load([]byte(text), "a.yaml"); err == nil || err.Error() != "a.yaml: the pack cannot be read; see packfn check" {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
