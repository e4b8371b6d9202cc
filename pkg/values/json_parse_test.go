package values

import (
	_ "embed"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// jsonSuite has the parsing tests of github.com/nst/JSONTestSuite, whose license is beside
// it: name and quoted text in each line. Two tests of more than 5,000 bytes are left
// out, see TestJSONLimits.
//
//go:embed testdata/json/suite.txt
var jsonSuite string

// A test whose name begins with y_ is JSON, with n_ it is not, and with i_ either is
// right.
func TestJSONSuite(t *testing.T) {
	count := 0
	for line := range strings.Lines(jsonSuite) {
		count++
		name, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, err = ParseJSON(text)
		if strings.HasPrefix(name, "y_") && err != nil || strings.HasPrefix(name, "n_") && err == nil {
			t.Errorf("%s: %q: got %v", name, text, err)
		}
		if strings.HasPrefix(name, "y_") {
			checkValues(t, name, text)
		}
	}
	if count < 300 {
		t.Errorf("the suite has %d tests", count)
	}
}

// checkValues checks that package values reads JSON as what it is.
func checkValues(t *testing.T, name, text string) {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Errorf("%s: %q as values: %v", name, text, err)
		return
	}
	var want any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	canonical, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	content, _ := JSON(d.Root())
	var got, same any
	if err := json.Unmarshal([]byte(content), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(canonical, &same); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(same, got); diff != "" {
		t.Errorf("%s: %q as values: -JSON +values:\n%s", name, text, diff)
	}
}

func TestJSONPlaces(t *testing.T) {
	const text = "\ufeff[{\"type\":\t\"a\",\n \"value\": {\"n\": 1.50, \"i\": 12, \"t\": true, \"x\": null, \"e\": -1E2, \"s\": \"\\ud83d\\ude00\\/\u007f\u2028\"}}]"
	d, err := ParseJSON(text, "value")
	if err != nil {
		t.Fatal(err)
	}
	if at := At(d.Root()); at != (diag.Position{Line: 1, Column: 1}) {
		t.Errorf("the list is at %v", at)
	}
	object := d.Root().Content[0]
	value := Field(object, "value")
	if at := At(Field(value, "n")); at != (diag.Position{Line: 2, Column: 17}) {
		t.Errorf("1.50 is at %v", at)
	}
	if got, want := d.Sizes()[object], strings.Index(text, "}]")-strings.Index(text, `{"n"`); got != want {
		t.Errorf("the value has %d bytes, want %d", got, want)
	}
	if got := d.Sizes()[value]; got != 0 {
		t.Errorf("an object without such a member has %d bytes", got)
	}
	var got []string
	for _, key := range []string{"n", "i", "t", "x", "e", "s"} {
		n := Field(value, key)
		got = append(got, n.ShortTag()+" "+n.Value)
	}
	if diff := cmp.Diff([]string{"!!float 1.50", "!!int 12", "!!bool true", "!!null null", "!!float -1E2", "!!str 😀/\u007f\u2028"}, got); diff != "" {
		t.Error(diff)
	}
	long := `{"` + strings.Repeat("k", 2000) + `": 1}`
	if _, err := ParseJSON(long); err != nil {
		t.Errorf("a long key: %v", err)
	}
}

func TestJSONDuplicates(t *testing.T) {
	d, err := ParseJSON(`{"a": 1,
"a": 2}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Duplicate{{Path: "a", Key: "a", First: diag.Position{Line: 1, Column: 2}, Second: diag.Position{Line: 2, Column: 1}}}
	if diff := cmp.Diff(want, d.Duplicates()); diff != "" {
		t.Error(diff)
	}
}

// Each fault has its own place: the line and column of the first wrong character.
func TestJSONErrors(t *testing.T) {
	for _, tc := range []struct {
		text, found  string
		line, column int
	}{
		{"", "the end of the document", 1, 1},
		{"\ufeff", "the end of the document", 1, 1},
		{"[", "the end of the document", 1, 2},
		{"[1,\n 2", "the end of the document", 2, 3},
		{"{\"a\": \n\n", "the end of the document", 1, 6},
		{"\n \n", "the end of the document", 1, 1},
		{`["a`, "the end of the document", 1, 4},
		{"[1]\n x", `"x"`, 2, 2},
		{"[1] [2]", `"["`, 1, 5},
		{"- a", `" "`, 1, 2},
		{"[{a: 1}]", `"a"`, 1, 3},
		{"[1,\n,2]", `","`, 2, 1},
		{`{
  "a": 1,
}`, `comma before "}"`, 2, 9},
		{"[\"é\", ]", `comma before "]"`, 1, 5},
		{`{"a": 1
 "b": 2}`, "a string", 2, 2},
		{`{"a": 1, // one
"b": 2}`, "a comment", 1, 10},
		{"{\"a\": 1, /* one */ \"b\": 2}", "a comment", 1, 10},
		{"# one\n{}", "a comment", 1, 1},
		{`{"a" 1}`, `"1"`, 1, 6},
		{"{'a': 1}", `"'"`, 1, 2},
		{`{"\: 1}`, `":"`, 1, 4},
		{`{"a": True}`, `"T"`, 1, 7},
		{"{\"a\": \"b\nc\"}", "a line break", 1, 9},
		{"{\"a\": \"b\tc\"}", "the control character U+0009", 1, 9},
		{`{"a": "\x"}`, `"x"`, 1, 9},
		{`{"a": "\u12g4"}`, `"g"`, 1, 12},
		{`{"a": 010}`, `"1"`, 1, 8},
		{"{\"a\": \"b\xe9\"}", "the byte 0xE9, which is not UTF-8", 1, 9},
	} {
		_, err := ParseJSON(tc.text)
		var fault *SyntaxError
		if !errors.As(err, &fault) {
			t.Errorf("%q: got %v", tc.text, err)
			continue
		}
		if fault.Line != tc.line || fault.Column != tc.column || !strings.HasSuffix(fault.Reason, ", got "+tc.found) && !strings.HasPrefix(fault.Reason, "trailing "+tc.found) {
			t.Errorf("%q: got %v, want %s at %d:%d", tc.text, fault, tc.found, tc.line, tc.column)
		}
	}
}

func TestJSONLimits(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		ok   bool
	}{
		"deepest":  {strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), true},
		"too deep": {strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), false},
		"open":     {strings.Repeat("[", 100_000), false},
		"objects":  {strings.Repeat(`[{"":`, 50_000), false},
		"largest":  {"[" + strings.Repeat("1,", MaxNodes-2) + "1]", true},
		"too many": {"[" + strings.Repeat("1,", MaxNodes-1) + "1]", false},
		"too long": {strings.Repeat(" ", MaxBytes) + "1", false},
	} {
		_, err := ParseJSON(tc.text)
		if limit := (*LimitError)(nil); tc.ok && err != nil || !tc.ok && !errors.As(err, &limit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzParseJSON compares the reader with encoding/json, which also accepts invalid UTF-8.
func FuzzParseJSON(f *testing.F) {
	for line := range strings.Lines(jsonSuite) {
		_, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		bare := strings.TrimPrefix(text, "\ufeff")
		document, err := ParseJSON(text)
		if limit := (*LimitError)(nil); errors.As(err, &limit) {
			return
		}
		if valid := json.Valid([]byte(bare)) && utf8.ValidString(bare); valid != (err == nil) {
			t.Fatalf("%q: got %v, but valid is %t", text, err, valid)
		}
		if err != nil {
			fault, ok := errors.AsType[*SyntaxError](err)
			if !ok || fault.Line < 1 || fault.Column < 1 || fault.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("%q: the place of the error is %v", text, err)
			}
			return
		}
		var want, got any
		if err := json.Unmarshal([]byte(bare), &want); err != nil {
			return // a number out of range
		}
		if got = plain(t, document.Root()); !reflect.DeepEqual(want, got) {
			t.Fatalf("%q: got %v, want %v", text, got, want)
		}
	})
}

// plain returns a value as encoding/json has it.
func plain(t *testing.T, n *yaml.Node) any {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.SequenceNode:
		all := []any{}
		for _, child := range n.Content {
			all = append(all, plain(t, child))
		}
		return all
	case n.Kind == yaml.MappingNode:
		all := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			all[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		return all
	}
	switch n.ShortTag() {
	case "!!str":
		return n.Value
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	}
	number, err := strconv.ParseFloat(n.Value, 64)
	if err != nil {
		t.Fatal(err)
	}
	return number
}
