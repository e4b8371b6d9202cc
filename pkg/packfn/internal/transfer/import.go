package transfer

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// Import plans the import of pack directories, and of the profiles, bundles and Capact files in
// the options, into a folder that may not exist yet. If any part cannot be imported correctly, it
// returns an error and no plan.
func Import(to string, dirs []string, options Options) (*Plan, error) {
	im := importer{to: to, options: options, plan: &Plan{}, taken: map[string]string{}, charts: &chart.Run{}}
	im.options.Form, im.options.Sources = cmp.Or(options.Form, ConfigMap), cmp.Or(options.Sources, &packdir.Sources{})
	if options.Form == Pack && len(options.With) > 0 {
		return nil, fmt.Errorf("a Pack has no place for %s; import it with --as configmap", diag.AllOf(options.With))
	}
	if err := im.readTarget(); err != nil {
		return nil, err
	}
	packs, err := im.readPacks(dirs)
	if err != nil {
		return nil, err
	}
	var failures []error
	for i, p := range packs {
		if options.Progress != nil {
			options.Progress(i, len(packs))
		}
		failures = append(failures, im.pack(p))
	}
	for _, p := range options.Profiles {
		failures = append(failures, im.profile(p))
	}
	for _, dir := range options.Bundles {
		failures = append(failures, im.bundle(dir))
	}
	for _, file := range options.Catalogs {
		failures = append(failures, im.catalog(file))
	}
	failures = append(failures, im.capact(options.Capact))
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	switch {
	case options.Kptfile:
		im.kptfile(packs)
	case im.target.Kptfiles["."] == nil:
		im.note("%s has no Kptfile; kpt needs one: add it with kpt pkg init or --kptfile", to)
	default:
		im.noteFunctions(packs)
	}
	return im.plan, nil
}

// importer is one run of an import. It reads the target and the inputs, and collects what is to be
// written in a plan.
type importer struct {
	// to is the folder of the target package, which may not exist yet.
	to      string
	options Options
	// target is the package as it is now, an empty one if the folder does not exist.
	target *kptpackage.Package
	// there are the existing packs of the target.
	there []existing
	// profiles are the existing ClusterProfiles of the target. imported are the packs of the
	// imported profiles.
	profiles []existing
	imported []*packdir.Pack
	// plan gets the changes and the notes.
	plan *Plan
	// charts reads the charts of all packs.
	charts *chart.Run
	// taken maps resource names to the directories or files that they are used for.
	taken map[string]string
}

// write plans to write a file.
func (im *importer) write(path string, text []byte) {
	im.plan.Changes = append(im.plan.Changes, staging.Change{In: im.to, Path: path, Text: text})
}

// note adds a line for people to the plan.
func (im *importer) note(format string, args ...any) {
	im.plan.Notes = append(im.plan.Notes, fmt.Sprintf(format, args...))
}

// readTarget finds the packs of the target.
func (im *importer) readTarget() error {
	info, err := os.Stat(im.to)
	switch {
	case errors.Is(err, os.ErrNotExist):
		im.target = &kptpackage.Package{Dir: im.to}
		return nil
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is a file; name the folder of a package", im.to)
	}
	if im.target, err = kptpackage.Read(im.to); err != nil {
		return err
	}
	for _, file := range im.target.Files {
		for _, item := range file.Items() {
			if !pack.Wants(item) {
				continue
			}
			e := existing{path: filepath.Join(im.to, file.Path), file: file, item: item}
			if e.document, err = item.Document(); err != nil {
				return fmt.Errorf("%s: %w", e.path, err)
			}
			if item.Is(pack.GroupVersion, "ClusterProfile") {
				im.profiles = append(im.profiles, e)
			} else if e.pack = packName(item, e.document); e.pack != "" {
				im.there = append(im.there, e)
			}
		}
	}
	return nil
}

// packName returns the name of the pack in a resource, or "" if the resource is not a pack.
func packName(item *list.Item, document *values.Document) string {
	root := document.Root()
	if item.Is(pack.GroupVersion, "Pack") {
		if name := values.Text(values.Field(root, "spec", "name")); name != "" {
			return name
		}
		return item.Name()
	}
	metadata, err := values.Parse(values.Text(values.Field(root, "data", packdir.Metadata)))
	if err != nil {
		return ""
	}
	return values.Text(values.Field(metadata.Root(), "name"))
}

// readPacks reads all pack directories that the user named, and checks the options that refer to
// them.
func (im *importer) readPacks(dirs []string) ([]*packdir.Pack, error) {
	var packs []*packdir.Pack
	seen := map[string]bool{}
	for _, dir := range dirs {
		found, err := packdir.Find(dir)
		if err != nil {
			return nil, err
		}
		for _, dir := range found {
			if seen[filepath.Clean(dir)] {
				continue
			}
			seen[filepath.Clean(dir)] = true
			p, err := packdir.Read(dir, im.options.With...)
			if err != nil {
				return nil, err
			}
			packs = append(packs, p)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(im.options.Names)) {
		if !seen[dir] && !im.options.isOfBundle(dir) {
			return nil, fmt.Errorf("--name: %s is not among the directories to import", dir)
		}
	}
	for _, name := range im.options.With {
		if !dataKey.MatchString(name) {
			return nil, fmt.Errorf("--with %s: the key of a ConfigMap has only letters, digits, '-', '_' and '.'", name)
		}
		if !slices.ContainsFunc(packs, func(p *packdir.Pack) bool { return p.File(name) != nil }) {
			return nil, fmt.Errorf("--with %s: no pack has this file", name)
		}
	}
	return packs, nil
}

// objectName returns the name of the resource of a pack.
func (im *importer) objectName(p *packdir.Pack) (string, error) {
	if name, ok := im.options.Names[filepath.Clean(p.Dir)]; ok {
		return name, nil
	}
	name := kptpackage.ResourceName(p.Name)
	if name == "" {
		return "", fmt.Errorf("%s: no resource can have the name %q; choose one with --name NEW=%s", p.Dir, p.Name, p.Dir)
	}
	return name, nil
}

// pack plans the import of a pack.
func (im *importer) pack(p *packdir.Pack) error {
	name, err := im.objectName(p)
	if err != nil {
		return err
	}
	if other, ok := im.taken[name]; ok {
		return fmt.Errorf("%s and %s are packs of one name, %s; choose another with --name NEW=%s", other, p.Dir, name, p.Dir)
	}
	im.taken[name] = p.Dir
	before, err := im.before(p, name)
	if err != nil {
		return err
	}
	if before != nil {
		return im.again(p, name, before)
	}
	path := filepath.Join(im.to, name+".yaml")
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already, and is not the pack %s; choose another name with --name NEW=%s", path, p.Name, p.Dir)
	}
	text, err := im.text(p, &resource{form: im.options.Form, name: name})
	if err != nil {
		return err
	}
	im.write(path, text)
	im.note("%s: %s %s", path, p.Name, p.Version)
	return nil
}

// before returns the resource that an earlier import of the pack wrote, or nil if there is none.
// It returns an error if the target contains the same pack under another name, unless the user
// chose a name.
func (im *importer) before(p *packdir.Pack, name string) (*existing, error) {
	_, named := im.options.Names[filepath.Clean(p.Dir)]
	for i := range im.there {
		e := &im.there[i]
		switch {
		case e.item.Name() == name:
			if e.item.Annotation(pack.ImportedAnnotation) == "" {
				return nil, fmt.Errorf("%s has the pack %s, which was not imported; remove it, or choose another name with --name NEW=%s", e.path, e.pack, p.Dir)
			}
			return e, nil
		case e.pack == p.Name && !named:
			return nil, fmt.Errorf("%s and %s are packs of one name, %s; choose another with --name NEW=%s", e.path, p.Dir, p.Name, p.Dir)
		}
	}
	return nil, nil
}

// again plans the import of a pack that was imported before.
func (im *importer) again(p *packdir.Pack, name string, before *existing) error {
	path := before.path
	record, ok := pack.ParseImported(before.item.Annotation(pack.ImportedAnnotation))
	if !ok {
		return fmt.Errorf("%s: the annotation %s cannot be read; remove the resource and import the pack again", path, pack.ImportedAnnotation)
	}
	// Files that an earlier import added with --with are part of the record.
	p, err := packdir.Read(p.Dir, slices.Concat(im.options.With, record.Files())...)
	if err != nil {
		return err
	}
	now := RecordOf(p)
	if now.Equal(record) {
		return im.renewFacts(p, before, record)
	}
	if !im.options.Force {
		return fmt.Errorf("%s: %s differs from what was imported (%s): use packfn upgrade %s %s, or --force, which replaces the pack", path, p.Dir, difference(record, now), im.to, p.Dir)
	}
	edits := before.edits(record, nil, p)
	if isUnedited := isUnedited(before.item.Text(), path); !im.options.DiscardEdits && (!isUnedited || len(edits.lost) > 0) {
		return &EditedError{Path: path, Pack: p.Name, Dir: p.Dir, To: im.to, HasValues: !isUnedited, Files: edits.lost}
	}
	r := before.next(im.options.Form, record, edits, p)
	r.name = name
	im.noteEdits(before, p, edits)
	im.noteDropped(path, p.Name, edits.lost)
	var missing []string
	text, err := im.text(p, r)
	if err == nil {
		text, missing, err = withPresets(text, path)
	}
	if err == nil {
		im.noteComments(before, text, p, record)
		text, err = before.replaced(text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	im.write(path, text)
	im.note("%s: %s %s replaces %s", path, p.Name, p.Version, record.Version)
	if len(missing) > 0 {
		im.note("%s: %s has no preset %s: what it set is gone", path, p.Name, diag.AllOf(missing))
	}
	return nil
}

// difference describes the difference between two records: the version, or the names of files.
func difference(before, now pack.Imported) string {
	if before.Version != now.Version {
		return "version " + now.Version + ", before " + before.Version
	}
	var names []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(before.Files(), now.Files())))) {
		if before.SHA256[name] != now.SHA256[name] {
			names = append(names, name)
		}
	}
	return diag.AllOf(names)
}

// text returns the text of the resource of a pack, and adds notes about it.
func (im *importer) text(p *packdir.Pack, r *resource) ([]byte, error) {
	isOfProfile := r.record.Values != ""
	r.record = RecordOf(p)
	if addValues(&r.record, p); isOfProfile {
		r.record.Values = hashOf(p.File(valuesFile))
	}
	for _, f := range p.Files {
		if !im.options.Exact {
			if text, lines := trim(f); lines > 0 {
				im.note("%s: removed whitespace at the end of %s", filepath.Join(p.Dir, f.Name), diag.Count(lines, "line"))
				f.Text = []byte(text)
			}
		}
		r.files = append(r.files, f)
	}
	im.notePresets(p)
	read, digests, err := im.facts(p)
	if err != nil {
		return nil, err
	}
	if digests != nil {
		r.files, r.record.Charts = append(r.files, packdir.File{Name: facts.FileName, Text: []byte(read)}), digests
	}
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	for _, note := range quotedTexts(text, r.files) {
		im.note("%s", filepath.Join(p.Dir, note))
	}
	for _, name := range p.Left {
		if known, ok := p.Misspelt[name]; ok {
			im.note("%s is left out; functions read %s: rename it if it is that file", filepath.Join(p.Dir, name), known)
		}
	}
	left := slices.DeleteFunc(slices.Clone(p.Left), func(name string) bool { return isOfCharts(r.record, name) })
	if len(left) > 0 {
		im.note("%s: left out %s, which functions do not read", p.Dir, diag.AllOf(left))
	}
	return text, nil
}
