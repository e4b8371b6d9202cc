package check

import (
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// Edit calls edit with copies of the resources of the pack's unit, and returns the new texts of
// the files that it changes, by their paths on disk.
func (p *Pack) Edit(edit func(items []*list.Item)) map[string][]byte {
	items := make([]*list.Item, len(p.items))
	for i, one := range p.items {
		items[i] = one.Next()
	}
	edit(items)
	return p.unit.changedFiles(items)
}

// Changed is like Edit, but passes the original resources, which all packs of the same unit
// share. Edits through the sources of a pack change them as well.
func (p *Pack) Changed(edit func(items []*list.Item)) map[string][]byte {
	edit(p.items)
	return p.unit.changedFiles(p.items)
}

// IsOwn reports whether a resource is the pack, one of its overrides, or a Kptfile.
func (p *Pack) IsOwn(item *list.Item) bool {
	is := func(r diag.Resource) bool { return r == item.Resource() }
	return is(p.Resource) || item.Kind() == kptpackage.KptfileName || slices.ContainsFunc(p.Overrides, func(o *pack.Override) bool { return is(o.Values.Resource) })
}

// changedFiles returns the new texts of the files whose resources have changed, by their paths on
// disk.
func (u *unit) changedFiles(items []*list.Item) map[string][]byte {
	by := map[string][]*list.Item{}
	for _, one := range items {
		if one.Changed() && !one.IsElement() { // elements of Lists are not written
			name := u.FileOf(one.Resource())
			by[name] = append(by[name], one)
		}
	}
	files := map[string][]byte{}
	for name, changed := range by {
		file := u.File(name)
		if file == nil {
			continue
		}
		var texts [][]byte
		for _, one := range file.Items() {
			texts = append(texts, one.Text())
		}
		for _, one := range changed {
			texts[one.Resource().Index] = one.Text()
		}
		files[u.OnDisk(name)] = list.JoinFile(file.Text, texts)
	}
	return files
}
