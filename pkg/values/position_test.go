package values

import (
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	text := "\ufeffa\r\nbü" + strings.Repeat("ü", longLine) + "x\u2028c"
	lines := NewLines(text)
	for _, test := range []struct {
		part string
		at   Position
	}{{"a", Position{Line: 1, Column: 1}}, {"b", Position{Line: 2, Column: 1}}, {"x", Position{Line: 2, Column: longLine + 3}}, {"c", Position{Line: 3, Column: 1}}} {
		offset := strings.Index(text, test.part)
		if got := lines.Position(offset); got != test.at {
			t.Errorf("%s: got %v, want %v", test.part, got, test.at)
		}
		if got := lines.Offset(test.at); got != offset {
			t.Errorf("%s: got %d, want %d", test.part, got, offset)
		}
	}
}
