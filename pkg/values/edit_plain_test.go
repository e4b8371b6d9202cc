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
		"a: 1\nb: true\nc: text here\nd: {}\ne: []\nf:\n- a: 1\n  b: \"two\"\n- c\n- - d\n",
		"a: 0123\nb: 1e3\nc: null\nd:\ne: ~\nf: yes\ng: 'on'\nh: \"a\\nb\"\ni: 0x1f\nj: 007\nk: 1_000\n",
		"'a b': 'it''s'\n\"<<\": 1\n'=': =\ny: n\n1: 2\ntrue: false\n? [a]\n: b\n",
		"a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n", "a: !!str 1\nb: !t x\nc: !!map {}\n", "a: # here\n  b: 1 # there\n",
		"a: |\n  text\nb: >-\n  more\n", "a: '" + strings.Repeat("x", 2000) + "'\n", strings.Repeat("k", 120) + ": 1\n",
		"a: ' b'\nb: 'c '\nc: ''\nd: \"é\"\ne: é\nf: \"a: b # c\"\ng: a:b\nh: -1\ni: - \n", "- 12:30\n- 2001-01-01\n- .5\n- 1.5\n- +1\n- 'a'\n", "text", "'text'", "12",
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
