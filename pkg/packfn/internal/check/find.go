package check

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
)

// packageUnits returns the unit of a package, and the units of pack directories in it that
// .krmignore hides from kpt.
func (c *checker) packageUnits(dir string) ([]*unit, error) {
	p, err := kptpackage.ReadParts(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range p.Misnamed {
		c.TakeMisnamed(filepath.Join(dir, filepath.FromSlash(name)))
	}
	c.replaceIn(p)
	u := c.unitIn(workspace.New(p, newRoom()))
	u.kpt = p
	units := []*unit{u}
	var packs []string
	for _, name := range p.Ignored {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if filepath.Base(at) == packdir.Metadata {
			packs = append(packs, filepath.Dir(at))
			continue
		}
		c.partOfBundle(at)
		found, err := packdir.In(at)
		if err != nil {
			return nil, err
		}
		packs = append(packs, found...)
		if err := c.hiddenBundles(at); err != nil {
			return nil, err
		}
	}
	for _, at := range packs {
		if u, err := c.packUnit(at); err != nil {
			c.fault(at, err)
		} else {
			units = append(units, u)
		}
	}
	return units, nil
}

// partOfBundle adds the bundle directory that contains a hidden file or folder, because the part
// that kpt reads is not a complete bundle.
func (c *checker) partOfBundle(hidden string) {
	for _, part := range []string{hidden, filepath.Dir(hidden)} {
		base, dir := filepath.Base(part), filepath.Dir(part)
		if isPart := base == olm.Metadata || base == olm.Manifests; isPart && !c.OLM.Has(dir) && olm.IsBundle(dir) {
			c.OLM.AddBundle(dir)
		}
	}
}

// itemsOf returns the resources of a set.
func (c *checker) itemsOf(s *sets.Set) []*list.Item { return c.setUnit(c.tree.Dir, s, nil).Items() }

// unitsOfSets returns the units of the sets in the tree, and records which pack directories of units belong to one.
func (c *checker) unitsOfSets(units []*unit) (ofSets []*unit) {
	byPack := map[*packdir.Pack]*unit{}
	for _, u := range units {
		if u.pack != nil {
			byPack[u.pack] = u
		}
	}
	for _, s := range c.tree.Sets() {
		for _, one := range s.Sources {
			if one.Joined != nil && byPack[one.Joined.Pack] != nil {
				byPack[one.Joined.Pack].isJoined = true
			}
		}
		ofSets = append(ofSets, c.looseUnits(c.tree.Dir, s)...)
	}
	return ofSets
}

// setUnit returns a unit with the files of a set, whose paths are relative to dir, and with the
// resources that isChosen reports, or all if it is nil.
func (c *checker) setUnit(dir string, s *sets.Set, isChosen func(*list.Item) bool) *unit {
	var files []*kptpackage.File
	var all []*sets.Joined
	for _, one := range s.Sources {
		files = append(files, one.Files...)
		if one.Joined != nil {
			all = append(all, one.Joined)
		}
	}
	slices.SortFunc(files, func(a, b *kptpackage.File) int { return cmp.Compare(a.Path, b.Path) })
	u := c.outside(dir, files, all, c.ofSets, isChosen)
	u.set, u.found = s, true
	return u
}

// looseUnits returns the units of a set of files outside of packages. If the set has several
// ClusterContexts, they describe different clusters, so each is checked separately, and the packs
// are checked without a ClusterContext.
func (c *checker) looseUnits(dir string, s *sets.Set) []*unit {
	all := c.setUnit(dir, s, nil)
	var alone []*unit
	hasPacks := len(all.joined) > 0
	for _, item := range all.Items() {
		switch {
		case pack.IsCluster(item):
			u := c.unitIn(workspace.Outside(dir, []*kptpackage.File{all.File(item.Resource().File)}, []*list.Item{item}))
			u.loose, u.found, u.set = true, true, s
			alone = append(alone, u)
		case pack.Wants(item):
			hasPacks = true
		}
	}
	if len(alone) < 2 {
		return []*unit{all}
	}
	if hasPacks {
		c.skip(report.NoFacts, filepath.Join(dir, filepath.FromSlash(s.Name)), 0, "%d ClusterContexts are outside of packages here, so packs are checked without one; name the files that belong together", len(alone))
	}
	return append(alone, c.setUnit(dir, s, func(item *list.Item) bool { return !pack.IsCluster(item) }))
}

// reportExcluded reports the files of a package that the user excludes, because that has no effect
// there.
func (c *checker) reportExcluded(u *unit, excludes func(name string, isDir bool) bool) {
	if excludes == nil {
		return
	}
	for _, file := range u.Files {
		if name := u.OnDisk(file.Path); excludes(name, false) {
			c.inform(name, diag.Say("the file is not excluded, because kpt reads it").Do("add it to the .krmignore of its package").Of(rule.ConfigNoEffect))
		}
	}
}
