package preset

import (
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
)

// The name to write for a misspelt one has no group only if it can mean no other preset than the nearest one.
func TestWithoutGroup(t *testing.T) {
	large, other, debug := pack.Preset{Name: "large", Group: "Size"}, pack.Preset{Name: "large", Group: "Cache"}, pack.Preset{Name: "debug"}
	for name, tc := range map[string]struct {
		presets    []pack.Preset
		full, want string
	}{
		"the only one that is near":   {[]pack.Preset{debug, large}, "Size:large", "large"},
		"two of one name":             {[]pack.Preset{large, other}, "Size:large", ""},
		"one of a group that is near": {[]pack.Preset{other, debug}, "Size:large", ""},
		"none that is near":           {[]pack.Preset{debug}, "", ""},
	} {
		if got := withoutGroup(tc.presets, "lareg", tc.full); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
