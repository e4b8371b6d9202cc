// Package place finds the line and column in a file that a finding is about.
//
//	f := place.NewFile("vault.yaml", text)
//	at := f.Of(&finding) // vault.yaml:192:11
//
// A finding names a resource by its index in the file, a path in the resource, and a
// position in the text that is embedded there. The file has that text indented in a
// block, or in quotes.
package place

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// File is a file that findings are about.
type File struct {
	// Path is its path, as findings name it.
	Path  string
	lines []string
	items []*list.Item
	// roots are the parsed items, nil for those that cannot be read.
	roots map[int]*yaml.Node
}

// NewFile returns a file of resources.
func NewFile(path string, text []byte) *File {
	f := NewText(path, text)
	f.items = list.FileItems(text, path)
	f.roots = map[int]*yaml.Node{}
	return f
}

// NewText returns a file that is a single text, such as a values.yaml by itself.
func NewText(path string, text []byte) *File {
	return &File{Path: path, lines: strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"), "\n")}
}

// Line returns a line of the file without its break, "" when there is none.
func (f *File) Line(number int) string {
	if number < 1 || number > len(f.lines) {
		return ""
	}
	return f.lines[number-1]
}

// Resource returns the place of a field of a resource: of its key, or of the nearest
// field above it that is there.
func (f *File) Resource(index int, path string) diag.Position {
	root := f.root(index)
	if root == nil {
		return f.start(index)
	}
	n, key := find(root, path)
	if n == root {
		return f.start(index)
	}
	return f.absolute(index, values.At(nearer(key, n)))
}

// nearer returns the key when there is one: it is what users look for.
func nearer(key, n *yaml.Node) *yaml.Node {
	if key != nil {
		return key
	}
	return n
}

// HasLine reports whether the line of a finding in an embedded text is one of the file, which
// [File.Of] returns: that of a literal block.
func (f *File) HasLine(finding *diag.Finding) bool {
	if finding.Origin == nil || !finding.Origin.Embedded || finding.Position.Line == 0 {
		return false
	}
	n, _ := find(f.root(finding.Resource().Index), finding.Origin.Field)
	return n != nil && n.Kind == yaml.ScalarNode && n.Style&yaml.LiteralStyle != 0
}

// Of returns the place of a finding whose resource is in the file. It is exact for
// texts in literal blocks and for fields of the resource. In other texts it is that of
// their key.
func (f *File) Of(finding *diag.Finding) diag.Position {
	index := finding.Resource().Index
	root, origin, at := f.root(index), finding.Origin, finding.Position
	switch {
	case origin == nil || root == nil:
		if at.Line > 0 && (origin == nil || !origin.Embedded) {
			return f.absolute(index, at)
		}
		return f.start(index)
	case !origin.Embedded && at.Line > 0:
		return f.absolute(index, at)
	case !origin.Embedded:
		return f.Resource(index, finding.Path())
	}
	n, key := find(root, origin.Field)
	if n == nil || n.Kind != yaml.ScalarNode {
		return f.Resource(index, origin.Field)
	}
	if at.Line == 0 && finding.Key != "" {
		at = InText(n.Value, finding.Key)
	}
	if n.Style&yaml.LiteralStyle == 0 || at.Line == 0 {
		return f.absolute(index, values.At(nearer(key, n)))
	}
	header := f.absolute(index, values.At(n)).Line
	place := diag.Position{Line: header + at.Line}
	if at.Column > 0 {
		place.Column = f.indentation(header, n) + at.Column
	}
	return place
}

// InText returns the place of a key in a text, or of the nearest one above it that is
// there; zero when the text cannot be read or has none of them.
func InText(text, key string) diag.Position {
	document, err := values.Parse(text)
	if err != nil || document.Root() == nil {
		return diag.Position{}
	}
	n, keyNode := find(document.Root(), key)
	if n == document.Root() {
		return diag.Position{}
	}
	return values.At(nearer(keyNode, n))
}

// indentation returns how far the lines of a literal block are indented. header is the
// line of its indicator.
func (f *File) indentation(header int, block *yaml.Node) int {
	// The block's first line that has content has the same content in the file.
	i := -1
	for content := range strings.SplitSeq(block.Value, "\n") {
		if i++; strings.TrimSpace(content) == "" {
			continue
		}
		line := f.Line(header + 1 + i)
		if rest, ok := strings.CutSuffix(line, content); ok && strings.Trim(rest, " ") == "" {
			return len(rest)
		}
		return utf8.RuneCountInString(line) - utf8.RuneCountInString(strings.TrimLeft(line, " "))
	}
	return 0
}

// root returns the parsed resource at an index, nil when it cannot be read.
func (f *File) root(index int) *yaml.Node {
	if index < 0 || index >= len(f.items) {
		return nil
	}
	root, known := f.roots[index]
	if !known {
		if document, err := f.items[index].Document(); err == nil {
			root = document.Root()
		}
		f.roots[index] = root
	}
	return root
}

// start returns the first line of a resource.
func (f *File) start(index int) diag.Position {
	if root := f.root(index); root != nil {
		return f.absolute(index, diag.Position{Line: root.Line, Column: root.Column})
	}
	return f.absolute(index, diag.Position{Line: 1, Column: 1})
}

// absolute makes a position in the file of one in the text of a resource.
func (f *File) absolute(index int, at diag.Position) diag.Position {
	if index >= 0 && index < len(f.items) && at.Line > 0 {
		at.Line += f.items[index].Line() - 1
	}
	return at
}

// Find returns the node at a path in a tree, and its key, nil in a list; two nils if nothing
// is there.
func Find(root *yaml.Node, path string) (n, key *yaml.Node) {
	if n, key, left := walk(root, nil, path); left == 0 {
		return n, key
	}
	return nil, nil
}

// find follows a path in a tree: keys after dots, indexes and keys in brackets. Keys may
// hold dots. It returns the deepest node on the path, and its key.
func find(n *yaml.Node, path string) (found, key *yaml.Node) {
	found, key, _ = walk(n, nil, path)
	return found, key
}

// walk also returns how much of the path is left.
func walk(n, key *yaml.Node, path string) (found, foundKey *yaml.Node, left int) {
	n = values.Resolve(n)
	found, foundKey, left = n, key, len(path)
	if path == "" || n == nil {
		return found, foundKey, left
	}
	try := func(child, childKey *yaml.Node, rest string) {
		if node, nodeKey, remaining := walk(child, childKey, rest); remaining < left {
			found, foundKey, left = node, nodeKey, remaining
		}
	}
	if inside, rest, ok := bracket(path); ok {
		switch n.Kind {
		case yaml.SequenceNode:
			if i, ok := number(inside); ok && i < len(n.Content) {
				try(n.Content[i], nil, rest)
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == inside {
					try(n.Content[i+1], n.Content[i], rest)
				}
			}
		}
		return found, foundKey, left
	}
	path = strings.TrimPrefix(path, ".")
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		rest, ok := strings.CutPrefix(path, name)
		if ok && name != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			try(n.Content[i+1], n.Content[i], rest)
		}
	}
	if n.Kind == yaml.SequenceNode { // a step of digits
		digits, _, _ := strings.Cut(path, ".")
		if i, ok := number(digits); ok && i < len(n.Content) {
			try(n.Content[i], nil, path[len(digits):])
		}
	}
	return found, foundKey, left
}

// bracket takes a step in brackets from the start of a path.
func bracket(path string) (inside, rest string, ok bool) {
	if path = strings.TrimPrefix(path, "."); !strings.HasPrefix(path, "[") {
		return "", "", false
	}
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return "", "", false
	}
	return path[1:end], path[end+1:], true
}

func number(digits string) (n int, ok bool) {
	if digits == "" || len(digits) > 9 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
