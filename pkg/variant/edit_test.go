package variant

import (
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/values"
)

// A text that is written reads as that text, also for readers of YAML 1.1.
func TestTextNode(t *testing.T) {
	for text, style := range map[string]yaml.Style{"yes": yaml.DoubleQuotedStyle, "No": yaml.DoubleQuotedStyle, "a": 0, "region/a@b": 0, "a\nb": yaml.LiteralStyle} {
		if n := textNode(text); n.Style != style {
			t.Errorf("%q has the style %v", text, n.Style)
		}
	}
	if n := textNode("a\xff"); n.ShortTag() != "!!str" || n.Value != "a\xff" {
		t.Errorf("got %s %q of a text that is not UTF-8", n.ShortTag(), n.Value)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringMatching(`[ -~é\n]{0,12}`), rapid.StringMatching(`[nNyYtTfFoO~.0-9][aeolsurifEOLSUnNpx.:_0-9+-]{0,5}`)).Draw(t, "text")
		d, err := values.Parse("b: c\n")
		if err == nil {
			d, err = d.Sync(values.Change{Want: withTexts(d.Root(), textField{"a", text})})
		}
		if err != nil || !values.Equal(values.Field(d.Root(), "a"), textNode(text)) || values.Text(values.Field(d.Root(), "a")) != text {
			t.Fatalf("%v: %q became %q", err, text, d.Text())
		}
	})
}
