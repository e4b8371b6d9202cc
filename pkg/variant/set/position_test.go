package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

func TestPosition(t *testing.T) {
	d, err := values.Parse("spec:\n  targets:\n  - &a {}\n  - template:\n      labels:\n        a.b/c: 2\n        a: 1\n      labelExprs:\n        key: x\n  - *a\n")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]values.Position{
		"":                                      {Line: 1, Column: 1},
		"spec":                                  {Line: 2, Column: 3},
		"spec.targets[0]":                       {Line: 3, Column: 5},
		"spec.targets[1].template":              {Line: 5, Column: 7},
		"spec.targets[1].template.labels.a":     {Line: 7, Column: 12},
		"spec.targets[1].template.labels.a.b/c": {Line: 6, Column: 16},
		// A mapping for a list of one, what is not there, and what is no path.
		"spec.targets[1].template.labelExprs[0].key": {Line: 9, Column: 14},
		"spec.targets[1].none[3].x":                  {Line: 4, Column: 5},
		"spec.targets[7]":                            {Line: 3, Column: 3},
		"spec.targets[x":                             {Line: 3, Column: 3},
		"spec.targets[-1]":                           {Line: 3, Column: 3},
		"spec[":                                      {Line: 2, Column: 3},
	} {
		if diff := cmp.Diff(want, position(d.Root(), path)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", path, diff)
		}
	}
	if got := position(nil, "spec"); got != (values.Position{}) {
		t.Errorf("of nothing: %v", got)
	}
}

// Faults are in the order of the text: the third element is told before the
// eleventh.
func TestOrderOfFaults(t *testing.T) {
	_, results := evaluate(t, functiontest.List("", setHead+spec+"  targets:\n  - repositories:\n"+strings.Repeat("    - name: ''\n", 11)))
	if len(results) != 11 || !strings.Contains(results[2], "repositories[2]") || !strings.Contains(results[10], "repositories[10]") {
		t.Errorf("got %s", strings.Join(results, "\n"))
	}
}
