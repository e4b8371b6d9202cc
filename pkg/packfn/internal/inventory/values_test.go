package inventory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

// none are the entries of a pack without a schema.
var none inventory.Entries

// A value has the entry of its key, also as an element of any list. It is a secret by that entry,
// and by those above it.
func TestEntries(t *testing.T) {
	entries, err := inventory.EntriesOf(newPack("a: 1", "db: {schema: '{{ format \"${password}\" }}'}\nusers.$[].pin: {schema: '{{ format \"${password}\" }}'}\nusers.$[].port: {schema: '{{ required }}'}\nports.80: {schema: '{{ required }}'}\nports.$[]: {schema: '{{ readonly }}'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "17"}
	for key, want := range map[string]string{
		"db": "db •••", "db.port": "none •••", "db[0].port": "none •••", "dbs": "none 17", "a.db": "none 17",
		"users[3].pin": "users.$[].pin •••", "users.3.pin": "users.$[].pin •••", "users.$[].pin": "users.$[].pin •••", "users[0].pin.old": "none •••", "users[0].port": "users.$[].port 17", "users.0.ports": "none 17",
		"ports.80": "ports.80 17", "ports.81": "ports.$[] 17",
	} {
		entry, _ := entries.Of(key)
		got := "none"
		if entry != nil {
			got = entry.Key
		}
		if got += " " + entries.Show(key, n, diag.Record); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
		if got := entries.Show(key, n, diag.All); got != "17" {
			t.Errorf("%s: all is shown as %s", key, got)
		}
	}
}

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
	add, err := values.Parse("a: {b: 1}\nc: {}\n")
	if err != nil {
		t.Fatal(err)
	}
	path, err := values.ParsePath("x.y")
	if err != nil {
		t.Fatal(err)
	}
	both := pack.Preset{Add: add, Remove: []values.Path{path}}
	for key, want := range map[string]bool{"a": true, "a.b": true, "a.b.c": true, "a.c": false, "c": true, "c.d": true, "x": true, "x.y": true, "x.y.z": true, "x.z": false, "d": false} {
		if got := inventory.Sets(both, key); got != want {
			t.Errorf("%s: got %v", key, got)
		}
	}
	if inventory.Sets(pack.Preset{}, "a") {
		t.Error("an empty preset sets something")
	}
}

// The presets that were applied are those of the layers' resources.
func TestWhyApplied(t *testing.T) {
	for entry, want := range map[string]string{":x@000000000000@1.0.0": "x", "g:y@000000000000@1.0.0": "g:y", "wrong": ""} {
		dir := t.TempDir()
		text := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p, annotations: {" + preset.RecordAnnotation + ": '[\"" + entry + "\"]'}}\nspec: {version: 1.0.0, values: {a: 1}}\n"
		if err := os.WriteFile(filepath.Join(dir, "p.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		packs, err := check.Packs([]string{dir}, check.Options{})
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		c, err := inventory.Why(packs[0].Pack, "a")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.Applied, ","); got != want {
			t.Errorf("%s: got %q", entry, got)
		}
	}
}
