package inventory_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// schemaOf returns the JSON Schema of the pack in a directory as it is printed.
func schemaOf(t *testing.T, dir string) (string, *facts.Pack) {
	t.Helper()
	packs, err := check.Packs([]string{dir}, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read, _ := packs[0].Facts()
	return printed(t, packs[0].Pack, read), read
}

// printed returns the JSON Schema of a pack as the command prints it, which is the same each
// time.
func printed(t *testing.T, p *pack.Pack, read *facts.Pack) string {
	t.Helper()
	var texts [2]bytes.Buffer
	for i := range texts {
		schema, faults, err := inventory.JSONSchema(p, read)
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
		if err := report.WriteJSON(&texts[i], schema); err != nil {
			t.Fatal(err)
		}
	}
	if texts[0].String() != texts[1].String() {
		t.Error("the same pack has two JSON Schemas")
	}
	return texts[0].String()
}

func newPack(own, schema string) *pack.Pack {
	return &pack.Pack{Name: "web", Version: "1.0.0", Values: pack.File("values.yaml", own), Schema: pack.File("schema.yaml", schema)}
}

func readFacts(t *testing.T, text string) *facts.Pack {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	read, err := facts.Read(d)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func violationsOf(t *testing.T, schema string, n *yaml.Node) []jsonschema.Violation {
	t.Helper()
	compiled, err := jsonschema.Parse(schema)
	if err != nil {
		t.Fatal(err)
	}
	if w := compiled.Warnings(); len(w) > 0 {
		t.Errorf("the schema has warnings: %v", w)
	}
	found, err := compiled.Validate(n, 100)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestJSONSchema(t *testing.T) {
	p := newPack(`pack: {namespace: web}
charts:
  web:
    replicas: 2
    tag: 1.30.0
    image: nginx
    on: true
    none:
    empty: ""
    ports: [80, 443]
    hosts: [a.example.com]
    rules: [{port: 1}]
    extra: {}
`, `charts.web.replicas: {schema: '{{ required | format "${number:[1-5]}" | hints "how many" }}'}`)
	read := readFacts(t, `charts:
  web:
    reads: {replicas: , image: , extra: '*', rules: {'*': {port: , name: }}, hosts: {'*': }, byName: {'*': {size: }}}
    subcharts:
      db: {reads: {size: , storage: {class: }}, subcharts: {backup: {reads: {cron: }}}}
manifests:
  config: {level: }
`)
	want := `{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Values of web 1.0.0",
  "type": ["object", "null"],
  "required": ["charts"],
  "properties": {
    "pack": {"properties": {"namespace": {}}},
    "charts": {"required": ["web"], "properties": {"web": {"required": ["replicas"], "properties": {
      "replicas": {"type": ["number", "string", "null"], "minimum": 1, "maximum": 5, "pattern": PATTERN, "description": "how many", "default": 2},
      "tag": {"default": "1.30.0"}, "image": {}, "on": {"default": true}, "none": {"default": null}, "empty": {"default": ""},
      "ports": {"default": [80, 443]}, "hosts": {}, "extra": {"default": {}},
      "rules": {"default": [{"port": 1}], "items": {"properties": {"port": {}, "name": {}}}},
      "byName": {"additionalProperties": {"properties": {"size": {}}}},
      "db": {"properties": {"size": {}, "storage": {"properties": {"class": {}}}, "backup": {"properties": {"cron": {}}}}}
    }}}},
    "manifests": {"properties": {"config": {"properties": {"level": {}}}}}
  }
}`
	pattern, _ := json.Marshal(`^$|\{\{[\s\S]*\.spectro\.|^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$`)
	var expected, got any
	if err := json.Unmarshal([]byte(strings.Replace(want, "PATTERN", string(pattern), 1)), &expected); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(printed(t, p, read)), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// What may be a secret is not a default, wherever the value is.
func TestDefaultsHideSecrets(t *testing.T) {
	const secret = "hunter2"
	own := `image: hunter2
url: https://hunter2@example.com
text: |
  hunter2
list: [80, hunter2]
rules: [{port: 80, name: hunter2}]
aliased: &a hunter2
alias: *a
macro: '{{ .spectro.var.hunter2 }}'
password: 8672309
apiKeys: [8672309]
tokens: {one: 8672309}
declared: 8672309
mapping: {a: 8672309, b: {c: 8672309}}
elements: [8672309]
nested: [{pin: 8672309}]
quoted: "8672309.0.0.1"
const: 8672309
both: [8672309]
`
	schema := `declared: {schema: '{{ format "${password}" }}'}
mapping: {schema: '{{ format "${password}" }}'}
elements.$[]: {schema: '{{ format "${password}" }}'}
nested.$[].pin: {schema: '{{ format "${password}" }}'}
quoted: {schema: '{{ format "a${password}" }}'}
both.$[]: {schema: '{{ format "${password}" }}'}
both.0: {schema: '{{ format "${number}" }}'}
const: {schema: '{{ readonly | format "${password}" }}'}
`
	text := printed(t, newPack(own, schema), nil)
	for _, hidden := range []string{secret, "8672309"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%s is shown:\n%s", hidden, text)
		}
	}
	if !strings.Contains(text, `"apiKeys": {}`) {
		t.Errorf("a key is missing:\n%s", text)
	}
}

// A fault of the schema does not hide the others.
func TestJSONSchemaFaults(t *testing.T) {
	p := newPack("a: 1\nb: 2\n", "a: {schema: '{{ requierd }}'}\nb: {schema: '{{ required }}'}\n")
	schema, faults, err := inventory.JSONSchema(p, nil)
	if err != nil || len(faults) != 1 || faults[0].Key != "a" {
		t.Errorf("got %v, %v", faults, err)
	}
	if text, _ := json.Marshal(schema["required"]); string(text) != `["b"]` {
		t.Errorf("required: %s", text)
	}
	for name, p := range map[string]*pack.Pack{"values": newPack("a: [", ""), "a list": newPack("- a", ""), "schema": newPack("", "a: [")} {
		if _, _, err := inventory.JSONSchema(p, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, p := range []*pack.Pack{{Name: "web"}, newPack("", ""), newPack("# nothing\n", "# nothing\n")} {
		if found := violationsOf(t, printed(t, p, nil), nil); len(found) > 0 {
			t.Errorf("a pack without values: %v", found)
		}
	}
}

// Values that are huge or deep have a JSON Schema that checks them.
func TestJSONSchemaHostile(t *testing.T) {
	var wide, entries strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&wide, "k%d: {a: %d}\n", i, i)
	}
	for i := range 1_000 {
		fmt.Fprintf(&entries, "k%d.a: {schema: '{{ required | format \"${number}\" }}'}\n", i)
	}
	deep := func(n int) string { return strings.Repeat("{a: ", n) + "1" + strings.Repeat("}", n) }
	path := strings.TrimSuffix(strings.Repeat("a.", 400), ".")
	long := strings.Repeat("k", 5_000)
	for name, p := range map[string]*pack.Pack{
		"wide":          newPack(wide.String(), entries.String()),
		"deep":          newPack(deep(900), path+`: {schema: '{{ required | format "${number}" }}'}`),
		"deep lists":    newPack("a: "+strings.Repeat("[", 250)+strings.Repeat("]", 250), "a."+strings.TrimSuffix(strings.Repeat("$[].", 200), ".")+": {schema: '{{ required }}'}"),
		"a long key":    newPack("? "+long+"\n: hidden: 1\nb:\n- ? "+long+"\n  : 8672309\n", ""),
		"strange keys":  newPack("\"\": 1\n\"a\\nb\": {\"\": 2}\n1: x\n~: y\n\"\\u202e\": 1\n$ref: {a: 1}\n", ""),
		"merge keys":    newPack("a: &a {b: 1, c: {d: 2}}\ne: {<<: *a, f: 1}\n", `e.c.d: {schema: '{{ required | format "${number}" }}'}`),
		"large numbers": newPack("a: 1"+strings.Repeat("0", 900)+"\nb: 1e300\nc: .5\nd: 0x10\n", `a: {schema: '{{ readonly | format "${number:[0-1e1000]}" }}'}`),
	} {
		t.Run(name, func(t *testing.T) {
			reads := "charts: {c: {reads: " + deep(45) + ", subcharts: " + strings.Repeat("{s: {subcharts: ", 300) + "{}" + strings.Repeat("}}", 300) + "}}"
			text := printed(t, p, readFacts(t, reads))
			d, err := p.Values.Document()
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range violationsOf(t, text, d.Root()) {
				t.Errorf("%s: %s", v.Path, v.Message)
			}
			if strings.Contains(text, "hidden") || strings.Contains(text, "8672309") {
				t.Error("what is below a key that is too long is shown")
			}
			if strings.Contains(text, "\u202e") {
				t.Error("a character that turns the text is printed")
			}
		})
	}
}

// What a chart reads is in the JSON Schema down to the same depth, in mappings, in lists, in
// mappings with any keys and in the charts of a chart.
func TestJSONSchemaDepth(t *testing.T) {
	const subcharts = 80
	inSubcharts := func(text string) string {
		return strings.Repeat("{s: ", subcharts) + text + strings.Repeat("}", subcharts)
	}
	keys := func(n int) string { return strings.Repeat("{a: ", n) + strings.Repeat("}", n) }
	var levels func(schema map[string]any) int
	levels = func(schema map[string]any) int {
		deepest := 0
		below, _ := schema["properties"].(map[string]any)
		for _, name := range []string{"items", "additionalProperties"} {
			if s, ok := schema[name].(map[string]any); ok {
				deepest = max(deepest, 1+levels(s))
			}
		}
		for _, s := range below {
			deepest = max(deepest, 1+levels(s.(map[string]any)))
		}
		return deepest
	}
	below := func(own, reads string) [2]string {
		return [2]string{"charts: {c: " + inSubcharts(own) + "}", "charts: {c: " + strings.Repeat("{subcharts: {s: ", subcharts) + reads + strings.Repeat("}}", subcharts) + "}"}
	}
	for name, texts := range map[string][2]string{
		"own values": {"charts: " + keys(120), "{}"},
		"mappings":   below("{}", "{reads: {rules: "+keys(40)+"}}"),
		"lists":      below("{rules: []}", "{reads: {rules: {'*': "+keys(40)+"}}}"),
		"any keys":   below("{}", "{reads: {rules: {'*': "+keys(40)+"}}}"),
		"subcharts":  below("{}", strings.Repeat("{subcharts: {s: ", 40)+"{}"+strings.Repeat("}}", 40)),
	} {
		var schema map[string]any
		if err := json.Unmarshal([]byte(printed(t, newPack(texts[0], ""), readFacts(t, texts[1]))), &schema); err != nil {
			t.Fatal(err)
		}
		if got, want := levels(schema), 101; got != want {
			t.Errorf("%s: %d levels, want %d", name, got, want)
		}
	}
}

// An alias has the default of what it names, unless that is a secret.
func TestJSONSchemaOfAlias(t *testing.T) {
	text := printed(t, newPack("ports: &p [80, 443]\nsame: *p\nlogin: &l {user: admin, password: hunter2}\nother: *l\n", ""), nil)
	var schema struct {
		Properties map[string]struct{ Default any }
	}
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"ports": []any{80., 443.}, "same": []any{80., 443.}, "login": nil, "other": nil} {
		if diff := cmp.Diff(want, schema.Properties[name].Default); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if strings.Contains(text, "hunter2") {
		t.Errorf("a secret is shown:\n%s", text)
	}
}
