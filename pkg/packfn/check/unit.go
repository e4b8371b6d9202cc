package check

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
	"github.com/krm-packs/functions/pkg/place"
)

// unit is a set of resources that are checked together: a package with its subpackages,
// files outside of packages, or a pack directory.
type unit struct {
	// pkg has the files; for a pack directory it is nil.
	pkg *kptpackage.Package
	// loose says that the files are in no package, and found that the user did not name them.
	loose, found bool
	// chosen says which resources belong to the unit; nil for all.
	chosen func(spot) bool
	// pack is a pack directory.
	pack *packdir.Pack
	// profile is a cluster profile that Palette exported; its resources are in memory.
	profile *transfer.Profile

	// read are the resources, nil when they are not read yet.
	read []item
	// within are the indexes of the resources in a package and below it.
	within map[string][]int
	// changed names the mutators that changed resources last; nil if no mutator has run.
	changed map[spot]string
	// after are the changed resources, to find places in them.
	after map[spot]*place.File

	// files are those of pkg by their paths in the unit, and places those that findings
	// are about.
	files  map[string]*kptpackage.File
	places map[string]*place.File
}

// spot is the place of a resource: its file in the unit and its index there.
type spot struct {
	file  string
	index int
}

func spotOf(f *diag.Finding) spot { return spot{f.Resource().File, f.Resource().Index} }

// nothingIn is the error for a path in which there is nothing to read. The path is
// probably wrong, and a report without findings would hide that.
func nothingIn(name string) error {
	return fmt.Errorf("%s: got no resource and no pack; want a package, a file of resources or a pack directory", name)
}

// newChecker returns a checker, and the units that paths name.
func newChecker(paths []string, options Options) (*checker, []*unit, error) {
	c := &checker{Options: options, report: &report.Report{}, checks: options.checks(), on: map[string]bool{}}
	if err := c.openSources(); err != nil {
		return nil, nil, err
	}
	units, err := c.collect(paths)
	if err == nil {
		units, err = c.replace(units)
	}
	return c, units, err
}

// collect finds the units that paths name.
func (c *checker) collect(paths []string) ([]*unit, error) {
	var units []*unit
	files := &kptpackage.Package{Dir: "."}
	for _, name := range paths {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		switch {
		case !info.IsDir() && !packdir.Is(name):
			text, err := folder.ReadText(name)
			if err != nil {
				return nil, err
			}
			if filepath.Ext(name) == ".json" && transfer.IsProfile(text) {
				u, err := c.profileUnit(name, text)
				if err != nil {
					return nil, err
				}
				units = append(units, u)
				continue
			}
			file := &kptpackage.File{Path: filepath.ToSlash(name), Package: ".", Text: text}
			items := file.Items()
			if len(items) == 0 {
				return nil, nothingIn(name)
			}
			if items[0].Is(pack.GroupVersion, ConfigKind) {
				return nil, fmt.Errorf("%s is the configuration of packfn; read it with packfn config --config %s", name, name)
			}
			files.Files = append(files.Files, file)
		case packdir.Is(name):
			u, err := packUnit(name)
			if err != nil {
				return nil, err
			}
			units = append(units, u)
		case kptpackage.IsPackage(name):
			found, err := c.packageUnits(name)
			if err != nil {
				return nil, err
			}
			units = append(units, found...)
		default:
			if err := packdir.Misnamed(name); err != nil {
				return nil, err
			}
			found, err := c.folderUnits(name)
			if err != nil {
				return nil, err
			}
			units = append(units, found...)
		}
	}
	if len(files.Files) > 0 {
		units = append(units, &unit{pkg: files, loose: true})
	}
	return units, nil
}

func packUnit(dir string) (*unit, error) {
	p, err := packdir.Open(dir)
	if err != nil {
		return nil, err
	}
	return &unit{pack: p}, nil
}

// replace puts the texts of [Options] in the place of files that were read. It leaves out units
// that then cannot be checked.
func (c *checker) replace(units []*unit) (kept []*unit, err error) {
	texts := c.Replace
	for _, u := range units {
		kept = append(kept, u)
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
		if err := replaceIn(u.pkg, texts, u.onDisk); err != nil {
			if err := c.failed(u.pkg.Dir, err); err != nil {
				return nil, err
			}
			kept = kept[:len(kept)-1]
		}
	}
	return kept, nil
}

// replaceIn puts texts in the place of the files of a package, whose paths onDisk returns.
func replaceIn(p *kptpackage.Package, texts map[string][]byte, onDisk func(string) string) error {
	for _, file := range p.Files {
		text, ok := texts[onDisk(file.Path)]
		if !ok {
			continue
		}
		file.Text = text
		if path.Base(file.Path) != kptpackage.KptfileName {
			continue
		}
		kptfile, err := kptpackage.ParseKptfile(text)
		if err != nil {
			return fmt.Errorf("%s: %w", onDisk(file.Path), err)
		}
		p.Kptfiles[path.Dir(file.Path)] = kptfile
	}
	return nil
}

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
		room := &list.Room{Bytes: keptBytes}
		for _, file := range u.pkg.Files {
			for _, one := range list.KeptItems(file.Text, file.Path, room) {
				if u.chosen == nil || u.chosen(spot{file.Path, one.Resource().Index}) {
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
			for at := u.read[i].pkg; ; at = path.Dir(at) {
				u.within[at] = append(u.within[at], i)
				if at == "." {
					break
				}
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

// onDisk returns the path of a file of the unit.
func (u *unit) onDisk(name string) string {
	if u.pack != nil {
		return filepath.Join(u.pack.Dir, name)
	}
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(u.pkg.Dir, filepath.FromSlash(name))
}

// place returns a file of the unit for finding places in it, nil when there is none.
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
	} else if file := u.file(name); file != nil {
		found = place.NewFile(name, file.Text)
	}
	u.places[name] = found
	return found
}

// rendered returns a changed resource as the mutators leave it, for finding places in it.
func (u *unit) rendered(at spot) *place.File {
	if u.after == nil {
		u.after = map[spot]*place.File{}
	}
	if u.after[at] == nil {
		var text []byte
		for _, one := range u.read {
			if resource := one.Resource(); resource.File == at.file && resource.Index == at.index {
				text = one.Text()
			}
		}
		u.after[at] = place.NewFile(at.file, text)
	}
	return u.after[at]
}

// file returns a file of the unit, nil when there is none.
func (u *unit) file(name string) *kptpackage.File {
	if u.files == nil {
		u.files = map[string]*kptpackage.File{}
		for _, file := range u.pkg.Files {
			u.files[file.Path] = file
		}
	}
	return u.files[name]
}

// ignoreHint says how to hide a file of a package from kpt.
func (u *unit) ignoreHint(name string) string {
	pkg := "."
	if file := u.file(name); file != nil {
		pkg = file.Package
	}
	return kptpackage.IgnoreHint(pkg, name, func(name string) bool { return u.file(name) != nil })
}

// load reads the packs of the unit, and returns the resources that have them, too. The set is
// nil if reading them panics.
func (u *unit) load() (*pack.Set, function.Outcome, []*list.Item) {
	l := &list.List{}
	for _, one := range u.items() {
		l.Items = append(l.Items, one.Item)
	}
	reader := &loader{}
	outcome := function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return reader }}, l)
	return reader.set, outcome, l.Items
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

// loader reads packs outside of a function.
type loader struct{ set *pack.Set }

func (l *loader) Config() any                { return &struct{}{} }
func (l *loader) Wants(item *list.Item) bool { return pack.Wants(item) }
func (l *loader) Process(run *function.Run)  { l.set = pack.Load(run, pack.Choice{}) }
