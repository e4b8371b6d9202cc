package check

import (
	"path"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// steps returns the steps of the pipelines in the unit.
func (u *unit) steps(functions []function.Function) ([]pipeline.Step, []error) {
	if len(u.Kptfiles) == 0 {
		return nil, nil
	}
	return u.Steps(functions)
}

// isConfig reports whether an item is the functionConfig that a step names by configPath. kpt
// does not pass such an item to the function as input.
func isConfig(step *pipeline.Step, item *list.Item) bool {
	return workspace.PackageOf(item) == step.Package && item.Resource().File == step.Entry.ConfigPath
}

// checkKptfiles reports faults in the Kptfiles of a unit. hidden are the resources that the
// selectors of completed mutators excluded.
func (c *checker) checkKptfiles(u *unit, steps []pipeline.Step, hidden []pipeline.Hidden) {
	if len(u.Kptfiles) == 0 {
		return
	}
	for i := range steps {
		step := &steps[i]
		if step.Mutator && u.IsChanged() {
			continue
		}
		items := slices.DeleteFunc(u.ItemsIn(step.Package), func(item *list.Item) bool { return isConfig(step, item) })
		hidden = append(hidden, step.Hides(items)...)
	}
	r, resources := run{}, map[string]diag.Resource{}
	for _, item := range u.Items() {
		if path.Base(item.Resource().File) == kptpackage.KptfileName {
			r.items = append(r.items, item)
			resources[workspace.PackageOf(item)] = item.Resource()
		}
	}
	checker := pipeline.Checker{Kptfiles: u.Kptfiles, Resources: resources, Steps: steps, Functions: c.Functions, Hidden: hidden}
	r.Function = checker.Function()
	c.run(u, &r)
}
