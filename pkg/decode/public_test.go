package decode_test

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
)

// custom is a type that reads itself.
type custom []string

func (*custom) DecodeNode(*yaml.Node, string) []diag.Finding { return nil }

// Fields hold no values but for maps of texts, nodes, types of their own, and what a tag says.
func TestIsPublic(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
		Size int    `json:"size"`
	}
	type open struct {
		Name string     `json:"name"`
		Any  *yaml.Node `json:"any"`
	}
	type fields struct {
		Text    string            `json:"text"`
		Pointer *inner            `json:"pointer"`
		Inner   inner             `json:"inner"`
		Open    open              `json:"open"`
		List    []inner           `json:"list"`
		Names   []string          `json:"names"`
		Any     *yaml.Node        `json:"any"`
		Node    yaml.Node         `json:"node"`
		Texts   map[string]string `json:"texts"`
		Structs map[string]inner  `json:"structs"`
		Custom  custom            `json:"custom"`
		Secret  string            `json:"secret" holds:"values"`
		Known   map[string]string `json:"known" holds:"names"`
	}
	for path, want := range map[string]bool{
		"text": true, "text.x": false, "pointer": true, "pointer.name": true, "pointer.nmae": true, "inner.size": true, "inner.size.x": false, "inner.gone.x": false,
		"open": false, "open.name": true, "open.any": false, "open.nmae": false, "list[0].name": true, "list[0]": true, "list": true, "names[1]": true, "names": true,
		"any": false, "any.x": false, "node": false, "texts": false, "texts.a": false, "structs": true, "structs.a.name": true, "structs[a].name": true, "structs.a": true,
		"custom": false, "custom[0]": false, "secret": false, "known": true, "known.a": true, "nothing": false, "nothing.x": false, "": false,
	} {
		if got := decode.IsPublic(fields{}, path); got != want {
			t.Errorf("%q: got %t", path, got)
		}
		if got := decode.IsPublic([]*fields{}, "[3]."+path); got != want {
			t.Errorf("%q in a list: got %t", path, got)
		}
	}
	for path, want := range map[string]bool{"name": true, "nmae": true, "x.y": false, "": true} {
		if got := decode.IsPublic(new(inner), path); got != want {
			t.Errorf("%q of a struct without values: got %t", path, got)
		}
	}
}
