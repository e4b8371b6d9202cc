package jsonschema

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// The groups of the suite that cannot be judged, all for one reason: they refer to
// another document, and nothing is fetched. Each has to fail by that.
const remote = "which leads to another document"

var unsupported = map[string][]string{
	"draft7/definitions.json":     {"validate definition against metaschema"},
	"draft7/ref.json":             {"remote ref, containing refs itself"},
	"draft7/refRemote.json":       {"*"},
	"draft2020-12/defs.json":      {"validate definition against metaschema"},
	"draft2020-12/ref.json":       {"remote ref, containing refs itself"},
	"draft2020-12/refRemote.json": {"*"},
	"draft2020-12/dynamicRef.json": {
		"strict-tree schema, guards against misspelled properties",
		"tests for implementation dynamic anchor and reference link",
		"$ref and $dynamicAnchor are independent of order - $defs first",
		"$ref and $dynamicAnchor are independent of order - $ref first",
		"$ref to $dynamicRef finds detached $dynamicAnchor",
	},
}

// suiteGroup is a schema with its cases.
type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// readSuite calls f for each group of the suite.
func readSuite(t testing.TB, f func(file string, g suiteGroup)) {
	files, err := filepath.Glob(filepath.Join("testdata", "suite", "*", "*.json"))
	if err != nil || len(files) < 80 {
		t.Fatalf("the suite has %d files: %v", len(files), err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []suiteGroup
		if err := json.Unmarshal(content, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			f(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), g)
		}
	}
}

// A value has violations exactly when the suite says that it is not valid, and so
// it is without a report.
func TestSuite(t *testing.T) {
	cases := 0
	readSuite(t, func(file string, g suiteGroup) {
		name := file + ": " + g.Description
		for _, schema := range declarations(file, string(g.Schema)) {
			s, err := Parse(schema)
			if isUnsupported(file, g.Description) {
				if err == nil || !strings.Contains(err.Error(), remote) {
					t.Errorf("%s: got %v, want it not supported: %s", name, err, remote)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			for _, c := range g.Tests {
				cases++
				n, _, err := values.ReadJSON(string(c.Data))
				if err != nil {
					t.Fatal(err)
				}
				all, err := s.Judge(n, 100)
				if err != nil || (len(all) == 0) != c.Valid {
					t.Errorf("%s: %s: valid is %v, got %v, %v", name, c.Description, c.Valid, all, err)
				}
				if got := accepts(s, n); got != c.Valid {
					t.Errorf("%s: %s: without a report valid is %v", name, c.Description, got)
				}
			}
		}
	})
	if cases < 2500 {
		t.Errorf("%d cases are fewer than the suite has", cases)
	}
}

// declarations returns a schema as it is and, where it declares no draft, with the
// one of its file.
func declarations(file, schema string) []string {
	all := []string{schema}
	if rest, ok := strings.CutPrefix(strings.TrimSpace(schema), "{"); ok && !strings.Contains(schema, `"$schema"`) && strings.HasPrefix(file, "draft7/") {
		comma := ","
		if strings.TrimSpace(rest) == "}" {
			comma = ""
		}
		all = append(all, `{"$schema": "http://json-schema.org/draft-07/schema#"`+comma+rest)
	}
	return all
}

func isUnsupported(file, description string) bool {
	for _, known := range unsupported[file] {
		if known == "*" || known == description {
			return true
		}
	}
	return false
}
