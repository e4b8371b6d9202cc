package inventory_test

import (
	"bytes"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/facts"
	"github.com/krm-packs/functions/pkg/jsonschema"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/inventory"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// schemaOf returns the JSON Schema of the pack in a directory as it is printed.
func schemaOf(t *testing.T, dir string) (string, *facts.Pack) {
	t.Helper()
	packs, err := check.Packs([]string{dir}, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read, _ := packs[0].Facts()
	schema, _, err := inventory.JSONSchema(packs[0].Pack, read)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := report.WriteJSON(&text, schema); err != nil {
		t.Fatal(err)
	}
	return text.String(), read
}

func judge(t *testing.T, schema string, n *yaml.Node) []jsonschema.Violation {
	t.Helper()
	compiled, err := jsonschema.Parse(schema)
	if err != nil {
		t.Fatal(err)
	}
	if w := compiled.Warnings(); len(w) > 0 {
		t.Errorf("the schema has warnings: %v", w)
	}
	found, err := compiled.Judge(n, 100)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
