package decode_test

import (
	"fmt"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/values"
)

type resource[S any] struct {
	Metadata *yaml.Node `json:"metadata"`
	Spec     S          `json:"spec" required:"true"`
}

// A resource without spec is one fault, with its fields beside spec or in metadata.
func TestMissingSpec(t *testing.T) {
	type spec struct {
		Size  int    `json:"size"`
		Color string `json:"color"`
	}
	for _, tc := range []struct{ name, text, typed, any string }{
		{"beside it", "metadata: {name: a}\nsize: 1\ncolor: red\n", "spec 2:1 indent size and color below it", "spec 2:1 indent size and color below it"},
		{"in metadata", "metadata:\n  name: a\n  size: 1\n  color: red\n", "spec 3:3 write spec: in the line before size and color, which metadata has now", "spec 3:3 write spec: in the line before size and color, which metadata has now"},
		{"nowhere", "metadata: {name: a}\n", "spec 1:1 set it", "spec 1:1 set it"},
		{"misspelt", "metadata: {name: a}\nspce: {size: 1}\n", "spce 2:1 ", "spce 2:1 "},
		{"empty", "metadata: {name: a}\nspec:\nsize: 1\n", "size 3:1 ", "size 3:1 "},
	} {
		document, err := values.Parse(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		for want, out := range map[string]any{tc.typed: &resource[spec]{}, tc.any + " ": &resource[*yaml.Node]{}} {
			f := decode.Node(document.Root(), "", out)[0]
			got := fmt.Sprintf("%s %d:%d %s", f.Key, f.Position.Line, f.Position.Column, f.Action)
			if got != want && got+" " != want {
				t.Errorf("%s, %T: got %q, want %q", tc.name, out, got, want)
			}
		}
	}
}
