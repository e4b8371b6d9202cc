package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// abstract is what the walk knows of a value in a template: all that it can be.
type abstract struct {
	// roots are the contexts of charts, as templates get them.
	roots []*scope
	// nodes are places in the values.
	nodes []*node
	// fields are those of a dict, and elements those of a list or of other dicts.
	fields   map[string]*abstract
	elements *abstract
	// texts are constants.
	texts []string
	// from are places in the values that a text was made of.
	from []*node
	// isFile says that it is the name of a file with templates.
	isFile bool
	// other says that it can also be something that holds no values.
	other bool
}

// unknown is a value that holds no values of the chart.
func unknown() *abstract { return &abstract{other: true} }

// madeOf is a text that is made of values.
func madeOf(arguments ...*abstract) *abstract {
	made := unknown()
	for _, argument := range arguments {
		made.from = argument.sources(made.from, 0)
	}
	return made
}

// addNew appends what a list does not have.
func addNew[T comparable](all []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// maxPlaces is how many places a value can have. What is done with each is not known of more:
// all of the others counts as read, and as run.
const maxPlaces = 100

func atMost(all []*node) []*node {
	if len(all) <= maxPlaces {
		return all
	}
	for _, n := range all[maxPlaces:] {
		n.consume()
		n.tpl = true
	}
	return all[:maxPlaces:maxPlaces]
}

// sources adds the places in the values that are in a value.
func (a *abstract) sources(all []*node, depth int) []*node {
	if a == nil || depth > maxDepth {
		return all
	}
	all = addNew(addNew(all, a.nodes...), a.from...)
	for _, root := range a.roots {
		all = addNew(all, root.values)
	}
	for _, key := range slices.Sorted(maps.Keys(a.fields)) {
		all = a.fields[key].sources(all, depth+1)
	}
	return a.elements.sources(all, depth+1)
}

// run says that the text of a value is run as a template.
func (a *abstract) run() (isKnown bool) {
	all := a.sources(nil, 0)
	for _, n := range all {
		n.tpl = true
	}
	return len(all) > 0 || !a.other
}

// union returns what can be any of several values.
func union(all ...*abstract) *abstract {
	all = slices.DeleteFunc(slices.Clone(all), func(a *abstract) bool { return a == nil })
	if len(all) == 1 {
		return all[0]
	}
	u := &abstract{}
	for _, a := range all {
		u.add(a)
	}
	return u
}

// add makes a value also be another one.
func (a *abstract) add(b *abstract) {
	if a == b {
		return
	}
	a.roots, a.nodes, a.from, a.texts = addNew(a.roots, b.roots...), addNew(a.nodes, b.nodes...), addNew(a.from, b.from...), addNew(a.texts, b.texts...)
	a.nodes, a.from = atMost(a.nodes), atMost(a.from)
	for key, field := range b.fields {
		a.setField(key, field)
	}
	if b.elements != nil {
		a.elements = union(a.elements, b.elements)
	}
	a.other, a.isFile = a.other || b.other, a.isFile || b.isFile
}

func (a *abstract) setField(key string, value *abstract) {
	fields := maps.Clone(a.fields) // which a union may share
	if fields == nil {
		fields = map[string]*abstract{}
	}
	fields[key] = union(fields[key], value)
	a.fields = fields
}

// methods are those of the type of `.Values` that read all of it.
var methods = []string{"YAML", "Table", "AsMap", "Encode", "PathValue"}

// field returns a field of a value.
func (a *abstract) field(key string) *abstract {
	found := &abstract{from: a.from}
	for _, root := range a.roots {
		switch key {
		case "Values":
			found.add(&abstract{nodes: []*node{root.values}})
		case "Template":
			found.add(&abstract{fields: map[string]*abstract{"BasePath": {isFile: true}, "Name": {isFile: true}}})
		case "Subcharts":
			root.all(func(s *scope) { s.values.consume() })
		}
	}
	for _, n := range a.nodes {
		if slices.Contains(methods, key) {
			n.consume()
		}
		found.add(&abstract{nodes: []*node{n.child(key)}})
	}
	if value := a.fields[key]; value != nil {
		found.add(value)
	}
	if a.elements != nil {
		found.add(a.elements)
	}
	if len(found.nodes)+len(found.roots)+len(found.fields)+len(found.texts) == 0 && found.elements == nil && !found.isFile {
		found.other = true
	}
	return found
}

// element returns any field or element of a value.
func (a *abstract) element() *abstract {
	found := &abstract{from: a.from}
	if len(a.roots) > 0 { // ranging over a context reads its values
		a.consume()
	}
	for _, n := range a.nodes {
		found.add(&abstract{nodes: []*node{n.anyChild()}})
	}
	for _, key := range slices.Sorted(maps.Keys(a.fields)) {
		found.add(a.fields[key])
	}
	if a.elements != nil {
		found.add(a.elements)
	}
	found.other = found.other || a.other
	return found
}

// at returns the field of a key that is a value itself.
func (a *abstract) at(key *abstract) *abstract {
	key.consume()
	if key.other || len(key.texts) == 0 {
		return a.element()
	}
	found := &abstract{}
	for _, text := range key.texts {
		found.add(a.field(text))
	}
	return found
}

// consume says that a template uses all of a value.
func (a *abstract) consume() { a.consumeBelow(map[*abstract]bool{}) }

func (a *abstract) consumeBelow(seen map[*abstract]bool) {
	if a == nil || seen[a] {
		return
	}
	seen[a] = true
	for _, root := range a.roots {
		root.values.consume()
	}
	for _, n := range a.nodes {
		n.consume()
	}
	for _, key := range slices.Sorted(maps.Keys(a.fields)) {
		a.fields[key].consumeBelow(seen)
	}
	a.elements.consumeBelow(seen)
}

// test says that a condition uses a value.
func (a *abstract) test() {
	for _, n := range a.nodes {
		n.tested = true
	}
}

// withoutRoots returns a value without the contexts in it, which a text for `tpl` reads
// through `.Values`.
func (a *abstract) withoutRoots(depth int) *abstract {
	if depth == 0 {
		return a
	}
	b := &abstract{nodes: a.nodes, from: a.from, other: a.other}
	for key, field := range a.fields {
		field = field.withoutRoots(depth - 1)
		if key == "Values" {
			field.nodes = slices.DeleteFunc(slices.Clone(field.nodes), func(n *node) bool { return n.isScope })
		}
		b.setField(key, field)
	}
	if a.elements != nil {
		b.elements = a.elements.withoutRoots(depth - 1)
	}
	return b
}

// identity returns a text that is the same for equal values.
func (a *abstract) identity(depth int) string {
	if a == nil {
		return ""
	}
	if depth == 0 {
		return fmt.Sprintf("%p", a)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s;%s;%s;", pointers(a.roots), pointers(a.nodes), pointers(a.from))
	for _, key := range slices.Sorted(maps.Keys(a.fields)) {
		fmt.Fprintf(&b, "%q={%s}", key, a.fields[key].identity(depth-1))
	}
	fmt.Fprintf(&b, "[%s]%q%t%t", a.elements.identity(depth-1), a.texts, a.isFile, a.other)
	return b.String()
}

func pointers[T any](all []*T) []string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = fmt.Sprintf("%p", one)
	}
	slices.Sort(names)
	return names
}
