package schema

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

func TestLayering(t *testing.T) {
	override := func(name, fields, text string) string {
		return fmt.Sprintf("---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: %s}\nspec:\n  packRef: {name: vault}\n%s  values: %s\n", name, fields, text)
	}
	const cluster, replace = "  scope: cluster\n", "  strategy: replace\n"
	const pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {values: {a: 1, m: {b: 1, c: [1, 2]}}}\n"
	for _, tc := range []krmCase{
		{"two values for one key", "", pack + override("y", "", "{m: {b: 2}}") + override("x", "", "{a: 3, m: {b: 3}}"), []string{
			"info override/duplicate PackValues/x spec.values.m.b key=m.b pack=vault"}},
		{"three values for one key", "", pack + override("z", "", "{a: 4}") + override("y", "", "{a: 2}") + override("x", "", "{a: 3}"), []string{
			"info override/duplicate PackValues/x spec.values.a key=a pack=vault",
			"info override/duplicate PackValues/y spec.values.a key=a pack=vault"}},
		{"the same value", "", pack + override("y", "", "{a: 2}") + override("x", "", "{a: 2}"), nil},
		{"a cluster over a profile", "", pack + override("y", cluster, "{a: 2}") + override("x", "", "{a: 3}"), nil},
		{"values that are dropped", "", pack + override("x", replace, "{m: {c: [1]}}"), []string{
			"info override/drops PackValues/x spec.strategy pack=vault"}},
		{"nothing is dropped", "", pack + override("x", replace, "{a: 2, m: {b: 1, c: []}}"), nil},
		{"an override that is dropped", "", pack + override("y", replace, "{a: 2, m: {b: 1, c: []}}") + override("x", "", "{a: 3}"), nil},
		{"the last of two that replace", "", pack + override("x", replace, "{a: 2}") + override("y", replace, "{a: 3}"), nil},
	} {
		tc.run(t)
	}
}

// Values below a key that both have are dropped one by one.
func TestDropsBelow(t *testing.T) {
	below, err := values.Parse("a: {b: {c: 1, d: {e: 1, f: 2}}, g: 1}\nh: [1]\n")
	if err != nil {
		t.Fatal(err)
	}
	over, err := values.Parse("a: {b: {c: 2}, g: 2}\nh: []\n")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	drops(below.Root(), over.Root(), &pack.Override{Values: pack.File("values.yaml", "")}, func(f diag.Finding) { got = f.Found })
	if want := "strategy: replace drops 2 values of the pack: a.b.d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Up to eight of the keys that an override drops are named, or five and the number of others.
func TestDrops(t *testing.T) {
	for text, want := range map[string]string{
		"{a: 1, b: 1, c: 1, d: 1, e: 1}": "5 values of the pack: a, b, c, d and e", "{a: 1, b: 1, c: 1, d: 1, e: 1, f: {x: 1, y: 2}, g: 1, h: 1, i: 1}": "10 values of the pack: a, b, c, d, e and 4 more", "{z: 1}": "",
	} {
		below, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		over, _ := values.Parse("{z: 2}")
		got := ""
		drops(below.Root(), over.Root(), &pack.Override{Values: pack.File("values.yaml", "")}, func(f diag.Finding) { got = f.Found })
		if got != want && got != "strategy: replace drops "+want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
