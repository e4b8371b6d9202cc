package check

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// Directories that share many files cost no more than a bound.
func TestSharedDirectories(t *testing.T) {
	shared := &tree{checker: &checker{}, dir: t.TempDir(), kustomizations: kustomizations{}}
	for i := range 300 {
		shared.files = append(shared.files, &kptpackage.File{Path: fmt.Sprintf("%d.yaml", i)}, &kptpackage.File{Path: fmt.Sprintf("d/%d/a.yaml", i)})
	}
	if units := shared.units(); len(units) != 1 || len(units[0].Files) != 600 {
		t.Errorf("got %d units", len(units))
	}
}
