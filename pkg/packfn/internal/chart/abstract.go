package chart

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// abstract is an abstract value in a template: the set of everything that the value can be in a
// run.
type abstract struct {
	// roots are contexts of charts, such as the top-level `.` of a template.
	roots []*scope
	// nodes are positions in the values.
	nodes []*node
	// fields are the fields of a dict with known keys. elements is the union of the elements of a
	// list, or of a dict with unknown keys.
	fields map[string]*abstract
	// elements is nil if nothing is known of elements.
	elements *abstract
	// texts are string constants.
	texts []string
	// from are the positions in the values that a string was made from.
	from []*node
	// isFile is true if the value can be the name of a template file.
	isFile bool
	// other is true if the value can also be something that contains no values of the chart.
	other bool
}

// unknown returns an abstract value that contains no values of the chart.
func unknown() *abstract { return &abstract{other: true} }

// madeOf returns the abstract value of a string that is made from values.
func madeOf(arguments ...*abstract) *abstract {
	made := unknown()
	for _, argument := range arguments {
		made.from = argument.sources(made.from, 0)
	}
	return made
}

// addNew appends the elements that a list does not contain yet.
func addNew[T comparable](all []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// maxPlaces is the maximum number of positions that an abstract value tracks. All further
// positions count as read completely, and as run as templates.
const maxPlaces = 100

// atMost returns the first nodes of a list. The others count as read, and as run as templates, so that
// nothing about them is reported.
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

// sources appends the positions in the values that a value contains or was made from.
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

// run marks the sources of a value as run as a template. It reports whether the sources are
// known.
func (a *abstract) run() (isKnown bool) {
	all := a.sources(nil, 0)
	for _, n := range all {
		n.tpl = true
	}
	return len(all) > 0 || !a.other
}

// union returns the abstract value that can be any of several values.
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

// add extends a value so that it can also be another one.
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

// setField adds a possible value of a field.
func (a *abstract) setField(key string, value *abstract) {
	fields := maps.Clone(a.fields) // a union may share the map
	if fields == nil {
		fields = map[string]*abstract{}
	}
	fields[key] = union(fields[key], value)
	a.fields = fields
}

// methods are the methods of the type of `.Values` that read all values.
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

// element returns the union of all fields and elements of a value.
func (a *abstract) element() *abstract {
	found := &abstract{from: a.from}
	if len(a.roots) > 0 { // a range over a context reads its values
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

// at returns the field for a key that is itself an abstract value.
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

// consume marks all of a value as read.
func (a *abstract) consume() { a.consumeBelow(map[*abstract]bool{}) }

// consumeBelow marks everything in a value as read. seen ends cycles.
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

// test marks a value as read by a condition.
func (a *abstract) test() {
	for _, n := range a.nodes {
		n.tested = true
	}
}

// withoutRoots returns a value without the contexts in it, because a text that `tpl` runs reads
// these through `.Values`.
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

// identity returns a string that is the same for equal values.
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

// pointers returns the addresses of values as sorted texts, by which equal lists are recognized.
func pointers[T any](all []*T) []string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = fmt.Sprintf("%p", one)
	}
	slices.Sort(names)
	return names
}
