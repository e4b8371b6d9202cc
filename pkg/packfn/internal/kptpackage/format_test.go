package kptpackage

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// isKept reports whether kpt reads lines in literal style as they are, and writes them so.
func isKept(lines ...string) bool {
	text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  text: |\n    " + strings.Join(lines, "\n    ") + "\n"
	var read struct{ Data struct{ Text string } }
	formatted, err := Format([]byte(text))
	if err != nil || string(formatted) != text || yaml.Unmarshal(formatted, &read) != nil {
		return false
	}
	return read.Data.Text == strings.Join(lines, "\n")+"\n"
}

// kpt keeps the lines of a text if all their characters are printed. It quotes a text with another one, or takes the
// character for a line break, or rejects the file.
func TestIsPrinted(t *testing.T) {
	var printed []rune
	others := []rune{0x10000, 0x1f600, utf8.MaxRune}
	for r := range rune(0x10000) {
		switch {
		case IsPrinted(r):
			printed = append(printed, r)
		case utf8.ValidRune(r):
			others = append(others, r)
		}
	}
	var lines []string
	for line := range slices.Chunk(printed, 80) {
		lines = append(lines, "x"+string(line)+"x")
	}
	if !isKept(lines...) {
		t.Errorf("kpt changes the lines of %d characters", len(printed))
	}
	for _, r := range others {
		if IsPrinted(r) || isKept("x"+string(r)+"x") {
			t.Errorf("kpt keeps %U", r)
		}
	}
	if len(printed) < 60000 || len(others) < 50 {
		t.Errorf("%d and %d characters were tried", len(printed), len(others))
	}
}

// The lines of a text are the lines that kpt reads.
func TestLines(t *testing.T) {
	for text, isKeptAsItIs := range map[string]bool{
		"a: b": true, "# a": true, "tab\tb": true, "é ñ 密码": true, "no-break\u00a0space": true, "\ufffd": true,
		"a\u0085b: c": false, "a\u2028b: c": false, "a\u2029b: c": false, "a\rb: c": false, "# a\u2028b: c": false, "😀": false, "a\ufeffb": false, "\x00": false, "\x1b[31m": false, "\x7f": false,
	} {
		if got := isKept(text); got != isKeptAsItIs {
			t.Errorf("%q: kpt keeps it: %v", text, got)
		}
		if got := !strings.ContainsFunc(text, func(r rune) bool { return !IsPrinted(r) }); got != isKeptAsItIs {
			t.Errorf("%q: all is printed: %v", text, got)
		}
	}
}
