package macro

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// ScalarProblem is a problem in a value of a document.
type ScalarProblem struct {
	Problem // its place is that in the decoded scalar
	Scalar
}

// ScalarUse is a name that a value of a document reads.
type ScalarUse struct {
	Use
	Scalar
}

// Scalar is a value of a document that holds a macro.
type Scalar struct {
	// Path is the dotted path of the value; list indexes stand in brackets, as
	// in values.Match.
	Path string
	Node *yaml.Node
	// At is where the problem or use stands in the document. It is exact where
	// the document spells it as the decoded text does, and otherwise the start
	// of the macro or of the scalar.
	At values.Position
}

// Document resolves the macros of all values of a document, for
// values.Document.ReplaceScalars to write. Keys and comments are left alone
// (rule M3), and so are scalars without macros of ours.
//
// A resolved scalar is a string and keeps its style; ReplaceScalars quotes a
// plain one that would read as something else (rule M4). Where an anchor shares
// a scalar, all places change with it: they hold the same macro. edits is what
// to do if problems is empty; uses are the names that were read, when the context
// asks for them.
func (r *Resolver) Document(d *values.Document) (edits []values.ScalarEdit, uses []ScalarUse, problems []ScalarProblem) {
	w := walker{r: r, cursor: newCursor(strings.TrimPrefix(d.Text(), "\ufeff"), true)}
	if d.Root() != nil {
		w.walk(d.Root())
	}
	return w.edits, w.uses, w.problems
}

type walker struct {
	r      *Resolver
	cursor *cursor

	path     []string
	edits    []values.ScalarEdit
	uses     []ScalarUse
	problems []ScalarProblem
}

// walk goes through values in the order of the document. Aliases are not
// followed: what they stand for is met where it is written.
func (w *walker) walk(n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			w.below("."+n.Content[i].Value, n.Content[i+1])
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			w.below(bracketed(i), element)
		}
	case yaml.ScalarNode:
		w.scalar(n)
	}
}

func (w *walker) below(step string, n *yaml.Node) {
	w.path = append(w.path, step)
	w.walk(n)
	w.path = w.path[:len(w.path)-1]
}

func (w *walker) scalar(n *yaml.Node) {
	if !strings.Contains(n.Value, ".spectro.") {
		return
	}
	out, uses, problems := w.r.Text(n.Value)
	if !w.r.context.Uses {
		uses = nil
	}
	if len(uses) > 0 || len(problems) > 0 {
		w.note(n, uses, problems)
	}
	if len(problems) > 0 || out == n.Value {
		return
	}
	tag := "!!str"
	if n.Style&yaml.TaggedStyle != 0 {
		tag = values.KeepTag // a tag that is written out stays, whatever it is
	}
	w.edits = append(w.edits, values.ScalarEdit{Node: n, Text: out, Tag: tag, Shared: true})
}

// note adds what was found in a scalar, with its place in the document.
func (w *walker) note(n *yaml.Node, uses []Use, problems []Problem) {
	path := strings.TrimPrefix(strings.Join(w.path, ""), ".")
	source := newSource(w.cursor, n)
	start := *w.cursor
	for _, u := range uses {
		w.uses = append(w.uses, ScalarUse{u, Scalar{path, n, source.position(n.Value, u.Offset)}})
	}
	if len(uses) > 0 && len(problems) > 0 {
		*w.cursor = start // problems start from the scalar's beginning again
		source = newSource(w.cursor, n)
	}
	for _, p := range problems {
		w.problems = append(w.problems, ScalarProblem{p, Scalar{path, n, source.position(n.Value, p.Offset)}})
	}
}
