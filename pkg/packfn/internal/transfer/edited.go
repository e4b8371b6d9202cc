package transfer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// EditedFile is a file of a pack, other than its values, that users edited since the import, or
// may have, and that another version replaces.
type EditedFile struct {
	Name string
	// Field is where the resource has the file, "" if users removed it.
	Field string
}

// edits are what users did to the files of a pack, apart from its values.
type edits struct {
	// own are the files that stay as users have them, by their names, nil for one that they
	// removed: the other version has the file as it was imported.
	own  map[string]*yaml.Node
	lost []EditedFile
}

// edits compares the files of the resource with its record, and with the version that was
// imported, nil if that is not at hand.
func (e *existing) edits(record pack.Imported, base, next *packdir.Pack) edits {
	found := edits{own: map[string]*yaml.Node{}}
	have := e.files()
	names := map[string]bool{}
	for name := range record.SHA256 {
		names[name] = true
	}
	for _, f := range next.Files {
		names[f.Name] = true
	}
	delete(names, valuesFile)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		n, was, now := have[name], record.SHA256[name], next.File(name)
		switch {
		case n == nil && (was == "" || now == nil), n != nil && hasText(n, name, now):
		case n != nil && was != "" && (hashOfNode(n) == was || hashOfNode(n) == record.Written[name] || base != nil && hasText(n, name, base.File(name))):
		case was != "" && now != nil && hashOf(now) == was && name != packdir.Metadata:
			found.own[name] = n
		case n == nil:
			found.lost = append(found.lost, EditedFile{Name: name})
		default:
			found.lost = append(found.lost, EditedFile{name, e.field(name)})
		}
	}
	return found
}

// files returns the files of the pack in the resource: texts, and in a Pack also maps. That of
// the metadata has all fields of a Pack that are no files.
func (e *existing) files() map[string]*yaml.Node {
	files := map[string]*yaml.Node{}
	if !e.isPack() {
		for _, p := range values.Pairs(values.Field(e.document.Root(), "data")) {
			files[p.Key.Value] = values.Resolve(p.Value)
		}
		return files
	}
	spec := values.Field(e.document.Root(), "spec")
	fields := map[string]bool{}
	for file, field := range documentFields {
		if n := values.Field(spec, field); n != nil {
			files[file] = values.Resolve(n)
		}
		fields[field] = true
	}
	metadata := mapping()
	for _, p := range values.Pairs(spec) {
		if !fields[p.Key.Value] {
			metadata.Content = append(metadata.Content, p.Key, p.Value)
		}
	}
	files[packdir.Metadata] = metadata
	return files
}

// hasImportedValues reports whether the values are the text that an import wrote.
func (e *existing) hasImportedValues(record pack.Imported) bool {
	n := e.files()[valuesFile]
	return n == nil || slices.Contains([]string{record.SHA256[valuesFile], record.Written[valuesFile], record.Values}, hashOfNode(n))
}

// field is where the resource has a file.
func (e *existing) field(name string) string {
	switch field := documentFields[name]; {
	case !e.isPack():
		return "data[" + name + "]"
	case field != "":
		return "spec." + field
	}
	return "spec"
}

func (e *existing) isPack() bool { return e.item.Is(pack.GroupVersion, "Pack") }

// hashOfNode returns the hash of a file in a resource: of its text, or of its data.
func hashOfNode(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return hashOf([]byte(n.Value))
	}
	return pack.DataDigest(n)
}

// hasText reports whether a file in a resource is one of a directory, as import writes it.
func hasText(n *yaml.Node, name string, text []byte) bool {
	if text == nil || n.Kind != yaml.ScalarNode {
		return text != nil && isSame(n, string(text))
	}
	trimmed, _ := trim(packdir.File{Name: name, Text: text})
	return n.Value == string(text) || n.Value == trimmed
}

// recordWritten adds to the record what the files are in the resource, of those that it does not
// have as the directory has them.
func (r *resource) recordWritten() {
	written := map[string]string{}
	for _, f := range r.files {
		hash := hashOf(f.Text)
		if f.Name == packdir.Metadata && r.form == Pack {
			content, err := jsonNode(f.Text)
			if err != nil {
				continue // which is an error when it is written
			}
			hash = pack.DataDigest(content)
		}
		isOfProfile := f.Name == valuesFile && r.record.Values != ""
		if was := r.record.SHA256[f.Name]; was != "" && hash != was && !isOfProfile {
			written[f.Name] = hash
		}
	}
	if len(written) > 0 {
		r.record.Written = written
	}
}

// userFiles returns the entries of a pack that no import wrote, and that a version of it does
// not have: of the data of a ConfigMap, or of the files of a Pack.
func (e *existing) userFiles(record pack.Imported, next *packdir.Pack) []*yaml.Node {
	body, nameOf := "data", map[string]string{}
	if e.isPack() {
		body = "spec"
		for file, field := range documentFields {
			nameOf[field] = file
		}
	}
	var kept []*yaml.Node
	for _, p := range values.Pairs(values.Field(e.document.Root(), body)) {
		name := p.Key.Value
		if e.isPack() {
			name = nameOf[name]
		}
		if _, imported := record.SHA256[name]; name != "" && !imported && next.File(name) == nil && !slices.Contains([]string{facts.FileName, packdir.Metadata, valuesFile}, name) {
			kept = append(kept, clone(p.Key), clone(p.Value))
		}
	}
	return kept
}

func namesOf(files []EditedFile) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// noteEdits says which files stay as users have them.
func (im *importer) noteEdits(before *existing, p *packdir.Pack, edits edits) {
	for _, name := range slices.Sorted(maps.Keys(edits.own)) {
		im.note("%s: %s stays as you have it, because %s did not change the file", before.path, name, strings.TrimSpace(p.Name+" "+p.Version))
	}
}

// noteDropped says which files do not stay so.
func (im *importer) noteDropped(path, name string, lost []EditedFile) {
	if note := Dropped(path, name, lost); note != "" {
		im.note("%s", note)
	}
}

// Dropped says that edits of files of a pack are dropped, "" if there are none.
func Dropped(path, name string, lost []EditedFile) string {
	if len(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: edits of %s of %s are dropped", path, diag.AllOf(namesOf(lost)), name)
}
