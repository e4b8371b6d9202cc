package preset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Names are compared with all keys beside them, or with none: of some of the keys the nearest
// one may not be what was meant.
func TestManyKeysBesideAMisspeltOne(t *testing.T) {
	parse := func(text string) *values.Document {
		d, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for count, want := range map[int]int{10: 1, maxComparisons: 1, maxComparisons + 1: 0} {
		var text strings.Builder
		text.WriteString("replicas: 1\n")
		for i := range count - 1 {
			fmt.Fprintf(&text, "%d: 1\n", i)
		}
		p := pack.Preset{Name: "x", Add: parse("replcas: 3\n")}
		if got := misspelt(p, parse(text.String()).Root()); len(got) != want {
			t.Errorf("%d keys: got %d findings, want %d", count, len(got), want)
		}
	}
}
