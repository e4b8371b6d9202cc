package kptpackage

import "testing"

// kpt's printer quotes a text with a character that it does not write as it is.
func TestIsPrinted(t *testing.T) {
	for r, want := range map[rune]bool{
		'\t': true, '\n': false, 0x1f: false, ' ': true, '~': true, 0x7f: false, 0x84: false, 0x85: true, 0x86: false, 0x9f: false, 0xa0: true,
		0xd7ff: true, 0xd800: false, 0xfefe: true, 0xfeff: false, 0xff00: true, 0xfffd: true, 0xfffe: false, 0x1f600: false,
	} {
		if got := IsPrinted(r); got != want {
			t.Errorf("%U: got %v", r, got)
		}
	}
}
