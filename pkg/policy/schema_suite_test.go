package policy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The cases of the JSON Schema Test Suite, which the validator's module brings: a
// value is refused exactly when the suite says so, at some place that the descent
// found, and nothing is told of what is accepted.
func TestSchemaSuite(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil || len(dir) == 0 {
		t.Skipf("the module of the validator is not here as files: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata", "draft*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the module of the validator brings no suite: %v", err)
	}
	cases := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Description string
				Data        any
				Valid       bool
			}
		}
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			name := filepath.Base(filepath.Dir(file)) + ": " + g.Description
			s, err := readSchema(string(g.Schema))
			if err != nil {
				if !strings.Contains(err.Error(), "leads to no part of it") && !strings.Contains(err.Error(), "which is not supported") {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			for _, c := range g.Tests {
				cases++
				if message := s.tooCostly(c.Data); message != "" {
					t.Errorf("%s: %s: %s", name, c.Description, message)
					continue
				}
				all, _ := s.violations(c.Data)
				if (len(all) == 0) != c.Valid {
					t.Errorf("%s: %s: valid is %v, got %v", name, c.Description, c.Valid, all)
				}
				d := descent{schema: s, told: map[string]bool{}}
				if d.visit(s.root, c.Data, place{}); (len(d.all) == 0) != c.Valid {
					t.Errorf("%s: %s: valid is %v, and the descent finds %v", name, c.Description, c.Valid, d.all)
				}
			}
		}
	}
	if cases < 1500 {
		t.Errorf("%d cases are fewer than the suite had", cases)
	}
}
