// Package place finds the line and column in a file that a finding is about.
//
// A finding names a resource by its index in the file, a path in the resource, and a
// position in the text that is embedded there. The file has that text indented in a
// block, or in quotes.
//
// For example, a finding is about line 2 of data[values.yaml] of the resource 0. In the file that is
// line 6:
//
//	apiVersion: v1
//	kind: ConfigMap
//	data:
//	  values.yaml: |
//	    a: 1
//	    b: x
package place

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// File is a file that findings are about.
type File struct {
	// Path is its path, as findings name it.
	Path  string
	text  string // of a file that is a single text
	lines []string
	items []*list.Item // nil for a single text
	// documents are the parsed items, or nil for those that cannot be read.
	documents map[int]*values.Document
	// texts are the places in the embedded texts, by their scalars.
	texts map[*yaml.Node]func(diag.Position) (diag.Position, bool)
	// trees are the trees of the embedded texts, and of a single text.
	trees Trees
}

// NewFile returns a file of resources.
func NewFile(path string, text []byte) *File {
	f := NewList(list.FileItems(text, path))
	f.Path, f.lines = path, NewText(path, text).lines
	return f
}

// NewFlat returns a file of resources in which Lists stand for their elements.
func NewFlat(path string, text []byte) *File { return NewItems(path, text, list.Flat(text, path, nil)) }

// NewItems returns a file whose resources were read already.
func NewItems(path string, text []byte, items []*list.Item) *File {
	f := NewList(items)
	f.Path, f.lines = path, NewText(path, text).lines
	return f
}

// NewList returns resources that are in no file.
func NewList(items []*list.Item) *File {
	return &File{items: append([]*list.Item{}, items...), documents: map[int]*values.Document{}, texts: map[*yaml.Node]func(diag.Position) (diag.Position, bool){}}
}

// NewText returns a file that is a single text, such as a values.yaml by itself.
func NewText(path string, text []byte) *File {
	return &File{Path: path, text: string(text), lines: strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"), "\n")}
}

// Trees returns what finds paths in the resources of the file.
func (f *File) Trees() *Trees { return &f.trees }

// Line returns a line of the file without its break, or "" if there is none.
func (f *File) Line(number int) string {
	if number < 1 || number > len(f.lines) {
		return ""
	}
	return f.lines[number-1]
}

// Text returns the text of the file, with the line breaks of Unix, or "" if it is in no file.
func (f *File) Text() string { return strings.Join(f.lines, "\n") }

// Resource returns the place of a field of a resource: of its key, or of the nearest
// field above it that is there.
func (f *File) Resource(index int, path string) diag.Position {
	root := f.root(index)
	n, key := f.trees.nearest(root, path)
	if n == root {
		return f.start(index)
	}
	return f.absolute(index, values.At(cmp.Or(key, n))) // the key is what users look for
}

// Entry returns the place of the text of a key or of a value; zero if it is not there.
func (f *File) Entry(index int, path string, isKey bool) diag.Position {
	n, key := f.trees.Find(f.root(index), path)
	if isKey {
		n = key
	}
	at := f.absolute(index, values.At(n))
	if n != nil && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at.Column++
	}
	return at
}

// In is a resource of a file, by its index there, or a file that is a single text.
type In struct {
	*File
	// Index is the number of the resource in the file, from 0.
	Index int
}

// HasLine reports whether the line of a finding in an embedded text is one of the file, which
// [In.Of] returns: in a literal block, and in a resource that cannot be parsed.
func (in In) HasLine(finding *diag.Finding) bool {
	if in.items == nil || finding.Origin == nil || finding.Position.Line == 0 {
		return in.items == nil && finding.Position.Line > 0
	}
	if finding.Kind == diag.KindUnreadable && finding.Path() == "" { // the text of the file
		return true
	}
	n, _ := in.trees.Find(in.root(in.Index), finding.Origin.Field)
	return finding.Origin.Embedded && n != nil && n.Kind == yaml.ScalarNode && n.Style&yaml.LiteralStyle != 0
}

// Edit returns the place of an edit, to which the position of a finding was moved.
func (in In) Edit(finding *diag.Finding) diag.Position { return in.Of(finding) }

// Config is the functionConfig in a field of a Kptfile.
type Config struct {
	*File
	// Field is the path in the Kptfile, such as `pipeline.mutators[0].configMap`.
	Field string
	// IsKey reports whether edits apply to the key at the place, and not to the value.
	IsKey bool
}

// Of returns the place of the field.
func (c Config) Of(*diag.Finding) diag.Position { return c.Resource(0, c.Field) }

// Edit returns the place of the text of the key or of the value.
func (c Config) Edit(*diag.Finding) diag.Position { return c.Entry(0, c.Field, c.IsKey) }

// HasLine reports whether the place is the line at fault, which needs no other line.
func (c Config) HasLine(*diag.Finding) bool { return false }

// Of returns the place of a finding about the resource. It is exact for fields of the resource, and
// for embedded texts. A finding about a missing field has the place of the map or list that would contain the field.
func (in In) Of(finding *diag.Finding) diag.Position {
	f, index := in.File, in.Index
	root, origin, at := f.root(index), finding.Origin, finding.Position
	switch {
	case f.items == nil && at.Line == 0:
		return cmp.Or(f.trees.At(nil, f.text, finding.Key), diag.Position{Line: 1})
	case at.Line > 0 && (origin == nil || f.items == nil || !origin.Embedded):
		return f.absolute(index, at)
	case origin == nil || root == nil:
		return f.start(index)
	case !origin.Embedded:
		return f.Resource(index, finding.Path())
	}
	n, _ := f.trees.nearest(root, origin.Field)
	if at.Line == 0 && finding.Key != "" {
		at = f.trees.At(n, n.Value, finding.Key)
	}
	if place, ok := f.inResource(index, n, at); ok {
		return f.absolute(index, place)
	}
	return f.Resource(index, origin.Field)
}

// InResource returns the place in a resource of a place in a document of it, or false if that is
// not known.
func (f *File) InResource(index int, origin *diag.Origin, at diag.Position) (diag.Position, bool) {
	n, _ := f.trees.Find(f.root(index), origin.Field)
	if n == nil || !origin.Embedded {
		return at, !origin.Embedded
	}
	return f.inResource(index, n, at)
}

// inResource returns the place in a resource of a place in the text of its scalar n.
func (f *File) inResource(index int, n *yaml.Node, at diag.Position) (diag.Position, bool) {
	if f.texts[n] == nil {
		f.texts[n] = f.documents[index].Embedded(n)
	}
	return f.texts[n](at)
}

// Inner returns the tree of the document in a resource that an origin names: of a text, or of the
// resource. It is nil if that cannot be read.
func (f *File) Inner(index int, origin *diag.Origin) *yaml.Node {
	root := f.root(index)
	if !origin.Embedded {
		return root
	}
	n, _ := f.trees.Find(root, origin.Field)
	if n == nil {
		return nil
	}
	return f.trees.root(n, n.Value)
}

// Before converts a finding about a resource that was changed after it was read to a finding about
// the resource in the file. Its place is the place of the same key or value in the file, or zero if
// there is none. isSame reports whether the value, or a text that cannot be parsed, did not change.
func (in In) Before(of *diag.Finding, changed In) (before diag.Finding, isSame bool) {
	at := of.Position
	if before = *of; in.File != nil && of.Kind == diag.KindUnreadable && of.Origin != nil && in.hasSameText(changed, of.Origin) {
		return before, true
	}
	if before.Position = (diag.Position{}); in.File == nil || of.Origin == nil || at.Line == 0 {
		return before, false
	}
	path := of.Key
	if !of.Origin.Embedded {
		path = of.Path()
	}
	n, key := changed.trees.Find(changed.Inner(changed.Index, of.Origin), path)
	old, oldKey := in.trees.Find(in.Inner(in.Index, of.Origin), path)
	switch {
	case key != nil && oldKey != nil && values.At(key) == at:
		before.Position, isSame = values.At(oldKey), values.Equal(n, old)
	case n != nil && old != nil && values.At(n) == at:
		before.Position, isSame = values.At(old), values.Equal(n, old)
	}
	return before, isSame
}

// hasSameText reports whether the text that an origin names is the same in a resource and in its changed form.
func (in In) hasSameText(changed In, origin *diag.Origin) bool {
	one, _ := in.trees.Find(in.root(in.Index), origin.Field)
	two, _ := changed.trees.Find(changed.root(changed.Index), origin.Field)
	return origin.Embedded && one != nil && two != nil && one.Kind == yaml.ScalarNode && one.Value == two.Value
}

// Document returns the parsed resource at an index, or nil if it cannot be read.
func (f *File) Document(index int) *values.Document {
	if index < 0 || index >= len(f.items) {
		return nil
	}
	document, known := f.documents[index]
	if !known {
		document, _ = f.items[index].Document()
		f.documents[index] = document
	}
	return document
}

// root returns the root of a resource, or nil if it cannot be read.
func (f *File) root(index int) *yaml.Node {
	if document := f.Document(index); document != nil {
		return document.Root()
	}
	return nil
}

// start returns the first line of a resource.
func (f *File) start(index int) diag.Position {
	return f.absolute(index, cmp.Or(values.At(f.root(index)), diag.Position{Line: 1, Column: 1}))
}

// absolute makes a position in the file of one in the text of a resource.
func (f *File) absolute(index int, at diag.Position) diag.Position {
	if index >= 0 && index < len(f.items) && at.Line > 0 {
		at.Line += f.items[index].Line() - 1
	}
	return at
}
