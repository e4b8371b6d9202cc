// Package render renders kpt packages in this process, as `kpt fn render` does.
//
// A [Tree] does not change: many renders may start from one, also at the same time. What
// a render changes is written in the text of the files, so that all other bytes stay.
package render

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// Tree is a package with its subpackages in memory.
type Tree struct {
	// Dir is the folder of the package.
	Dir string

	kptfiles map[string]*kptpackage.Kptfile
	files    []*kptpackage.File
	// items are the items of the package, and read the items of the files, in file order.
	items, read []*list.Item
	// changed maps each item to the function that changed it last since it was read.
	changed map[itemID]string
	// moved are the items whose lines differ from the lines of the files.
	moved map[itemID]bool
}

// Load returns the tree of a package. It returns an error if kpt rejects a resource.
func Load(p *kptpackage.Package) (*Tree, error) { return LoadKept(p, nil) }

// LoadKept is like [Load], but the tree keeps the parsed documents of its items as far as room
// allows.
func LoadKept(p *kptpackage.Package, room *list.Room) (*Tree, error) {
	if p.Kptfiles["."] == nil {
		hint := ""
		for _, name := range p.Misnamed {
			if path.Dir(name) == "." {
				hint = fmt.Sprintf(". Rename %s to %s", name, kptpackage.KptfileName)
			}
		}
		return nil, fmt.Errorf("%s is not a package: it has no Kptfile%s", p.Dir, hint)
	}
	t := &Tree{Dir: p.Dir, kptfiles: p.Kptfiles, files: p.Files, changed: map[itemID]string{}, moved: map[itemID]bool{}}
	for _, file := range p.Files {
		name := strings.TrimPrefix(file.Path, file.Package+"/")
		for _, item := range list.KeptItems(file.Text, name, room) {
			t.items = append(t.items, item.InPackage(packagePath(file.Package)))
		}
	}
	t.read = t.items
	return t, nil
}

// KeepDocuments makes the tree keep the parsed documents of its items. Call it for a tree that
// many renders start from. The documents take 20 to 40 times the memory of the texts.
func (t *Tree) KeepDocuments() {
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

// Items returns copies of the items of the package and its subpackages, each as a
// function gets it.
func (t *Tree) Items() []*list.Item {
	items := make([]*list.Item, len(t.items))
	for i, item := range t.items {
		items[i] = item.Next()
	}
	return items
}

// With returns a tree whose items are edited forms of those that [Tree.Items] returned,
// or new. by names the function that edited them.
func (t *Tree) With(items []*list.Item, by string) (*Tree, error) {
	return t.with(items, withEdited(t.changed, items, by), t.moved)
}

// Annotated is [Tree.With] for edits that nothing names: of metadata, which findings are
// hardly about. Lines of files are found by their fields.
func (t *Tree) Annotated(items []*list.Item) (*Tree, error) {
	return t.with(items, t.changed, withEdited(t.moved, items, true))
}

// withEdited returns a copy of a map, with a value added for each edited item.
func withEdited[V any](known map[itemID]V, items []*list.Item, value V) map[itemID]V {
	known = maps.Clone(known)
	for _, item := range items {
		if _, ok := item.Edited(); ok {
			known[idOf(item.Resource())] = value
		}
	}
	return known
}

// After returns the tree as a render left it. It is for results with items.
func (t *Tree) After(r *Result) (*Tree, error) { return t.with(r.Items, r.changed, t.moved) }

// with returns a tree with other items, and reads the Kptfiles among them that differ.
func (t *Tree) with(items []*list.Item, changed map[itemID]string, moved map[itemID]bool) (*Tree, error) {
	edited := &Tree{Dir: t.Dir, kptfiles: t.kptfiles, files: t.files, read: t.read, changed: changed, moved: moved}
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
			isCopy, edited.kptfiles = true, maps.Clone(t.kptfiles)
		}
		edited.kptfiles[PackageOf(next)] = kptfile
	}
	return edited, nil
}

// local returns the items of each package, without the items of its subpackages.
func (t *Tree) local() map[string][]*list.Item {
	local := map[string][]*list.Item{}
	for _, item := range t.items {
		dir := PackageOf(item)
		local[dir] = append(local[dir], item)
	}
	return local
}

// inFiles returns what finds the items of a file in a package, and whether it is there; of
// all files for the name "".
func (t *Tree) inFiles() func(dir, name string) ([]*list.Item, bool) {
	type place struct{ dir, name string }
	items, files := map[place][]*list.Item{}, map[place]bool{}
	for _, item := range t.items {
		at := place{PackageOf(item), item.Resource().File}
		items[at] = append(items[at], item)
	}
	for _, file := range t.files {
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
	Text []byte
}

// Files returns the files of the package that items make, sorted by their paths. Files
// without items stay as they are. A file whose items were all removed is left out.
func (t *Tree) Files(items []*list.Item) []File {
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
	for _, file := range t.files {
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
func (t *Tree) Changes(items []*list.Item) []staging.Change {
	var changes []staging.Change
	after := map[string][]byte{}
	for _, file := range t.Files(items) {
		after[file.Path] = file.Text
	}
	onDisk := func(name string) string { return filepath.Join(t.Dir, filepath.FromSlash(name)) }
	for _, file := range t.files {
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
func (t *Tree) checkResources(items []*list.Item) error {
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
			file := func(name string) *kptpackage.File {
				if i := slices.IndexFunc(t.files, func(f *kptpackage.File) bool { return f.Path == name }); i >= 0 {
					return t.files[i]
				}
				return nil
			}
			what := item.Fault() + "; kpt rejects it"
			if advice := kptpackage.Advice(PackageOf(item), PathOf(item), file); advice != "" {
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
func (t *Tree) faultOf(item *list.Item, what string) error {
	at := diag.Position{Column: 1}
	if _, err := item.Document(); err != nil {
		f := diag.Unreadable(err)
		at, what = f.Position, strings.ReplaceAll(what, err.Error(), f.Found)
	}
	at.Line = item.Line() + max(0, at.Line-1)
	return kptpackage.NewFault(t.Dir, PathOf(item), at, "%s", diag.OneLine(what))
}
