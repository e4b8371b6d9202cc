package check

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// document returns where a resource of the unit is on disk: its file, and the number of its document.
func (u *unit) document(r diag.Resource) filePosition {
	return filePosition{u.OnDisk(u.FileOf(r)), diag.Position{Line: r.Index + 1}}
}

// addRead records the resources of a unit that a function with a functionConfig has read.
func (c *counts) addRead(u *unit, config *yaml.Node, resources []diag.Resource) {
	for _, r := range resources {
		c.read[u.document(r)] = true
		if workspace.IsTarget(config, r) {
			c.targets[u.document(r)] = true
		}
	}
}

// count adds the unit to the report, with what was read in it. A resource that several units share
// counts in the first of them.
func (c *checker) count(u *unit) {
	var checked report.Checked
	for _, item := range u.Items() {
		at := u.document(item.Resource())
		if !c.read[at] || c.counted[at] || c.released[u] > 0 && release.Is(item) {
			continue
		}
		c.counted[at] = true
		if c.targets[at] {
			checked.Resources++
			continue
		}
		workspace.Count(&checked, item)
		if c.charted[at] {
			checked.Charts++
		}
	}
	checked.Releases = c.released[u]
	if checked != (report.Checked{}) {
		c.report.Units = append(c.report.Units, report.Unit{Path: c.pathOf(u), Checked: checked})
	} else {
		c.idle(u)
	}
}

// pathOf returns how reports show a unit.
func (c *checker) pathOf(u *unit) string {
	switch {
	case u.profile != nil:
		return c.Display(u.profile.Path)
	case u.set != nil:
		return c.Display(u.OnDisk(u.set.Name))
	case u.loose && len(u.Files) == 1:
		return c.Display(u.OnDisk(u.Files[0].Path))
	}
	return c.Display(u.Dir)
}

// idle records the kinds of the resources in a unit in which nothing was read.
func (c *counts) idle(u *unit) {
	for _, item := range u.Items() {
		if item.Kind() != kptpackage.KptfileName && path.Base(item.Resource().File) != "package-context.yaml" && item.Kind() != "" {
			c.unreadKinds = append(c.unreadKinds, item.Kind())
		}
	}
}

// countBundles adds the bundles outside of packages to the report.
func (b *candidates) countBundles(wanted []diag.Resource, ofCatalogs int) {
	counts := map[string]int{}
	byFile := map[string]*list.Item{}
	for _, item := range b.items {
		if r := item.Resource(); dependency.IsBundle(item) && !b.offered[r.File] {
			byFile[fmt.Sprint(r.File, "\x00", r.Index)] = item
		}
	}
	for _, r := range wanted {
		if byFile[fmt.Sprint(r.File, "\x00", r.Index)] == nil {
			continue
		}
		at := b.units[r.File]
		onDisk := filePosition{at.unit.OnDisk(at.name), diag.Position{Line: r.Index + 1}}
		if b.counted[onDisk] {
			continue
		}
		b.counted[onDisk] = true
		name := r.File
		if at.bundle != nil {
			name = b.Display(at.unit.Dir)
		}
		counts[name]++
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		b.report.Units = append(b.report.Units, report.Unit{Path: name, Checked: report.Checked{Bundles: counts[name]}})
	}
	if ofCatalogs > 0 {
		name := b.catalogs[0].Shown
		if len(b.catalogs) > 1 {
			name = fmt.Sprintf("%d catalogs", len(b.catalogs))
		}
		b.report.Units = append(b.report.Units, report.Unit{Path: name, Checked: report.Checked{Bundles: ofCatalogs}})
	}
}

// conclude sets what the report says of the whole check.
func (c *checker) conclude(paths []string) {
	c.report.Counts = true
	if len(paths) == 1 {
		c.report.In = c.Display(paths[0])
		if paths[0] == Standard {
			c.report.In = StandardName
		}
	}
	slices.Sort(c.unreadKinds)
	hint := ""
	if c.unread != (discovery.Unread{}) && !c.Verbose {
		hint = c.unread.String() + "; --verbose lists them"
	}
	switch {
	case len(c.unreadKinds) > 0:
		c.report.Nothing = "no check reads the kind " + diag.SomeOf(slices.Compact(c.unreadKinds))
	case hint != "":
		c.report.Nothing = hint
	case len(c.informed) > 0:
		c.report.Nothing = "the notes say why"
	default:
		c.report.Nothing = "no file has a resource that a check reads"
	}
}
