package check

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// packages is a package with subpackages that each run a check over one resource.
func packages(t *testing.T, n int) *kptpackage.Package {
	t.Helper()
	p := &kptpackage.Package{Dir: "p", Kptfiles: map[string]*kptpackage.Kptfile{".": {}}}
	for i := range n {
		dir := fmt.Sprintf("g%d/p%d", i%7, i)
		p.Kptfiles[dir] = &kptpackage.Kptfile{Validators: []kptpackage.Function{{Exec: "validate-pack-values"}}}
		p.Files = append(p.Files, &kptpackage.File{
			Path:    dir + "/a.yaml",
			Package: dir,
			Text: []byte(`apiVersion: v1
kind: ConfigMap
metadata:
  name: a
`),
		})
	}
	return p
}

// What is done for a package does not grow with the number of packages beside it. Each
// resource is copied for the functions of the packages around it, and for no other.
func TestGrowth(t *testing.T) {
	f := function.Function{Name: "validate-pack-values"}
	allocations := func(n int) float64 {
		p := packages(t, n)
		return testing.AllocsPerRun(2, func() {
			u := (&checker{}).unitIn(workspace.New(p, newRoom()))
			steps, faults := u.steps([]function.Function{f})
			if len(faults) > 0 || len(steps) != n {
				t.Fatalf("%d steps: %v", len(steps), faults)
			}
			runs := (&checker{}).runsOf(u, f, steps)
			if len(runs) != n {
				t.Fatalf("%d runs", len(runs))
			}
			for i, r := range runs {
				if len(r.items) != 1 {
					t.Fatalf("run %d has %d items", i, len(r.items))
				}
				u.reporter.File(fmt.Sprintf("g%d/p%d/a.yaml", i%7, i))
			}
		})
	}
	if one, two := allocations(200), allocations(400); two > 2.3*one {
		t.Errorf("%.0f allocations for 200 packages, %.0f for 400", one, two)
	}
}
