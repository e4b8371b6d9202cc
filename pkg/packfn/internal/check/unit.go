package check

import (
	"errors"
	"path"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// unit is a set of resources that are checked together: a package with its subpackages,
// files outside of packages, or a pack directory.
type unit struct {
	// pkg contains the files. It is nil for a pack directory.
	pkg *kptpackage.Package
	// loose is true if the files are outside of packages, and found if the user did not name
	// them.
	loose, found bool
	// isNamed is true if the user named the package.
	isNamed bool
	// chosen reports whether a resource belongs to the unit. If it is nil, all resources do.
	chosen func(itemID) bool
	// pack is the pack directory, or nil for other units.
	pack *packdir.Pack
	// joined are packs and values that are not resources on disk, in addition to the files of
	// pkg.
	joined []*joined
	// isJoined is true if a set contains the pack directory as well.
	isJoined bool
	// set is the set of the unit's files if they are outside of packages and the user did not
	// name them, or nil.
	set *fileSet
	// profile is a cluster profile of Palette, or nil. Its resources are only in memory.
	profile *transfer.Profile
	// capact are the files with Capact documents by their paths in the unit, and scopes the
	// scopes of the policies in them.
	capact map[string]*capact.File
	scopes capact.Scopes

	// read are the resources, or nil until they are read. room bounds the memory of their
	// documents. If it is nil, the bound is keptBytes.
	read []item
	room *list.Room
	// byID maps ids to indexes of the first indexed elements of read.
	byID    map[itemID]int
	indexed int
	// within maps each package to the indexes of the resources in it and in its subpackages.
	within map[string][]int
	// changed maps each resource to the last mutator that changed it. It is nil if no mutator has
	// run.
	changed map[itemID]string
	// after caches the changed resources for looking up positions in them.
	after map[itemID]*place.File

	// files are the files of pkg by their paths in the unit. places caches the files that
	// findings are about.
	files  map[string]*kptpackage.File
	places map[string]*place.File
}

// itemID identifies a resource by its file in the unit and its index in that file.
type itemID struct {
	file  string
	index int
}

func idOf(f *diag.Finding) itemID { return itemID{f.Resource().File, f.Resource().Index} }

// units returns the units of all inputs. A package that cannot be read is an error if it is the
// only path.
func (c *checker) units(isAlone bool) ([]*unit, error) {
	var units []*unit
	for _, in := range c.inputs {
		found, err := c.unitsOf(in)
		if err != nil && in.isNamed() && (isAlone || in.kind != packageInput) {
			return nil, err
		}
		if err != nil {
			c.fault(in.path, err)
		}
		units = append(units, found...)
	}
	c.noteMissing()
	c.noteBeyond()
	c.replace(units)
	for _, u := range units {
		switch {
		case u.pack != nil:
			c.tree.packs = append(c.tree.packs, u)
		case !u.loose:
			c.tree.closed = append(c.tree.closed, u)
		}
	}
	units = append(units, c.tree.units()...)
	if len(c.named) > 0 {
		units = append(units, &unit{pkg: &kptpackage.Package{Dir: ".", Files: c.named}, loose: true})
	}
	units = c.withHub(units)
	shareRoom(units)
	return units, nil
}

// unitsOf returns the units of an input.
func (c *checker) unitsOf(in input) ([]*unit, error) {
	switch in.kind {
	case packageInput:
		units, err := c.packageUnits(in.path)
		if err != nil {
			return nil, err
		}
		units[0].isNamed = in.isNamed()
		c.noteExcluded(units[0].pkg, in.excludes)
		return units, nil
	case moduleInput:
		return c.moduleUnits(in.path, in.excludes), nil
	case profileInput:
		u, err := c.profileUnit(in.path, in.text)
		if err != nil {
			return nil, err
		}
		return []*unit{u}, nil
	default:
		u, err := packUnit(in.path)
		if err != nil {
			return nil, err
		}
		return []*unit{u}, nil
	}
}

func packUnit(dir string) (*unit, error) {
	p, err := packdir.Open(dir)
	if err != nil {
		return nil, err
	}
	return &unit{pack: p}, nil
}

// replace replaces the texts of files that were read with the texts in [Options].
func (c *checker) replace(units []*unit) {
	texts := c.Replace
	for _, u := range units {
		if u.pack != nil {
			for i, f := range u.pack.Files {
				if text, ok := texts[u.onDisk(f.Name)]; ok {
					u.pack.Files[i].Text = text
				}
			}
			continue
		}
		if u.profile != nil { // which is read already
			continue
		}
		replaceIn(u.pkg, texts, u.onDisk)
	}
}

// replaceIn replaces the texts of files of a package. onDisk returns the path of a file on disk,
// which is the key in texts.
func replaceIn(p *kptpackage.Package, texts map[string][]byte, onDisk func(string) string) {
	for _, file := range p.Files {
		text, ok := texts[onDisk(file.Path)]
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

// onDisk returns the path on disk of a file of the unit.
func (u *unit) onDisk(name string) string {
	if u.pack != nil {
		return filepath.Join(u.pack.Dir, name)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(u.pkg.Dir, filepath.FromSlash(name))
}

// place returns a file of the unit for looking up positions in it, or nil if it does not exist.
func (u *unit) place(name string) *place.File {
	if file, ok := u.places[name]; ok {
		return file
	}
	if u.places == nil {
		u.places = map[string]*place.File{}
	}
	var found *place.File
	if u.pack != nil {
		if text := u.pack.File(name); text != nil {
			found = place.NewText(name, text)
		}
	} else if text := u.joinedText(name); text != nil {
		found = place.NewText(name, text)
	} else if file := u.file(name); file != nil && u.loose {
		found = u.placeCapact(file)
	} else if file != nil {
		found = place.NewFile(name, file.Text)
	}
	u.places[name] = found
	return found
}

// rendered returns a resource that mutators have changed, for looking up positions in it.
func (u *unit) rendered(at itemID) *place.File {
	if u.after == nil {
		u.after = map[itemID]*place.File{}
	}
	if u.after[at] == nil {
		var text []byte
		if one := u.item(at); one != nil {
			text = one.Text()
		}
		u.after[at] = place.NewFile(at.file, text)
	}
	return u.after[at]
}

// item returns a resource by its id, or nil if there is none.
func (u *unit) item(at itemID) *item {
	if u.byID == nil {
		u.byID = map[itemID]int{}
	}
	for ; u.indexed < len(u.read); u.indexed++ {
		resource := u.read[u.indexed].Resource()
		u.byID[itemID{resource.File, resource.Index}] = u.indexed
	}
	i, ok := u.byID[at]
	if !ok {
		return nil
	}
	return &u.read[i]
}

// file returns a file of the unit, or nil if it does not exist.
func (u *unit) file(name string) *kptpackage.File {
	if u.files == nil {
		u.files = map[string]*kptpackage.File{}
		for _, file := range u.pkg.Files {
			u.files[file.Path] = file
		}
	}
	return u.files[name]
}

// advice returns the advice for a file of a package that is not a resource.
func (u *unit) advice(name string) string {
	pkg := "."
	if file := u.file(name); file != nil {
		pkg = file.Package
	}
	return kptpackage.Advice(pkg, name, u.file)
}

// load reads the packs of the unit, and also returns the resources that they were read from. The
// set is nil if reading them panics.
func (u *unit) load() (*pack.Set, function.Outcome, []*list.Item) {
	var items []*list.Item
	for _, one := range u.items() {
		items = append(items, one.Item)
	}
	set, outcome := pipeline.ReadPacks(items, pack.Wants)
	return set, outcome, items
}

// packNames returns the names of the packs of the unit.
func (u *unit) packNames() (names []string) {
	if set, _, _ := u.load(); set != nil {
		for _, p := range set.Packs {
			names = append(names, p.Name)
		}
	}
	return names
}

// hasCluster reports whether the unit contains a ClusterContext.
func (u *unit) hasCluster() bool {
	return slices.ContainsFunc(u.items(), func(one item) bool { return pack.IsCluster(one.Item) })
}
