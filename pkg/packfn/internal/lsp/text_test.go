package lsp

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
		at       position
		want     int
	}{
		{utf16Encoding, position{0, 3}, 3}, {utf16Encoding, position{0, 5}, 7}, {utf16Encoding, position{0, 4}, 3}, {utf8Encoding, position{0, 7}, 7}, {utf8Encoding, position{0, 5}, 3},
		{utf16Encoding, position{0, 99}, 8}, {utf16Encoding, position{1, 1}, 12}, {utf8Encoding, position{1, 2}, 12}, {utf16Encoding, position{2, 0}, 13},
		{utf16Encoding, position{3, 0}, 15}, {utf16Encoding, position{9, 9}, 15}, {utf16Encoding, position{-1, 0}, 0},
	} {
		b := newBuffer(text, tc.encoding)
		if got := b.offset(tc.at); got != tc.want {
			t.Errorf("%s %v: got %d, want %d", tc.encoding, tc.at, got, tc.want)
		}
	}
	// YAML has more ends of lines than editors.
	if got, want := newBuffer("a: \"x\u2028 y\"\nbc: 1\n", utf16Encoding).token(diag.Position{Line: 3, Column: 1}), (span{position{1, 0}, position{1, 2}}); got != want {
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
		b := newBuffer(tc[0], utf16Encoding)
		edit := b.replace(0, len(b.text), tc[1])
		if got := b.change(&edit.Range, edit.NewText).text; got != tc[1] || edit.NewText != tc[2] {
			t.Errorf("%q to %q: got %+v, which makes %q", tc[0], tc[1], edit, got)
		}
	}
	if got := pathOf(uriOf("/a b/ü#?.yaml")); got != "/a b/ü#?.yaml" {
		t.Errorf("got %s", got)
	}
	if pathOf("untitled:1") != "" {
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
		b := newBuffer(before, utf16Encoding)
		edits := b.differences(after)
		got := b
		for _, e := range slices.Backward(edits) {
			got = got.change(&e.Range, e.NewText)
		}
		if got.text != after {
			t.Fatalf("%q to %q: %+v make %q", before, after, edits, got.text)
		}
	}
	b := newBuffer(`a: 1
b: 2
c: 3
d: 4
`, utf16Encoding)
	want := []textEdit{{span{position{0, 3}, position{0, 4}}, "5"}, {span{position{3, 0}, position{4, 0}}, ""}}
	if got := b.differences(`a: 5
b: 2
c: 3
`); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
