package list

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const (
	frame = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
`
	flowOne, flowTwo = `{apiVersion: v1,   kind: 'A'}`, `{kind: "B", apiVersion: v1, a: [1.30, 'yes']}`
)

// flowLists are lists whose items the text reader leaves to the parser, because
// they are in flow style. Clients send none of them.
var flowLists = map[string]string{
	"flow list":             "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [" + flowOne + ", " + flowTwo + " ]}",
	"flow items":            frame + "items: [" + flowOne + "," + flowTwo + "]\n",
	"flow items over lines": frame + "items:\n  [\n    " + flowOne + "\n  ,\n    " + flowTwo + "\n  ]\n",
	"flow, rare characters": frame + "items: [{\u00e9\u4e2d\U0001f600: \u00e9}, " + flowOne + ", {\u00e9: b}]\n",
	"flow item over lines": frame + `items:
- {apiVersion: v1,
   kind: A, b:
 'c', d: "d\
     e

    f"}
- ` + flowTwo + "\n",
	"flow item in column 0": frame + `items: [
{apiVersion: v1,
kind: A b
c, d: 'e

f'
}
]
`,
	"flow, brackets in text": frame + "items: [{kind: A, a: '}', b: \"]},\\\"\", c: d}, " + flowTwo + "]\n",
	"flow, comments inside": frame + `items:
- {apiVersion: v1, # a }
   # b
  kind: A}
- ` + flowTwo + "\n",
	"flow, block items between": frame + `items:
- {kind: A,
  a:   b}
- kind:   B
  apiVersion: v1
- ` + flowTwo + "\n",
	"flow, anchors inside":           frame + "items: [{kind: A, a: &a [b,c], d: *a}]\n",
	"flow, anchors outside":          frame + "items: [{kind: A, a: &a [b,c]}, {kind: B, a:   *a}, " + flowTwo + "]\n",
	"flow, anchor of an item":        frame + "items: [&a {kind: A}, *a, {<<:   *a}, " + flowTwo + "]\n",
	"flow, anchor that is redefined": frame + "items: [{kind: A, a: &a b}, {kind: B, c: *a, a: &a d, e: *a}]\n",
	"flow, tabs":                     frame + "items: [{kind:\tA,  b: c}, " + flowTwo + "]\n",
	"flow, carriage returns":         frame + "items: [\r\n{kind: A,  b: c}]\r\n",
	"flow, line separators":          frame + "items: [{kind: A,  b: \"c\u2028d\"}]\n",
	"flow after a document mark":     "---\n" + frame + "items: [" + flowOne + "]\n...\n",
	"flow, comment between":          frame + "items: [\n  " + flowOne + ", # }, {\n  " + flowTwo + "]\n",
	"flow, explicit key":             frame + "items: [{? kind : A,  b: c}]\n",
	"flow, a list inside of the list": frame + `items: [{items: [{items: []}]}]
functionConfig: {items: [{a: b}]}
`,
}

// jsonLists are lists as JSON, each with its items.
var jsonLists = map[string]string{
	"plain": `{"kind":"A" ,"n":1.30, "s":"\"}\u00e9\\"},{"a" :[{}, []]}`,
	"over lines": `
  {
   "a": [
    1
   ]
  }
 `,
	"in column 0": `
{
"a": -1

}
`,
	"tabs":                  "{\"a\":\"b\"}, {\"c\":\t1}",
	"carriage returns":      "\r\n\t\t{\r\n\t\t\t\"a\":\t\"\\t\\r\"\r\n\t\t}\r\n\t",
	"escapes":               `{"a":"\/\\/\\\/","b":"\ud83d\uDE00\\ud83d\u00e9","c":"\u2028","d":"\b\f\n\r\t\u0000"}`,
	"colon on its own line": "{\"a\"\n:1}",
	"words of a list":       `{"items":[{"items":[]}]}`,
	"numbers":               `{"a":1e3,"b":-0.5E-2,"c":12345678901234567890,"d":0}`,
	"words":                 `{"a":true,"b":null,"c":"yes","d":"1.30","e":"","f":"~","g":"2026-01-02"}`,
	"line separator":        "{\"a\":\"\u2028 \u0085\"}",
	"rare characters":       "{\"\u00e9\":\"\U0001f600\ufeff\"}",
}

// jsonList is a list as JSON.
func jsonList(items string) string {
	return `{"apiVersion":"config.kubernetes.io\/v1","kind":"ResourceList","items":[` + items + `]}`
}

// oddLists look like JSON lists, but are none, or YAML reads them differently.
var oddLists = map[string]string{
	"half a pair":            jsonList(`{"a":"\ud83d"}`),
	"half a pair in front":   jsonList(`{"a":"\ud83dx\ude00"}`),
	"second half":            jsonList(`{"a":"\ude00\ud83d"}`),
	"long key":               jsonList(`{"` + strings.Repeat("k", 1001) + `":1}`),
	"byte order mark":        "\ufeff" + jsonList(`{"a":1}`),
	"not UTF-8":              jsonList("{\"a\":\"\xff\"}"),
	"items twice":            `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[],"items":[]}`,
	"items twice, escaped":   `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[],"\u0069tems":[]}`,
	"kind twice":             `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","kind":"ResourceList","items":[]}`,
	"item null":              jsonList("null"),
	"item text":              jsonList(`"a"`),
	"items a map":            `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":{}}`,
	"something after it":     jsonList("") + "#",
	"YAML":                   jsonList("{a: b}"),
	"comma":                  jsonList(`{"a":1,}`),
	"escapes in block style": listStart + oneItem + "  a: \"\\ud83d\\ude00\"\n",
}

// Lists in flow style leave with the same content, and what is written is written
// alike when it is read again.
func TestFlowLists(t *testing.T) {
	for name, text := range flowLists {
		t.Run(name, func(t *testing.T) {
			l := read(t, text)
			var want, got map[string]any
			if err := yaml.Unmarshal([]byte(text), &want); err != nil {
				t.Fatal(err)
			}
			if err := yaml.Unmarshal(written(t, l), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			checkReaders(t, []byte(text))
		})
	}
}

// Lists that are JSON leave with the content that JSON gives them.
func TestJSONLists(t *testing.T) {
	for name, items := range jsonLists {
		t.Run(name, func(t *testing.T) {
			text := jsonList(items)
			checkJSON(t, []byte(text))
			checkReaders(t, []byte(text))
		})
	}
}

func TestOddLists(t *testing.T) {
	for name, text := range oddLists {
		t.Run(name, func(t *testing.T) { checkReaders(t, []byte(text)) })
	}
	for _, name := range []string{"items twice", "items twice, escaped", "kind twice", "item null", "item text", "items a map", "something after it"} {
		if _, err := Read([]byte(oddLists[name])); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// A list of every form holds what it held as JSON.
func TestJSONOfClientLists(t *testing.T) {
	for name, text := range clientLists(t) {
		t.Run(name, func(t *testing.T) { checkJSON(t, asJSON(t, text)) })
	}
	t.Run("large", func(t *testing.T) { checkJSON(t, asJSON(t, bigList(100))) })
}

// checkJSON compares a list that is JSON, as encoding/json reads it, with what is
// written of it.
func checkJSON(t testing.TB, text []byte) {
	t.Helper()
	var want, got map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	l := read(t, string(text))
	out := written(t, l)
	if err := yaml.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(numbersAlike(want), numbersAlike(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := Read(out)
	if err != nil {
		t.Fatal(err)
	}
	if twice := written(t, again); !bytes.Equal(out, twice) {
		t.Errorf("writing again differs:\n%s", cmp.Diff(string(out), string(twice)))
	}
	for n, item := range l.Items {
		root := want["items"].([]any)[n].(map[string]any)
		metadata, _ := root["metadata"].(map[string]any)
		if kind, _ := root["kind"].(string); item.Kind() != kind {
			t.Errorf("items[%d] is of kind %q, want %q", n, item.Kind(), kind)
		}
		if name, _ := metadata["name"].(string); item.Name() != name {
			t.Errorf("items[%d] has the name %q, want %q", n, item.Name(), name)
		}
	}
}

// numbersAlike makes numbers that encoding/json and yaml read as different types
// alike.
func numbersAlike(value any) any {
	switch v := value.(type) {
	case int, int64, uint64, float64:
		number, _ := strconv.ParseFloat(fmt.Sprint(v), 64)
		return number
	case map[string]any:
		for key := range v {
			v[key] = numbersAlike(v[key])
		}
	case []any:
		for i := range v {
			v[i] = numbersAlike(v[i])
		}
	}
	return value
}

// asJSON writes a list as JSON.
func asJSON(t testing.TB, text []byte) []byte {
	t.Helper()
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
