package check

import (
	"slices"

	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
)

// item is a resource with the path of the package that holds it.
type item struct {
	*list.Item
	pkg string
}

// keptBytes bounds the memory of the parsed documents that the checks of a unit share. Resources
// beyond this limit are parsed again by each check.
const keptBytes = 64 << 20

// items returns the resources of the unit. Like kpt, it makes their paths relative to the
// package. The first call reads them, and each call returns new copies.
func (u *unit) items() []item {
	if u.pack != nil {
		return []item{{Item: u.pack.Item(), pkg: "."}}
	}
	if u.read == nil {
		u.read = []item{}
		for _, j := range u.joined {
			u.read = append(u.read, item{Item: j.item(), pkg: "."})
		}
		room := u.room
		if room == nil {
			room = &list.Room{Bytes: keptBytes}
		}
		for _, file := range u.pkg.Files {
			items := list.KeptItems
			if u.loose {
				items = u.capactItems
			}
			for _, one := range items(file.Text, file.Path, room) {
				if u.chosen == nil || u.chosen(itemID{file.Path, one.Resource().Index}) {
					u.read = append(u.read, item{Item: one, pkg: file.Package})
				}
			}
		}
	}
	items := slices.Clone(u.read)
	for i := range items {
		items[i].Item = items[i].Next()
	}
	return items
}

// itemsOf returns the resources of the unit that are in a package or its subpackages.
func (u *unit) itemsOf(dir string) []item {
	if u.within == nil {
		u.items()
		u.within = map[string][]int{}
		for i := range u.read {
			for at := range parents.OfSlash(u.read[i].pkg) {
				u.within[at] = append(u.within[at], i)
			}
		}
	}
	var items []item
	for _, i := range u.within[dir] {
		one := u.read[i]
		one.Item = one.Next()
		items = append(items, one)
	}
	return items
}

// shareRoom lets all sets of files outside of packages share one memory bound for their
// documents, because a repository may have thousands of sets.
func shareRoom(units []*unit) {
	shared := &list.Room{Bytes: keptBytes}
	for _, u := range units {
		if u.set != nil {
			u.room = shared
		}
	}
}
