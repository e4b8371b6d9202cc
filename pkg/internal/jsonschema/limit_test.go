package jsonschema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/meter"
)

// doubling returns the definitions of schemas that each use the next one twice, by
// a keyword with a list of schemas, and the last of them.
func doubling(keyword, last string) string {
	var b strings.Builder
	for n := range 60 {
		fmt.Fprintf(&b, `"x%d": {"%s": [{"$ref": "#/definitions/x%d"}, {"$ref": "#/definitions/x%d"}]}, `, n, keyword, n+1, n+1)
	}
	return `"$ref": "#/definitions/x0", "definitions": {` + b.String() + `"x60": ` + last + `}`
}

// repeat returns n texts with their number, joined by commas.
func repeat(n int, format string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(format, "#N", fmt.Sprint(i))
	}
	return strings.Join(all, ", ")
}

// What would take for ever ends with an error.
func TestLimits(t *testing.T) {
	const (
		endless = "it refers to itself without end"
		steps   = "it takes more than 250000 steps to check"
		deep    = "it nests more than 500 schemas to check the value"
	)
	long := strings.Repeat("a", 1_000_000)
	nested := func(open, close string, n int) string { return strings.Repeat(open, n) + strings.Repeat(close, n) }
	for _, tc := range []struct{ name, schema, value, want string }{
		{"itself", `{"$ref": "#"}`, "1", endless},
		{"a circle", `{"$ref": "#/definitions/a", "definitions": {"a": {"not": {"$ref": "#/definitions/b"}}, "b": {"anyOf": [{"$ref": "#/definitions/a"}]}}}`, "1", endless},
		{"a circle that forks", `{"allOf": [{"$ref": "#"}, {"$ref": "#"}]}`, "1", endless},
		{"a circle by keys", `{"dependentSchemas": {"a": {"$ref": "#"}}}`, "a: 1", endless},
		{"a circle by conditions", `{"if": {"$ref": "#"}}`, "1", endless},
		{"a dynamic reference", `{` + as2020 + `"$dynamicAnchor": "x", "properties": {"a": {"$dynamicRef": "#x"}}}`, "a: 1", "it uses $dynamicRef or $recursiveRef"},
		{"the schema of a draft", `{"$ref": "https://json-schema.org/draft/2020-12/schema"}`, "not: {}", "it uses $dynamicRef or $recursiveRef"},
		{"a recursion that ends", `{"additionalProperties": {"$ref": "#"}, "propertyNames": {"$ref": "#"}}`, "{a: {b: {c: {}}}}", ""},
		{"allOf", `{` + doubling("allOf", `{"type": "integer"}`) + `}`, "1", steps},
		{"anyOf", `{` + doubling("anyOf", `{"type": "string"}`) + `}`, "1", steps},
		{"oneOf", `{` + doubling("oneOf", `{"type": "integer"}`) + `}`, "1", steps},
		{"many references", `{"$ref": "#/definitions/0", "definitions": {` + repeat(2000, `"#N": {"$ref": "#/definitions/next#N"}, "next#N": true`) + `}}`, "1", ""},
		{"a deep recursion", `{` + chain(600) + `}`, "1", deep},
		{"many branches for many elements", `{"items": {"anyOf": [` + repeat(2000, `{"const": #N}`) + `]}}`, "[" + repeat(2000, "x") + "]", steps},
		{"many patterns for many keys", `{"patternProperties": {` + repeat(2000, `"^#N.*x": {"type": "string"}`) + `}}`, "{" + repeat(2000, "a#N: 1") + "}", steps},
		{"many required keys", `{"items": {"not": {"required": [` + repeat(10_000, `"a#N"`) + `]}}}`, "[" + repeat(5000, "{}") + "]", steps},
		{"many dependent keys", `{"items": {"dependentSchemas": {` + repeat(10_000, `"a#N": false`) + `}}}`, "[" + repeat(5000, "{}") + "]", steps},
		{"many unevaluated elements", `{"allOf": [` + repeat(100, `{"items": {}, "minItems": 1}`) + `], "unevaluatedItems": false}`, "[" + repeat(10_000, "1") + "]", steps},
		{"a pattern for a long text", `{"allOf": [` + repeat(1000, `{"pattern": "(x+x+)+y"}`) + `]}`, long, steps},
		{"a large pattern for a long text", `{"pattern": "` + nested("(a?", ")", 200) + nested("a", "", 200) + `$"}`, long, steps},
		{"long texts", `{"allOf": [` + repeat(1000, `{"uniqueItems": true}`) + `]}`, "[" + long[:10_000] + ", b" + long[:10_000] + "]", ""},
		{"equal texts", `{"allOf": [` + repeat(1000, `{"const": "x"}`) + `]}`, long[:100_000], `must be "x"`},
		{"hints", `{"properties": {` + repeat(8000, `"key#N": {}`) + `}, "additionalProperties": false}`, "{" + repeat(8000, "kez#N: 1") + "}", "is not allowed"},
		{"long names", `{"properties": {"` + long + `": {}}, "additionalProperties": false}`, "{b" + long[:1000] + ": 1}", "is not allowed"},
		{"numbers with many digits", `{"items": {"allOf": [` + repeat(1000, `{"minimum": 1e300}`) + `]}}`, "[" + repeat(100, "1.1e-300") + "]", steps},
		{"names of keys", `{"additionalProperties": {"items": {"propertyNames": {"maxLength": 0}}}}`, "{a: [" + repeat(5000, "{c: 1}") + "], b: [" + repeat(5000, "{c: 1}") + "]}", "at most 0 characters"},
		{"lists with the same hash", `{"uniqueItems": true}`, "[" + repeat(20_000, "[a, b#N]") + "]", steps},
		{"a deep value", `{"items": {"$ref": "#"}}`, nested("[", "]", 999), ""},
		{"a sensible oneOf in a long list", `{"items": {"oneOf": [{"type": "string"}, {"type": "object", "required": ["name"]}]}}`, "[" + repeat(20_000, "{name: x}") + "]", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := mustParse(t, tc.schema)
			all, err := s.Validate(root(t, tc.value), 100)
			got := fmt.Sprint(err)
			if err == nil {
				got = ""
				for _, v := range all {
					got += v.Message
				}
			}
			if !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
				t.Errorf("got %.200q, want %q", got, tc.want)
			}
		})
	}
}

// chain returns a schema that leads to the last of n schemas through all of them.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%d": {"allOf": [{"$ref": "#/definitions/%d"}]}, `, i, i+1)
	}
	return `"$ref": "#/definitions/0", "definitions": {` + b.String() + fmt.Sprintf(`"%d": {"type": "string"}}`, n)
}

// What is too large for a schema is a fault.
func TestSchemaLimits(t *testing.T) {
	for _, tc := range []struct{ name, schema, want string }{
		{"nesting", strings.Repeat(`{"not":`, 900) + "{}" + strings.Repeat("}", 900), "the schema is too large"},
		{"deep nesting", strings.Repeat(`{"not":`, 5000) + "{}" + strings.Repeat("}", 5000), "is nested deeper than 1000 levels"},
		{"endless nesting", strings.Repeat("[", 1_000_000), "is nested deeper than 1000 levels"},
		{"a pattern", `{"pattern": "((a{100}){100}){100}"}`, "invalid repeat count"},
		{"patterns", `{"allOf": [` + repeat(150, `{"pattern": "(a{30}){30}#N"}`) + `]}`, "the patterns of the schema have more than 100000 instructions"},
		{"faults", `{"allOf": [` + repeat(1000, `{"type": 1}`) + `]}`, "; 12 more"},
		{"parts", `{"allOf": [` + repeat(10_000, `{"type": 1}`) + `]}`, "the schema is too large"},
		{"identifiers", `{"allOf": [` + repeat(3000, `{"$id": "x#N"}`) + `]}`, "the schema is too large"},
		{"references to unknown keywords", `{"allOf": [` + repeat(3000, `{"$ref": "#/x/#N"}`) + `], "x": {` + repeat(3000, `"#N": {}`) + `}}`, "the schema is too large"},
		{"a long key over many parts", `{"properties": {"` + strings.Repeat("k", 300_000) + `": {"properties": {` + repeat(3000, `"#N": {"type": "string"}`) + `}}}}`, "the schema is too large"},
	} {
		_, err := Parse(tc.schema)
		if got := fmt.Sprint(err); !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %.300s, want %s", tc.name, got, tc.want)
		}
	}
}

// Nodes that no parser of texts lets through end with a violation.
func TestHostileNodes(t *testing.T) {
	var endless yaml.Node
	if err := yaml.Unmarshal([]byte("a: &a [*a]"), &endless); err != nil {
		t.Fatal(err)
	}
	all, err := mustParse(t, "true").Validate(endless.Content[0], 10)
	if err != nil || len(all) != 1 || !strings.Contains(all[0].Message, "than 1000") {
		t.Errorf("got %v, %v", all, err)
	}
	deep := &yaml.Node{Kind: yaml.SequenceNode}
	for range 100_000 {
		deep = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{deep}}
	}
	if all, err := mustParse(t, "true").Validate(deep, 10); err != nil || len(all) != 1 {
		t.Errorf("got %d, %v", len(all), err)
	}
	// Each of many lists is at the bottom of the next one.
	deep = &yaml.Node{Kind: yaml.SequenceNode, Anchor: "a"}
	for range 2000 {
		anchored := deep
		deep = &yaml.Node{Kind: yaml.AliasNode, Alias: anchored}
		for range 900 {
			deep = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{deep}}
		}
		deep.Anchor = "a"
		deep = &yaml.Node{Kind: yaml.SequenceNode, Anchor: "a", Content: []*yaml.Node{anchored, deep}}
	}
	if all, err := mustParse(t, "{\"const\": 1}").Validate(deep, 10); err != nil || len(all) != 1 || !strings.Contains(all[0].Message, "than 1000") {
		t.Errorf("got %v, %v", all, err)
	}
}

// Each check charges the run, also one that is too long to be made, because its schema was measured. A run with few
// steps left does not measure more than these.
func TestValidateInChargesRun(t *testing.T) {
	small, wide, value := mustParse(t, `{"type": "integer"}`), mustParse(t, `{"items": {"anyOf": [`+repeat(2000, `{"const": #N}`)+`]}}`), root(t, "["+repeat(2000, "x")+"]")
	var run meter.Meter
	if _, err := small.ValidateIn(&run, root(t, "1"), 1); err != nil || run.Spent() != StepsOfCheck {
		t.Errorf("a small schema takes %d steps, and returns %v", run.Spent(), err)
	}
	run = meter.Meter{}
	if _, err := wide.ValidateIn(&run, value, 1); err == nil || errors.Is(err, ErrSpent) || run.Spent() != StepsOfCheck*maxSteps {
		t.Errorf("a wide schema takes %d steps, and returns %v", run.Spent(), err)
	}
	run = meter.Meter{}
	run.Spend(meter.MaxSteps - 1000*StepsOfCheck)
	if _, err := wide.ValidateIn(&run, value, 1); !errors.Is(err, ErrSpent) || run.Left() != 0 {
		t.Errorf("beyond the run, %d steps are left, and the error is %v", run.Left(), err)
	}
	run.Grow(1000 * StepsOfCheck)
	b := newBound(newTree(value), wide, run.Left()/StepsOfCheck)
	if b.measure(wide.compiled, value, 0); len(b.measured) > 2000 {
		t.Errorf("%d pairs are measured", len(b.measured))
	}
}
