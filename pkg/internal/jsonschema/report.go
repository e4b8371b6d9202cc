package jsonschema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// report makes violations of the errors of the library.
type report struct {
	*tree
	// schemas are the schemas that apply to the value, by location, and measured is the extent of
	// each. They are nil if the value is itself a schema, which the schema of a draft validates.
	schemas map[string]*jsonschema.Schema
	// measured is the extent of each schema with a value.
	measured map[pair]extent
	// holders are the maps that have a key, in the order of the text, by "/" and the key. By
	// the place of a schema, a depth and a key, the first is the map that the schema is about.
	holders map[string][]finding
}

// finding is an error of the library at one place.
type finding struct {
	*jsonschema.ValidationError
	// node is the node at fault: a value, or a key that the schema does not have.
	node *yaml.Node
	kind string // of the value
	path Path
	// order are the indexes of the children on the way: places compare as in the text.
	order []int
	// name is the key that the finding is about, or nil if it is about a value.
	name *string
}

// violations returns the violations of an error in the order of the text, at most limit. What
// several schemas do not allow is one violation.
func (r *report) violations(e *jsonschema.ValidationError, limit int) (all []Violation) {
	for _, f := range r.findings(e, nil) {
		if len(all) >= limit {
			break
		}
		v := r.violation(f)
		if !slices.ContainsFunc(all, func(known Violation) bool { return v.Message == known.Message && slices.Equal(v.Path, known.Path) }) {
			all = append(all, v)
		}
	}
	return all
}

// findings returns the findings of an error, sorted. key is what it is about, or nil for a value.
func (r *report) findings(e *jsonschema.ValidationError, key *finding) []finding {
	all := r.flatten(nil, e, key)
	slices.SortStableFunc(all, func(a, b finding) int {
		return cmp.Or(slices.Compare(a.order, b.order), strings.Compare(a.SchemaURL, b.SchemaURL))
	})
	return all
}

// flatten adds the findings of an error. What anyOf and oneOf do not allow is one finding.
func (r *report) flatten(all []finding, e *jsonschema.ValidationError, key *finding) []finding {
	at := finding{node: r.root, kind: kindOf(r.root)}
	k, isName := e.ErrorKind.(*kind.PropertyNames)
	switch {
	case key != nil:
		at = *key
	case isName:
		at = r.holder(e, k.Property)
	default:
		for _, token := range e.InstanceLocation {
			at = r.below(at, token)
		}
	}
	at.ValidationError = e
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, cause := range e.Causes {
			all = r.flatten(all, cause, key)
		}
	case *kind.PropertyNames:
		at.node, at.kind, at.name = r.key(at.node, k.Property), "string", &k.Property
		for _, cause := range e.Causes {
			all = r.flatten(all, cause, &at)
		}
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			child := r.below(at, name)
			child.node = r.key(at.node, name)
			all = append(all, child)
		}
	default:
		all = append(all, at)
	}
	return all
}

// holder returns the first map with a key that propertyNames does not allow. It does not use the
// location in the error, because the library overwrites it with the locations of later errors.
func (r *report) holder(e *jsonschema.ValidationError, name string) finding {
	if r.holders == nil {
		r.holders = map[string][]finding{}
		r.hold(finding{node: r.root})
	}
	depth := len(e.InstanceLocation)
	known := fmt.Sprintf("%s %d %s", e.SchemaURL, depth, name)
	if _, ok := r.holders[known]; !ok {
		names := r.schemas[e.SchemaURL]
		i := slices.IndexFunc(r.holders["/"+name], func(at finding) bool {
			_, applies := r.measured[pair{names, r.key(at.node, name)}]
			return len(at.path) == depth && (applies || names == nil)
		})
		r.holders[known] = r.holders["/"+name][max(i, 0):]
	}
	return r.holders[known][0]
}

// hold adds the maps below a place.
func (r *report) hold(at finding) {
	c := r.children(at.node)
	if c == nil {
		return
	}
	for i, p := range c.pairs {
		if p.Key != nil {
			r.holders["/"+c.name(i)] = append(r.holders["/"+c.name(i)], at)
		}
		r.hold(r.below(at, c.name(i)))
	}
}

func (r *report) key(of *yaml.Node, name string) *yaml.Node {
	c := r.children(of)
	return c.pairs[c.index[name]].Key
}

// below returns the place of a child.
func (r *report) below(at finding, name string) finding {
	c := r.children(at.node)
	i := c.index[name]
	at.node = c.pairs[i].Value
	at.kind = kindOf(at.node)
	at.path, at.order = append(slices.Clip(at.path), c.step(i)), append(slices.Clip(at.order), i)
	return at
}

// violation words a finding.
func (r *report) violation(f finding) Violation {
	v := Violation{Path: f.path, Position: values.At(f.node), Schema: "#" + pointerOf(f.SchemaURL)}
	steps := f.ErrorKind.KeywordPath()
	switch f.ErrorKind.(type) {
	case *kind.Not:
		steps = []string{"not"}
	case *kind.Dependency:
		steps = []string{"dependencies", steps[1]}
	}
	v.Schema += pointerTo(steps...)
	if len(steps) > 0 {
		v.Keyword = steps[0]
	}
	v.Message = r.message(f, v.Keyword)
	if f.name != nil {
		v.Message = "key " + quote(*f.name) + ": " + v.Message
	}
	return v
}

// closest describes the violations of the closest schema of anyOf or oneOf. If no schema accepts
// the type of the value, it lists the accepted types.
func (r *report) closest(f finding, keyword string) string {
	var types []string
	var nearest []finding
	at, least := 0, 0
	for i, cause := range f.Causes {
		var key *finding
		if f.name != nil {
			key = &f
		}
		branch := r.findings(cause, key)
		if k, ok := branch[0].ErrorKind.(*kind.Type); ok && len(branch[0].path) == len(f.path) {
			types = append(types, typesOf(k.Want))
		}
		if far := distance(branch, len(f.path)); i == 0 || far < least {
			nearest, least, at = branch, far, i
		}
	}
	if len(types) == len(f.Causes) {
		return fmt.Sprintf("must be %s, got %s (%s)", diag.OneOf(shorten(types, strings.Clone)), withArticle(f.kind), keyword)
	}
	first := nearest[0]
	first.name = nil // the key is named once
	message := r.violation(first).Message
	if r.schemas == nil {
		return message
	}
	if len(first.path) > len(f.path) {
		message = first.path[len(f.path):].String() + ": " + message
	}
	message = fmt.Sprintf("matches no schema of %s. The closest is %s/%d: %s", keyword, keyword, at, message)
	if more := len(nearest) - 1; more > 0 {
		message += fmt.Sprintf(" (and %d more)", more)
	}
	return message
}

// distance is the distance of a value from a schema. A wrong type of the value itself matters most,
// then the values by which schemas distinguish objects.
func distance(all []finding, depth int) (sum int) {
	for _, f := range all {
		sum++
		switch f.ErrorKind.(type) {
		case *kind.Type:
			if len(f.path) == depth {
				sum += 10_000
			}
		case *kind.Const, *kind.Enum:
			sum += 100
		}
	}
	return sum
}
