package workspace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
)

// A check that no pipeline names runs over each package with its subpackages, but for subpackages with a
// pipeline of the suite or a ClusterContext of their own. A step that names the check covers all below it.
func TestUnnamed(t *testing.T) {
	own := function.Function{Name: "own", New: func() function.Processor { return nil }}
	check := function.Function{Name: "check", New: own.New}
	for name, tc := range map[string]struct {
		packages []string // with c for a ClusterContext
		steps    map[string]function.Function
		want     string
	}{
		"no pipeline":                        {[]string{".", "a", "a/b"}, nil, ".: . a a/b"},
		"a pipeline of the suite":            {[]string{".", "a", "a/b"}, map[string]function.Function{"a": own}, ".: .; a: a a/b"},
		"a pipeline of another suite":        {[]string{".", "a"}, map[string]function.Function{"a": {}}, ".: . a"},
		"a ClusterContext":                   {[]string{".", "a c", "b c"}, nil, ".: .; a: a; b: b"},
		"in the root":                        {[]string{". c", "a"}, nil, ".: . a"},
		"a step in the root":                 {[]string{".", "a c"}, map[string]function.Function{".": check}, ""},
		"a step in a subpackage":             {[]string{".", "a", "a/b c"}, map[string]function.Function{"a": check}, ".: ."},
		"nothing of its own":                 {[]string{"a c", "b c"}, nil, "a: a; b: b"},
		"of one name at the start is not in": {[]string{"a c", "ab"}, nil, ".: ab; a: a"},
	} {
		var items []*list.Item
		for _, dir := range tc.packages {
			kind := "Pack"
			if strings.HasSuffix(dir, " c") {
				kind = "ClusterContext"
			}
			text := `apiVersion: packs.kpt.dev/v1alpha1
kind: ` + kind + "\nmetadata: {name: x}\n"
			items = append(items, list.FileItem([]byte(text), "x.yaml", 0).InPackage(packagePath(strings.TrimSuffix(dir, " c"))))
		}
		var steps []pipeline.Step
		for dir, f := range tc.steps {
			steps = append(steps, pipeline.Step{Package: dir, Function: f})
		}
		var got []string
		for _, scope := range Unnamed("check", steps, items) {
			var dirs []string
			for _, item := range scope.Items {
				dirs = append(dirs, PackageOf(item))
			}
			slices.Sort(dirs)
			got = append(got, fmt.Sprintf("%s: %s", scope.Package, strings.Join(dirs, " ")))
		}
		if got := strings.Join(got, "; "); got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}
