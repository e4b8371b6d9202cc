package jsonschema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A misspelt keyword accepts everything, so it is told. Other unknown keywords are the
// author's.
func TestMisspeltKeywords(t *testing.T) {
	for _, tc := range []struct{ schema, pointer, near string }{
		{`{"propertis": {"a": {"type": "string"}}}`, "#/propertis", "properties"},
		{`{"properties": {"a": {"tpye": "string"}}}`, "#/properties/a/tpye", "type"},
		{`{"properties": {"a": {"items": {"Pattern": "x"}}}}`, "#/properties/a/items/Pattern", "pattern"},
		{`{"properties": {"tpye": {"type": "string"}}, "x-order": 1, "example": 5, "nullable": true, "discriminator": {}}`, "", ""},
		{`{"type": "string", "types": ["string"]}`, "", ""}, // type is given
		{`{"default": {"tpye": 1}, "enum": [{"tpye": 1}], "const": {"tpye": 1}}`, "", ""},
	} {
		s, err := Parse(tc.schema)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, w := range s.Warnings() {
			got = append(got, w.Pointer+" "+w.Nearest)
		}
		if tc.near != "" {
			want = []string{tc.pointer + " " + tc.near}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.schema, diff)
		}
	}
}
