package values

import "go.yaml.in/yaml/v3"

// Scalars visits the scalars of the document that are values, in its order: each with its steps
// from the root, the map that it is in, and the offsets of its text, without quotes'
// surroundings such as comments. to is -1 if the end is not known. Aliases are not followed.
func (d *Document) Scalars(visit func(at []Step, n, parent *yaml.Node, from, to int)) {
	if d.Root() == nil {
		return
	}
	l := d.layout()
	var walk func(n, parent *yaml.Node, at place, steps []Step)
	walk = func(n, parent *yaml.Node, at place, steps []Step) {
		if n.Kind == yaml.ScalarNode && !isEmpty(n) {
			to, err := l.end(n, at)
			if err != nil {
				to = -1
			}
			visit(steps, n, parent, l.content(n), to)
		}
		if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode {
			return
		}
		in := l.inside(n, at)
		for i, child := range n.Content {
			switch {
			case n.Kind == yaml.SequenceNode:
				walk(child, parent, in, Below(steps, Element(i)))
			case i%2 == 1:
				walk(child, n, in, Below(steps, Key(n.Content[i-1].Value)))
			}
		}
	}
	walk(d.Root(), nil, rootPlace, nil)
}
