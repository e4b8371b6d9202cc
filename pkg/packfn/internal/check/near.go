package check

import (
	"path/filepath"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// setNear sets Near in findings of a unit that have no file: to its Kptfile, or else to its first
// file.
func (c *checker) setNear(u *unit, found []report.Finding) {
	for i := range found {
		if name := u.nearby(); found[i].File == "" && name != "" {
			found[i].Near = report.Place{File: c.Display(u.OnDisk(name)), Line: 1}
		}
	}
}

// nearby returns the path of the file that represents the unit.
func (u *unit) nearby() string {
	if u.Main == "" && len(u.Files) > 0 {
		return u.Files[0].Path
	}
	return u.Main
}

// given returns the first path that the user named, or its Kptfile if it is a package.
func (c *checker) given(paths []string) report.Place {
	if len(paths) == 0 {
		return report.Place{}
	}
	name := paths[0]
	if kptpackage.IsPackage(name) {
		name = filepath.Join(name, kptpackage.KptfileName)
	}
	return report.Place{File: c.Display(name), Line: 1}
}
