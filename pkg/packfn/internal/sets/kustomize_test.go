package sets

import (
	"fmt"
	"path"
	"testing"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
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
			for _, one := range s.Sources {
				total += len(one.Files)
			}
		}
		if want := tc.overlays * tc.bases; (len(left) == 0) != tc.ok || tc.ok && total != want || !tc.ok && len(left) != tc.bases {
			t.Errorf("%+v: %d sets of %d files, %d left", tc, len(sets), total, len(left))
		}
	}
}

// treeIn returns a tree without files.
func treeIn(dir string) *Tree {
	isCheck := func(item *list.Item) bool { return item.Kind() == "CheckDemo" }
	display := func(path string) string { return path }
	return New(discovery.NewTree(dir, &discovery.Options{Display: display}), Options{Skip: func(report.Reason, string, int, string, ...any) {}, IsCheck: isCheck})
}

// addKustomization adds a kustomization.
func (t *Tree) addKustomization(file string, text []byte) error {
	k, err := kustomization.Parse(file, text, t.options.IsCheck)
	t.Kustomizations[path.Dir(file)] = k
	return err
}

// Directories that share many files cost no more than a bound.
func TestSharedDirectories(t *testing.T) {
	shared := treeIn(t.TempDir())
	shared.options.ItemsOf = func(*Set) []*list.Item { return nil }
	for i := range 300 {
		shared.Files = append(shared.Files, &kptpackage.File{Path: fmt.Sprintf("%d.yaml", i)}, &kptpackage.File{Path: fmt.Sprintf("d/%d/a.yaml", i)})
	}
	if sets := shared.Sets(); len(sets) != 1 || len(sets[0].Sources[0].Files) != 600 {
		t.Errorf("got %d sets", len(sets))
	}
}
