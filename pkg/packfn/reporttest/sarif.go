// Package reporttest checks what tests print as SARIF.
//
// GitHub shows a finding of SARIF in a pull request only if the result has a file and a line.
package reporttest

import (
	_ "embed"
	"encoding/json"
	"sync"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/values"
)

//go:embed sarif-schema-2.1.0.json
var published string

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) { return jsonschema.Parse(published) })

// SARIF reports what the published schema of SARIF 2.1.0 rejects in a text, and results without a URI
// and a line, with which GitHub takes no file. It returns the number of results.
func SARIF(t testing.TB, name, text string) int {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := values.Parse(text)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return 0
	}
	violations, err := s.Validate(document.Root(), 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Errorf("%s: %s: %s", name, v.Path, v.Message)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Message   struct{ Text string }
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, run := range log.Runs {
		for _, result := range run.Results {
			count++
			if len(result.Locations) == 0 {
				t.Errorf("%s: %s: no location: %s", name, result.RuleID, result.Message.Text)
			}
			for _, l := range result.Locations {
				if at := l.PhysicalLocation; at.ArtifactLocation.URI == "" || at.ArtifactLocation.URI == "." || at.Region.StartLine < 1 {
					t.Errorf("%s: %s: the location has no URI or no line: %s", name, result.RuleID, result.Message.Text)
				}
			}
		}
	}
	return count
}
