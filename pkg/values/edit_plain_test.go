package values

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What is printed plainly is what the encoder prints: of every mapping and list of the
// examples, and of texts that are plain only nearly.
func TestPlainText(t *testing.T) {
	texts := []string{
		`a: 1
b: true
c: text here
d: {}
e: []
f:
- a: 1
  b: "two"
- c
- - d
`,
		`a: 0123
b: 1e3
c: null
d:
e: ~
f: yes
g: 'on'
h: "a\nb"
i: 0x1f
j: 007
k: 1_000
`,
		`'a b': 'it''s'
"<<": 1
'=': =
y: n
1: 2
true: false
? [a]
: b
`,
		`a: &x {b: 1}
c: *x
d:
  <<: *x
`,
		`a: !!str 1
b: !t x
c: !!map {}
`,
		`a: # here
  b: 1 # there
`,
		`a: |
  text
b: >-
  more
`,
		"a: '" + strings.Repeat("x", 2000) + "'\n", strings.Repeat("k", 120) + ": 1\n",
		"a: ' b'\nb: 'c '\nc: ''\nd: \"é\"\ne: é\nf: \"a: b # c\"\ng: a:b\nh: -1\ni: - \n",
		`- 12:30
- 2001-01-01
- .5
- 1.5
- +1
- 'a'
`,
		"text", "'text'", "12",
	}
	err := filepath.WalkDir("../../examples", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" && entry.Name() != "Kptfile" {
			return err
		}
		text, err := os.ReadFile(path)
		for part := range strings.SplitSeq(string(text), "\n---\n") {
			texts = append(texts, part)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	plain := 0
	var compare func(n *yaml.Node)
	compare = func(n *yaml.Node) {
		with := WithComments(n)
		if got, ok := plainText(with); ok {
			plain++
			var want bytes.Buffer
			encoder := yaml.NewEncoder(&want)
			encoder.SetIndent(2)
			if err := encoder.Encode(untangled(with, false)); err != nil || want.String() != got {
				t.Errorf("got\n%s\nwant (%v)\n%s", got, err, want.String())
			}
		}
		if n.Kind != yaml.AliasNode {
			for _, child := range n.Content {
				compare(child)
			}
		}
	}
	for _, text := range texts {
		if d, err := Parse(text); err == nil && d.Root() != nil {
			compare(d.Root())
		}
	}
	if plain < 1000 {
		t.Errorf("only %d trees were printed", plain)
	}
}
