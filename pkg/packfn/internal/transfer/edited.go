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
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// EditedFile is a file of a pack, other than its values, that another version replaces although
// users have edited it since the import, or may have.
type EditedFile struct {
	// Name is the path of the file in the directory of the pack, such as `presets.yaml`.
	Name string
	// Field is the field of the resource that contains the file, or "" if users removed it.
	Field string
}

// edits are the changes of users to the files of a pack, without its values.
type edits struct {
	// own are the files that keep their edits, by name, because the other version has the file as
	// it was imported. The node is nil if users removed the file.
	own map[string]*yaml.Node
	// lost are the files whose edits the other version does not keep.
	lost []EditedFile
}

// edits compares the files of the resource with its record, and with the imported version. base
// is nil if the imported version is not available.
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

// files returns the files of the pack in the resource: strings, and in a Pack also maps. In a
// Pack, the file pack.json consists of all fields that are not files.
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
	metadata := layout.Map()
	for _, p := range values.Pairs(spec) {
		if !fields[p.Key.Value] {
			metadata.Content = append(metadata.Content, p.Key, p.Value)
		}
	}
	files[packdir.Metadata] = metadata
	return files
}

// hasImportedValues reports whether the values are exactly the text that an import wrote.
func (e *existing) hasImportedValues(record pack.Imported) bool {
	n := e.files()[valuesFile]
	return n == nil || slices.Contains([]string{record.SHA256[valuesFile], record.Written[valuesFile], record.Values}, hashOfNode(n))
}

// field returns the path of the field that contains a file.
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

// hashOfNode returns the hash of a file in a resource: the hash of its text, or the digest of its
// data if it is a map.
func hashOfNode(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return hashOf([]byte(n.Value))
	}
	return pack.DataDigest(n)
}

// hasText reports whether a file in a resource equals a file of a directory, as import writes it.
func hasText(n *yaml.Node, name string, text []byte) bool {
	if text == nil || n.Kind != yaml.ScalarNode {
		return text != nil && isSame(n, string(text))
	}
	trimmed, _ := trim(packdir.File{Name: name, Text: text})
	return n.Value == string(text) || n.Value == trimmed
}

// recordWritten adds to the record the hashes of the files that the resource contains in another
// form than the directory.
func (r *resource) recordWritten() {
	written := map[string]string{}
	for _, f := range r.files {
		hash := hashOf(f.Text)
		if f.Name == packdir.Metadata && r.form == Pack {
			content, err := layout.ParseJSON(f.Text)
			if err != nil {
				continue // writing the resource reports the error
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

// userFiles returns the entries that users added: the keys in the data of a ConfigMap, or the
// file fields of a Pack, that no import wrote and that the next version does not contain.
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
			kept = append(kept, layout.Clone(p.Key), layout.Clone(p.Value))
		}
	}
	return kept
}

// namesOf returns the names of files, in their order.
func namesOf(files []EditedFile) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

// noteEdits adds a note for each file that keeps the edits of users.
func (im *importer) noteEdits(before *existing, p *packdir.Pack, edits edits) {
	for _, name := range slices.Sorted(maps.Keys(edits.own)) {
		im.note("%s: %s stays as you have it, because %s did not change the file", before.path, name, strings.TrimSpace(p.Name+" "+p.Version))
	}
}

// noteDropped adds a note about the files whose edits are dropped.
func (im *importer) noteDropped(path, name string, lost []EditedFile) {
	if note := Dropped(path, name, lost); note != "" {
		im.note("%s", note)
	}
}

// Dropped returns the note about edits that are dropped, or "" if there are none.
func Dropped(path, name string, lost []EditedFile) string {
	if len(lost) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: edits of %s of %s are dropped", path, diag.AllOf(namesOf(lost)), name)
}
