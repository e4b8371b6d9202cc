package packcheck

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// An entry alone is read as in the whole text.
func TestPart(t *testing.T) {
	for _, tc := range []struct {
		text   string
		isPart bool
	}{
		{"", true},
		{"a: 1\n", true},
		{"pack: {a: 1}\n", true},
		{`# of the pack
a:
  pack: 1

pack:
  # kept
  b: &x 1
  c: *x
d:
- 2
`, false}, // a list in the first column
		{`a:
  - 1
pack:
  b: 1

# the next
d: 2
`, true},
		{strings.ReplaceAll(`a: 1
pack:
  b: 1
d: 2
`, "\n", "\r\n"), true},
		{"a: 1\rpack: 2\n", false},
		{"a: 1\u2028pack: 2\n", false},
		{`---
pack: 1
`, false},
		{"\"pack\": 1\n", false},
		{"{pack: 1}\n", false},
		{`a: &x 1
pack: *x
`, true},
		{`pack: 1
pack: 2
`, false},
		{"pack : 1\n", false},
		{`text: |
  pack: 1
pack: |
  a

  b
`, true},
		{`a: [
  1
]
pack: 1
`, false},
	} {
		t.Run(tc.text, func(t *testing.T) {
			if _, isPart := part(tc.text, "pack"); isPart != tc.isPart {
				t.Errorf("got %v", isPart)
			}
			checkPart(t, tc.text)
		})
	}
}

func TestPartOfPublicPacks(t *testing.T) {
	parts := 0
	for _, file := range functiontest.Corpus(t, "packs/*/values.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, isPart := part(string(text), "pack"); isPart {
			parts++
		}
		checkPart(t, string(text))
	}
	t.Logf("%d texts are read in part", parts)
}

func checkPart(t *testing.T, text string) {
	t.Helper()
	source := pack.File("values.yaml", text)
	var whole *yaml.Node
	if document, err := source.Mapping(); err == nil {
		whole = document.Root()
	}
	options := cmpopts.IgnoreFields(yaml.Node{}, "Alias", "HeadComment", "LineComment", "FootComment")
	if diff := cmp.Diff(values.Field(whole, "pack"), values.Field(entry(source, "pack"), "pack"), options); diff != "" {
		t.Errorf("%q: the whole text and a part differ (-whole +part):\n%s", text, diff)
	}
}
