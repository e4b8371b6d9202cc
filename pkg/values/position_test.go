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
	d := mustParse(t, `a:
  l: &x |
      ü: 1

       b: 2
  q: 'x: y'
  p: x y # c
  f: >
    a
    b
  e: "a\tb"
  r: *x
  m: "a
    b"
  j: "{\n\u00fc\U0001F600x"
  c: "a\
    b"
  s: 'it''s'
  h: "\x41\te\\x"
`)
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
		{"f", Position{Line: 1, Column: 3}, Position{Line: 10, Column: 5}},
		{"e", Position{Line: 1, Column: 3}, Position{Line: 11, Column: 10}},
		{"m", Position{Line: 1, Column: 3}, Position{Line: 14, Column: 5}},
		{"j", Position{Line: 2, Column: 3}, Position{Line: 15, Column: 26}},
		{"j", Position{Line: 2}, Position{Line: 15, Column: 10}},
		{"c", Position{Line: 1, Column: 2}, Position{Line: 17, Column: 5}},
		{"s", Position{Line: 1, Column: 4}, Position{Line: 18, Column: 11}},
		{"q", Position{}, Position{Line: 6, Column: 6}},
		{"h", Position{}, Position{Line: 19, Column: 6}},
		{"h", Position{Line: 1, Column: 1}, Position{Line: 19, Column: 7}},
		{"h", Position{Line: 1, Column: 2}, Position{Line: 19, Column: 11}},
		{"h", Position{Line: 1, Column: 4}, Position{Line: 19, Column: 14}},
		{"h", Position{Line: 1, Column: 5}, Position{Line: 19, Column: 16}},
	} {
		if got := d.InText(Field(d.Root(), "a", test.key), test.at); got != test.want {
			t.Errorf("%s %v: got %v, want %v", test.key, test.at, got, test.want)
		}
	}
}

// Only a scalar has places in its text.
func TestEmbeddedInNoScalar(t *testing.T) {
	d := mustParse(t, `a: {b: 1}
c: x
`)
	for key, want := range map[string]bool{"a": false, "c": true} {
		if at, ok := d.Embedded(Field(d.Root(), key))(Position{Line: 1, Column: 1}); ok != want {
			t.Errorf("%s: got %v, %t", key, at, ok)
		}
	}
	if at, ok := d.Embedded(Field(d.Root(), "c"))(Position{}); ok {
		t.Errorf("got %v", at)
	}
}

// A text is found at its place, or after a quote there, and not in a longer word.
func TestHas(t *testing.T) {
	lines := NewLines("\ufeffkind: wrker\né: \"wrker\"\na: wrkers\nb: 'wrker'\nc: \"{\\\"wrker\\\": 1}\"\nd: '''wrker'''\ne: wrker # of\nf: wr\\x6ber\n")
	for _, tc := range []struct {
		at         Position
		quoted, ok bool
	}{
		{Position{Line: 1, Column: 7}, false, true},
		{Position{Line: 1, Column: 1}, false, false},
		{Position{Line: 2, Column: 4}, true, true},
		{Position{Line: 3, Column: 4}, false, false},
		{Position{Line: 4, Column: 4}, true, true},
		{Position{Line: 5, Column: 6}, true, true},
		{Position{Line: 6, Column: 5}, true, true},
		{Position{Line: 7, Column: 4}, false, true},
		{Position{Line: 8, Column: 4}, false, false},
		{Position{Line: 20, Column: 4}, false, false},
	} {
		if quoted, ok := lines.Has(tc.at, "wrker"); ok != tc.ok || ok && quoted != tc.quoted {
			t.Errorf("%v: got %v, %v", tc.at, quoted, ok)
		}
	}
}
