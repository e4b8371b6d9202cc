package palette

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/values"
)

// A profile with too many packs is an error that names the limit.
func TestTooManyPacks(t *testing.T) {
	profileOf := func(packs int) string {
		return `{"metadata": {"name": "site"}, "spec": {"template": {"packs": [` + strings.TrimSuffix(strings.Repeat(`{"name": "a"},`, packs), ",") + `]}}}`
	}
	if _, err := Read("p.json", []byte(profileOf(maxPacks))); err != nil {
		t.Error(err)
	}
	const want = "p.json:1:63: the profile has 10001 packs, above the limit of 10000; split it into several profiles"
	if _, err := Read("p.json", []byte(profileOf(maxPacks+1))); err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

// The names of packs of one name take a number of tries that grows with the packs, and not with its square.
func TestManyPacksOfOneName(t *testing.T) {
	texts := func(packs int) float64 {
		p := &Profile{Packs: make([]Pack, packs)}
		return testing.AllocsPerRun(1, func() {
			for i := range p.Packs {
				p.Packs[i] = Pack{Entry: layout.Map("name", layout.Text("web"))}
			}
			p.nameResources()
		})
	}
	if few, many := texts(500), texts(1000); many > 2.5*few {
		t.Errorf("500 packs make %.0f texts and nodes, and 1000 make %.0f", few, many)
	}
}

// A profile of the type cluster has all packs of a cluster.
func TestIsWhole(t *testing.T) {
	for kind, want := range map[string]bool{"cluster": true, "infra": false, "add-on": false} {
		p, err := Read("p.json", fmt.Appendf(nil, `{"metadata": {"name": "e"}, "spec": {"template": {"type": %q, "packs": []}}}`, kind))
		if err != nil {
			t.Fatal(err)
		}
		if p.IsWhole() != want {
			t.Errorf("%s: got %v", kind, p.IsWhole())
		}
	}
}

// Paths in findings about a ClusterProfile are paths in the exported file.
func TestExportedPath(t *testing.T) {
	for path, want := range map[string]string{
		"metadata.name": "metadata.name", "spec": "spec", "spec.document.metadata.labels": "metadata.labels", "spec.document": "",
		"spec.packs[0].name": "spec.template.packs[0].name", "spec.packs[1].registry.uid": "spec.template.packs[1].registry.metadata.uid", "spec.packs": "spec.template.packs",
		"spec.variables[0].name": "spec.variables[0].name", "spec.cloudType": "spec.template.cloudType", "spec.other": "spec.other",
	} {
		if got := exportedPath(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	document, err := values.Parse(`a:
  b:
  - c: 1
  - d: 2
`)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]diag.Position{
		"a.b[1].d": {Line: 4, Column: 5}, "a.b[1].x": {Line: 4, Column: 5}, "a.b[7].x": {Line: 2, Column: 3}, "a.x.y": {Line: 1, Column: 1}, "x": {Line: 1, Column: 1}, "x.y[1]": {Line: 1, Column: 1},
	} {
		if got := nearestAt(new(place.Trees), document.Root(), path); got != want {
			t.Errorf("%s: got %v", path, got)
		}
	}
}

// A finding about the values of a pack has its place in their text, and one about the pack that
// of its entry.
func TestPlaceInProfile(t *testing.T) {
	p, err := Read("p.json", []byte(`{"metadata": {"name": "e"}, "spec": {"template": {"type": "cluster", "packs": [
 {"name": "a", "values": "x: 1\ny: 2\n"},
 {"name": "b"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	of := func(index int, name string, embedded bool, key string, at diag.Position) *diag.Finding {
		return &diag.Finding{Where: diag.Where{Origin: &diag.Origin{Resource: diag.Resource{Index: index}, Embedded: embedded, Name: name}, Key: key, Position: at}}
	}
	for name, tc := range map[string]struct {
		f     *diag.Finding
		at    string
		field string
	}{
		"a line of values":      {of(1, valuesFile, true, "", diag.Position{Line: 2, Column: 1}), "line 2, column 33", "spec.template.packs[0].values"},
		"a key of values":       {of(1, valuesFile, true, "y", diag.Position{}), "line 2, column 33", "spec.template.packs[0].values"},
		"a place of values":     {of(1, valuesFile, true, "y", diag.Position{Line: 1, Column: 1}), "line 2, column 27", "spec.template.packs[0].values"},
		"all values":            {of(1, valuesFile, true, "", diag.Position{}), "line 2, column 26", "spec.template.packs[0].values"},
		"no such line":          {of(1, valuesFile, true, "", diag.Position{Line: 9, Column: 1}), "line 2, column 26", "spec.template.packs[0].values"},
		"another document":      {of(1, "schema.yaml", true, "y", diag.Position{Line: 2, Column: 1}), "line 2, column 11", "spec.template.packs[0]"},
		"the resource":          {of(1, valuesFile, false, "y", diag.Position{Line: 2, Column: 1}), "line 2, column 11", "spec.template.packs[0]"},
		"a pack without values": {of(2, valuesFile, true, "y", diag.Position{Line: 2, Column: 1}), "line 3, column 11", "spec.template.packs[1].values"},
		"after the packs":       {of(3, valuesFile, true, "", diag.Position{}), "line 1, column 1", ""},
		"the profile":           {of(0, "", false, "spec.type", diag.Position{}), "line 1, column 51", "spec.template.type"},
	} {
		if file, got := p.Place(tc.f); got.String() != tc.at || file != "p.json" {
			t.Errorf("%s: got %s %s, want %s", name, file, got, tc.at)
		}
		if got := p.Field(tc.f); got != tc.field {
			t.Errorf("%s: the field is %s, want %s", name, got, tc.field)
		}
	}
}
