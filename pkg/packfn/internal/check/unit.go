package check

import (
	"errors"
	"path"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// unit is what is checked at once, with what the check of its medium needs.
type unit struct {
	*workspace.Package
	// reporter finds the files and lines of findings.
	reporter *workspace.Reporter
	// loose is true if the files are outside of packages, and found if the user did not name
	// them.
	loose, found bool
	// isNamed is true if the user named the package.
	isNamed bool
	// kpt is the package as kpt reads it, or nil for other units.
	kpt *kptpackage.Package
	// pack is the pack directory, or nil for other units.
	pack *packdir.Pack
	// joined are packs and values that are not resources on disk, in addition to the files.
	joined []*sets.Joined
	// isJoined is true if a set contains the pack directory as well.
	isJoined bool
	// set is the set of the unit's files if they are outside of packages and the user did not
	// name them, or nil.
	set *sets.Set
	// isStandard is true for standard input, and hasLines if the lines of the unit are its lines.
	isStandard, hasLines bool
	// profile is a cluster profile of Palette, or nil. Its resources are only in memory.
	profile *palette.Profile
	// capact are the files with Capact documents.
	capact capactFiles
}

// unitIn returns a unit of a package in memory.
func (c *checker) unitIn(p *workspace.Package) *unit {
	return &unit{Package: p, reporter: workspace.NewReporter(p, c.Display)}
}

// set sets the package of a unit.
func (u *unit) setPackage(c *checker, p *workspace.Package) {
	u.Package, u.reporter = p, workspace.NewReporter(p, c.Display)
}

// extend sets the files and the items of a unit outside of packages.
func (u *unit) extend(c *checker, files []*kptpackage.File, items []*list.Item) {
	p := workspace.Outside(u.Dir, files, items)
	p.Medium = u.Medium
	for _, j := range u.joined {
		p.Join(j.Path, j.Paths, j.File)
	}
	u.setPackage(c, p)
}

// units returns the units of all inputs. A package that cannot be read is an error if it is the
// only path.
func (c *checker) units(isAlone bool) ([]*unit, error) {
	var units []*unit
	for _, in := range c.Inputs {
		found, err := c.unitsOf(in)
		if err != nil && in.IsNamed() && (isAlone || in.Kind != discovery.Package) {
			return nil, err
		}
		if err != nil {
			c.fault(in.Path, err)
		}
		units = append(units, found...)
	}
	c.skipMissing()
	c.skipBeyond()
	for _, u := range units {
		switch {
		case u.pack != nil:
			c.tree.AddPack(u.pack, u.Items())
		case !u.loose:
			c.tree.AddPackage(u.Package)
		}
	}
	units = append(units, c.unitsOfSets(units)...)
	if len(c.Named) > 0 {
		units = append(units, c.outside(".", c.Named, nil, newRoom(), nil))
	}
	return c.withHub(units), nil
}

// unitsOf returns the units of an input.
func (c *checker) unitsOf(in discovery.Input) ([]*unit, error) {
	switch in.Kind {
	case discovery.Package:
		units, err := c.packageUnits(in.Path)
		if err != nil {
			return nil, err
		}
		units[0].isNamed = in.IsNamed()
		c.reportExcluded(units[0], in.Excludes)
		return units, nil
	case discovery.Module:
		return c.moduleUnits(in.Path, in.Excludes), nil
	case discovery.Standard:
		u, err := c.standardUnit()
		if err != nil {
			return nil, err
		}
		return []*unit{u}, nil
	case discovery.Profile:
		u, err := c.profileUnit(in.Path, in.Text)
		if err != nil {
			return nil, err
		}
		return []*unit{u}, nil
	default:
		u, err := c.packUnit(in.Path)
		if err != nil {
			return nil, err
		}
		return []*unit{u}, nil
	}
}

// packUnit returns the unit of a pack directory. Its only resource is a ConfigMap that is made from
// the files, which kpt would not find on disk.
func (c *checker) packUnit(dir string) (*unit, error) {
	p, err := packdir.Open(dir)
	if err != nil {
		return nil, err
	}
	for i, f := range p.Files {
		if text, ok := c.Replace[filepath.Join(p.Dir, f.Name)]; ok {
			p.Files[i].Text = text
		}
	}
	j := sets.JoinedPack(".", p)
	u := c.unitIn(workspace.Outside(p.Dir, nil, []*list.Item{j.Item()}))
	u.pack, u.Main = p, packdir.Metadata
	u.join(j)
	return u, nil
}

// replaceIn replaces the texts of files of a package with the texts in [Options].
func (c *checker) replaceIn(p *kptpackage.Package) {
	for _, file := range p.Files {
		text, ok := c.Replace[filepath.Join(p.Dir, filepath.FromSlash(file.Path))]
		if !ok {
			continue
		}
		file.Text = text
		if path.Base(file.Path) != kptpackage.KptfileName {
			continue
		}
		p.Faults = slices.DeleteFunc(p.Faults, func(err error) bool {
			fault, ok := errors.AsType[*kptpackage.Fault](err)
			return ok && fault.File == file.Path
		})
		delete(p.Kptfiles, path.Dir(file.Path))
		if kptfile, err := kptpackage.ParseKptfile(text); err != nil {
			p.Faults = append(p.Faults, kptpackage.In(p.Dir, file.Path, err))
		} else {
			p.Kptfiles[path.Dir(file.Path)] = kptfile
		}
	}
}

// advice returns the advice for a file of a package that is not a resource.
func (u *unit) advice(name string) string {
	pkg := "."
	if file := u.File(name); file != nil {
		pkg = file.Package
	}
	return kptpackage.Advice(pkg, name, u.File)
}

// load reads the packs of the unit, and also returns the resources that they were read from. The
// set is nil if reading them panics.
func (u *unit) load() (*pack.Set, function.Outcome, []*list.Item) {
	items := u.Items()
	set, outcome := pipeline.ReadPacks(items, pack.Wants)
	return set, outcome, items
}

// packs returns the packs of the unit, or none if reading them panics.
func (u *unit) packs() []*pack.Pack {
	set, _, _ := u.load()
	if set == nil {
		return nil
	}
	return set.Packs
}

// packNames returns the names of the packs of the unit.
func (u *unit) packNames() (names []string) {
	for _, p := range u.packs() {
		names = append(names, p.Name)
	}
	return names
}

// hasCluster reports whether the unit contains a ClusterContext.
func (u *unit) hasCluster() bool {
	return slices.ContainsFunc(u.Items(), pack.IsCluster)
}

// setName returns the directory of the unit's set, or "" if it has none.
func (u *unit) setName() string {
	if u.set == nil {
		return ""
	}
	return u.set.Name
}
