package variant

import (
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

// TestIsPlain holds the short way of quotedNode to the emitter: what needs quotes
// there, needs them here.
func TestIsPlain(t *testing.T) {
	for _, text := range []string{"", "y", "No", "TRUE", "off", "a:", "a: b", "a #b", "a ", "1a", "-a", "é", "a\nb", "a\tb", "0x1", "~"} {
		if isPlain(text) {
			t.Errorf("%q is taken for plain", text)
		}
	}
	for _, text := range []string{"a", "type", "a:b", "a#b", "region", "config.injection.Route.front", `a "b" (c) d`, "v1/ConfigMap/default/east@sha256:0123456789ab"} {
		if !isPlain(text) {
			t.Errorf("%q is not taken for plain", text)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[a-zA-Z][ -~]{0,12}`),
			rapid.StringMatching(`[nNyYtTfFoO~.0-9][aeolsurifEOLSUnNpx.:_0-9+-]{0,5}`),
		).Draw(t, "text")
		if !isPlain(text) {
			return
		}
		n := &yaml.Node{}
		if err := n.Encode(text); err != nil {
			t.Fatal(err)
		}
		if n.Style != 0 || n.Value != text || n.ShortTag() != "!!str" {
			t.Errorf("%q is taken for plain, but the emitter writes style %v, %s", text, n.Style, n.ShortTag())
		}
	})
}
