package values

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Of a key that occurs twice in a large map the last value counts, at the first place, and the key is a
// duplicate. Both are found without an index of all keys, which would take several times the memory of
// the pairs.
func TestRepeatedKeys(t *testing.T) {
	const n = 100_000
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "k%d: 1\n", i)
	}
	d := mustParse(t, text.String()+"k7: 2\n")
	if all := Pairs(d.Root()); len(all) != n || all[7].Value.Value != "2" {
		t.Errorf("got %d pairs", len(all))
	}
	if all := d.Duplicates(); len(all) != 1 || all[0].Key != "k7" || all[0].First.Line != 8 || all[0].Second.Line != n+1 {
		t.Errorf("got duplicates %v", all)
	}
	d = mustParse(t, text.String())
	for name, tc := range map[string]struct {
		call func()
		most uint64 // bytes for each key
	}{
		"Pairs":      {func() { Pairs(d.Root()) }, 24 + 16},
		"Duplicates": {func() { d.Duplicates() }, 16},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tc.call()
		runtime.ReadMemStats(&after)
		if got := (after.TotalAlloc - before.TotalAlloc) / n; got > tc.most {
			t.Errorf("%s: %d bytes for each key", name, got)
		}
	}
}
