package list

import "testing"

func TestScanFlow(t *testing.T) {
	tests := []struct {
		text   string
		length int // of the recognized text, -1 if it is not recognized
		refers bool
	}{
		{"{}", 2, false},
		{"[] x", 2, false},
		{`{"a":"b"}`, 9, false},
		{`{"a":{"b":["c"]}}`, 17, false},
		{"{a: b, c: [d, -1, -e]}", 22, false},
		{"{a: it's}", 9, false},
		{"{a: http://b#c?", -1, false},
		{"{a: b#c}", 8, false},
		{"{a: 12:30, b: c:}", 17, false},
		{"['a]', \"b}\"]", 12, false},
		{"{a: &b c}", 9, true},
		{`{"a":&b c}`, 10, true},
		{`{"a":*b}`, 8, true},
		{"[*a , !!str b, ! c]", 19, true},
		{"[!<tag:yaml.org,2002:str> a]", -1, true},
		{"[a", -1, false},
		{"[a #b]", -1, false},
		{"[#b]", -1, false},
		{"[a,#b]", -1, false},
		{`{"a":#b}`, -1, false},
		{`{"a"#b}`, -1, false},
		{"[[a]#b]", -1, false},
		{"{*a:#b}", -1, true},
		{"[a?#b]", -1, false},
		{"[? a]", -1, false},
		{"[a\t]", -1, false},
		{"[a[b]]", -1, false},
		{"['a'b]", -1, false},
		{"['a]", -1, false},
		{"{a:", -1, false},
		{"[- a]", -1, false},
		{"[|a]", -1, false},
		{"[%a]", -1, false},
		{"[:a]", -1, false},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			n, refers := scanFlow([]byte(test.text))
			if n != test.length || refers != test.refers {
				t.Errorf("got %d, %v, want %d, %v", n, refers, test.length, test.refers)
			}
		})
	}
}
