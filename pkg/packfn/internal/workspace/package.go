// Package workspace holds packages in memory, renders them as `kpt fn render` does, and finds where
// in files their findings are written.
//
// A [Package] does not change: many renders may start from one, also at the same time. What
// a render changes is written in the text of the files, so that all other bytes stay.
//
// # The way of a render
//
//	Package ─ Render ─→ Result ─ After, Changes ─→ files
//
// A render runs the pipeline of each package after those of its subpackages. Each step gets copies of
// the items that its selectors choose, and what it returns takes their places (step.go). A [Run] keeps
// what the function found and the items as it read them, so that a [Reporter] can find the file and
// line of a finding although later functions have changed the resource. After a mutator that reports
// errors nothing else runs, and the result has no items.
package workspace

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Package is the unit that is read, rendered and checked at once: a kpt package with its subpackages, a pack
// directory, a set of files outside of packages, or resources that are made from something else.
type Package struct {
	// Dir is the folder that the paths of files are relative to.
	Dir string
	// Kptfiles are the packages by their paths, or nil outside of packages. There, elements of Lists
	// are resources, too.
	Kptfiles map[string]*kptpackage.Kptfile
	// Files are the files in the order in which kpt reads them.
	Files []*kptpackage.File
	// Main is the file that represents the package, such as its Kptfile, or "" if there is none.
	Main string
	// Medium is what the resources are made from, or nil if the files contain them.
	Medium Medium

	// items are the items of the package, and read the items of the files, in file order.
	items, read []*list.Item
	// changed maps each item to the function that changed it last since it was read. It is nil if no
	// function has run.
	changed map[ID]string
	// moved are the items whose lines differ from the lines of the files.
	moved map[ID]bool
	// made maps the path of each ConfigMap that is made of files to the paths of these by their keys,
	// and texts has all such files by their paths.
	made  map[string]map[string]string
	texts map[string][]byte

	// indexing makes the indexes once.
	indexing sync.Once
	// byID and within are the indexes of items by their IDs, and by packages with their subpackages.
	byID   map[ID]int
	within map[string][]int
	// byPath are the files by their paths.
	byPath map[string]*kptpackage.File
}

// Medium is the form of resources that are not resources on disk, such as the packs of a cluster
// profile.
type Medium interface {
	// Original returns a finding about a resource as a finding about what the resource was made from,
	// with the field there, or "" if it is the same. If the place is known too, it returns a subject
	// with a Path.
	Original(f *diag.Finding) (of *diag.Finding, field string, s report.Subject)
	// Places returns a file for looking up positions in it, or nil if the file contains resources.
	Places(file *kptpackage.File) *place.File
}

// New returns a kpt package. It keeps the parsed documents of its items as far as room allows.
func New(p *kptpackage.Package, room *list.Room) *Package {
	t := &Package{Dir: p.Dir, Kptfiles: p.Kptfiles, Files: p.Files}
	if p.Kptfiles["."] != nil {
		t.Main = kptpackage.KptfileName
	}
	for _, file := range p.Files {
		name := strings.TrimPrefix(file.Path, file.Package+"/")
		for _, item := range list.KeptItems(file.Text, name, room) {
			t.items = append(t.items, item.InPackage(packagePath(file.Package)))
		}
	}
	t.read = t.items
	return t
}

// Outside returns files outside of packages with their items.
func Outside(dir string, files []*kptpackage.File, items []*list.Item) *Package {
	return &Package{Dir: dir, Files: files, items: items, read: items}
}

// Load returns a kpt package that can be rendered. It returns an error if kpt rejects a resource.
func Load(p *kptpackage.Package) (*Package, error) { return LoadKept(p, nil) }

// LoadKept is like [Load], but the package keeps the parsed documents of its items as far as room
// allows.
func LoadKept(p *kptpackage.Package, room *list.Room) (*Package, error) {
	if p.Kptfiles["."] == nil {
		hint := ""
		for _, name := range p.Misnamed {
			if path.Dir(name) == "." {
				hint = fmt.Sprintf(". Rename %s to %s", name, kptpackage.KptfileName)
			}
		}
		return nil, fmt.Errorf("%s is not a package: it has no Kptfile%s", p.Dir, hint)
	}
	return New(p, room), nil
}

// Join registers a ConfigMap among the items that is made of files. resource is the path of its file,
// paths are the paths of the files in the package, by their keys, and text returns the text of a key.
func (t *Package) Join(resource string, paths map[string]string, text func(key string) []byte) {
	if t.made == nil {
		t.made = map[string]map[string]string{}
	}
	t.made[resource] = paths
	for key, name := range paths {
		t.AddText(name, text(key))
	}
}

// AddText adds a file without resources, such as the annotations of a bundle.
func (t *Package) AddText(name string, text []byte) {
	if t.texts == nil {
		t.texts = map[string][]byte{}
	}
	t.texts[name] = text
}

// KeepDocuments makes the tree keep the parsed documents of its items. Call it for a tree that
// many renders start from. The documents take 20 to 40 times the memory of the texts.
func (t *Package) KeepDocuments() {
	for _, item := range t.items {
		item.Keep()
	}
}

// packagePath returns the path of a package in the annotation of its items. Like in kpt, the path
// of a subpackage begins with the path of its parent package.
func packagePath(dir string) string { return path.Join("/", dir) }

// PackageOf returns the package of an item: its path from the root.
func PackageOf(item *list.Item) string {
	return cmp.Or(strings.TrimPrefix(item.Annotation(list.PackagePathAnnotation), "/"), ".")
}

// PathOf returns the path of the file of an item from the root.
func PathOf(item *list.Item) string { return path.Join(PackageOf(item), item.Resource().File) }

// FileOf returns the path of the file of a resource from the root, or "" if it has no file. Outside of
// packages, the annotations of a resource say nothing about its file.
func (t *Package) FileOf(r diag.Resource) string {
	if r.File == "" || t.Kptfiles == nil {
		return r.File
	}
	return path.Join(strings.TrimPrefix(r.PackagePath, "/"), r.File)
}

// OnDisk returns the path on disk of a file.
func (t *Package) OnDisk(name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(t.Dir, name)
}

// File returns a file, or nil if there is none.
func (t *Package) File(name string) *kptpackage.File {
	t.index()
	return t.byPath[name]
}

// Item returns an item, or nil if there is none.
func (t *Package) Item(id ID) *list.Item {
	t.index()
	if i, ok := t.byID[id]; ok {
		return t.items[i]
	}
	return nil
}

// ItemsIn is like Items for the items of a package and its subpackages.
func (t *Package) ItemsIn(dir string) []*list.Item {
	t.index()
	items := make([]*list.Item, len(t.within[dir]))
	for i, at := range t.within[dir] {
		items[i] = t.items[at].Next()
	}
	return items
}

// index fills the indexes.
func (t *Package) index() {
	t.indexing.Do(func() {
		t.byID, t.within, t.byPath = map[ID]int{}, map[string][]int{}, map[string]*kptpackage.File{}
		for i, item := range t.items {
			t.byID[IDOf(item.Resource())] = i
			for dir := range parents.OfSlash(PackageOf(item)) {
				t.within[dir] = append(t.within[dir], i)
			}
		}
		for _, file := range t.Files {
			t.byPath[file.Path] = file
		}
	})
}

// Rendered returns the package as a render left it, with the Kptfiles that the render began with. It
// keeps the parsed documents of its items as far as room allows, and is for results with items.
func (t *Package) Rendered(r *Result, room *list.Room) *Package {
	after := &Package{Dir: t.Dir, Main: t.Main, Kptfiles: t.Kptfiles, Files: t.Files, read: t.read, changed: orMade(r.changed), moved: r.moved}
	for _, item := range r.Items {
		resource := item.Resource()
		after.items = append(after.items, item.Moved(resource.File, resource.Index, room).InPackage(resource.PackagePath))
	}
	return after
}

// IsChanged reports whether functions have run over the package.
func (t *Package) IsChanged() bool { return t.changed != nil }

// Items returns copies of the items of the package and its subpackages, each as a
// function gets it.
func (t *Package) Items() []*list.Item {
	items := make([]*list.Item, len(t.items))
	for i, item := range t.items {
		items[i] = item.Next()
	}
	return items
}

// With returns a tree whose items are edited forms of those that [Package.Items] returned,
// or new. by names the function that edited them.
func (t *Package) With(items []*list.Item, by string) (*Package, error) {
	return t.with(items, withEdited(t.changed, items, by), t.moved)
}

// Annotated is [Package.With] for edits that nothing names: of metadata, which findings are
// hardly about. Lines of files are found by their fields.
func (t *Package) Annotated(items []*list.Item) (*Package, error) {
	return t.with(items, t.changed, withEdited(t.moved, items, true))
}

// withEdited returns a copy of a map, with a value added for each edited item.
func withEdited[V any](known map[ID]V, items []*list.Item, value V) map[ID]V {
	known = orMade(known)
	for _, item := range items {
		if _, ok := item.Edited(); ok {
			known[IDOf(item.Resource())] = value
		}
	}
	return known
}

// orMade returns a copy of a map, which is not nil.
func orMade[V any](known map[ID]V) map[ID]V {
	if known == nil {
		return map[ID]V{}
	}
	return maps.Clone(known)
}

// After returns the tree as a render left it. It is for results with items.
func (t *Package) After(r *Result) (*Package, error) { return t.with(r.Items, r.changed, t.moved) }

// with returns a tree with other items, and reads the Kptfiles among them that differ.
func (t *Package) with(items []*list.Item, changed map[ID]string, moved map[ID]bool) (*Package, error) {
	edited := &Package{Dir: t.Dir, Main: t.Main, Kptfiles: t.Kptfiles, Files: t.Files, read: t.read, changed: changed, moved: moved}
	before := map[string][]byte{}
	for _, item := range t.items {
		if path.Base(item.Resource().File) == kptpackage.KptfileName {
			before[PathOf(item)] = item.Text()
		}
	}
	isCopy := false
	for _, item := range items {
		next := item.Next()
		edited.items = append(edited.items, next)
		old, known := before[PathOf(next)]
		if path.Base(next.Resource().File) != kptpackage.KptfileName || known && bytes.Equal(old, next.Text()) {
			continue
		}
		kptfile, err := kptpackage.ParseKptfile(next.Text())
		if err != nil {
			return nil, kptpackage.In(t.Dir, PathOf(next), err)
		}
		if !isCopy {
			isCopy, edited.Kptfiles = true, maps.Clone(t.Kptfiles)
		}
		edited.Kptfiles[PackageOf(next)] = kptfile
	}
	return edited, nil
}

// local returns the items of each package, without the items of its subpackages.
func (t *Package) local() map[string][]*list.Item {
	local := map[string][]*list.Item{}
	for _, item := range t.items {
		dir := PackageOf(item)
		local[dir] = append(local[dir], item)
	}
	return local
}

// inFiles returns what finds the items of a file in a package, and whether it is there; of
// all files for the name "".
func (t *Package) inFiles() func(dir, name string) ([]*list.Item, bool) {
	type place struct{ dir, name string }
	items, files := map[place][]*list.Item{}, map[place]bool{}
	for _, item := range t.items {
		at := place{PackageOf(item), item.Resource().File}
		items[at] = append(items[at], item)
	}
	for _, file := range t.Files {
		files[place{file.Package, file.Path}] = true
	}
	local := t.local()
	return func(dir, name string) ([]*list.Item, bool) {
		if name == "" {
			return local[dir], true
		}
		return items[place{dir, name}], files[place{dir, path.Join(dir, name)}]
	}
}

// File is a file of a rendered package.
type File struct {
	// Path is its path from the root, with slashes.
	Path string
	// Text is the content.
	Text []byte
}

// FilesOf returns the files of the package that items make, sorted by their paths. Files
// without items stay as they are. A file whose items were all removed is left out.
func (t *Package) FilesOf(items []*list.Item) []File {
	byPath := map[string][]*list.Item{}
	for _, item := range items {
		name := PathOf(item)
		byPath[name] = append(byPath[name], item)
	}
	count := map[string]int{}
	for _, item := range t.read {
		count[PathOf(item)]++
	}
	var files []File
	for _, file := range t.Files {
		there, before := byPath[file.Path], count[file.Path]
		delete(byPath, file.Path)
		switch {
		case len(there) > 0:
			files = append(files, File{file.Path, joined(file.Text, before, there)})
		case before == 0:
			files = append(files, File{file.Path, file.Text})
		}
	}
	for name, there := range byPath {
		files = append(files, File{name, joined(nil, 0, there)})
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// joined returns the text of a file that had some items, with those that it has now.
func joined(text []byte, before int, items []*list.Item) []byte {
	texts := make([][]byte, before)
	slices.SortStableFunc(items, func(a, b *list.Item) int { return cmp.Compare(a.Resource().Index, b.Resource().Index) })
	for _, item := range items {
		if index := item.Resource().Index; index < before {
			texts[index] = item.Text()
		} else {
			texts = append(texts, item.Text())
		}
	}
	return list.JoinFile(text, texts)
}

// Changes returns what must be written so that the package has the items.
func (t *Package) Changes(items []*list.Item) []staging.Change {
	var changes []staging.Change
	after := map[string][]byte{}
	for _, file := range t.FilesOf(items) {
		after[file.Path] = file.Text
	}
	onDisk := func(name string) string { return filepath.Join(t.Dir, filepath.FromSlash(name)) }
	for _, file := range t.Files {
		text, ok := after[file.Path]
		delete(after, file.Path)
		switch {
		case !ok:
			changes = append(changes, staging.Change{In: t.Dir, Path: onDisk(file.Path), Remove: true})
		case !bytes.Equal(text, file.Text):
			changes = append(changes, staging.Change{In: t.Dir, Path: onDisk(file.Path), Text: text})
		}
	}
	for name, text := range after {
		changes = append(changes, staging.Change{In: t.Dir, Path: onDisk(name), Text: text})
	}
	slices.SortFunc(changes, func(a, b staging.Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

// checkResources returns an error for what kpt rejects: resources without apiVersion, kind or name.
func (t *Package) checkResources(items []*list.Item) error {
	for _, item := range items {
		if item.IsKustomization() {
			continue
		}
		if _, isList := item.Elements(nil); isList {
			f := function.NoList(item)
			return t.faultOf(item, f.Message())
		}
		switch {
		case item.Fault() != "":
			what := item.Fault() + "; kpt rejects it"
			if advice := kptpackage.Advice(PackageOf(item), PathOf(item), t.File); advice != "" {
				what += "; " + advice
			}
			return t.faultOf(item, what)
		case item.Name() == "":
			return t.faultOf(item, "the resource has no metadata.name; kpt rejects it")
		}
	}
	return nil
}

// faultOf returns a fault of a resource, at its place in the file.
func (t *Package) faultOf(item *list.Item, what string) error {
	at := diag.Position{Column: 1}
	if _, err := item.Document(); err != nil {
		f := diag.Unreadable(err)
		at, what = f.Position, strings.ReplaceAll(what, err.Error(), f.Found)
	}
	at.Line = item.Line() + max(0, at.Line-1)
	return kptpackage.NewFault(t.Dir, PathOf(item), at, "%s", diag.OneLine(what))
}
