package list

import "testing"

func TestClassify(t *testing.T) {
	tests := []struct {
		text  string
		kind  lineKind
		key   string
		value string
		// what else the line is: b block scalar, r refers, q quoted key, o open quotes
		also string
	}{
		{"a: b", lineKey, "a", "b", ""},
		{"a:", lineKey, "a", "", ""},
		{"a : b", lineKey, "a", "b", ""},
		{"a: # b", lineKey, "a", "", ""},
		{"a: b # c: d", lineKey, "a", "b", ""},
		{"a: b#c", lineKey, "a", "b#c", ""},
		{"a:b: c", lineKey, "a:b", "c", ""},
		{"http://a: b", lineKey, "http://a", "b", ""},
		{"a b: c", lineKey, "a b", "c", ""},
		{"it's: a", lineKey, "it's", "a", ""},
		{`"a": 'b'`, lineKey, "a", "'b'", "q"},
		{`'a' : "b\"c"`, lineKey, "a", `"b\"c"`, "q"},
		{"a: 'b''c' # d", lineKey, "a", "'b''c'", ""},
		{"a: {b: c}", lineKey, "a", "{b: c}", ""},
		{"a: [b, {c: d}] # e", lineKey, "a", "[b, {c: d}]", ""},
		{"a: |", lineKey, "a", "", "b"},
		{"a: >-2 # b", lineKey, "a", "", "b"},
		{"a: |2+", lineKey, "a", "", "b"},
		{"a: &b |", lineKey, "a", "", "br"},
		{"a: &b !!str c", lineKey, "a", "c", "r"},
		{"a: !!str", lineKey, "a", "", "r"},
		{"a: *b", lineKey, "a", "*b", "r"},
		{"a: -1", lineKey, "a", "-1", ""},
		{"a: ?b", lineKey, "a", "?b", ""},
		{"a: :b", lineKey, "a", ":b", ""},
		{"text", lineScalar, "", "text", ""},
		{"- text", lineScalar, "", "text", ""},
		{"- |", lineScalar, "", "", "b"},
		{"-", lineNothing, "", "", ""},
		{"- - # a", lineNothing, "", "", ""},
		{"- a: b", lineKey, "a", "b", ""},
		{"-   a: b", lineKey, "a", "b", ""},
		{"--- a", lineScalar, "", "--- a", ""}, // no place takes it
		{"é: ü", lineKey, "é", "ü", ""},

		{"a:\tb", lineUnsure, "", "", ""},
		{"a: b\t", lineUnsure, "", "", ""},
		{"a: b\t# c", lineUnsure, "", "", ""},
		{"a\t: b", lineUnsure, "", "", ""},
		{"-\ta", lineUnsure, "", "", ""},
		{"a: b: c", lineUnsure, "", "", ""},
		{"a: b:", lineUnsure, "", "", ""},
		{`a: "b`, lineKey, "a", `"b`, "o"},
		{`a: "b\`, lineKey, "a", `"b\`, "o"},
		{"a: 'b''", lineKey, "a", "'b''", "o"},
		{"a: &x 'b", lineKey, "a", "'b", "ro"},
		{`- "b`, lineScalar, "", `"b`, "o"},
		{`"b`, lineUnsure, "", "", ""},
		{"'b", lineUnsure, "", "", ""},
		{`"a: 'b`, lineUnsure, "", "", ""},
		{`a: "b"#c`, lineUnsure, "", "", ""},
		{`a: "b" c`, lineUnsure, "", "", ""},
		{`"a": b: c`, lineUnsure, "", "", ""},
		{`"a":b`, lineUnsure, "", "", ""},
		{`"a\n": b`, lineUnsure, "", "", ""},
		{"'a''b': c", lineUnsure, "", "", ""},
		{"a: {b: c", lineUnsure, "", "", ""},
		{"a: [b] c", lineUnsure, "", "", ""},
		{"[a]: b", lineUnsure, "", "", ""},
		{"{a: b}: c", lineUnsure, "", "", ""},
		{"? a", lineUnsure, "", "", ""},
		{"?", lineUnsure, "", "", ""},
		{": a", lineUnsure, "", "", ""},
		{"?a: b", lineUnsure, "", "", ""},
		{"-a: b", lineUnsure, "", "", ""},
		{"&a b: c", lineUnsure, "", "", ""},
		{"*a : b", lineUnsure, "", "", ""},
		{"|", lineUnsure, "", "", ""},
		{"a: |#b", lineUnsure, "", "", ""},
		{"a: |0", lineUnsure, "", "", ""},
		{"a: |12", lineUnsure, "", "", ""},
		{"a: | b", lineUnsure, "", "", ""},
		{"a: &b\t| #", lineUnsure, "", "", ""},
		{"a: @b", lineUnsure, "", "", ""},
		{"a: `b`", lineUnsure, "", "", ""},
		{"%YAML 1.1", lineUnsure, "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			l := classify([]byte(test.text), 0)
			also := ""
			for _, flag := range []struct {
				name string
				set  bool
			}{{"b", l.block}, {"r", l.refers}, {"q", l.quotedKey}, {"o", l.open != 0}} {
				if flag.set {
					also += flag.name
				}
			}
			if l.kind != test.kind || also != test.also {
				t.Errorf("got kind %d, flags %q, want %d, %q", l.kind, also, test.kind, test.also)
			}
			if l.kind == lineKey && string(l.key) != test.key || l.kind != lineUnsure && string(l.value) != test.value {
				t.Errorf("got key %q, value %q, want %q, %q", l.key, l.value, test.key, test.value)
			}
		})
	}
}

func TestClassifyColumns(t *testing.T) {
	tests := []struct {
		text                   string
		dashes, column, parent int
	}{
		{"a: |", 0, 0, 0},
		{"  a: |", 0, 2, 2},
		{"- a: |", 1, 2, 2},
		{"  -   a: |", 1, 6, 6},
		{"- |", 1, 2, 0},
		{"  - - |", 2, 6, 4},
		{"  - a: 'b", 1, 4, 4},
		{"  - \"b", 1, 4, 2},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			indent := 0
			for test.text[indent] == ' ' {
				indent++
			}
			l := classify([]byte(test.text), indent)
			if l.dashes != test.dashes || l.column != test.column || l.parent != test.parent || l.block == (l.open != 0) {
				t.Errorf("got %+v", l)
			}
		})
	}
}
