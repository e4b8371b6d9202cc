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

// keptBytes bounds the memory of the documents that the checks of a unit share. Each check
// parses the resources above it again.
const keptBytes = 64 << 20

// items returns the resources of the unit, with paths as kpt gives them to functions:
// relative to the package. Each call makes new ones of what the first has read.
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

// itemsOf returns those resources of the unit that are in a package or below it.
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

// shareRoom bounds the memory of the documents of all sets of files outside of packages: a
// repository may have thousands.
func shareRoom(units []*unit) {
	shared := &list.Room{Bytes: keptBytes}
	for _, u := range units {
		if u.set != nil {
			u.room = shared
		}
	}
}
