package pack

import (
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// An annotation is a record if it has the files of a pack, or its values.
func TestParseImported(t *testing.T) {
	for text, want := range map[string]bool{`{}`: false, `{"version": "1"}`: false, `{"sha256": {}}`: false, `{"sha256": {"pack.json": "ab"}}`: true, `{"values": "ab"}`: true, `[]`: false, ``: false, `{"sha256": {"a": "b"`: false} {
		if _, ok := ParseImported(text); ok != want {
			t.Errorf("%s: got %v", text, ok)
		}
	}
}

// A digest covers the data, a fingerprint the data and its path. Neither shows a value.
func TestDigests(t *testing.T) {
	parse := func(text string) *values.Document {
		d, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if a, b := DataDigest(parse(`a: 1
b: {c: 'x'}
`).Root()), DataDigest(parse(`# c
b:
  c: x
a: 0x1
`).Root()); a != b || len(a) != 16 {
		t.Errorf("%s is not %s", a, b)
	}
	if DataDigest(nil) != DataDigest(parse("null").Root()) || DataDigest(nil) == DataDigest(parse("{}").Root()) {
		t.Error("nothing is not null, or is {}")
	}
	one, two := parse("1").Root(), parse("'1'").Root()
	prints := map[string]bool{}
	for _, print := range []string{Fingerprint("a"), Fingerprint("a", one), Fingerprint("b", one), Fingerprint("a", two), Fingerprint("a", one, two), Fingerprint("a", two, one)} {
		if prints[print] {
			t.Errorf("%s twice", print)
		}
		prints[print] = true
	}
	if Fingerprint("a", nil) != "-" || len(Fingerprint("a", one)) != 8 {
		t.Error("another form")
	}
}
