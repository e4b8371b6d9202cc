package check

import (
	"os"
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
		{"# of the pack\na:\n  pack: 1\n\npack:\n  # kept\n  b: &x 1\n  c: *x\nd:\n- 2\n", false}, // a list in the first column
		{"a:\n  - 1\npack:\n  b: 1\n\n# the next\nd: 2\n", true},
		{"a: 1\r\npack:\r\n  b: 1\r\nd: 2\r\n", true},
		{"a: 1\rpack: 2\n", false},
		{"a: 1\u2028pack: 2\n", false},
		{"---\npack: 1\n", false},
		{"\"pack\": 1\n", false},
		{"{pack: 1}\n", false},
		{"a: &x 1\npack: *x\n", true},
		{"pack: 1\npack: 2\n", false},
		{"pack : 1\n", false},
		{"text: |\n  pack: 1\npack: |\n  a\n\n  b\n", true},
		{"a: [\n  1\n]\npack: 1\n", false},
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
