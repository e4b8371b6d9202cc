package transfer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
)

// Newer is a pack of a package, with its resource in another version.
type Newer struct {
	// Pack is the name of the pack.
	Pack string
	// Path is the file that contains the pack.
	Path string
	// After is the resource in the new version, with the recorded presets applied. Base is the
	// resource in the old version without the edits of users, or nil if it is unknown.
	After, Base []byte
	// IsUnedited is true if users have not edited the values, according to the record of the
	// import.
	IsUnedited bool
	// HasImportedValues is true if the values are exactly the text that an import wrote.
	HasImportedValues bool
	// IsSame is true if the package contains this version of the pack already, and nothing
	// changes.
	IsSame bool
	// From is the directory that the pack was imported from, or "" if it is not available.
	From string
	// EditedFiles are the files, except the values, whose edits are dropped.
	EditedFiles []EditedFile
	// Notes are messages for the user, one line each.
	Notes []string

	existing *existing
}

// Target is a package whose packs are upgraded.
type Target struct {
	im importer
	// packs are the packs of the package by name, and names their names in order.
	packs map[string][]*existing
	names []string
	// Sources are searched for the old versions of packs, or nil if there are none.
	Sources *packdir.Sources
}

// OpenTarget reads a package.
func OpenTarget(to string) (*Target, error) {
	t := &Target{im: importer{to: to, taken: map[string]string{}, charts: &chart.Run{}}, packs: map[string][]*existing{}}
	if err := t.im.readTarget(); err != nil {
		return nil, err
	}
	for i := range t.im.there {
		e := &t.im.there[i]
		if t.packs[e.pack] == nil {
			t.names = append(t.names, e.pack)
		}
		t.packs[e.pack] = append(t.packs[e.pack], e)
	}
	return t, nil
}

// Newer reads the new version of a pack from its directory. from is the directory that the pack
// was imported from, or "" if it is not available.
func (t *Target) Newer(dir, from string) (*Newer, error) {
	p, err := packdir.Read(dir)
	if err != nil {
		return nil, err
	}
	found := t.packs[p.Name]
	switch {
	case len(found) == 0:
		f := diag.NotFound("pack", p.Name, t.names)
		f.Unseen = ""
		return nil, fmt.Errorf("%s: %s; to add the pack, use packfn import %s --to %s", t.im.to, f.Message(), dir, t.im.to)
	case len(found) > 1:
		return nil, fmt.Errorf("%s has %d packs of the name %s: %s and %s; remove one", t.im.to, len(found), p.Name, found[0].file.Path, found[1].file.Path)
	}
	before := found[0]
	n := &Newer{Pack: p.Name, Path: before.path, existing: before, IsUnedited: isUnedited(before.item.Text(), before.path)}
	record, _ := pack.ParseImported(before.item.Annotation(pack.ImportedAnnotation))
	// Files that an import added with --with are part of the record.
	if p, err = packdir.Read(dir, record.Files()...); err != nil {
		return nil, err
	}
	n.HasImportedValues = before.hasImportedValues(record)
	im := t.im
	im.plan = &Plan{}
	if n.IsSame = len(record.SHA256) > 0 && RecordOf(p).Equal(record); n.IsSame {
		document, err := im.renewed(p, before, record)
		if err != nil {
			return nil, err
		}
		n.After = []byte(document.Text())
		return n, nil
	}
	old, err := n.older(t, from, record)
	if err != nil {
		return nil, err
	}
	made := before.edits(record, old, p)
	if len(record.SHA256) > 0 {
		n.EditedFiles = made.lost
	} else if len(made.lost) > 0 { // the pack was not imported
		im.note("%s: nothing records what was imported: the files of %s are replaced, also where you edited them (%s)", n.Path, p.Name, diag.SomeOf(namesOf(made.lost)))
	}
	if n.After, err = im.newer(p, before, record, made); err != nil {
		return nil, err
	}
	im.noteEdits(before, p, made)
	if old == nil {
		n.Notes = im.plan.Notes
		return n, nil
	}
	n.Notes = append(im.plan.Notes, n.Notes...)
	n.From = old.Dir
	// Notes about the old version are not needed.
	n.Base, err = im.newer(old, before, record, edits{})
	return n, err
}

// older returns the directory that the pack was imported from, which is from or a directory of a
// source. It returns nil if it is not available.
func (n *Newer) older(t *Target, from string, record pack.Imported) (*packdir.Pack, error) {
	if from == "" {
		old := SourceOf(record, n.Pack, cmp.Or(t.Sources, &packdir.Sources{}))
		switch {
		case old == nil && record.Values != "":
			return nil, fmt.Errorf("%s: the values of %s are those of a profile, so its edits are not known without the pack itself: name the folder with the directory of %s with --source%s",
				n.Path, n.Pack, strings.TrimSpace(n.Pack+" "+record.Version), reimport(record))
		case old != nil:
			n.Notes = append(n.Notes, fmt.Sprintf("%s: the directory that it was imported from is %s", n.Path, old.Dir))
		}
		return old, nil
	}
	old, err := packdir.Read(from, record.Files()...)
	switch {
	case err != nil:
		return nil, err
	case len(record.SHA256) == 0:
		return nil, fmt.Errorf("--from: %s has no record of an import, so %s cannot be compared with it", n.Path, from)
	case !RecordOf(old).Equal(record):
		return nil, fmt.Errorf("--from: %s is not what %s was imported from: %s", from, n.Path, difference(record, RecordOf(old)))
	}
	return old, nil
}

// reimport returns the advice for a pack of a profile that no source contained at the import.
func reimport(record pack.Imported) string {
	if len(record.SHA256) > 0 {
		return ""
	}
	return ", and import the profile again with --source and --force"
}

// newer returns the resource of a pack directory that replaces an existing one.
func (im *importer) newer(p *packdir.Pack, before *existing, record pack.Imported, edits edits) ([]byte, error) {
	form := ConfigMap
	if before.isPack() {
		form = Pack
	}
	r := before.next(form, record, edits, p)
	r.record.Values = record.Values
	text, err := im.text(p, r)
	if err != nil {
		return nil, err
	}
	text, _, err = withPresets(text, before.path) // upgrades report what is missing
	return text, err
}

// File returns the text of the file with the pack replaced by a resource.
func (n *Newer) File(resource []byte) ([]byte, error) {
	text, err := n.existing.replaced(resource)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Path, err)
	}
	return text, nil
}
