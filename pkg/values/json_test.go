package values

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestJSON(t *testing.T) {
	tests := []struct {
		text, want string
		partial    bool // JSON does not have all of it
	}{
		{text: "", want: "null"},
		{
			text: `b: 1
a: [x, true, ~]
`,
			want: `{"a":["x",true,null],"b":1}`,
		},
		{
			text: `a: 0x10
b: +5
c: 12345678901234567890123
d: 1.50
e: 1e3
`,
			want: `{"a":16,"b":5,"c":1.2345678901234568e+22,"d":1.5,"e":1000}`,
		},
		{
			text: `a: &x {k: 1}
b: *x
c: {<<: *x, l: 2}
`,
			want: `{"a":{"k":1},"b":{"k":1},"c":{"k":1,"l":2}}`,
		},
		{text: "a: 2024-01-02\n", want: `{"a":"2024-01-02"}`},
		{text: `a: "<é>\u2028\\\"\t\x01\b"` + "\n", want: "{\"a\":\"<é>\u2028\\\\\\\"\\t\\u0001\\b\"}"},
		{
			text: `a: .inf
b: .nan
`,
			want:    `{"a":".inf","b":".nan"}`,
			partial: true,
		},
		{
			text: `a: !!float b
c: !!int d
e: !!bool f
`,
			want:    `{"a":"b","c":"d","e":"f"}`,
			partial: true,
		},
		{text: "? [a]\n: 1\n", want: `{"?":1}`, partial: true},
		{text: "a: !!binary aGk=\n", want: `{"a":"aGk="}`, partial: true},
	}
	for _, test := range tests {
		got, ok := JSON(mustParse(t, test.text).Root())
		if got != test.want || ok == test.partial {
			t.Errorf("%q: got %s, %v, want %s, %v", test.text, got, ok, test.want, !test.partial)
		}
	}
}

// TestJSONReadsBack compares JSON with the value that it was written from.
func TestJSONReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := drawJSON(t, 3)
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := JSON(mustParse(t, string(text)).Root())
		var back, want any
		if err := json.Unmarshal([]byte(got), &back); err != nil || !ok {
			t.Fatalf("%s: got %s, %v, %v", text, got, ok, err)
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(back, want) {
			t.Fatalf("%s: got %s", text, got)
		}
	})
}
