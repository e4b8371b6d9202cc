package function

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Flow items of different kinds, and what becomes of them.
const cutHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
const flowOne, flowTwo = `{apiVersion: v1,   kind: 'A'}`, `{kind: "B", apiVersion: v1, a: [1.30, 'yes']}`

var cutTests = []struct {
	name, input string
	want        string // of the items
}{
	{"flow list", "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [" + flowOne + ", " + flowTwo + " ]}", flowOne + "\n- " + flowTwo},
	{"flow items", cutHead + "items: [" + flowOne + "," + flowTwo + "]\n", flowOne + "\n- " + flowTwo},
	{"flow items over lines", cutHead + "items:\n  [\n    " + flowOne + "\n  ,\n    " + flowTwo + "\n  ]\n", flowOne + "\n- " + flowTwo},
	{"characters in front", cutHead + "items: [{\u00e9\u4e2d\U0001f600: \u00e9}, " + flowOne + ", {\u00e9: b}]\n", "{\u00e9\u4e2d\U0001f600: \u00e9}\n- " + flowOne + "\n- {\u00e9: b}"},
	{"item over lines", cutHead + "items:\n- {apiVersion: v1,\n   kind: A, b:\n 'c', d: \"d\\\n     e\n\n    f\"}\n- " + flowTwo + "\n", "{apiVersion: v1,\n   kind: A, b:\n 'c', d: \"d\\\n     e\n\n    f\"}\n- " + flowTwo},
	{"item in column 0", cutHead + "items: [\n{apiVersion: v1,\nkind: A b\nc, d: 'e\n\nf'\n}\n]\n", "{apiVersion: v1,\n kind: A b\n c, d: 'e\n\n f'\n }"},
	{"brackets in text", cutHead + "items: [{kind: A, a: '}', b: \"]},\\\"\", c: d}, " + flowTwo + "]\n", "{kind: A, a: '}', b: \"]},\\\"\", c: d}\n- " + flowTwo},
	{"comments inside", cutHead + "items:\n- {apiVersion: v1, # a }\n   # b\n  kind: A}\n- " + flowTwo + "\n", "{apiVersion: v1, # a }\n   # b\n  kind: A}\n- " + flowTwo},
	{"block items between", cutHead + "items:\n- {kind: A,\n  a:   b}\n- kind:   B\n  apiVersion: v1\n- " + flowTwo + "\n", "{kind: A,\n  a:   b}\n- kind: B\n  apiVersion: v1\n- " + flowTwo},
	{"anchors inside", cutHead + "items: [{kind: A, a: &a [b,c], d: *a}]\n", "{kind: A, a: &a [b,c], d: *a}"},
	{"anchors outside", cutHead + "items: [{kind: A, a: &a [b,c]}, {kind: B, a:   *a}, " + flowTwo + "]\n", "{kind: A, a: &a [b,c]}\n- {kind: B, a: [b, c]}\n- " + flowTwo},
	{"anchor of an item", cutHead + "items: [&a {kind: A}, *a, {<<:   *a}, " + flowTwo + "]\n", "&a {kind: A}\n- {kind: A}\n- {!!merge <<: {kind: A}}\n- " + flowTwo},
	{"anchor that means another outside", cutHead + "items: [{kind: A, a: &a b}, {kind: B, c: *a, a: &a d, e: *a}]\n", "{kind: A, a: &a b}\n- {kind: B, c: b, a: &a d, e: *a}"},
	{"tabs", cutHead + "items: [{kind:\tA,  b: c}, " + flowTwo + "]\n", "{kind: A, b: c}\n- " + flowTwo},
	{"carriage returns", cutHead + "items: [\r\n{kind: A,  b: c}]\r\n", "{kind: A, b: c}"},
	{"line separators", cutHead + "items: [{kind: A,  b: \"c\u2028d\"}]\n", "{kind: A, b: \"c\\Ld\"}"},
	{"behind a document mark", "---\n" + cutHead + "items: [" + flowOne + "]\n...\n", flowOne},
	{"comment between", cutHead + "items: [\n  " + flowOne + ", # }, {\n  " + flowTwo + "]\n", ""},
	{"explicit key", cutHead + "items: [{? kind : A,  b: c}]\n", "{kind: A, b: c}"},
	{"JSON", `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"kind":"A" ,"n":1.30, "s":"\"}\u00e9\\"},{"a" :[{}, []]}]}`, `{"kind":"A" ,"n":1.30, "s":"\"}\u00e9\\"}` + "\n- " + `{"a" :[{}, []]}`},
	{"JSON over lines", "{\n \"items\": [\n  {\n   \"a\": [\n    1\n   ]\n  }\n ],\n \"kind\": \"ResourceList\", \"apiVersion\": \"config.kubernetes.io/v1\"\n}\n", "{\n   \"a\": [\n    1\n   ]\n  }"},
	{"JSON in column 0", "{\n\"apiVersion\": \"config.kubernetes.io/v1\",\n\"kind\": \"ResourceList\",\n\"items\": [\n{\n\"a\": -1\n\n}\n]\n}\n", "{\n \"a\": -1\n\n }"},
	{"JSON with tabs", "{\"apiVersion\": \"config.kubernetes.io/v1\",\t\"kind\": \"ResourceList\", \"items\": [{\"a\":\"b\"}, {\"c\":\t1}]}", "{\"a\":\"b\"}\n- {\"c\": 1}"},
	{"JSON with tabs and carriage returns", "{\r\n\t\"apiVersion\": \"config.kubernetes.io/v1\",\r\t\"kind\": \"ResourceList\",\r\n\t\"items\": [\r\n\t\t{\r\n\t\t\t\"a\":\t\"\\t\\r\"\r\n\t\t}\r\n\t]\r\n}\r\n", "{\n   \"a\": \"\\t\\r\"\n  }"},
	{"JSON with escapes that YAML lacks", `{"apiVersion":"config.kubernetes.io\/v1","kind":"ResourceList","items":[{"a":"\/\\/\\\/","b":"\ud83d\uDE00\\ud83d\u00e9","c":"\u2028"}]}`, "{\"a\":\"/\\\\/\\\\/\",\"b\":\"\U0001f600\\\\ud83d\\u00e9\",\"c\":\"\\u2028\"}"},
	{"JSON with the words of a list inside", `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[{"items":[{"items":[]}]}],"functionConfig":{"items":[{"a":"b"}]}}`, `{"items":[{"items":[]}]}`},
}

// The items of a list in flow style leave as they came, and the list that is
// written is written alike when it is read again.
func TestCutItems(t *testing.T) {
	for _, test := range cutTests {
		t.Run(test.name, func(t *testing.T) {
			list, err := readByParser([]byte(test.input))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			for _, item := range list.Items {
				got.Write(item.output())
			}
			if test.want != "" {
				if diff := cmp.Diff("- "+test.want+"\n", got.String()); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			checkReaders(t, []byte(test.input))
		})
	}
}

// refusedJSON is what YAML would read differently, or not at all.
func refusedJSON() map[string]string {
	list := func(item string) string {
		return `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[` + item + `]}`
	}
	long := strings.Repeat("k", 1001)
	return map[string]string{
		"half a pair":            list(`{"a":"\ud83d"}`),
		"half a pair in front":   list(`{"a":"\ud83dx\ude00"}`),
		"second half":            list(`{"a":"\ude00\ud83d"}`),
		"long key":               list(`{"` + long + `":1}`),
		"colon on the next line": list("{\"a\"\n:1}"),
		"line separator":         list("{\"a\":\"\u2028\"}"),
		"byte order mark":        "\ufeff" + list(`{"a":1}`),
		"not UTF-8":              list("{\"a\":\"\xff\"}"),
		"items twice":            `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[],"items":[]}`,
		"items twice, escaped":   `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[],"\u0069tems":[]}`,
		"kind twice":             `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","kind":"ResourceList","items":[]}`,
		"item null":              list("null"),
		"item text":              list(`"a"`),
		"items a mapping":        `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":{}}`,
		"something behind":       list("") + "#",
		"YAML":                   list("{a: b}"),
		"comma":                  list(`{"a":1,}`),
	}
}

// JSON that only looks like YAML is left to the parser.
func TestReadJSONStandsAside(t *testing.T) {
	for name, input := range refusedJSON() {
		t.Run(name, func(t *testing.T) {
			if _, ok := readJSON([]byte(input)); ok {
				t.Error("taken")
			}
			checkReaders(t, []byte(input))
		})
	}
}

// A list as JSON is that list: nothing but its form differs.
func TestJSONListSurvives(t *testing.T) {
	var input bytes.Buffer
	var items []string
	for n := range 100 {
		items = append(items, fmt.Sprintf(`{"apiVersion":"v1","data":{"a":"\u003c%d\n","b":[]},"kind":"ConfigMap","metadata":{"annotations":{"internal.config.kubernetes.io/path":"p%d.yaml"},"name":"n%d"}}`, n, n, n))
	}
	fmt.Fprintf(&input, `{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList","items":[%s]}`, strings.Join(items, ","))
	list, err := Read(input.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for n, item := range list.Items {
		if got := string(item.output()); got != "- "+items[n]+"\n" {
			t.Fatalf("items[%d] is %s", n, got)
		}
		if item.doubt {
			t.Fatalf("items[%d] is parsed to know its head", n)
		}
		want := Resource{APIVersion: "v1", Kind: "ConfigMap", Name: fmt.Sprintf("n%d", n), File: fmt.Sprintf("p%d.yaml", n)}
		if got := item.Resource(); got != want {
			t.Fatalf("items[%d] is %+v", n, got)
		}
	}
	once := written(t, list)
	if _, ok := split(once); !ok {
		t.Error("the text reader leaves the written list to the parser")
	}
	checkReaders(t, input.Bytes())
	checkReaders(t, once)
}
