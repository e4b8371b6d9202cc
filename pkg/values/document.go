package values

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/recent"
)

// Document is one YAML document with the text it was read from. It is
// immutable and safe for concurrent use: edits return new documents, and
// callers must not change the nodes it hands out.
type Document struct {
	// text is the whole text, or "" for a [Document.Part].
	text string
	// origin is the resource and field of the text, or nil.
	origin *diag.Origin
	nodes  func() nodes // not read before they are asked for, after some edits

	ofText *ofText            // nil without a text
	ofRoot *ofRoot            // nil of the zero Document
	sizes  map[*yaml.Node]int // see ParseJSON
}

// ofText contains data derived from the text of a document on demand. Its parts share it.
type ofText struct {
	// lines are the lines of the text, and anchors the nodes that aliases use.
	lines   once[*Lines]
	anchors once[*anchorTable]
}

// ofRoot contains data derived from the content of a document on demand.
type ofRoot struct {
	// duplicates are the keys that occur twice in a map, and keys indexes the keys of large maps.
	duplicates once[[]Duplicate]
	keys       index
	derived    sync.Map // see Derived
}

// once is a value that is made when it is asked for.
type once[T any] struct {
	// done is done once value is made.
	done  sync.Once
	value T
}

func (o *once[T]) get(make func() T) T {
	o.done.Do(func() { o.value = make() })
	return o.value
}

// Parse reads text, which holds at most one document that is not empty. All JSON is YAML.
//
// The error is a *SyntaxError (the text is not YAML, or holds a second
// document, or a template that is not quoted) or a *LimitError (the text is
// larger, deeper or, through aliases, wider than MaxBytes, MaxDepth and
// MaxNodes allow). Duplicate keys are not an error: see Duplicates.
func Parse(text string) (*Document, error) {
	if len(text) > MaxBytes {
		return nil, &LimitError{Reason: fmt.Sprintf("the text has %d bytes, above the limit of %d", len(text), MaxBytes)}
	}
	cache, key := kept.Load(), keptText{text: text}
	if d, known := cache.Get(key); known {
		return d, nil
	}
	n, err := read(text)
	if err != nil {
		return nil, err
	}
	d := newDocument(text, func() nodes { return n })
	cache.Put(key, d, len(text))
	return d, nil
}

// newDocument returns the document of a text. n returns its nodes, and is called when they are first
// needed.
func newDocument(text string, n func() nodes) *Document {
	made := new(struct {
		ofText
		ofRoot
	})
	return &Document{text: text, nodes: n, ofText: &made.ofText, ofRoot: &made.ofRoot}
}

// nodes are the nodes that were read from a text.
type nodes struct {
	doc  *yaml.Node // the document node, or nil if the text holds no document at all
	root *yaml.Node // nil when there is nothing in it
}

// read reads the nodes of a text: with the reader of this package if that recognizes the text,
// otherwise with go-yaml.
func read(text string) (n nodes, err error) {
	var ok bool
	if n.doc, ok, err = readQuick(text); err != nil {
		return nodes{}, err
	} else if !ok {
		if n.doc, err = readDocument(text); err != nil {
			return nodes{}, err
		}
	}
	if n.doc != nil && !isNull(n.doc.Content[0]) {
		n.root = n.doc.Content[0]
	}
	if n.root != nil {
		if err := checkLimits(n.root); err != nil {
			return nodes{}, err
		}
	}
	return n, nil
}

// readDocument reads a text with go-yaml, or as JSON if it is JSON that go-yaml rejects.
func readDocument(text string) (*yaml.Node, error) {
	doc, err := readNodes(text)
	var explained *SyntaxError
	if err != nil && !errors.As(err, &explained) {
		if doc := jsonDocument(text); doc != nil {
			return doc, nil
		}
		return nil, ExplainError(text, err)
	}
	return doc, err
}

// readNodes returns the document node that holds something, else the last one,
// and nil when the text holds none. Errors of the parser are not explained.
func readNodes(text string) (*yaml.Node, error) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return nil, &SyntaxError{Position: Position{Line: 1, Column: 1}, Reason: "the document must be UTF-8, got UTF-16"}
	}
	next := documents(text)
	var found *yaml.Node
	for {
		doc, err := next()
		switch {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return nil, err
		case len(doc.Content) == 0:
			continue
		case found == nil || isNull(found.Content[0]):
			found = doc
		case !isNull(doc.Content[0]):
			return nil, &SyntaxError{Position: At(doc.Content[0]), Reason: "a second document starts here, but only one is allowed"}
		}
		// Looking at each document before the next one is read makes the
		// first fault of the text the one that is reported.
		if n := unquotedTemplate(doc.Content[0]); n != nil {
			return nil, unquoted(NewLines(text), At(n))
		}
	}
}

// documents returns a reader of the documents of a text, one node for each
// call and io.EOF after the last.
func documents(text string) func() (*yaml.Node, error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	return func() (n *yaml.Node, err error) {
		// The parser panics on some broken texts.
		defer func() {
			if p := recover(); p != nil {
				n, err = nil, fmt.Errorf("yaml: %v", p)
			}
		}()
		n = new(yaml.Node)
		if err := decoder.Decode(n); err != nil {
			return nil, err
		}
		return n, nil
	}
}

// Text returns the text that d was parsed from, byte for byte.
func (d *Document) Text() string { return d.text }

// From returns the document with its origin, which its findings share.
func (d *Document) From(origin *diag.Origin) *Document {
	from := *d
	from.origin = origin
	return &from
}

// Derived returns what make makes of the content of a document, and nothing else: it is kept with
// the document, one for each type, so that who reads an equal text later finds it again (see
// [KeepRecent]). Goroutines may share it, and callers do not change it.
func Derived[T any](d *Document, make func() T) T {
	if d.ofRoot == nil {
		return make()
	}
	key := (*T)(nil)
	if known, ok := d.ofRoot.derived.Load(key); ok {
		return known.(T)
	}
	made, _ := d.ofRoot.derived.LoadOrStore(key, make())
	return made.(T)
}

// Lines returns the lines of the text of d.
func (d *Document) Lines() *Lines {
	return d.ofText.lines.get(func() *Lines { return NewLines(d.text) })
}

// anchors returns the anchors of the whole document, even if d is a part of it.
func (d *Document) anchors() *anchorTable {
	return d.ofText.anchors.get(func() *anchorTable { return newAnchorTable(d.nodes().doc) })
}

// keys are the indexes of large maps, nil of the zero Document.
func (d *Document) keys() *index {
	if d.ofRoot == nil {
		return nil
	}
	return &d.ofRoot.keys
}

// Origin returns where the document is, or nil if that is unknown.
func (d *Document) Origin() *diag.Origin { return d.origin }

// Root returns the content of the document: not the document node, and nil
// when the text is empty, holds only comments, or is null.
func (d *Document) Root() *yaml.Node {
	if d.nodes == nil {
		return nil // the zero Document, from which Of starts
	}
	return d.nodes().root
}

// Find is [Find] below the root. It is quick for many paths.
func (d *Document) Find(p Path) []Match {
	f := finder{path: p, keys: d.keys()}
	return f.find(d.Root(), 0)
}

// Follow is [Follow] from a node of the document. It is quick for many keys.
func (d *Document) Follow(n *yaml.Node, steps []Step) *yaml.Node { return d.keys().follow(n, steps) }

// Duplicates returns every duplicate key of every map, in document order. Keys
// are the same when their text is the same, as for every reader of Kubernetes
// resources.
//
// For example, this has the duplicate b.c:
//
//	b: {c: 2, c: 3}
func (d *Document) Duplicates() []Duplicate {
	return d.ofRoot.duplicates.get(func() []Duplicate { return findDuplicates(d.Root()) })
}

// isNull reports whether n is a null scalar, written out or left empty.
func isNull(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.ShortTag() == nullTag
}

const (
	nullTag  = "!!null"
	boolTag  = "!!bool"
	strTag   = "!!str"
	intTag   = "!!int"
	floatTag = "!!float"
	mergeTag = "!!merge"

	timestampTag = "!!timestamp"
)

// Part returns the document whose root is n, a node of d: a values map that
// is inside a larger resource. Positions are those in d's text. It is for
// reading; edits are made on d.
func (d *Document) Part(n *yaml.Node) *Document {
	part := *d
	part.ofRoot = new(ofRoot)
	var of nodes
	if d.nodes != nil {
		of = d.nodes()
	}
	if of.root = dealias(n); isNull(of.root) {
		of.root = nil
	}
	part.nodes = func() nodes { return of }
	return &part
}

// Of returns the document whose root is n, a node that was read elsewhere and
// whose text is not at hand. It is for reading; it cannot be edited.
func Of(n *yaml.Node) *Document { return new(Document).Part(n) }

// Clone returns a copy of a tree that callers may change. Its aliases refer to nodes of the copy.
func Clone(n *yaml.Node) *yaml.Node {
	copies := map[*yaml.Node]*yaml.Node{}
	var clone func(n *yaml.Node) *yaml.Node
	clone = func(n *yaml.Node) *yaml.Node {
		if n == nil {
			return nil
		}
		if c, known := copies[n]; known {
			return c
		}
		c := *n
		copies[n] = &c
		c.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			c.Content[i] = clone(child)
		}
		if n.Kind == yaml.AliasNode {
			c.Alias = clone(n.Alias)
		}
		return &c
	}
	return clone(n)
}

// KeepRecent makes [Parse] and [ParseJSON] return the same document again for a text that it has read
// shortly before: documents are immutable. It suits programs that read one resource in
// many steps, such as the preview of a fleet. Programs that read each text once only pay
// its memory: trees take about 20 times the bytes of their texts.
//
// bytes bounds the texts whose documents are kept; 0 keeps none, which is the default. Of texts
// that are large for it more are kept, up to most bytes.
func KeepRecent(bytes, most int) {
	if bytes == 0 {
		kept.Store(nil)
		return
	}
	kept.Store(&recent.Cache[keptText, *Document]{Most: bytes / 2, Limit: most / 2})
}

var kept atomic.Pointer[recent.Cache[keptText, *Document]]

// keptText is a text, and how it was read: "" is as YAML.
type keptText struct{ text, as string }
