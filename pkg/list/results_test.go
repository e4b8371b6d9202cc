package list

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// newResults are results as the harness prints them.
const newResults = `- message: m
  severity: warning
  field:
    path: spec
    currentValue: |
      a

      b
- message: n
`

// New results follow the earlier ones, whose text stays, at their column.
func TestWriteResults(t *testing.T) {
	const before, items = frame, "items:\n" + oneItem
	inline := func(dash int) string { return string(indentLines([]byte(newResults), dash)) }
	tests := []struct {
		name, input, want string
	}{
		{"none", before + items, before + items + "results:\n" + newResults},
		{
			"none, before the functionConfig", before + items + "functionConfig: {}\n",
			before + items + `functionConfig: {}
results:
` + newResults,
		},
		{"none, no final newline", before + strings.TrimSuffix(items, "\n"), before + items + "results:\n" + newResults},
		{
			"none, no items", before,
			before + `items: []
results:
` + newResults,
		},
		{
			"after the items",
			before + items + `results:
- message:   'a'
`,
			before + items + `results:
- message:   'a'
` + newResults,
		},
		{
			"before the items",
			before + `results:
- message:   'a'
` + items,
			before + `results:
- message:   'a'
` + newResults + items,
		},
		{
			"first of all",
			`results:
- message:   'a'
` + before + items,
			`results:
- message:   'a'
` + newResults + before + items,
		},
		{
			"indented dashes",
			before + items + `results:
  - message:   'a'
    severity: info
`,
			before + items + `results:
  - message:   'a'
    severity: info
` + inline(2),
		},
		{
			"deep dashes, before the items",
			before + `results:
        -   message: a
            severity: info
` + items,
			before + `results:
        -   message: a
            severity: info
` + inline(8) + items,
		},
		{
			"comments",
			before + `results: # a
# b
- message: a # c

# d
` + items,
			before + `results: # a
# b
- message: a # c

# d
` + newResults + items,
		},
		{
			"no final newline",
			before + items + `results:
- message: a`,
			before + items + `results:
- message: a
` + newResults,
		},
		{
			"no final newline, indented",
			before + items + `results:
  - message: a`,
			before + items + `results:
  - message: a
` + inline(2),
		},
		{
			"block scalar",
			before + items + `results:
- message: |
    a
`,
			before + items + `results:
- message: |
    a
` + newResults,
		},
		{
			"block scalar of a dash",
			before + items + `results:
  - |
   a
`,
			before + items + `results:
  - |
   a
` + inline(2),
		},
		{
			"block scalar that keeps its breaks",
			before + items + `results:
- message: |+
    a


`,
			before + items + `results:
- message: |+
    a


` + newResults,
		},
		{
			"block scalar without a final newline",
			before + items + `results:
- message: |
    a`,
			before + items + `results:
- message: |-
    a
` + newResults,
		},
		{
			"plain scalar over lines",
			before + items + `results:
  - message: a
     b
`,
			before + items + `results:
  - message: a
     b
` + inline(2),
		},
		{
			"quoted scalar over lines",
			before + items + `results:
- message: 'a

    b'
`,
			before + items + `results:
- message: 'a

    b'
` + newResults,
		},
		{
			"null entries",
			before + items + `results:
- null
-
`,
			before + items + `results:
- null
-
` + newResults,
		},
		{
			"anchors",
			before + items + `results:
- &a {message: a}
- *a
`,
			before + items + `results:
- &a {message: a}
- *a
` + newResults,
		},
		{
			"flow list", before + items + "results: [{message:   'a'}]\n",
			before + items + `results:
- {message: 'a'}
` + newResults,
		},
		{
			"map form",
			before + items + `results:
  items:
  - message: a
`,
			before + items + `results:
- message: a
` + newResults,
		},
		{
			"map form, indented",
			before + `results:
  name: x
  items:
    - message: a
` + items,
			before + `results:
- message: a
` + newResults + items,
		},
		{"empty", before + items + "results: []\n", before + items + "results:\n" + newResults},
		{
			"empty, with comments",
			before + `results:  [] # a
# b
` + items,
			before + `results: # a
# b
` + newResults + items,
		},
		{"nothing", before + "results:\n" + items, before + "results:\n" + newResults + items},
		{
			"nothing, with comments",
			before + `results: # a
# b

` + items,
			before + `results: # a
# b

` + newResults + items,
		},
		{"null", before + "results: null # a\n" + items, before + "results:\n" + newResults + items},
		{"empty map", before + "results: {}\n" + items, before + "results:\n" + newResults + items},
		{"empty map form", before + "results: {items: []}\n" + items, before + "results:\n" + newResults + items},
		{
			"CRLF", strings.ReplaceAll(before+items+`results:
- message: a
`, "\n", "\r\n"),
			before + items + `results:
- message: a
` + newResults,
		},
		{
			"CRLF, indented", strings.ReplaceAll(before+`results:
  - message: a
`+items, "\n", "\r\n"),
			before + `results:
  - message: a
` + inline(2) + items,
		},
		{
			"CR, indented", strings.ReplaceAll(before+`results:
  - message: a
`+items, "\n", "\r"),
			before + `results:
  - message: a
` + inline(2) + items,
		},
		{
			"CRLF in UTF-16", inUTF16(strings.ReplaceAll(before+strings.Replace(items, "one", "\u0d0d", 1), "\n", "\r\n")),
			before + strings.Replace(items, "one", "\u0d0d", 1) + "results:\n" + newResults,
		},
		{
			"JSON",
			string(asJSON(t, []byte(before+items+`results:
- message: a
`))),
			`apiVersion: config.kubernetes.io/v1
kind: "ResourceList"
items:
- {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}}
results:
- {"message": "a"}
` + newResults,
		},
		{
			"parser path",
			"---\n" + before + items + `results:
    - message: a
`,
			before + items + `results:
- message: a
` + newResults,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkResults(t, test.input, newResults, test.want)
		})
	}
}

// A list of earlier results in any form comes out as the earlier ones and the new
// ones, and whatever else was in it.
func TestWriteResultsInAnyForm(t *testing.T) {
	entry := rapid.SampledFrom([]string{
		"message: a",
		`message: 'a'
severity: info`,
		"{message: a, severity: error}",
		`message: |
  a

  b`,
		`message: |+
  a

`,
		`message: >-
  a
  b`,
		`message: "a

  b"`,
		`message: a
  b`,
		`message: a
field:
  path: spec.a[0]
  proposedValue:
  - b
  - c: d`,
		"null", "text",
		`message: a # c
# d`,
		"[a, b]",
		`message: |1
  a`,
		`- a
- b`,
		"message: 'é\u2028b'", "message: \"\\u2028\"", "", "&a {message: b}",
	})
	rapid.Check(t, func(t *rapid.T) {
		indent := strings.Repeat(" ", rapid.IntRange(0, 4).Draw(t, "indent"))
		dash := rapid.SampledFrom([]string{"- ", "-   "}).Draw(t, "dash")
		var results strings.Builder
		for range rapid.IntRange(0, 3).Draw(t, "earlier") {
			text := strings.ReplaceAll(indent+dash+strings.ReplaceAll(entry.Draw(t, "entry"), "\n", "\n"+indent+strings.Repeat(" ", len(dash))), "\n"+indent+strings.Repeat(" ", len(dash))+"\n", "\n\n")
			results.WriteString(strings.TrimRight(text, " ") + "\n" + rapid.SampledFrom([]string{"", "", "# c\n", "\n"}).Draw(t, "between"))
		}
		section := "results:\n" + results.String()
		if results.Len() == 0 {
			section = rapid.SampledFrom([]string{
				"", "results:\n", "results: []\n", "results: null\n", "results: [{message: a}, {b: c}]\n", "results: [] # c\n",
				`results:
  items:
  - a: b
`,
				"results: {items: [a]}\n", "results: {}\n",
			}).Draw(t, "results")
		}
		config := `functionConfig:
  apiVersion: v1
  kind: ConfigMap
`
		text := rapid.SampledFrom([]string{frame + "items:\n" + oneItem + section, frame + section + "items:\n" + oneItem, section + frame + "items: []\n" + config, frame + "items:\n" + oneItem + section + config}).Draw(t, "list")
		switch rapid.IntRange(0, 5).Draw(t, "form") {
		case 0:
			text = strings.TrimSuffix(text, "\n")
		case 1:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 2:
			text = "---\n" + text
		}
		checkResults(t, text, newResults, "")
	})
}

// Many results of earlier functions pass as text, and what is not YAML among them is
// noticed.
func TestManyEarlierResults(t *testing.T) {
	entry := `- message: 'registry.port: got 70000'
  severity: warning
  tags:
    rule: values/format
`
	for _, indent := range []string{"", "  "} {
		section := "results:\n" + strings.Repeat(indent+strings.ReplaceAll(strings.TrimSuffix(entry, "\n"), "\n", "\n"+indent)+"\n", 20_000)
		input := frame + "items:\n" + oneItem + section
		checkWritten := func(input string) {
			t.Helper()
			l, err := Read([]byte(input))
			if err != nil {
				t.Fatal(err)
			}
			if l.earlier != nil {
				t.Error("the results were kept as nodes")
			}
			var out bytes.Buffer
			if err := l.Write(&out, []byte(newResults)); err != nil || !strings.HasPrefix(out.String(), input) || !strings.HasSuffix(out.String(), string(indentLines([]byte(newResults), len(indent)))) {
				t.Errorf("%v, got …%s", err, out.String()[len(out.String())-300:])
			}
		}
		checkWritten(input)
		for name, broken := range map[string]string{
			"in the middle": strings.Replace(input, "severity: warning", "severity: 'warning' x", 10_000),
			"at the end":    strings.TrimSuffix(input, "values/format\n") + "'values\n",
			"another key":   input + "a: b: c\n",
		} {
			if _, err := Read([]byte(broken)); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}

// checkResults writes a list with new results. want is the text that comes out, ""
// when only its content counts.
func checkResults(t failer, input, results, want string) {
	t.Helper()
	l, err := Read([]byte(input))
	if err != nil {
		t.Fatalf("%v\n%s", err, input)
	}
	var out bytes.Buffer
	if err := l.Write(&out, []byte(results)); err != nil {
		t.Fatalf("writing: %v\n%s", err, input)
	}
	if diff := cmp.Diff(want, out.String()); want != "" && diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	earlier, others := contentOfResults(t, input)
	added, _ := contentOfResults(t, "results:\n"+results)
	got, rest := contentOfResults(t, out.String())
	if diff := cmp.Diff(fmt.Sprintf("%#v", append(earlier, added...)), fmt.Sprintf("%#v", got)); diff != "" {
		t.Fatalf("results -want +got:\n%s\nof\n%s\nin\n%s", diff, input, out.String())
	}
	if others["items"] == nil {
		others["items"] = []any{}
	}
	if diff := cmp.Diff(others, rest); diff != "" {
		t.Fatalf("the rest -want +got:\n%s", diff)
	}
	if found, ok := split([]byte(input)); ok && l.earlierColumn > 0 {
		if _, ok := readByText([]byte(input)); ok && !strings.Contains(out.String(), strings.TrimSuffix(sectionOf(input, found, "results"), "\n")) {
			t.Fatalf("the text of the earlier results changed:\n%s\nof\n%s", out.String(), input)
		}
	}
	// The next function in the pipeline finds them all, and passes them on.
	again := read(t, out.String())
	if found := earlierOf(again); len(found) != len(got) {
		t.Fatalf("the next function finds %d results of %d", len(found), len(got))
	}
	if twice := string(written(t, again)); twice != out.String() {
		t.Fatalf("the next function changes them:\n%s", cmp.Diff(out.String(), twice))
	}
}

// contentOfResults decodes a list: its results, in whichever form, and the rest.
func contentOfResults(t failer, text string) (results []any, rest map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &rest); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	switch r := rest["results"].(type) {
	case []any:
		results = r
	case map[string]any:
		results, _ = r["items"].([]any)
	}
	delete(rest, "results")
	return results, rest
}

func sectionOf(input string, found layout, key string) string {
	for _, s := range found.sections {
		if s.key == key {
			return input[s.start:s.end]
		}
	}
	return ""
}

// An earlier result that cannot be printed fails the run before anything is written.
func TestWriteResultsFails(t *testing.T) {
	l := read(t, string(bigList(100))) // more than is written at once
	l.parts = append(l.parts, part{kind: partResults})
	self := &yaml.Node{Kind: yaml.SequenceNode, Anchor: "a"}
	self.Content = []*yaml.Node{{Kind: yaml.AliasNode, Alias: &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: "a"}, {Kind: yaml.AliasNode, Value: "a", Alias: self}}}}}
	l.earlier = []*yaml.Node{self.Content[0]}
	var out bytes.Buffer
	if err := l.Write(&out, []byte(newResults)); err == nil || out.Len() > 0 {
		t.Errorf("got %v, and wrote %q", err, out.String())
	}
}

// inUTF16 returns a text in UTF-16, as PowerShell writes it.
func inUTF16(text string) string {
	var b strings.Builder
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		b.WriteByte(byte(unit))
		b.WriteByte(byte(unit >> 8))
	}
	return b.String()
}
