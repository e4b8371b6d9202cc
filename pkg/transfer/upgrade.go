package transfer

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// Newer is a pack of a package with what it becomes in another version.
type Newer struct {
	// Pack is the name of the pack.
	Pack string
	// Path is the file that has it, and Index its place among the resources there.
	Path  string
	Index int
	// Before is the resource as it is, and After as it becomes, with the presets that
	// were applied. Base is the resource as Before would be without the edits of users,
	// nil when that is unknown.
	Before, After, Base []byte
	// Notes are what the user should know, one line each.
	Notes []string

	existing existing
}

// ReadNewer reads the newer version of a pack of a package from its directory. from is
// the directory that the pack was imported from, "" when it is not at hand.
func ReadNewer(to, dir, from string) (*Newer, error) {
	im := importer{to: to, plan: &Plan{}, taken: map[string]string{}}
	if err := im.readTarget(); err != nil {
		return nil, err
	}
	p, err := packdir.Read(dir)
	if err != nil {
		return nil, err
	}
	var found []existing
	var names []string
	for _, e := range im.there {
		names = append(names, e.pack)
		if e.pack == p.Name {
			found = append(found, e)
		}
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("%s has no pack %s (it has %s); use packfn import %s --to %s", to, p.Name, strings.Join(names, ", "), dir, to)
	case len(found) > 1:
		return nil, fmt.Errorf("%s has %d packs of the name %s: %s and %s; remove one", to, len(found), p.Name, found[0].file.Path, found[1].file.Path)
	}
	n := &Newer{Pack: p.Name, Path: filepath.Join(to, found[0].file.Path), Index: found[0].item.Resource().Index, Before: found[0].item.Text(), existing: found[0]}
	record, _ := ParseRecord(found[0].item.Annotation(ImportedAnnotation))
	// Files that an import took along belong to the record.
	if p, err = packdir.Read(dir, record.files()...); err != nil {
		return nil, err
	}
	if n.After, err = im.newer(p, &found[0], record); err != nil {
		return nil, err
	}
	n.Notes = im.plan.Notes
	if from == "" {
		return n, nil
	}
	old, err := packdir.Read(from, record.files()...)
	switch {
	case err != nil:
		return nil, err
	case len(record.SHA256) == 0:
		return nil, fmt.Errorf("--from: %s has no record of an import, so %s cannot be compared with it", n.Path, from)
	case !RecordOf(old).Equal(record):
		return nil, fmt.Errorf("--from: %s is not what %s was imported from: %s", from, n.Path, difference(record, RecordOf(old)))
	}
	im.plan = &Plan{} // what is said of the old version is known
	n.Base, err = im.newer(old, &found[0], record)
	return n, err
}

// newer makes the resource of a pack directory in the place of one that is there.
func (im *importer) newer(p *packdir.Pack, before *existing, record Record) ([]byte, error) {
	r := &resource{form: ConfigMap, name: before.item.Name(), metadata: clone(values.Field(before.document.Root(), "metadata"))}
	if before.item.Is(pack.GroupVersion, "Pack") {
		r.form = Pack
	} else {
		r.kept = userKeys(before.document.Root(), record)
	}
	presets := takePresets(r.metadata)
	text, err := im.write(p, r)
	if err != nil {
		return nil, err
	}
	return im.carryPresets(p, text, presets), nil
}

// File returns the text of the file with a resource in the place of the pack.
func (n *Newer) File(resource []byte) ([]byte, error) {
	text, err := replaceDocument(&n.existing, resource)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Path, err)
	}
	return text, nil
}
