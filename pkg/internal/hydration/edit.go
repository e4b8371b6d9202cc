package hydration

import (
	"cmp"
	"go.yaml.in/yaml/v3"
	"slices"

	"github.com/krm-packs/functions/pkg/values"
)

// Result is the result for a scalar of [Sources.Document].
type Result struct {
	// Text is the new text: the scalar's own if nothing of it is resolved.
	Text string
	// Stays reports whether value and comment stay in the document as they are.
	Stays bool
}

// Mode determines which comments are written.
type Mode int

// The modes.
const (
	// Renew writes a comment where the result differs from the source, and removes all
	// others that have a source.
	Renew Mode = iota
	// Add writes a comment behind values that have none. The results are the results of the values
	// as they stand.
	Add
	// Bare writes no comment, and removes comments that no longer describe their values.
	Bare
)

// Edits are the changes of a document.
type Edits struct {
	// Scalars are the new results.
	Scalars []values.ScalarEdit
	// Comments are the new comments.
	Comments []values.CommentEdit
	// Unrecorded is the number of changed scalars for whose sources the document has no place:
	// the collection in flow style is all of the document, or more than JSON has.
	Unrecorded int
	// Collections are the collections in flow style that are smaller than the whole document and
	// are not JSON, each with the number of its scalars among Unrecorded.
	Collections []Collection
}

// Collection is a collection in flow style whose sources have no comment.
type Collection struct {
	// Node is a node of [Sources.Document].
	Node *yaml.Node
	// Count is the number of its scalars.
	Count int
}

// Edits returns the edits of the document that make the results of scalars of
// [Sources.Document], and that keep their sources.
func (s *Sources) Edits(results map[*yaml.Node]Result, mode Mode) Edits {
	if len(results) == 0 && len(s.lines) == 0 {
		return Edits{}
	}
	w := writer{Sources: s, given: results, mode: mode}
	if s.flow != nil {
		source := s.flow
		if l := s.lines[s.flow]; l != nil && l.source != nil {
			source = l.source
		}
		w.flow(s.flow, source)
		return w.edits
	}
	w.value(values.Follow(s.document.Root(), s.at), s.Values())
	return w.edits
}

// writer collects the edits that write results.
type writer struct {
	*Sources
	// given are the results by the sources that they are of, mode decides the comments, and edits are
	// the edits so far.
	given map[*yaml.Node]Result
	mode  Mode
	edits Edits
}

// value writes a value and those below it. source is its place with the sources.
func (w *writer) value(n, source *yaml.Node) {
	switch {
	case n == nil || n.Kind == yaml.AliasNode:
	case n.Kind == yaml.ScalarNode:
		w.scalar(n, source)
	case n.Style&yaml.FlowStyle != 0:
		w.flow(n, source)
	default:
		for i, child := range n.Content {
			if n.Kind == yaml.SequenceNode || i%2 == 1 {
				w.value(child, source.Content[i])
			}
		}
	}
}

// scalar writes the result of a scalar, and its source into the comment.
func (w *writer) scalar(n, source *yaml.Node) {
	result, isGiven := w.given[source]
	switch {
	case isGiven && result.Stays:
		return
	case isGiven && n == w.document.Root():
		w.text(n, source, result)
		w.edits.Unrecorded++
	case isGiven:
		w.text(n, source, result)
		w.comment(n, scalarSource(source.Value), result.Text != source.Value)
	case w.lines[n] != nil && w.lines[n].source == nil:
		w.comment(n, "", false)
	}
}

// text writes the result of a scalar.
func (w *writer) text(n, source *yaml.Node, result Result) {
	tag := "!!str"
	if n.Style&yaml.TaggedStyle != 0 {
		tag = values.KeepTag // the document has the tag
	}
	if result.Text == n.Value && (tag == values.KeepTag || n.ShortTag() == tag) {
		return
	}
	e := values.ScalarEdit{Node: n, Text: result.Text, Tag: tag, Shared: true}
	if n.Style&yaml.FoldedStyle != 0 { // with Replaced, a folded scalar keeps its lines
		e.Replaced = replacements(source.Value, n.Value, result.Text)
	}
	w.edits.Scalars = append(w.edits.Scalars, e)
}

// comment writes the source of a value into its comment if it differs from the value.
func (w *writer) comment(n *yaml.Node, source string, differs bool) {
	known := w.lines[n]
	edit := values.CommentEdit{Node: n}
	switch {
	case w.mode == Add && known != nil, w.mode == Bare && (known == nil || known.source != nil), known == nil && !differs:
		return
	case w.mode == Bare || !differs:
		edit.Text = known.others
	case known == nil:
		edit.Text, edit.Append = write("", source), true
	case known.source != nil && known.written == source:
		return
	default:
		edit.Text = write(known.others, source)
	}
	w.edits.Comments = append(w.edits.Comments, edit)
}

// flow writes a collection in flow style, whose comment has the sources of all its texts.
func (w *writer) flow(n, source *yaml.Node) {
	f := flowWriter{writer: w}
	f.texts(n, source)
	written, hasPlace := collectionSource(source)
	switch hasPlace = hasPlace && n != w.document.Root(); {
	case f.given == 0 && (f.stays || w.lines[n] == nil || w.lines[n].source != nil):
	case hasPlace:
		w.comment(n, written, f.changed > 0 || f.stays)
	default:
		if w.mode != Bare {
			w.edits.Unrecorded += f.changed
			if f.changed > 0 && n != w.document.Root() {
				w.edits.Collections = append(w.edits.Collections, Collection{source, f.changed})
			}
		}
		if w.lines[n] != nil {
			w.comment(n, "", false)
		}
	}
}

// flowWriter writes the results in a collection in flow style, whose sources share one comment.
type flowWriter struct {
	*writer
	// given is the number of results, and changed the number of results that differ from their
	// sources.
	given, changed int
	// stays is true if a scalar of it stays as it is.
	stays bool
}

// texts writes the results of all scalars of a collection.
func (w *flowWriter) texts(n, source *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		switch result, isGiven := w.writer.given[source]; {
		case isGiven && result.Stays:
			w.stays = true
		case isGiven:
			w.text(n, source, result)
			w.given++
			if result.Text != source.Value {
				w.changed++
			}
		}
		return
	}
	for i, child := range n.Content {
		if n.Kind == yaml.SequenceNode || i%2 == 1 {
			w.texts(child, source.Content[i])
		}
	}
}

// Bare returns the document without the comments that keep sources: the values as they stand. It
// returns the error of [values.Document.Rewrite].
func (s *Sources) Bare() (*values.Document, error) {
	var comments []values.CommentEdit
	for n, l := range s.lines {
		comments = append(comments, values.CommentEdit{Node: n, Text: l.others})
	}
	slices.SortFunc(comments, func(a, b values.CommentEdit) int {
		return cmp.Or(cmp.Compare(a.Node.Line, b.Node.Line), cmp.Compare(a.Node.Column, b.Node.Column))
	})
	return s.document.Rewrite(nil, comments)
}

// Restored returns the document with the sources in place and without their comments: the text
// before macros were resolved. It returns the error of [values.Document.Rewrite].
func (s *Sources) Restored() (*values.Document, error) {
	results := make(map[*yaml.Node]Result, len(s.results))
	for source := range s.results {
		results[source] = Result{Text: source.Value}
	}
	edits := s.Edits(results, Renew)
	return s.document.Rewrite(edits.Scalars, edits.Comments)
}
