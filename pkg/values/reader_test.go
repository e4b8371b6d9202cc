package values

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/internal/cases"
)

// withoutSource returns a copy of a tree, in which only aliases have an Alias.
func withoutSource(n *yaml.Node) *yaml.Node {
	c := *n
	if c.Content = nil; c.Kind != yaml.AliasNode {
		c.Alias = nil
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, withoutSource(child))
	}
	return &c
}

// checkReader compares the reader with go-yaml, comments included, and reports whether it reads the text.
func checkReader(t rapid.TB, text string) bool {
	t.Helper()
	got, ok, err := readQuick(text)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return false
	}
	want, err := readNodes(text)
	if err != nil {
		t.Fatalf("%q is read, but %v", text, err)
	}
	// The comments of the document node itself are never printed.
	got, want = got.Content[0], want.Content[0]
	if diff := cmp.Diff(want, withoutSource(WithComments(got))); diff != "" {
		t.Fatalf("%q is read differently: -go-yaml +reader:\n%s", text, diff)
	}
	return true
}

// What the reader reads, and what it leaves to go-yaml.
func TestReader(t *testing.T) {
	tests := map[string]bool{
		"a: 1\n": true, "a: 1": true,
		`- a
- b
`: true,
		`a:
- b
-
c:
`: true,
		`a:
  - b: 1
    c: 2
  -   d
`: true,
		`- - a
  - b
- - c
`: true,
		`---
a: 1
`: true,
		`# c

---
# d
a: 1
`: true,
		`#
---
-:`: true,
		`-
  a: 1
- # c
  b: 1
`: true,
		`a: x # c
# d

b: y#z
 # e
`: true,
		"a b : c d\n": true, "a: http://x:80/y\n": true,
		`ä: ö # ü
b: 日本
  # c
`: true,
		`a: 0x1F
b: 1e3
c: ~
d: yes
e: 2020-01-01
f: .inf
g: null
h: =
`: true,
		`1: a
true: b
~: c
`: true,
		`a: -1
b: --x
`: true,
		`a: 'it''s'
b: "\n\"\\"
'c d': e
"f": ''
`: true,
		"a: \"# b\" # c\n": true,
		`a: |
  b
`: true,
		`a: |-
  b

`: true,
		`a: |+
  b


b: 1
`: true,
		`a: |
  b`: true,
		`a: |


  b
`: true,
		`a: |
  b


  c
   d

b: 1
`: true,
		"a: |\n  b\n     \n \n  c\n": true, "a: |\n  b\n     \n \n": true, "a: | # c\n  b\tc\n# c\n": true,
		`- |
  b
- >-
  c
  d
`: true,
		`a: >
  b
  c

  d
    e
  f



  g
`: true,
		`a: >

    b

      c
    d
`: true,
		`a:
  b: |
   c
`: true,
		`a: {}
b: []
c: {d: e, 'f': [1, "2", {g: h}]} # i
`: true,
		"a: [b, c]\n": true, "{\"a\":1, \"b\": [\n true,\n\n {\"c\": null}\n]}\n": true, "[]": true,
		`a: {
  "b": 1}
`: true,
		`a: ''


# foot
`: true,
		"a: b  \nc:   d   # e\n": true, "a:   \n  b: c\n": true, "a: [b c]\n": true, "a: b: c\n": false,

		"": false, "# c\n": false, "a\n": false, "---\n": false, "a: &x 1\n": false, "a: *x\n": false, "a: !!str 1\n": false, "? a\n": false, "<<: {a: 1}\n": false,
		`a: b
  c
`: false,
		`a: "b
  c"
`: false,
		`a: 'b

  c'
`: false,
		`a:
  b # c
c:
  {}
d:
  |
  e
`: true,
		`a:
  b
  c
`: false,
		`a:
  b
 c: d
`: false,
		`a: 1
---
b: 2
`: false,
		`a: 1
...
`: false,
		"--- a: 1\n": false,
		`%YAML 1.2
---
a: 1
`: false,
		"a:\tb\n": false, "- \t7\n": false, "a: \"b\"\t# c\n": false, "\ta: b\n": false, "a: b\tc\n": false, "a: 1\r\n": true, "a: 1\rb:\r- |\r  c\r\n  d\r\r": true, "a: 'b\rc'\r": false, "\ufeffa: 1\n": false, "a: \u2028\n": false, "a: \xff\n": false, "a: \x00\n": false,
		`a: |2
   b
`: false,
		`a: |
b: 1
`: false,
		"a: |\n": false, "a: |\n \tb\n": false, "a: |\n   \n  b\n": false, "a: |+\n  b\n \n": false,
		`a: |
  b
 c: 1
`: false,
		`a: |x
  b
`: false,
		"a: {b}\n": false, "a: [b: c]\n": false, "a: [b,]\n": false, "a: {b: c,}\n": false, "a: [b\n": false,
		`a: [b # c
]
`: false,
		`a: [b
c]
`: false,
		`{a: b
}
`: true,
		"a: {? b}\n": false, "a: [b]c\n": false, "[a]: b\n": false, "{a: b}: c\n": false, "a: {{ .b }}\n": false,
		"a: 'b'c\n": false, "a: \"\\/\"\n": false, "a: \"\\x41\"\n": false, "a: - b\n": false, "a: %b\n": false, "a: @b\n": false,
		`a: #b
  c
`: true,
		`a: 1
 b: 2
`: false,
		`  a: 1
 b: 2
`: false,
		`- a
b: 1
`: false,
		`a: 1
- b
`: false,
		`a: [
---
]
`: false,
		strings.Repeat("k", 1100) + ": 1\n": false, strings.Repeat("[", 600) + strings.Repeat("]", 600): false, strings.Repeat("- ", 600) + "a": false,
	}
	for text, want := range tests {
		if got := checkReader(t, text); got != want {
			t.Errorf("%q: read: %v, want %v", text, got, want)
		}
	}
}

func TestReaderHostile(t *testing.T) {
	read := 0
	draws.Same(t, func(t *rapid.T) {
		if checkReader(t, hostileText(t)) {
			read++
		}
	})
	if read == 0 {
		t.Error("nothing was read")
	}
}

func TestReaderGenerated(t *testing.T) {
	read := 0
	draws.Same(t, func(t *rapid.T) {
		if text := document(t); checkReader(t, text) || checkReader(t, `data:
  values.yaml: |
`+asLiteral(text)+"\n") {
			read++
		}
	})
	if read == 0 {
		t.Error("nothing was read")
	}
}

// Most files of public packs are read, and damaged ones as go-yaml reads them.
func TestReaderCorpus(t *testing.T) {
	read, all := 0, 0
	for _, name := range []string{"*.yaml", "*.json"} {
		for _, file := range cases.Some(corpus(t, name), 3) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := string(content)
			all++
			if checkReader(t, text) {
				read++
			}
			if len(text) > 20_000 {
				continue
			}
			lines := strings.SplitAfter(text, "\n")
			damages := []func(string) string{
				func(string) string { return "" }, func(line string) string { return line + line },
				func(line string) string { return " " + line }, func(line string) string { return strings.TrimPrefix(line, " ") },
			}
			i := all * 31 % len(lines)
			lines[i] = damages[all%len(damages)](lines[i])
			checkReader(t, strings.Join(lines, ""))
		}
	}
	if t.Logf("%d of %d files of the corpus", read, all); read*10 < all*9 {
		t.Errorf("only %d of %d files are read", read, all)
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
		f.Add(`kind: ConfigMap
data:
  values.yaml: |
` + asLiteral(s) + `
  presets.yaml: |-
` + asLiteral(s))
	}
	for i := range hostileLines {
		f.Add(strings.Join(hostileLines[i:min(len(hostileLines), i+4)], "\n  "))
	}
	f.Fuzz(func(t *testing.T, text string) { checkReader(t, text) })
}

// A tree of several documents gets the comments of each, and new nodes stay as they are.
func TestWithComments(t *testing.T) {
	one := mustParse(t, `# about a
a: 1 # one
b:
  # about c
  c: 2

# foot

d: 3
`).Root()
	other := mustParse(t, `e: 4 # four
f: |
  # text
`).Root()
	tree := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
		one.Content[0], one.Content[1], {Kind: yaml.ScalarNode, Value: "new"}, one.Content[3], other.Content[0], other.Content[1], one.Content[4], one.Content[5], other.Content[2], other.Content[3],
	}}
	var b strings.Builder
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(WithComments(tree)); err != nil {
		t.Fatal(err)
	}
	compare(t, `# about a
a: 1 # one
new:
  # about c
  c: 2
e: 4 # four
# foot
d: 3
f: |
  # text
`, b.String())
	if tree.Content[0].HeadComment != "" {
		t.Error("the tree was changed")
	}
	if bare := mustParse(t, "a: '#'\n").Root(); WithComments(bare) != bare {
		t.Error("a tree without comments was copied")
	}
}

// Elements that move to another list do not cost a look at all of the text each.
func TestWithCommentsIsLinear(t *testing.T) {
	allocated := func(n int) float64 {
		root := mustParse(t, `# c
a: 1
b:
`+strings.Repeat("- c: |\n    d\n", n)).Root()
		tree := &yaml.Node{Kind: yaml.SequenceNode, Content: root.Content[3].Content}
		return testing.AllocsPerRun(1, func() { WithComments(tree) })
	}
	if small, large := allocated(100), allocated(1000); large > small+20 {
		t.Errorf("%v allocations for 100 elements, %v for 1000", small, large)
	}
}

// BenchmarkParseLiteral reads a resource that carries a values file, by the reader and by
// go-yaml.
func BenchmarkParseLiteral(b *testing.B) {
	for _, size := range []int{1 << 10, 10 << 10, 1 << 20} {
		values := strings.Repeat(benchText(), size/len(benchText())+1)[:size]
		text := `apiVersion: v1
kind: ConfigMap
metadata:
  name: pack
data:
  values.yaml: |
` + asLiteral(values) + "\n"
		for name, read := range map[string]func(string) (nodes, error){"read": read, "go-yaml": func(text string) (nodes, error) {
			doc, err := readDocument(text)
			return nodes{doc: doc}, err
		}} {
			b.Run(fmt.Sprintf("size=%d/%s", size, name), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := read(text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
