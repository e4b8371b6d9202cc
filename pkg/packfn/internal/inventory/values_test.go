package inventory_test

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/values"
)

// none are the entries of a pack without a schema.
var none inventory.Entries

// What may be a secret is hidden, unless all is shown.
func TestShow(t *testing.T) {
	for text, want := range map[string]string{
		"17": "17", "true": "true", "1.2.3": "1.2.3", "some words with spaces": "•••", "''": `""`, "~": "null", "[]": "[]", "[1, 2]": "a list of 2", "{}": "{}", "{a: 1}": "a map",
	} {
		document, err := values.Parse("password: " + text + "\nx: " + text + "\nalias: &a " + text + "\nof: *a\n")
		if err != nil {
			t.Fatal(err)
		}
		n := values.Field(document.Root(), "x")
		if got := none.Show("x", n, diag.Record); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if got := none.Show("x", values.Field(document.Root(), "of"), diag.Record); got != want {
			t.Errorf("an alias of %s: got %s, want %s", text, got, want)
		}
		if n.Kind == yaml.ScalarNode && n.Value != "" && !values.IsNull(n) && n.ShortTag() != "!!bool" {
			if shown, hidden := none.Show("password", n, diag.All), none.Show("password", n, diag.Record); shown != n.Value || hidden != "•••" {
				t.Errorf("a secret %s: shown %s, hidden %s", text, shown, hidden)
			}
		}
	}
	if got := none.Show("x", nil, diag.All); got != "(absent)" {
		t.Errorf("got %s", got)
	}
}

// A preset sets what it adds or removes, and what that is in or has.
func TestSets(t *testing.T) {
	add, err := values.Parse(`a: {b: 1}
c: {}
`)
	if err != nil {
		t.Fatal(err)
	}
	path, err := values.ParsePath("x.y")
	if err != nil {
		t.Fatal(err)
	}
	both := pack.Preset{Add: add, Remove: []values.Path{path}}
	for key, want := range map[string]bool{"a": true, "a.b": true, "a.b.c": true, "a.c": false, "c": true, "c.d": true, "x": true, "x.y": true, "x.y.z": true, "x.z": false, "d": false} {
		if got := inventory.NewSetters([]pack.Preset{both}).Of(key); (len(got) == 1) != want {
			t.Errorf("%s: got %v", key, got)
		}
	}
	if got := inventory.NewSetters([]pack.Preset{{}}).Of("a"); len(got) > 0 {
		t.Error("an empty preset sets something")
	}
}
