package schema

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// layers are the documents of one check: the first is the pack's own values.
type layers []string

// none in layers is a pack without a values document.
const none = "none"

// layered makes the values of a check.
func layered(t *testing.T, texts layers, presets ...string) Values {
	t.Helper()
	var v Values
	var merged []values.Layer
	for i, text := range texts {
		if text == none {
			continue
		}
		d := parseText(t, text).From(origin(fmt.Sprintf("layer%d", len(v.Layers))))
		if i == 0 {
			v.Own = d
		}
		v.Layers = append(v.Layers, d)
		merged = append(merged, values.Layer{Document: d})
	}
	for _, text := range presets {
		v.Added = append(v.Added, parseText(t, text))
	}
	v.Tree = values.Merge(merged...)
	v.Absent = origin("absent")
	return v
}

// origin is the place of a document in the facts of findings: a name, and `text`.
func origin(name string) *diag.Origin {
	return &diag.Origin{Resource: diag.Resource{Name: name}, Field: "text", Name: name + ".yaml", Embedded: true}
}

func parseText(t *testing.T, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return d
}

func parseSchema(t *testing.T, text string) *Schema {
	t.Helper()
	s, findings := Parse(parseText(t, text).From(origin("schema")))
	if len(findings) > 0 {
		t.Fatalf("the schema is wrong: %q", functiontest.Facts(findings))
	}
	return s
}

const (
	requiredSchema = "a: {schema: '{{ required }}'}"
	numberSchema   = "a: {schema: '{{ format \"${number}\" }}'}"
	anySchema      = "a: {schema: '{{ hints \"h\" }}'}"
)
