package jsonschema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// The limits of Validate. A schema can refer to itself without end, and try all combinations
// of many branches.
const (
	maxSteps = 250_000
	// maxDepth is the number of schemas that may be open at once, and maxInPlace the number of open
	// schemas for the same value, because the library searches each new schema among them.
	maxDepth   = 5_000
	maxInPlace = 500
)

// pair is a schema and a node that the library may validate by it.
type pair struct {
	// schema is the schema, and node the node.
	schema *jsonschema.Schema
	node   *yaml.Node
}

// extent is how much work a pair is at most: the steps, and how many schemas are open at
// once, of all values and of the same one. It has no steps while the pair is measured.
// steps is the work, depth the number of open schemas, and inPlace the number of these for one
// value.
type extent struct{ steps, depth, inPlace int }

// bounds measures each pair once, as if every branch were taken, and adds the steps of the
// branches up: the library validates again what several of them lead to.
type bounds struct {
	*tree
	// tracks is as in [Schema].
	tracks bool
	// measured are the pairs so far, and schemas the schemas by location.
	measured map[pair]extent
	schemas  map[string]*jsonschema.Schema
	sizes    map[*yaml.Node]int
	// own are the steps of all pairs without those below, which are never more than the sum.
	own int
	// most is the number of steps that the value may take.
	most int
	// err is the reason why the value is not validated.
	err error
}

// newBound returns bounds for a value. left are the steps that the run has left.
func newBound(t *tree, s *Schema, left int) *bounds {
	return &bounds{tree: t, tracks: s.tracks, most: min(left, maxSteps), measured: map[pair]extent{}, schemas: map[string]*jsonschema.Schema{}, sizes: map[*yaml.Node]int{}}
}

// fail notes a reason. The first one counts.
func (b *bounds) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// measure returns the extent of a pair at a depth in the value.
func (b *bounds) measure(s *jsonschema.Schema, n *yaml.Node, depth int) extent {
	p := pair{s, n}
	e, known := b.measured[p]
	switch {
	case b.err != nil || known && e.steps > 0:
		return e
	case known:
		b.fail("it refers to itself without end ($ref)")
		return e
	case s.DynamicRef != nil || s.RecursiveRef != nil: // what it leads to depends on the value
		b.fail("it uses $dynamicRef or $recursiveRef. Use $ref")
		return e
	}
	b.measured[p], b.schemas[s.Location] = extent{}, s
	e.steps = min(b.steps(s, n, depth), maxSteps+1)
	b.own += e.steps
	for _, sub := range b.inPlace(s, n) {
		b.add(&e, b.measure(sub, n, depth), 1)
	}
	if c := b.children(n); c != nil {
		for i := 0; i < len(c.pairs) && b.err == nil && b.own <= b.most; i++ {
			b.below(s, c, i, func(sub *jsonschema.Schema, child *yaml.Node) { b.add(&e, b.measure(sub, child, depth+1), 0) })
		}
	}
	b.add(&e, extent{}, 0)
	b.measured[p] = e
	return e
}

// add adds the extent of what a pair leads to. sameValue is 1 if that is about the same value.
func (b *bounds) add(e *extent, below extent, sameValue int) {
	e.steps += below.steps
	e.depth = max(e.depth, below.depth+1)
	e.inPlace = max(e.inPlace, (below.inPlace+1)*sameValue)
	switch {
	case max(e.steps, b.own) > b.most && b.most < maxSteps:
		if b.err == nil {
			b.err = ErrSpent
		}
	case max(e.steps, b.own) > maxSteps:
		b.fail("it takes more than %d steps to check", maxSteps)
	case e.depth > maxDepth:
		b.fail("it nests more than %d schemas to check the value", maxDepth)
	case e.inPlace > maxInPlace:
		b.fail("it nests more than %d schemas to check the value", maxInPlace)
	}
}

// steps returns the work for a pair alone. A step is about a microsecond.
func (b *bounds) steps(s *jsonschema.Schema, n *yaml.Node, depth int) int {
	steps := 1 + depth/16 // an error has the path
	if s.Enum != nil || s.Const != nil {
		compared := 1
		if s.Enum != nil {
			compared += len(s.Enum.Values)
		}
		steps += compared * b.size(n) / 10
	}
	c := b.children(n)
	if c == nil {
		if steps += len(n.Value)/1000 + patternSteps(s.Pattern, n.Value); strings.ContainsAny(n.Value, "eE") {
			steps += 8 // a number may have 300 digits
		}
		return steps
	}
	steps += (len(c.pairs) + len(s.Required) + len(s.Dependencies) + len(s.DependentRequired) + len(s.DependentSchemas)) / 10
	if b.tracks {
		steps += len(c.pairs) / 2
	}
	if s.UniqueItems { // unequal lists and maps may have the same hash
		steps += b.size(n)*min(len(c.pairs), 20)/10 + len(c.pairs)*len(c.pairs)/500
	}
	for expression := range s.PatternProperties {
		for i := range c.pairs {
			if steps += patternSteps(expression, c.name(i)); steps > maxSteps {
				return steps
			}
		}
	}
	return steps
}

// size returns about how long it takes to compare a node with an equal one.
func (b *bounds) size(n *yaml.Node) int {
	size, ok := b.sizes[n]
	if !ok {
		size = 10 + len(n.Value)/100
		if c := b.children(n); c != nil {
			for i, p := range c.pairs {
				size = min(size+b.size(p.Value)+len(c.name(i))/100, 10*maxSteps)
			}
		}
		b.sizes[n] = size
	}
	return size
}

// patternSteps returns the work of matching a text.
func patternSteps(expression jsonschema.Regexp, text string) int {
	if p, ok := expression.(pattern); ok {
		return p.size * (1 + len(text)) / 100
	}
	return 0
}

// inPlace returns the schemas about the same value.
func (b *bounds) inPlace(s *jsonschema.Schema, n *yaml.Node) []*jsonschema.Schema {
	subs := slices.Concat([]*jsonschema.Schema{s.Ref, s.Not, s.If, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf)
	if len(s.DependentSchemas)+len(s.Dependencies) > 0 && n.Kind == yaml.MappingNode {
		for i := range b.children(n).pairs {
			name := b.children(n).name(i)
			sub, _ := s.Dependencies[name].(*jsonschema.Schema)
			subs = append(subs, s.DependentSchemas[name], sub)
		}
	}
	return slices.DeleteFunc(subs, func(sub *jsonschema.Schema) bool { return sub == nil })
}

// below calls visit with the schemas that may be about a child or its name.
func (b *bounds) below(s *jsonschema.Schema, c *children, i int, visit func(*jsonschema.Schema, *yaml.Node)) {
	p := c.pairs[i]
	apply := func(all ...any) {
		for _, sub := range all {
			if sub, ok := sub.(*jsonschema.Schema); ok && sub != nil {
				visit(sub, p.Value)
			}
		}
	}
	if p.Key == nil {
		listed, _ := s.Items.([]*jsonschema.Schema)
		for _, all := range [][]*jsonschema.Schema{listed, s.PrefixItems} {
			if i < len(all) {
				apply(all[i])
			}
		}
		apply(s.Items, s.AdditionalItems, s.Items2020, s.Contains, s.UnevaluatedItems)
		return
	}
	property := s.Properties[c.name(i)]
	apply(property, s.UnevaluatedProperties)
	if property == nil {
		apply(s.AdditionalProperties)
	}
	for _, sub := range slices.SortedFunc(maps.Values(s.PatternProperties), func(a, b *jsonschema.Schema) int { return cmp.Compare(a.Location, b.Location) }) {
		apply(sub)
	}
	if s.PropertyNames != nil {
		visit(s.PropertyNames, p.Key)
	}
}
