package language

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// Snapshot is the parsed state of a package or a pack directory, shared by completion, hover and
// go-to-definition. It is computed on demand from the buffers of the last run. For a file that
// cannot be parsed, it keeps the last version that could.
type Snapshot struct {
	// texts are the texts of the buffers, by path.
	texts map[string]*protocol.Buffer
	// dir is the package, the pack directory, or the folder of a file that is in neither.
	dir string
	// only is the only file to read, or "" to read the whole folder.
	only string
	// files are the files that kpt reads, by path. For a pack directory, it contains only
	// pack.json, which represents the resource made of all files.
	files map[string]*snapshotFile
	// items are the resources of all files.
	items []*list.Item
	// set has the packs of the package, and cluster is its ClusterContext, or nil.
	set     *pack.Set
	cluster *pack.ClusterContext
	// directory is the pack directory, or nil if dir is not one.
	directory *packdir.Pack
}

// snapshotFile is a file with its resources.
type snapshotFile struct {
	// text is the text that was parsed. disk is the text of the file on disk, which differs if
	// the file is open.
	text, disk string
	// items are the resources of the text, and places finds positions in it.
	items  []*list.Item
	places *place.File
	// packs caches the parsed state of the packs in the file, by the index of their resource.
	packs map[int]*packState
}

// packState is the parsed state of a pack without its overrides.
type packState struct {
	// form describes the values, facts the values that charts read, and entries what is known of each
	// value.
	form    *form
	facts   *facts.Pack
	entries inventory.Entries
}

// Read reads the package or pack directory in a folder, or only one file in it, with the texts of the buffers
// in place of the files. before is an earlier snapshot of the same, or nil.
func Read(dir, only string, texts map[string]*protocol.Buffer, before *Snapshot) *Snapshot {
	if before == nil {
		before = &Snapshot{}
	}
	k := &Snapshot{texts: texts, dir: dir, only: only, files: map[string]*snapshotFile{}}
	if k.read(before); len(k.files) == 0 { // for example because kpt rejects the Kptfile
		k.files, k.directory = before.files, before.directory
	}
	k.load()
	return k
}

// With returns the snapshot with other texts of the buffers, if no file on disk has changed.
func (k *Snapshot) With(dir string, texts map[string]*protocol.Buffer) *Snapshot {
	if k.directory != nil {
		return Read(dir, k.only, texts, k)
	}
	now := &Snapshot{texts: texts, dir: dir, only: k.only, files: map[string]*snapshotFile{}}
	for path, file := range k.files {
		now.add(path, file.disk, k)
	}
	now.load()
	return now
}

// read reads the files. If the package cannot be read and before has files, it reads none.
func (k *Snapshot) read(before *Snapshot) {
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

// maxFiles is the maximum number of files that are read in a folder that is not a package.
const maxFiles = 100

// readFolder reads the files of the folder, without subfolders.
func (k *Snapshot) readFolder(before *Snapshot) {
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

// add adds a file. disk is its text on disk; the text of its buffer takes precedence. If the text
// cannot be parsed, add keeps the resources of the previous version.
func (k *Snapshot) add(path, disk string, before *Snapshot) {
	text, file := k.textOr(path, disk), before.files[path]
	if file == nil || file.text != text {
		items := list.KeptItems([]byte(text), k.nameOf(path), &list.Room{Bytes: 1 << 20})
		isBroken := len(items) == 0 || slices.ContainsFunc(items, func(i *list.Item) bool { return !isReadable(i) })
		if file == nil || len(file.items) == 0 || !isBroken {
			file = &snapshotFile{text: text, items: items, packs: map[int]*packState{}}
		}
	}
	file.disk = disk
	k.files[path] = file
}

// textOr returns the text of the buffer of a file, or else its text on disk.
func (k *Snapshot) textOr(path, disk string) string {
	if b := k.texts[path]; b != nil {
		return b.Text
	}
	return disk
}

// readDirectory reads a pack directory as one resource.
func (k *Snapshot) readDirectory(before *Snapshot) {
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
		k.files[path] = &snapshotFile{text: text.String(), items: []*list.Item{p.Item()}, packs: map[int]*packState{}}
	}
}

// isReadable reports whether a resource can be parsed, including the embedded texts that the
// suite reads.
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

// load loads the packs and the ClusterContext in the files.
func (k *Snapshot) load() {
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

// quietRun is a run for loading packs that discards findings, because the checks report them.
type quietRun struct{ items []*list.Item }

func (r *quietRun) Items() []*list.Item             { return r.items }
func (r *quietRun) Report(...diag.Finding)          {}
func (r *quietRun) ConfigInvalid(diag.Finding)      {}
func (r *quietRun) ConfigPath(field string) string  { return "spec." + field }
func (r *quietRun) Skip(diag.Resource)              {}
func (r *quietRun) Guard(_ diag.Resource, f func()) { guarded(f) }

// guarded calls a function, and recovers from a panic in it.
func guarded(f func()) {
	defer func() { _ = recover() }() // the checks report it
	f()
}

// pack returns the pack with a name, or nil if there is none.
func (k *Snapshot) pack(name string) *pack.Pack {
	if i := slices.IndexFunc(k.set.Packs, func(p *pack.Pack) bool { return p.Name == name }); i >= 0 {
		return k.set.Packs[i]
	}
	return nil
}

// packAt returns the pack that a resource contains, or whose values it overrides. The resource is
// identified by its file, kind and name. If its name cannot be parsed, the resource is found only
// if it is the only one of its kind in the file.
func (k *Snapshot) packAt(path, kind, name string) *pack.Pack {
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

// pathOf returns the path of the file that contains a resource.
func (k *Snapshot) pathOf(r diag.Resource) string {
	return filepath.Join(k.dir, filepath.FromSlash(r.File))
}

// nameOf returns a path relative to the package, as findings and answers show it.
func (k *Snapshot) nameOf(path string) string {
	name, _ := filepath.Rel(k.dir, path)
	return filepath.ToSlash(name)
}

// of returns the parsed state of a pack, which is empty if the pack is nil.
func (k *Snapshot) of(p *pack.Pack) *packState {
	if p == nil {
		return &packState{}
	}
	file := k.files[k.pathOf(p.Resource)]
	if have := file.packs[p.Resource.Index]; have != nil {
		return have
	}
	made := &packState{}
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

// readFacts returns the values that the charts of a pack read, or nil if they are unknown.
func (k *Snapshot) readFacts(p *pack.Pack) *facts.Pack {
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

// place returns the position of a key of a document, or the zero value if its file is not known.
func (k *Snapshot) place(origin *diag.Origin, key string, at diag.Position) filePosition {
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
