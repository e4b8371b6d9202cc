package place

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Trees finds paths in trees again and again. It reads each text once, and indexes large maps: findings
// about n keys of a text take time in n, and not in its square. The zero Trees is ready.
type Trees struct {
	// roots are the trees of texts by the scalars with the texts.
	roots map[*yaml.Node]*yaml.Node
	// keys are the indexes of large maps: the positions of their keys by name.
	keys map[*yaml.Node]map[string][]int
}

// At returns the place of a key in the text of a scalar, or of the nearest key above it that is
// there; zero when the text cannot be read or has none of them. A text in no scalar has nil.
func (t *Trees) At(scalar *yaml.Node, text, key string) diag.Position {
	root := t.root(scalar, text)
	n, keyNode := t.nearest(root, key)
	if n == root {
		return diag.Position{}
	}
	return values.At(cmp.Or(keyNode, n))
}

// root returns the tree of the text of a scalar, or nil if the text cannot be read.
func (t *Trees) root(scalar *yaml.Node, text string) *yaml.Node {
	root, known := t.roots[scalar]
	if !known {
		if document, err := values.Parse(text); err == nil {
			root = document.Root()
		}
		if t.roots == nil {
			t.roots = map[*yaml.Node]*yaml.Node{}
		}
		t.roots[scalar] = root
	}
	return root
}

// Find returns the node at a path in a tree, and its key, nil in a list; two nils if nothing
// is there.
func (t *Trees) Find(root *yaml.Node, path string) (n, key *yaml.Node) {
	if n, key, left := t.walk(root, nil, path); left == 0 {
		return n, key
	}
	return nil, nil
}

// Find is [Trees.Find] for a tree that is searched once.
func Find(root *yaml.Node, path string) (n, key *yaml.Node) { return (*Trees)(nil).Find(root, path) }

// Named returns the key at the end of a path if it is a text, else the value there if it is.
// It is nil if neither is.
func (t *Trees) Named(root *yaml.Node, path, text string) *yaml.Node {
	n, key := t.Find(root, path)
	switch {
	case key != nil && key.Value == text:
		return key
	case n != nil && n.Value == text:
		return n
	}
	return nil
}

// nearest follows a path in a tree: keys after dots, indexes and keys in brackets. Keys may
// hold dots. It returns the deepest node on the path, and its key.
func (t *Trees) nearest(n *yaml.Node, path string) (found, key *yaml.Node) {
	found, key, _ = t.walk(n, nil, path)
	return found, key
}

// walk also returns how much of the path is left.
func (t *Trees) walk(n, key *yaml.Node, path string) (found, foundKey *yaml.Node, left int) {
	n = values.Resolve(n)
	found, foundKey, left = n, key, len(path)
	try := func(child, childKey *yaml.Node, name string) {
		rest, ok := below(path, name)
		if !ok {
			return
		}
		if node, nodeKey, remaining := t.walk(child, childKey, rest); remaining < left {
			found, foundKey, left = node, nodeKey, remaining
		}
	}
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		t.eachKey(n, path, func(i int) { try(n.Content[i+1], n.Content[i], n.Content[i].Value) })
	case n.Kind == yaml.SequenceNode:
		index := strings.TrimLeft(path, ".[")
		index = index[:len(index)-len(strings.TrimLeft(index, "0123456789"))]
		if i, err := strconv.Atoi(index); err == nil && i < len(n.Content) {
			try(n.Content[i], nil, index)
		}
	}
	return found, foundKey, left
}

// manyKeys is the number of keys of a map from which they are indexed.
const manyKeys = 16

// eachKey calls visit with the index of each key of a map that a path may begin with, of all keys of
// a small map.
func (t *Trees) eachKey(m *yaml.Node, path string, visit func(i int)) {
	if t == nil || len(m.Content)/2 <= manyKeys {
		for i := 0; i < len(m.Content); i += 2 {
			visit(i)
		}
		return
	}
	index, known := t.keys[m]
	if !known {
		index = make(map[string][]int, len(m.Content)/2)
		for i := 0; i < len(m.Content); i += 2 {
			index[m.Content[i].Value] = append(index[m.Content[i].Value], i)
		}
		if t.keys == nil {
			t.keys = map[*yaml.Node]map[string][]int{}
		}
		t.keys[m] = index
	}
	path, isBracket := strings.CutPrefix(strings.TrimPrefix(path, "."), "[")
	ends := ".["
	if isBracket {
		ends = "]"
	}
	var found []int
	for end := range len(path) + 1 {
		if end == len(path) || strings.IndexByte(ends, path[end]) >= 0 {
			found = append(found, index[path[:end]]...)
		}
	}
	slices.Sort(found)
	for _, i := range found {
		visit(i)
	}
}

// below returns the rest of a path after a step: `name`, `.name` or `[name]`.
func below(path, name string) (rest string, ok bool) {
	path = strings.TrimPrefix(path, ".")
	if inside, isBracket := strings.CutPrefix(path, "["); isBracket {
		return strings.CutPrefix(inside, name+"]")
	}
	rest, ok = diag.Below(path, name)
	return rest, ok && name != ""
}
