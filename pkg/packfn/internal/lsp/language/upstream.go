package language

import (
	"cmp"
	"path/filepath"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// upstream returns the Kptfile of the upstream package that the PackageVariant or
// PackageVariantSet at the position names. The folder of the package comes from the configuration
// of packfn fleet.
func (c *Query) upstream() (found filePosition) {
	t := c.site
	file, err := config.Find(filepath.Dir(t.file), cmp.Or(c.workspace.Folder(t.file), filepath.Dir(t.file)))
	if err != nil {
		return found
	}
	name := t.beside("repo") + "/" + t.beside("package")
	dir := filepath.FromSlash(cmp.Or(file.Fleet.Upstream[name+"@"+t.beside("revision")], file.Fleet.Upstream[name]))
	if dir == "" {
		return found
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(file.Dir, dir)
	}
	if kptpackage.IsPackage(dir) {
		found = filePosition{filepath.Join(dir, kptpackage.KptfileName), diag.Position{Line: 1}}
	}
	return found
}
