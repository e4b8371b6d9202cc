package check

import (
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// keptBytes bounds the memory of the parsed documents that the checks of a unit share. Resources
// beyond this limit are parsed again by each check.
const keptBytes = 64 << 20

func newRoom() *list.Room { return &list.Room{Bytes: keptBytes} }

// outside returns a unit with files outside of packages, and with joined ConfigMaps. isChosen
// reports whether a resource belongs to the unit; if it is nil, all do.
func (c *checker) outside(dir string, files []*kptpackage.File, all []*sets.Joined, room *list.Room, isChosen func(*list.Item) bool) *unit {
	u := &unit{loose: true, capact: capactFiles{}}
	var items []*list.Item
	for _, j := range all {
		items = append(items, j.Item())
	}
	p := workspace.Outside(dir, files, nil)
	for _, file := range files {
		read := capact.Read(file.Text, file.Path, c.Scopes.Of(p.OnDisk(file.Path)), room)
		u.capact[file.Path] = read
		for _, item := range read.Items {
			if isChosen == nil || isChosen(item) {
				items = append(items, item)
			}
		}
	}
	p = workspace.Outside(dir, files, items)
	p.Medium = u.capact
	u.setPackage(c, p)
	for _, j := range all {
		u.join(j)
	}
	return u
}
