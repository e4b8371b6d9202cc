package check

import (
	"fmt"
	"path"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/kustomization"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// Many kustomizations that name the same ones cost no more than a bound.
func TestSharedKustomizations(t *testing.T) {
	for _, tc := range []struct {
		overlays, bases int
		ok              bool
	}{{10, 100, true}, {1000, 1, true}, {30_000, 0, true}, {300, 300, false}} {
		k := treeIn(t.TempDir())
		base := ""
		for i := range tc.bases {
			name := fmt.Sprintf("base/%d.yaml", i)
			k.Files = append(k.Files, &kptpackage.File{Path: name})
			base += fmt.Sprintf("- %d.yaml\n", i)
		}
		for i := range tc.overlays {
			k.addKustomization(fmt.Sprintf("overlay-%d/kustomization.yaml", i), []byte("resources: [../base]\n"))
		}
		k.addKustomization("base/kustomization.yaml", []byte("resources:\n"+base))
		sets, left := k.readKustomizations()
		total := 0
		for _, s := range sets {
			for _, one := range s.sources {
				total += len(one.files)
			}
		}
		if want := tc.overlays * tc.bases; (len(left) == 0) != tc.ok || tc.ok && total != want || !tc.ok && len(left) != tc.bases {
			t.Errorf("%+v: %d sets of %d files, %d left", tc, len(sets), total, len(left))
		}
	}
}

// treeIn returns a tree without files.
func treeIn(dir string) *tree {
	c := &checker{report: &report.Report{}}
	return &tree{Tree: discovery.NewTree(dir, &discovery.Options{Display: c.Display}), checker: c, isGenerating: map[string]bool{}}
}

// addKustomization adds a kustomization.
func (t *tree) addKustomization(file string, text []byte) error {
	k, err := kustomization.Parse(file, text, t.checker.isCheck)
	t.Kustomizations[path.Dir(file)] = k
	return err
}

// A function that check can run is not reported as a change that was left out.
// Which functions it can run depends on the list of functions.
func TestFunctionsOfKustomizations(t *testing.T) {
	c := &checker{checks: []function.Function{{Kind: "CheckDemo"}}}
	for kind, want := range map[string]bool{"CheckDemo": false, "ChangeDemo": true} {
		text := `transformers:
- |
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ` + kind + `
  metadata: {name: a}
`
		k, err := kustomization.Parse("kustomization.yaml", []byte(text), c.isCheck)
		if err != nil {
			t.Fatal(err)
		}
		if changes := k.Changes["transformers"] != nil; changes != want {
			t.Errorf("%s changes what is checked: %v", kind, changes)
		}
	}
}
