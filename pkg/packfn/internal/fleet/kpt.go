package fleet

import (
	"context"
	"os"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// byKpt returns a package as [Options.Kpt] renders it, in a folder that is removed. The reason
// says why kpt does not; then there is no package.
func (w *work) byKpt(tree *render.Tree, others []render.File) (after *render.Tree, reason string, err error) {
	dir, err := os.MkdirTemp("", "packfn-fleet-")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	dir = filepath.Join(dir, "package")
	var files []staging.Change
	for _, file := range withOthers(others, tree.Files(tree.Items())) {
		files = append(files, staging.Change{Path: file.Path, Text: file.Text})
	}
	if err := new(staging.Area).WriteTree(context.Background(), dir, files); err != nil {
		return nil, "", err
	}
	if reason, err = w.options.Kpt(dir); reason != "" || err != nil {
		return nil, reason, err
	}
	read, err := kptpackage.Read(dir)
	if err != nil {
		return nil, "", err
	}
	after, err = render.Load(read)
	return after, "", err
}
