package inventory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// The own values of public packs are valid by their JSON Schemas.
func TestCorpus(t *testing.T) {
	constraints, charts, defaults := 0, 0, 0
	for _, path := range functiontest.Corpus(t, "packs/*/values.yaml") {
		schema, read := schemaOf(t, filepath.Dir(path))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		document, err := values.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violationsOf(t, schema, document.Root()) {
			t.Errorf("%s: line %d: %s: %s", path, v.Position.Line, v.Path, v.Message)
		}
		constraints += strings.Count(schema, `"type":`) - 1
		defaults += strings.Count(schema, `"default":`)
		charts += len(read.Charts)
	}
	t.Logf("%d values with a type, %d defaults, %d charts", constraints, defaults, charts)
}

// kpt does not change the layout of the PackValues for a public pack, with its most usual values and
// with all.
func TestCorpusStarters(t *testing.T) {
	lines := 0
	for _, path := range functiontest.Corpus(t, "packs/*/values.yaml") {
		for _, isAll := range []bool{false, true} {
			text, err := starter(t, packIn(t, filepath.Dir(path)).Pack, isAll)
			if err != nil && !strings.HasSuffix(err.Error(), "has no values") {
				t.Errorf("%s: %v", path, err)
			}
			lines += strings.Count(text, "\n")
		}
	}
	t.Logf("%d lines", lines)
}
