package jsonschema

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// The limits of Judge. A schema can refer to itself without end, and try all
// combinations of many branches.
const (
	maxSteps = 1_000_000
	maxDepth = 5_000
)

// Judge returns what a schema does not allow in a value, at most limit violations. What JSON does not have, such as a key that is a
// mapping, is a violation too, and then the only one.
//
// The error says that the schema cannot judge the value: it refers to itself
// without end, or takes more than a million steps.
func (s *Schema) Judge(n *yaml.Node, limit int) ([]Violation, error) {
	v, fault := readValue(n)
	if fault != nil {
		return []Violation{*fault}, nil
	}
	w, out := &walk{of: s}, &report{limit: limit}
	w.judge(s.root, v, out, nil)
	if w.err != nil {
		return nil, w.err
	}
	return out.all, nil
}

// walk goes through a schema and a value together.
type walk struct {
	of   *Schema
	path Path
	// scopes are the resources of the schemas that are open, one for each. still
	// counts those since the last step into the value.
	scopes []*resource
	still  int
	steps  int
	err    error
}

// marks are the children of a value that are judged, for the unevaluated keywords.
// They are nil in a schema without these.
type marks []bool

func (m marks) add(i int) {
	if m != nil {
		m[i] = true
	}
}

// spend takes steps, and reports whether enough were left.
func (w *walk) spend(steps int) bool {
	if w.steps += steps; w.steps > maxSteps {
		return w.fail("it takes more than %d steps to check", maxSteps)
	}
	return w.err == nil
}

// fail ends the walk, and returns false.
func (w *walk) fail(format string, args ...any) bool {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return false
}

// isDone reports whether nothing more is to be found out.
func (w *walk) isDone(ok bool, out *report) bool { return w.err != nil || !ok && out.isFull() }

// judge judges v by s, which may be nil, and reports whether s accepts it. It marks
// the children that s judged.
func (w *walk) judge(s *schema, v *value, out *report, judged marks) bool {
	switch {
	case s == nil || !w.spend(1) || s.acceptsAll():
		return true
	case s.refusesAll:
		return w.refuse(out, v, s.at, Violation{Message: notAllowed})
	case w.still > w.of.count:
		return w.fail("it refers to itself without end ($ref)")
	case len(w.scopes) > maxDepth:
		return w.fail("it nests more than %d schemas to check the value", maxDepth)
	}
	w.scopes, w.still = append(w.scopes, s.in), w.still+1
	var own marks
	if w.of.tracks && w.spend(len(v.children)/100) {
		own = make(marks, len(v.children))
	}
	ok := true
	for _, part := range [...]func(*walk, *schema, *value, *report, marks) bool{
		(*walk).judgeChecks, (*walk).judgeReferences, (*walk).judgeInPlace, (*walk).judgeMembers, (*walk).judgeElements,
	} {
		if !w.isDone(ok, out) {
			ok = part(w, s, v, out, own) && ok
		}
	}
	ok = ok && w.judgeUnevaluated(s, v, out, own)
	w.scopes, w.still = w.scopes[:len(w.scopes)-1], w.still-1
	for i := range own {
		if ok && own[i] {
			judged.add(i)
		}
	}
	return ok
}

// judgeChild judges a child of v.
func (w *walk) judgeChild(s *schema, v *value, i int, out *report) bool {
	still := w.still
	w.path, w.still = append(w.path, v.step(i)), 0
	ok := w.judge(s, v.children[i].value, out, nil)
	w.path, w.still = w.path[:len(w.path)-1], still
	return ok
}

// refuse reports that v violates a keyword, and returns false.
func (w *walk) refuse(out *report, v *value, at *pointer, found Violation) bool {
	if out.isFull() {
		return false
	}
	found.Path, found.Position = slices.Clone(w.path), values.At(v.node)
	found.Schema, found.Found = at.String(), v.kind.String()
	w.spend(10 + (len(w.path)+len(found.Schema)+len(found.Message))/100)
	out.add(found)
	return false
}

func (w *walk) judgeChecks(s *schema, v *value, out *report, _ marks) bool {
	ok := true
	for i := range s.checks {
		c := &s.checks[i]
		if v.kind&c.of == 0 || !w.spend(1+c.cost+c.weight*(len(v.text)+len(v.children))/1000) || c.accepts(v) {
			continue
		}
		if ok = false; out.isFull() {
			break
		}
		message := "must be " + c.want
		if c.message != nil {
			message = c.message(v)
		}
		w.refuse(out, v, c.at, Violation{Keyword: c.keyword, Accepted: c.want, Message: message})
		if c.keyword == "type" {
			break // an enum would say the same
		}
	}
	return ok
}

// judgeUnevaluated judges the children that nothing else of s has judged.
func (w *walk) judgeUnevaluated(s *schema, v *value, out *report, judged marks) bool {
	keyword := "unevaluatedItems"
	if v.kind == object {
		keyword = "unevaluatedProperties"
	}
	sub, ok := s.sub(keyword), true
	for i := 0; sub != nil && i < len(judged) && !w.isDone(ok, out); i++ {
		if !judged[i] {
			ok = w.judgeChild(sub, v, i, out) && ok
			judged[i] = true
		}
	}
	return ok
}
