package protocol

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

func TestBuffer(t *testing.T) {
	const text = "a: 😀b\r\nä\rc\n"
	for _, tc := range []struct {
		encoding string
		at       Position
		want     int
	}{
		{UTF16, Position{0, 3}, 3}, {UTF16, Position{0, 5}, 7}, {UTF16, Position{0, 4}, 3}, {UTF8, Position{0, 7}, 7}, {UTF8, Position{0, 5}, 3},
		{UTF16, Position{0, 99}, 8}, {UTF16, Position{1, 1}, 12}, {UTF8, Position{1, 2}, 12}, {UTF16, Position{2, 0}, 13},
		{UTF16, Position{3, 0}, 15}, {UTF16, Position{9, 9}, 15}, {UTF16, Position{-1, 0}, 0},
	} {
		b := NewBuffer(text, tc.encoding)
		if got := b.Offset(tc.at); got != tc.want {
			t.Errorf("%s %v: got %d, want %d", tc.encoding, tc.at, got, tc.want)
		}
	}
	// YAML has more ends of lines than editors.
	if got, want := NewBuffer("a: \"x\u2028 y\"\nbc: 1\n", UTF16).Token(diag.Position{Line: 3, Column: 1}), (Range{Position{1, 0}, Position{1, 2}}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	for line, want := range map[string]int{
		`plain: x`: 5, `plain`: 5, `"a: b" # c`: 6, `'it''s' x`: 7, `"a\"b", c`: 6, `a # b`: 1, `a, b]`: 1, `]`: 1, `"open`: 5, ``: 0, `http://x/#y  `: 11, `key:`: 3,
	} {
		if got := tokenLength(line); got != want {
			t.Errorf("%q: got %d, want %d", line, got, want)
		}
	}
	for _, tc := range [][3]string{{"aäb", "aöb", "ö"}, {"a\r\nb", "a\nb", "\n"}, {"abc", "abc", ""}, {"aa", "aaa", "a"}, {"x😀y", "x😁y", "😁"}} {
		b := NewBuffer(tc[0], UTF16)
		edit := b.replace(0, len(b.Text), tc[1])
		if got := b.Change(&edit.Range, edit.NewText).Text; got != tc[1] || edit.NewText != tc[2] {
			t.Errorf("%q to %q: got %+v, which makes %q", tc[0], tc[1], edit, got)
		}
	}
	if got := PathOf(URIOf("/a b/ü#?.yaml")); got != "/a b/ü#?.yaml" {
		t.Errorf("got %s", got)
	}
	if PathOf("untitled:1") != "" {
		t.Error("a buffer without a file has a path")
	}
}

// Edits make the other text, and leave what both have.
func TestDifferences(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a: 1\n", "b: 😀\r\n", "- x\n", "-- y\n", "++\n", "@@ -1 +1 @@\n", "é", "\r", "\n", "  z"}
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 3000 {
		before, after := text(), text()
		b := NewBuffer(before, UTF16)
		edits := b.Differences(after)
		got := b
		for _, e := range slices.Backward(edits) {
			got = got.Change(&e.Range, e.NewText)
		}
		if got.Text != after {
			t.Fatalf("%q to %q: %+v make %q", before, after, edits, got.Text)
		}
	}
	b := NewBuffer(`a: 1
b: 2
c: 3
d: 4
`, UTF16)
	want := []TextEdit{{Range{Position{0, 3}, Position{0, 4}}, "5"}, {Range{Position{3, 0}, Position{4, 0}}, ""}}
	if got := b.Differences(`a: 5
b: 2
c: 3
`); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
