package list

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// blockHeaders and blockLines make block scalars, also those that go-yaml prints as
// something else.
var (
	blockHeaders = []string{">", ">-", ">+", "|", "|-", "|+", ">2", "|2-", "!!str >-", "&a >"}
	blockLines   = []string{"", "", "a", "b c", " a", "  b", "\tx", "a ", "# c", "- a", "? b", "'", "\"", "é", "\u00a0", "key: |", "...", "%"}
)

// A list that the parser must read is never refused because of the style of a text: it
// is printed in a style that can hold it.
func TestParsedItemsCanBePrinted(t *testing.T) {
	check := func(t rapid.TB, item string) {
		var want yaml.Node
		if err := yaml.Unmarshal([]byte(item), &want); err != nil {
			t.Fatal(err)
		}
		// The first item is why the text reader leaves the list to the parser.
		input := frame + `items:
- {kind: A,
   a: b}
- ` + strings.TrimSuffix(strings.ReplaceAll(item, "\n", "\n  "), "  ")
		l, err := Read([]byte(input))
		if err != nil {
			t.Fatalf("%v in\n%s", err, input)
		}
		got, err := parse(l.Items[1].Text())
		if err != nil || !same(asSequence(want.Content[0]), got) {
			t.Fatalf("got (%v)\n%s\nof\n%s", err, l.Items[1].Text(), input)
		}
	}
	for _, item := range []string{
		`kind: B
note: >-
  first line

  second paragraph
    indented: |
      deeper
  last
`,
		`kind: B
note: >
  a

   b
  # no comment


  c
last: d # a comment
`,
		`kind: B
? >
  a
   b
  c
: {? [a] : b, ? {c: d} : !!binary YQ==}
`,
	} {
		check(t, item)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			var b strings.Builder
			b.WriteString("kind: B\n")
			for _, key := range []string{"x: ", `y:
- - `, "? [k]\n: "}[:rapid.IntRange(1, 3).Draw(t, "texts")] {
				b.WriteString(key + rapid.SampledFrom(blockHeaders).Draw(t, "header") + "\n")
				for range rapid.IntRange(1, 7).Draw(t, "lines") {
					b.WriteString(strings.TrimRight("      "+rapid.SampledFrom(blockLines).Draw(t, "line"), " ") + "\n")
				}
			}
			return b.String()
		}).Filter(func(text string) bool { return yaml.Unmarshal([]byte(text), new(yaml.Node)) == nil }).Draw(t, "item")
		check(t, text)
	})
}

// A node is read back where the printer may change it.
func TestRisk(t *testing.T) {
	for text, want := range map[string]risk{
		`a: 1
b: [x, 'y']
`: riskNone,
		"a: 1 # one\n": riskComments,
		`# one
a: 1
`: riskComments,
		`a: {b: [1, 2 # two
]}`: riskComments,
		"a: &x 1\n": riskContent,
		"a: !y 1\n": riskContent,
		"a: é\n":    riskContent,
		"a:\n":      riskContent,
		"a: ''\n":   riskNone,
		"1: a\n":    riskContent,
		`a: &x 1
b: {c: 1} # c
`: riskComments,
	} {
		n, err := parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := riskOf(n); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}
