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

func TestInText(t *testing.T) {
	d := mustParse(t, "a:\n  l: &x |\n      ü: 1\n\n       b: 2\n  q: 'x: y'\n  p: x y # c\n  f: >\n    a\n    b\n  e: \"a\\tb\"\n  r: *x\n  m: \"a\n    b\"\n")
	for _, test := range []struct {
		key      string
		at, want Position
	}{
		{"l", Position{Line: 1, Column: 4}, Position{Line: 3, Column: 10}},
		{"l", Position{Line: 3, Column: 2}, Position{Line: 5, Column: 8}},
		{"l", Position{Line: 3}, Position{Line: 5}},
		{"l", Position{Line: 9}, Position{Line: 2, Column: 6}},
		{"l", Position{}, Position{Line: 2, Column: 6}},
		{"r", Position{Line: 1, Column: 1}, Position{Line: 3, Column: 7}},
		{"q", Position{Line: 1, Column: 4}, Position{Line: 6, Column: 10}},
		{"p", Position{Line: 1, Column: 3}, Position{Line: 7, Column: 8}},
		{"f", Position{Line: 1, Column: 3}, Position{Line: 8, Column: 6}},
		{"e", Position{Line: 1, Column: 3}, Position{Line: 11, Column: 6}},
		{"m", Position{Line: 1, Column: 3}, Position{Line: 13, Column: 6}},
	} {
		if got := d.InText(Field(d.Root(), "a", test.key), test.at); got != test.want {
			t.Errorf("%s %v: got %v, want %v", test.key, test.at, got, test.want)
		}
	}
}
