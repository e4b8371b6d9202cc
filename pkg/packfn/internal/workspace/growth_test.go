package workspace

import (
	"fmt"
	"path"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// A render of subpackages that have their functionConfigs in files, or name them, costs in
// proportion to their number.
func TestGrowth(t *testing.T) {
	allocations := func(n int) float64 {
		p := &kptpackage.Package{Dir: "p", Kptfiles: map[string]*kptpackage.Kptfile{}}
		for i := range n + 1 {
			dir, pipeline := fmt.Sprintf("s%d", i), `pipeline:
  validators:
  - {exec: validate-pack-values, configPath: fn.yaml}
  - {exec: validate-pack-values, configRef: {kind: ValidatePackValues, name: v}}
`
			if i == n {
				dir, pipeline = ".", ""
			}
			files := map[string]string{
				"Kptfile": head + pipeline,
				"fn.yaml": `apiVersion: fn.kpt.dev/v1alpha1
kind: ValidatePackValues
metadata: {name: v}
`,
				"a.yaml": whenPack,
			}
			kptfile, err := kptpackage.ParseKptfile([]byte(files["Kptfile"]))
			if err != nil {
				t.Fatal(err)
			}
			p.Kptfiles[dir] = kptfile
			for name, text := range files {
				p.Files = append(p.Files, &kptpackage.File{Path: path.Join(dir, name), Package: dir, Text: []byte(text)})
			}
		}
		tree, err := Load(p)
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() {
			result, err := tree.Render(Options{Functions: functions})
			if err != nil || result.Failed || len(result.Runs) != 2*n {
				t.Fatalf("%v, %+v", err, result)
			}
		})
	}
	if one, two := allocations(50), allocations(100); two > 2.3*one {
		t.Errorf("%.0f allocations for 50 packages, %.0f for 100", one, two)
	}
}
