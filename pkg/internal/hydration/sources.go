package hydration

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/values"
)

// Sources are the values at some steps of a document, with the sources that its comments
// keep. The document is not changed.
type Sources struct {
	// Faults are the comments with [Marker] that are not read.
	Faults []Fault

	// document is the document, and at leads to the values.
	document *values.Document
	at       []values.Step
	// lines are the contents of the comments, by the values on whose lines they are.
	lines map[*yaml.Node]*line
	// root is the root of the document with the sources in place.
	root *yaml.Node
	// results maps the sources to the values of the document that they replace.
	results map[*yaml.Node]*yaml.Node
	// flow is the outermost collection in flow style around the values at the steps, or nil if
	// there is none.
	flow *yaml.Node
}

// Fault is a comment with [Marker] that is not read, and the reason. It is a text of the user.
type Fault struct {
	values.Position
	// Found describes the content of the comment.
	Found string
}

// line is the content of the comment on the line of a value.
type line struct {
	// others are the other comments on the line.
	others string
	// source is the source of the value, or nil if the value was written by the user.
	source *yaml.Node
	// written is the source as a comment has it.
	written string
}

// Reading determines the meaning of a value that contains a macro and has a comment with a source
// as well.
type Reading int

// The readings.
const (
	// Edited: the user wrote it, and it is its own source.
	Edited Reading = iota
	// Partly: the same, unless it is the source with some of its macros resolved, as a step
	// that keeps macros leaves it.
	Partly
	// Standing takes all values as they stand. No source is in its place.
	Standing
)

// Read reads the sources of the values at some steps through the maps of a document.
func Read(d *values.Document, at []values.Step, reading Reading) *Sources {
	s := &Sources{document: d, at: at, root: d.Root(), lines: map[*yaml.Node]*line{}, results: map[*yaml.Node]*yaml.Node{}}
	part := values.Follow(d.Root(), at)
	if part == nil {
		return s
	}
	s.flow = outermostFlow(d.Root(), at)
	comments := d.Part(part).LineComments(Marker)
	if s.flow != nil {
		comments = d.LineComments(Marker)
	}
	for _, c := range comments {
		if s.flow == nil || s.flow == c.Node {
			s.read(c, reading == Partly)
		}
	}
	if reading == Standing {
		clear(s.results)
	}
	if len(s.results) > 0 {
		s.root = (&swap{s, map[*yaml.Node]*yaml.Node{}}).tree(s.root)
	}
	return s
}

// outermostFlow returns the first collection in flow style on a way through maps, or nil if there
// is none.
func outermostFlow(n *yaml.Node, at []values.Step) *yaml.Node {
	for i := 0; n != nil && i <= len(at); i++ {
		if n = values.Resolve(n); n.Style&yaml.FlowStyle != 0 && n.Kind != yaml.ScalarNode {
			return n
		}
		if i < len(at) {
			n = values.Follow(n, at[i:i+1])
		}
	}
	return nil
}

// read reads the comment on the line of a value.
func (s *Sources) read(c values.LineComment, partly bool) {
	isFlow := c.Node.Kind != yaml.ScalarNode
	said, offset, fault := parse(c.Text, isFlow)
	position := c.Position
	position.Column += utf8.RuneCountInString(c.Text[:offset])
	if said == nil {
		if fault != "" {
			s.Faults = append(s.Faults, Fault{position, fault})
		}
		return
	}
	one := &line{others: said.others}
	s.lines[c.Node] = one
	reader := lineReader{partly: partly, position: position, results: map[*yaml.Node]*yaml.Node{}}
	switch {
	case isFlow != (said.collection != nil): // the value has another form now
		return
	case isFlow:
		source, isLike := reader.collection(c.Node, said.collection)
		if !isLike || len(reader.results) == 0 {
			return
		}
		one.source, one.written = source, said.written()
	case reader.isOf(said.source, c.Node):
		one.source, one.written = reader.scalar(c.Node, said.source, values.Position{Line: 1, Column: 1}), said.written()
	default:
		return
	}
	for source, result := range reader.results {
		s.results[source] = result
	}
}

// lineReader puts a source in the place of a value.
type lineReader struct {
	// partly keeps a value whose source the user has edited in part.
	partly   bool
	position values.Position // of the source in the document
	// results are the values by their sources.
	results map[*yaml.Node]*yaml.Node
}

// isOf reports whether a value can come from a source: it has no macro that the user wrote.
func (r *lineReader) isOf(source string, n *yaml.Node) bool {
	text := values.Text(n)
	return !template.HasMacro(text) || r.partly && isPartlyResolved(source, text)
}

// scalar makes the node of a source whose text is at a place of the comment's source.
func (r *lineReader) scalar(n *yaml.Node, text string, at values.Position) *yaml.Node {
	source := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Line: r.position.Line, Column: r.position.Column + at.Column - 1}
	r.results[source] = n
	return source
}

// collection puts the texts with macros of a source in the places of the values of a
// collection. It reports false if the collection has other keys or another length.
func (r *lineReader) collection(n, source *yaml.Node) (*yaml.Node, bool) {
	if n.Kind != source.Kind {
		return nil, false
	}
	if n.Kind == yaml.ScalarNode {
		if text := values.Text(source); hasMacro(source) && r.isOf(text, n) {
			return r.scalar(n, text, values.At(source)), true
		}
		return n, true
	}
	if len(n.Content) != len(source.Content) {
		return nil, false
	}
	with := *n
	with.Content = make([]*yaml.Node, len(n.Content))
	theirs := map[string]*yaml.Node{}
	for _, p := range values.Pairs(source) {
		name, _ := p.Name()
		theirs[name] = p.Value
	}
	for i, child := range n.Content {
		other := source.Content[i]
		if n.Kind == yaml.MappingNode {
			if i%2 == 0 {
				if _, known := theirs[child.Value]; !known || child.Kind != yaml.ScalarNode {
					return nil, false
				}
				with.Content[i] = child
				continue
			}
			other = theirs[n.Content[i-1].Value]
		}
		put, isLike := r.collection(child, other)
		if !isLike {
			return nil, false
		}
		with.Content[i] = put
	}
	return &with, true
}

// swap makes a tree with sources in the places of values.
type swap struct {
	*Sources
	moved map[*yaml.Node]*yaml.Node // by what they replace, for aliases
}

// tree returns a tree with the sources in the places of their values. Aliases refer to the sources,
// too.
func (w *swap) tree(n *yaml.Node) *yaml.Node {
	if l := w.lines[n]; l != nil && l.source != nil {
		w.moved[n] = l.source
		return l.source
	}
	if n.Kind == yaml.AliasNode {
		if to := w.moved[n.Alias]; to != nil {
			alias := *n
			alias.Alias = to
			return &alias
		}
		return n
	}
	with := n
	for i, child := range n.Content {
		if put := w.tree(child); put != child {
			if with == n {
				copied := *n
				copied.Content = append([]*yaml.Node(nil), n.Content...)
				with = &copied
			}
			with.Content[i] = put
		}
	}
	if with != n && n.Anchor != "" {
		w.moved[n] = with
	}
	return with
}

// Whole returns the document that was read.
func (s *Sources) Whole() *values.Document { return s.document }

// Document returns the document with the sources in the places of the values. Its text is still the
// text with the values. Edits are made on the document that was read.
func (s *Sources) Document() *values.Document {
	if s.root == s.document.Root() {
		return s.document
	}
	return s.document.Part(s.root)
}

// Part returns the document of the values at the steps alone, for reading.
func (s *Sources) Part() *values.Document {
	if len(s.at) == 0 {
		return s.Document()
	}
	return s.document.Part(s.Values())
}

// Values returns the values at the steps, with the sources in place, or nil if there are none.
func (s *Sources) Values() *yaml.Node { return values.Follow(s.root, s.at) }

// Result returns the value that stands in the document in the place of a source, or nil if a node
// is not a source.
func (s *Sources) Result(n *yaml.Node) *yaml.Node { return s.results[n] }

// Len returns the number of sources.
func (s *Sources) Len() int { return len(s.results) }
