package check

import (
	"path"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
)

// kptfiles returns the Kptfiles of a package by folder, or nil if the unit is not a package.
func (u *unit) kptfiles() map[string]*kptpackage.Kptfile {
	if u.pack != nil || u.loose {
		return nil
	}
	return u.pkg.Kptfiles
}

// steps returns the steps of the pipelines in the unit. Their functionConfigs are the
// resources of the unit.
func (u *unit) steps(functions []function.Function) ([]pipeline.Step, []error) {
	kptfiles := u.kptfiles()
	if len(kptfiles) == 0 {
		return nil, nil
	}
	u.items()
	type place struct{ dir, name string }
	found := map[place][]int{}
	for i := range u.read {
		dir := u.read[i].pkg
		found[place{dir, u.inPackage(&u.read[i])}] = append(found[place{dir, u.inPackage(&u.read[i])}], i)
		found[place{dir, ""}] = append(found[place{dir, ""}], i)
	}
	return pipeline.StepsOf(u.pkg.Dir, kptfiles, functions, func(dir, name string) ([]*list.Item, bool) {
		var items []*list.Item
		for _, i := range found[place{dir, name}] {
			one := &u.read[i]
			items = append(items, list.FileItem(one.Text(), u.inPackage(one), one.Resource().Index))
		}
		return items, len(items) > 0 || u.place(path.Join(dir, name)) != nil
	})
}

// inPackage returns the path of the file of an item in its package.
func (u *unit) inPackage(one *item) string {
	return strings.TrimPrefix(one.Resource().File, one.pkg+"/")
}

// isConfig reports whether an item is the functionConfig that a step names by configPath. kpt
// does not pass such an item to the function as input.
func (u *unit) isConfig(step *pipeline.Step, one item) bool {
	return one.pkg == step.Package && u.inPackage(&one) == step.Entry.ConfigPath
}

// checkKptfiles reports faults in the Kptfiles of a unit. hidden are the resources that the
// selectors of completed mutators excluded.
func (c *checker) checkKptfiles(u *unit, steps []pipeline.Step, hidden []pipeline.Hidden) {
	kptfiles := u.kptfiles()
	if len(kptfiles) == 0 {
		return
	}
	for i := range steps {
		step := &steps[i]
		if step.Mutator && u.changed != nil {
			continue
		}
		var items []*list.Item
		for _, one := range u.itemsOf(step.Package) {
			if !u.isConfig(step, one) {
				items = append(items, one.Item)
			}
		}
		hidden = append(hidden, step.Hides(items)...)
	}
	r, resources := run{}, map[string]diag.Resource{}
	for i := range u.read {
		if one := &u.read[i]; path.Base(one.Resource().File) == kptpackage.KptfileName {
			r.items = append(r.items, one.Next())
			resources[one.pkg] = one.Resource()
		}
	}
	checker := pipeline.Checker{Kptfiles: kptfiles, Resources: resources, Steps: steps, Functions: c.Functions, Hidden: hidden}
	r.function = checker.Function()
	c.run(u, &r)
}
