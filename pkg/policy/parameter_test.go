package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// violationsOf returns the violations in a value, sorted: the path, the keyword that is not satisfied with its
// place in the schema, and the message.
func violationsOf(t *testing.T, schema, value string) []string {
	t.Helper()
	document, err := values.Parse(value)
	if err != nil {
		t.Fatal(err)
	}
	typ := &manifest.Type{TypeSpec: manifest.TypeSpec{Ref: manifest.Ref{Path: "cap.type.x", Revision: "0.1.0"}, JSONSchema: manifest.SchemaText{Value: schema}}}
	x, _ := NewIndex(Hub{}, nil)
	found, faults := x.violations(typ, document.Root())
	var all []string
	for _, v := range found {
		if message := v.Message(); strings.Contains(message, "hunter2") || strings.Contains(message, "1234567") {
			t.Errorf("%q has the value", message)
		}
		all = append(all, v.path+": "+v.Tags["schema"]+": "+v.Message())
	}
	for _, f := range faults {
		all = append(all, "schema "+f.Tags["schema"]+": "+f.Message())
	}
	slices.Sort(all)
	return all
}

// The violations that are reported have a limit, and a message reports that there are more.
func TestViolationsAreBounded(t *testing.T) {
	var schema, value strings.Builder
	for n := range 30 {
		fmt.Fprintf(&schema, `"a%d": {"type": "string"}, `, n)
		fmt.Fprintf(&value, "a%d: 1\n", n)
	}
	all := violationsOf(t, `{"properties": {`+schema.String()+`"z": {}}}`, value.String())
	if len(all) != maxViolations+1 || !strings.HasPrefix(all[0], ": : ") {
		t.Errorf("got %d: %s", len(all), all)
	}
	for range 20 {
		if diff := cmp.Diff(all, violationsOf(t, `{"properties": {`+schema.String()+`"z": {}}}`, value.String())); diff != "" {
			t.Fatalf("others are reported each time: %s", diff)
		}
	}
}

// A schema that is too deep has a fault.
func TestDeepSchema(t *testing.T) {
	deep := strings.Repeat(`{"not":`, 900) + "{}" + strings.Repeat("}", 900)
	if got := violationsOf(t, deep, "{const: 1}"); len(got) != 1 || !strings.HasPrefix(got[0], "schema #: ") {
		t.Errorf("got %q", got)
	}
}

// A schema may have many references, as those that hubs generate.
func TestManyReferences(t *testing.T) {
	const names = 300
	var properties, given, want []string
	for i := range names {
		properties = append(properties, fmt.Sprintf(`"k%d": {"anyOf": [{"$ref": "#/definitions/text"}, {"type": "null"}]}`, i))
		value := "x"
		if i%100 == 1 {
			value = "5"
			want = append(want, fmt.Sprintf("k%d: #/properties/k%d/anyOf", i, i))
		}
		given = append(given, fmt.Sprintf("k%d: %s", i, value))
	}
	slices.Sort(want)
	schema := `{"definitions": {"text": {"type": "string"}}, "properties": {` + strings.Join(properties, ", ") + `}}`
	got := violationsOf(t, schema, "{"+strings.Join(given, ", ")+"}")
	for i, line := range got {
		place, _, _ := strings.Cut(line, "/anyOf: ")
		got[i] = place + "/anyOf"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// When the steps of a run are spent, a value is still checked if that is cheap. The first one that is not
// ends the checks with a finding.
func TestStepsOfParameters(t *testing.T) {
	document, err := values.Parse("[" + strings.Repeat("x, ", 200) + "]")
	if err != nil {
		t.Fatal(err)
	}
	schema := func(items string) *manifest.Type {
		return &manifest.Type{TypeSpec: manifest.TypeSpec{JSONSchema: manifest.SchemaText{Value: `{"type": "object", "items": {"allOf": [` + items + `true]}}`}}}
	}
	cheap, dear := schema(""), schema(strings.Repeat("true, ", 100))
	x, _ := NewIndex(Hub{}, nil)
	x.meter.Spend(meter.MaxSteps)
	var got []string
	for _, typ := range []*manifest.Type{cheap, dear, cheap, dear} {
		found, faults := x.violations(typ, document.Root())
		for _, f := range faults {
			got = append(got, f.Rule.ID+" "+f.Key)
		}
		got = append(got, strconv.Itoa(len(found)))
	}
	if want := []string{"1", "input/invalid spec.jsonSchema.value", "0", "0", "0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
