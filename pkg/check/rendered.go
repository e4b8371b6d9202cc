package check

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/render"
)

// render runs the mutators of a package in memory and reports what they find. It returns
// false when one of them has failed: then there is no rendered package to check. An error
// says why the mutators cannot run.
func (c *checker) render(u *unit) (bool, error) {
	// Like kpt, a render also reads subpackages in folders that .krmignore names.
	p, err := render.Read(u.onDisk("."))
	if err != nil {
		return false, err
	}
	tree, err := render.Load(p)
	if err != nil {
		return false, err
	}
	result, err := tree.Render(render.Options{Functions: c.Functions, Mutators: true})
	if err != nil {
		return false, err
	}
	for _, f := range render.NewReporter(tree, c.Display).Report(result).Findings {
		c.add(f)
	}
	if result.Failed {
		c.note("%s: a mutator has found errors; the checks did not run", p.Dir)
		return false, nil
	}
	u.pkg, u.base, u.files, u.places, u.read, u.within, u.rendered = p, ".", nil, nil, []item{}, nil, true
	for _, one := range result.Items {
		resource := one.Resource()
		u.read = append(u.read, item{
			Item:      list.FileItem(one.Text(), render.PathOf(one), resource.Index),
			pkg:       render.PackageOf(one),
			changedBy: result.ChangedBy(one),
		})
	}
	return true, nil
}

// changedBy returns the mutator that changed a resource last, "" for none.
func (u *unit) changedBy(r diag.Resource) string {
	if !u.rendered {
		return ""
	}
	for i := range u.read {
		if one := u.read[i].Resource(); one.File == r.File && one.Index == r.Index {
			return u.read[i].changedBy
		}
	}
	return ""
}
