package workspace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
)

// scripted is a function that does what a test says.
type scripted struct{ process func(*function.Run) }

func (*scripted) Config() any {
	return &struct {
		A string `json:"a"`
	}{}
}
func (*scripted) Wants(item *list.Item) bool  { return item.Kind() == "ConfigMap" }
func (s *scripted) Process(run *function.Run) { s.process(run) }

// A finding is at its line on disk. In a resource that a function has changed that is the line of
// the key, and the message names the function.
func TestFindingPlaces(t *testing.T) {
	wrong := diag.Rule{ID: "a/b", Severity: diag.Error}
	const resource = `# ours
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  values.yaml: |
    x: 1
    y: 2
`
	embedded := func(item *list.Item) *diag.Origin {
		return &diag.Origin{Resource: item.Resource(), Field: "data[values.yaml]", Name: "values.yaml", Embedded: true}
	}
	field := func(item *list.Item) *diag.Origin { return &diag.Origin{Resource: item.Resource()} }
	for name, tc := range map[string]struct {
		entry   string // of the pipeline
		change  bool   // by a mutator before
		finding func(*list.Item) diag.Finding
		want    string // place, source and message; resource and field of a functionConfig
	}{
		"a text": {"", false, func(item *list.Item) diag.Finding {
			return diag.Got("2", "1").In(embedded(item), "y", diag.Position{Line: 2, Column: 4})
		},
			"pkg/a.yaml:9:8 y: must be 1, got 2 (values.yaml)"},
		"a text of a resource that was changed": {"", true, func(item *list.Item) diag.Finding {
			return diag.Got("2", "1").In(embedded(item), "y", diag.Position{Line: 2, Column: 4})
		},
			"pkg/a.yaml:9:8 y: must be 1, got 2 (values.yaml)"},
		"a key that is not there": {"", true, func(item *list.Item) diag.Finding {
			return diag.Got("2", "1").In(embedded(item), "z", diag.Position{Line: 2, Column: 4})
		},
			"pkg/a.yaml:7:3 z: must be 1, got 2 (values.yaml line 2) (after change)"},
		"a field": {"", false, func(item *list.Item) diag.Finding {
			return diag.Got("a", "b").In(field(item), "metadata.name", diag.Position{Line: 5, Column: 9})
		},
			"pkg/a.yaml:5:9 must be b, got a"},
		"a field of a resource that was changed": {"", true, func(item *list.Item) diag.Finding {
			return diag.Got("a", "b").In(field(item), "metadata.name", diag.Position{Line: 7, Column: 9})
		},
			"pkg/a.yaml:5:9 must be b, got a"},
		"nothing": {"", false, func(item *list.Item) diag.Finding { return diag.Say("no pack") },
			"pkg/Kptfile:9:5 no pack"},
		"a map of the Kptfile": {
			`
    configMap:
      a: b`,
			false, func(*list.Item) diag.Finding {
				return diag.Got("b", "c").In(&diag.Origin{}, "data.a", diag.Position{Line: 3, Column: 4})
			},
			"pkg/Kptfile:11:7 must be c, got b, Kptfile x pipeline.validators[0].configMap.a",
		},
		"a functionConfig": {"\n    configPath: ./config.yaml", true, func(*list.Item) diag.Finding {
			return diag.Got("b", "c").In(&diag.Origin{}, "data.a", diag.Position{Line: 6, Column: 11})
		},
			"pkg/config.yaml:8:11 must be c, got b"},
		"a file that is not there": {"", false, func(item *list.Item) diag.Finding {
			return diag.Say("x").In(&diag.Origin{Resource: diag.Resource{File: "new.yaml", PackagePath: "/"}}, "a", diag.Position{Line: 3})
		}, "pkg/new.yaml x"},
	} {
		kptfile := head + `pipeline:
  mutators:
  - exec: change
  validators:
  - exec: find` + tc.entry + "\n"
		tree := load(t, map[string]string{
			"Kptfile": kptfile,
			"a.yaml":  resource,
			"config.yaml": `# two
---
# lines

apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {a: b}
`,
		})
		change := function.Function{Name: "change", Kind: "Change", Mutates: true, New: func() function.Processor {
			return &scripted{func(run *function.Run) {
				if tc.change {
					item := run.Items()[0]
					item.ReplaceText(strings.Replace(string(item.Text()), "metadata:\n", `# changed
# changed
metadata:
`, 1))
				}
			}}
		}}
		find := function.Function{Name: "find", Kind: "Find", Rules: []diag.Rule{wrong}, New: func() function.Processor {
			return &scripted{func(run *function.Run) {
				run.Report(tc.finding(run.Items()[0]).Of(wrong))
			}}
		}}
		result, err := tree.Render(Options{Functions: []function.Function{change, find}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := NewReporter(tree, func(name string) string { return name }).Report(result).Findings
		if len(found) != 1 {
			t.Errorf("%s: got %+v", name, found)
			continue
		}
		f := found[0]
		got := f.File
		if f.Line > 0 {
			got += fmt.Sprintf(":%d:%d", f.Line, f.Column)
		}
		if got += " " + f.Message; f.Resource.String() == "Kptfile x" {
			got += ", Kptfile x " + f.Field
		}
		if got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, tc.want)
		}
		last := &result.Runs[len(result.Runs)-1]
		want := ""
		if tc.change && strings.HasPrefix(tc.want, "pkg/a.yaml") {
			want = "change"
		}
		if by := last.ChangedBy(f.Reported); by != want {
			t.Errorf("%s: changed by %q", name, by)
		}
	}
}
