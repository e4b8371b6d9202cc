package constraint

import (
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// The size of a value counts keys that are aliases with the text that they stand for.
func TestCompactSize(t *testing.T) {
	const long = "a key of some length"
	for text, want := range map[string]int{
		"{a: &k '" + long + "', *k : 1}": len(`{"a":"` + long + `","` + long + `":1}`),
		"[1, x, null, true]":             len(`[1,"x",null,true]`),
		"{}":                             2,
		"[]":                             2,
		"[[], {a: {}}]":                  len(`[[],{"a":{}}]`),
		`["\"\\\n\r\t", "\a\x1f "]`:      len(`["\"\\\n\r\t","\u0007\u001f "]`),
		"[1.50, '1', 2001-01-01]":        len(`[1.50,"1","2001-01-01"]`),
	} {
		document, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := compactSize(document.Root(), MaxSize); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}
