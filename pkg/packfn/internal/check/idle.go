package check

import (
	"fmt"
	"path"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// noteIdle adds a note about files and packages that the user named and that contain nothing that
// a check reads. Without it, the result "0 errors" would suggest that they were checked.
func (c *checker) noteIdle(u *unit, isNamed bool) {
	if !isNamed || u.pack != nil || u.profile != nil {
		return
	}
	steps, _ := u.steps(c.Functions)
	if len(steps) > 0 || len(u.joined) > 0 {
		return
	}
	known := c.resources()
	var kinds, names []string
	for _, one := range u.Items() {
		name := path.Base(one.Resource().File)
		if one.Kind() == kptpackage.KptfileName || name == "package-context.yaml" {
			continue
		}
		document, err := one.Document()
		if err != nil || one.Fault() != "" || known.isOurs(one, document.Root()) {
			return
		}
		kinds = append(kinds, one.Kind())
		names = append(names, c.Display(u.OnDisk(workspace.PathOf(one))))
	}
	if len(kinds) == 0 {
		return
	}
	slices.Sort(kinds)
	what := diag.SomeOf(slices.Compact(names))
	if !u.loose {
		what = c.Display(u.Dir)
	}
	c.note("not checked: %s", fmt.Sprintf("%s: no check reads the kind %s", what, diag.SomeOf(slices.Compact(kinds))))
}
