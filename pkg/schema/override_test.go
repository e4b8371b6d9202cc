package schema

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

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
