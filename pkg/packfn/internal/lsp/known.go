package lsp

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// known is what completion, hover and definition know of a package or a pack directory. It is
// made of the buffers of the last run when it is needed. Of a file that cannot be read it has
// what it had before.
type known struct {
	run *result
	// disk is the number of the state of the files that were read.
	disk int
	// dir is the package, the pack directory, or the folder of files that are in neither.
	dir string
	// only is the one file that is read, "" for all of the folder.
	only string
	// files are those that kpt reads, by their paths; of a pack directory its pack.json, which
	// stands for the resource of all files.
	files map[string]*knownFile
	// items are the resources of all files.
	items   []*list.Item
	set     *pack.Set
	cluster *pack.ClusterContext
	// directory is a pack directory, nil for none.
	directory *packdir.Pack
}

// knownFile is a file with its resources.
type knownFile struct {
	// text is what was read, and disk that of the file, which may be open.
	text, disk string
	items      []*list.Item
	places     *place.File
	// packs is what is known of the packs of the file, by the indexes of their resources.
	packs map[int]*knownPack
}

// knownPack is what is known of a pack without its overrides.
type knownPack struct {
	form    *form
	facts   *facts.Pack
	entries inventory.Entries
}

// maxKnown bounds the packages of which something is kept.
const maxKnown = 8

// knownOf returns what is known of the package of a file. The caller has the lock.
func (s *Server) knownOf(path string) *known {
	dir, only := s.dirOf(path), ""
	if !s.isInside(dir) {
		only = path
	}
	key := cmp.Or(only, dir)
	before, run := s.known[key], s.found[s.runOf(path)]
	if before != nil && before.run == run {
		return before
	}
	k := &known{run: run, disk: s.disk, dir: dir, only: only, files: map[string]*knownFile{}}
	if before == nil {
		before = &known{disk: -1}
	}
	if before.disk == k.disk && before.directory == nil {
		for path, file := range before.files {
			k.add(path, file.disk, before)
		}
	} else if k.read(before); len(k.files) == 0 { // such as a Kptfile that kpt refuses
		k.files, k.directory = before.files, before.directory
	}
	k.load()
	if s.known == nil || len(s.known) >= maxKnown {
		s.known = map[string]*known{}
	}
	s.known[key] = k
	return k
}

// dirOf returns the pack directory of a file, else its package, else its folder.
func (s *Server) dirOf(path string) string {
	unit := s.unitOf(path)
	for dir := range parents.Of(filepath.Dir(path)) {
		if !within(dir, unit) {
			break
		}
		if packdir.IsFound(dir) {
			return dir
		}
	}
	if kptpackage.IsPackage(unit) {
		return unit
	}
	return filepath.Dir(path)
}

// read reads the files; none if they cannot be read, and before has some.
func (k *known) read(before *known) {
	if k.only != "" {
		k.add(k.only, "", before)
		return
	}
	if packdir.IsFound(k.dir) {
		k.readDirectory(before)
		return
	}
	if kptpackage.IsPackage(k.dir) {
		p, err := kptpackage.Read(k.dir)
		if err == nil {
			for _, file := range p.Files {
				k.add(filepath.Join(k.dir, filepath.FromSlash(file.Path)), string(file.Text), before)
			}
			return
		}
		if len(before.files) > 0 {
			return
		}
	}
	k.readFolder(before)
}

// maxFiles bounds the files that are read of a folder that is not a package.
const maxFiles = 100

// readFolder reads the files of the folder, not those below it.
func (k *known) readFolder(before *known) {
	entries, _ := os.ReadDir(k.dir)
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !kptpackage.IsRead(entry.Name()) || len(k.files) == maxFiles {
			continue
		}
		path := filepath.Join(k.dir, entry.Name())
		if text, err := folder.ReadText(path); err == nil {
			k.add(path, string(text), before)
		}
	}
}

// add adds a file with its text on disk, from the buffer if it is open.
func (k *known) add(path, disk string, before *known) {
	text, file := k.textOr(path, disk), before.files[path]
	if file == nil || file.text != text {
		items := list.KeptItems([]byte(text), k.nameOf(path), &list.Room{Bytes: 1 << 20})
		isBroken := len(items) == 0 || slices.ContainsFunc(items, func(i *list.Item) bool { return !isReadable(i) })
		if file == nil || len(file.items) == 0 || !isBroken {
			file = &knownFile{text: text, items: items, packs: map[int]*knownPack{}}
		}
	}
	file.disk = disk
	k.files[path] = file
}

// textOr returns the text of the buffer of a file, else the one on disk.
func (k *known) textOr(path, disk string) string {
	if k.run != nil && k.run.texts[path] != nil {
		return k.run.texts[path].text
	}
	return disk
}

// readDirectory reads a pack directory as one resource.
func (k *known) readDirectory(before *known) {
	p, err := packdir.Open(k.dir)
	if err != nil {
		return
	}
	var text strings.Builder
	for i, file := range p.Files {
		p.Files[i].Text = []byte(k.textOr(filepath.Join(k.dir, file.Name), string(file.Text)))
		if _, err := values.Parse(string(p.Files[i].Text)); err != nil && before.directory != nil {
			p.Files[i].Text = before.directory.File(file.Name)
		}
		text.WriteString(file.Name + "\n" + string(p.Files[i].Text) + "\n")
	}
	k.directory = p
	path := filepath.Join(k.dir, packdir.Metadata)
	if old := before.files[path]; old != nil && old.text == text.String() {
		k.files[path] = old
	} else {
		k.files[path] = &knownFile{text: text.String(), items: []*list.Item{p.Item()}, packs: map[int]*knownPack{}}
	}
}

// isReadable reports whether a resource can be read, with the texts in it that the suite reads.
func isReadable(item *list.Item) bool {
	if item.Fault() != "" {
		return false
	}
	if !pack.Wants(item) && !pack.IsCluster(item) {
		return true
	}
	document, err := item.Document()
	if err != nil {
		return false
	}
	for _, name := range packdir.FileNames {
		field, _, _ := strings.Cut(name, ".")
		for _, n := range []*yaml.Node{values.Field(document.Root(), "data", name), values.Field(document.Root(), "spec", field)} {
			if n == nil {
				continue
			}
			if _, err := values.Parse(n.Value); err != nil {
				return false
			}
		}
	}
	return true
}

// load reads the packs and the ClusterContext of the files.
func (k *known) load() {
	run := &quietRun{}
	for _, path := range slices.Sorted(maps.Keys(k.files)) {
		k.items = append(k.items, k.files[path].items...)
	}
	for _, item := range k.items {
		if item.Fault() == "" {
			run.items = append(run.items, item.Next())
		}
	}
	k.set = &pack.Set{}
	guarded(func() { k.set = pack.Load(run, pack.Choice{}) })
	guarded(func() { k.cluster, _ = pack.Cluster(run) })
}

// quietRun is a run that packs are loaded for; the findings are those of the checks.
type quietRun struct{ items []*list.Item }

func (r *quietRun) Items() []*list.Item             { return r.items }
func (r *quietRun) Report(...diag.Finding)          {}
func (r *quietRun) ConfigInvalid(diag.Finding)      {}
func (r *quietRun) ConfigPath(field string) string  { return "spec." + field }
func (r *quietRun) Skip(diag.Resource)              {}
func (r *quietRun) Guard(_ diag.Resource, f func()) { guarded(f) }

// guarded calls a function; a panic in it ends it.
func guarded(f func()) {
	defer func() { _ = recover() }() // the checks report it
	f()
}

// pack returns the pack of a name, nil for none.
func (k *known) pack(name string) *pack.Pack {
	if i := slices.IndexFunc(k.set.Packs, func(p *pack.Pack) bool { return p.Name == name }); i >= 0 {
		return k.set.Packs[i]
	}
	return nil
}

// packAt returns the pack that a resource holds, or whose values it overrides. The resource is
// named by its file, kind and name. While its name cannot be read, it is the only one of its
// kind in the file.
func (k *known) packAt(path, kind, name string) *pack.Pack {
	is := func(r diag.Resource) bool {
		return k.pathOf(r) == path && r.Kind == kind && (r.Name == name || name == "")
	}
	var found []*pack.Pack
	for _, p := range k.set.Packs {
		if is(p.Resource) || slices.ContainsFunc(p.Overrides, func(o *pack.Override) bool { return is(o.Values.Resource) }) {
			found = append(found, p)
		}
	}
	if len(found) == 0 || len(found) > 1 && name == "" {
		return nil
	}
	return found[0]
}

// pathOf returns the path of the file of a resource.
func (k *known) pathOf(r diag.Resource) string {
	return filepath.Join(k.dir, filepath.FromSlash(r.File))
}

// nameOf returns a path as findings and answers name it: relative to the package.
func (k *known) nameOf(path string) string {
	name, _ := filepath.Rel(k.dir, path)
	return filepath.ToSlash(name)
}

// of returns what is known of a pack, nothing for none.
func (k *known) of(p *pack.Pack) *knownPack {
	if p == nil {
		return &knownPack{}
	}
	file := k.files[k.pathOf(p.Resource)]
	if have := file.packs[p.Resource.Index]; have != nil {
		return have
	}
	made := &knownPack{}
	file.packs[p.Resource.Index] = made
	guarded(func() { made.facts = k.readFacts(p) })
	guarded(func() {
		if described, _, err := inventory.JSONSchema(p, made.facts); err == nil {
			made.form = formOf(described)
		}
	})
	guarded(func() { made.entries, _ = inventory.EntriesOf(p) })
	return made
}

// readFacts returns what the charts of a pack read, nil if that is unknown.
func (k *known) readFacts(p *pack.Pack) *facts.Pack {
	if k.directory != nil {
		read, _, _ := new(chart.Run).Facts(p, k.dir)
		return read
	}
	if p.ChartFacts == nil {
		return nil
	}
	document, err := p.ChartFacts.Document()
	if err != nil {
		return nil
	}
	read, _ := facts.Read(document)
	return read
}

// place returns where a key of a document is; nowhere if its file is not known.
func (k *known) place(origin *diag.Origin, key string, at diag.Position) filePosition {
	path := k.pathOf(origin.Resource)
	file := k.files[path]
	if file == nil {
		return filePosition{}
	}
	f := &diag.Finding{Where: diag.Where{Origin: origin, Key: key, Position: at}}
	if k.directory != nil {
		return filePosition{filepath.Join(k.dir, origin.Name), place.In{File: place.NewText(origin.Name, k.directory.File(origin.Name))}.Of(f)}
	}
	if file.places == nil {
		file.places = place.NewFile(origin.Resource.File, []byte(file.text))
	}
	return filePosition{path, place.In{File: file.places, Index: f.Resource().Index}.Of(f)}
}
