package dependency

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

func TestParseJSONErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "line 1, offset 0: the JSON ends too early"},
		{"[", "line 1, offset 1: the JSON ends too early"},
		{"[1,\n 2", "line 2, offset 6: the JSON ends too early"},
		{`["a`, "line 1, offset 3: the JSON ends too early"},
		{"[1]\n x", "line 2, offset 5: invalid character"},
		{"[1] [2]", "line 1, offset 4: invalid character"},
		{"- a", "line 1, offset 1: invalid character ' ' in numeric literal"},
		{"[{a: 1}]", "line 1, offset 2: invalid character 'a'"},
		{"[1,\n,2]", "line 2, offset 4: invalid character ','"},
		{strings.Repeat("[", 2000) + strings.Repeat("]", 2000), "line 1, offset 1001: nested deeper than 1000 levels"},
	} {
		_, at, err := parseJSON(tt.text)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || at.Line == 0 {
			t.Errorf("%.20q: got %v (%v), want %s", tt.text, err, at, tt.want)
		}
	}
}

func TestParseJSON(t *testing.T) {
	const text = "[{\"type\":\t\"a\",\n \"value\": {\"n\": 1.50, \"i\": 12, \"t\": true, \"x\": null, \"s\": \"\\ud83d\\ude00\\/\"}}]"
	d, _, err := parseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	value := values.Field(d.Root().Content[0], "value")
	if at := values.At(values.Field(value, "n")); at != (values.Position{Line: 2, Column: 17}) {
		t.Errorf("1.50 is at %v", at)
	}
	var got []string
	for _, key := range []string{"n", "i", "t", "x", "s"} {
		n := values.Field(value, key)
		got = append(got, n.ShortTag()+" "+n.Value)
	}
	if diff := cmp.Diff([]string{"!!float 1.50", "!!int 12", "!!bool true", "!!null null", "!!str 😀/"}, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{"", "[", `[{"type":"olm.constraint","value":{"cel":{"rule":"true"}}}]`, "[1]x", "{\"a\":[true,null,-1.5e3]}", "[\"\\ud800\"]", " [ ] "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document, at, err := parseJSON(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) && len(text) < 1000 {
			t.Fatalf("%q: %v, but valid is %t", text, err, valid)
		}
		if err != nil {
			if at.Line < 1 || at.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: the error is at %v", text, at)
			}
			return
		}
		document.Duplicates()
	})
}
