package inventory_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
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
	p := packIn(t, dir)
	read, _ := p.Facts()
	return printed(t, p.Pack, read), read
}

func packIn(t *testing.T, dir string) check.Pack {
	t.Helper()
	packs, err := check.Packs([]string{dir}, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return packs[0]
}

// printedSchema returns the JSON Schema of a pack as the command prints it, which is the same each
// time, and the faults of the schema of the pack.
func printedSchema(t *testing.T, p *pack.Pack, read *facts.Pack) (string, []diag.Finding, error) {
	t.Helper()
	var texts [2]bytes.Buffer
	var faults []diag.Finding
	for i := range texts {
		schema, found, err := inventory.JSONSchema(p, read)
		if err != nil {
			return "", nil, err
		}
		if err := report.WriteJSON(&texts[i], schema); err != nil {
			t.Fatal(err)
		}
		faults = found
	}
	if texts[0].String() != texts[1].String() {
		t.Error("the same pack has two JSON Schemas")
	}
	return texts[0].String(), faults, nil
}

// printed returns the JSON Schema of a pack without faults.
func printed(t *testing.T, p *pack.Pack, read *facts.Pack) string {
	t.Helper()
	text, faults, err := printedSchema(t, p, read)
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	return text
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
		"wide":       newPack(wide.String(), entries.String()),
		"deep":       newPack(deep(900), path+`: {schema: '{{ required | format "${number}" }}'}`),
		"deep lists": newPack("a: "+strings.Repeat("[", 250)+strings.Repeat("]", 250), "a."+strings.TrimSuffix(strings.Repeat("$[].", 200), ".")+": {schema: '{{ required }}'}"),
		"a long key": newPack("? "+long+`
: hidden: 1
b:
- ? `+long+`
  : 8672309
`, ""),
		"strange keys": newPack(`"": 1
"a\nb": {"": 2}
1: x
~: y
"\u202e": 1
$ref: {a: 1}
`, ""),
		"merge keys": newPack(`a: &a {b: 1, c: {d: 2}}
e: {<<: *a, f: 1}
`, `e.c.d: {schema: '{{ required | format "${number}" }}'}`),
		"large numbers": newPack("a: 1"+strings.Repeat("0", 900)+`
b: 1e300
c: .5
d: 0x10
`, `a: {schema: '{{ readonly | format "${number:[0-1e1000]}" }}'}`),
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
