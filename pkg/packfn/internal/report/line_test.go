package report

import (
	"strings"
	"testing"
)

// A long line breaks between words, at the width of the terminal and not before.
func TestWrap(t *testing.T) {
	word := strings.Repeat("x", 19)
	for _, tc := range []struct {
		line  string
		width int
		want  string
	}{
		{word + " " + word, 40, word + " " + word},
		{word + " " + word + "y", 40, word + " " + word + "y"},
		{word + " " + word + "yz", 40, word + "\n      " + word + "yz"},
		{word + " " + word + " a " + word, 40, word + " " + word + "\n      a " + word},
		{word + " " + word + " " + word + " " + "123456789012345", 41, word + " " + word + "\n      " + word + " 123456789012345"},
		{word + " " + word + " " + word + " " + "1234567890123456", 41, word + " " + word + "\n      " + word + "\n      1234567890123456"},
		{word + " " + word + "yz", 39, word + " " + word + "yz"},
		{strings.Repeat("é", 40), 40, strings.Repeat("é", 40)},
		{"a.yaml " + strings.Repeat("é", 50), 40, "a.yaml " + strings.Repeat("é", 50)},
		{"ab.yaml " + strings.Repeat("é", 50), 40, "ab.yaml\n      " + strings.Repeat("é", 50)},
		{"a " + strings.Repeat("é", 50), 40, "a " + strings.Repeat("é", 50)},
	} {
		if got := wrap(tc.line, tc.width); got != tc.want {
			t.Errorf("%q at %d: got %q, want %q", tc.line, tc.width, got, tc.want)
		}
	}
}
