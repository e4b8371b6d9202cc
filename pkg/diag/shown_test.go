package diag

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"dir/a b.yaml":         "dir/a b.yaml",
		"a\n::error::b":        `a\u{a}::error::b`,
		"::error::b":           `\u{3a}:error::b`,
		" \n::add-mask::b":     ` \u{a}\u{3a}:add-mask::b`,
		"a::b":                 "a::b",
		"x ##[stop-commands]y": `x ##\u{5b}stop-commands]y`,
		"###[a] #[b] ##c":      `###\u{5b}a] #[b] ##c`,
		"a\u202eb\u2066\u200f": `a\u{202e}b\u{2066}\u{200f}`,
		"a\u2028b\u2029c":      `a\u{2028}b\u{2029}c`,
		"\x1b]0;t\x07\u009b":   `\u{1b}]0;t\u{7}\u{9b}`,
		"a\tb\xff":             "a\\u{9}b\ufffd",
		"é中😀":                  "é中😀",
	} {
		if got := Shown(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// The lines and the tabs of a page stay.
func TestShownLines(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"a\tb\n\nc: d\n":           "a\tb\n\nc: d\n",
		"é\n":                      "é\n",
		"a\x1b\tb\n::error::c\n":   "a\\u{1b}\tb\n\\u{3a}:error::c\n",
		"a\t::error\nx ##[group]y": "a\t\\u{3a}:error\nx ##\\u{5b}group]y",
		"a::b\n":                   "a::b\n",
	} {
		if got := ShownLines(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// What is shown is safe, is shown again as it is, and starts like what is shown of a part.
func TestShownIsSafe(t *testing.T) {
	part := rapid.SampledFrom([]string{"::", ":", "##[", "#", "[", " ", "\n", "\x1b", "\u202e", "\u2028", "\u0085", "a", "\u00a0"})
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(part).Draw(t, "parts")
		text := strings.Join(parts, "")
		got := Shown(text)
		switch {
		case strings.ContainsFunc(got, IsHidden), strings.Contains(got, "##["), strings.HasPrefix(strings.TrimSpace(got), "::"):
			t.Fatalf("%q: got %q", text, got)
		case Shown(got) != got:
			t.Fatalf("%q: shown twice %q", got, Shown(got))
		case len(parts) > 0 && len(parts[0]) > 2 && !strings.HasPrefix(got, Shown(parts[0])):
			t.Fatalf("%q does not start with %q", got, Shown(parts[0]))
		}
	})
}
