package values

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
)

// Delete returns the document without the key or list element at the steps:
// without its subtree, the comments in it, the comment on its line, and the
// comment lines directly above it in its column. A map or list that it leaves
// empty stays, as {} or []. Of a duplicate
// key all are removed. Nothing at the steps is not an error: the document
// comes back as it is, with false.
//
// An *EditError explains why the key or element cannot be deleted: aliases or merge
// keys use it elsewhere, or bring it back.
//
// For example, without server.replicas:
//
//	server:                      server:
//	  # how many                   port: 80
//	  replicas: 1 # at least
//	  port: 80
func (d *Document) Delete(at []Step) (*Document, bool, error) {
	if err := d.editable(); err != nil {
		return nil, false, err
	}
	if len(at) == 0 {
		return nil, false, reject(d.Root(), "the whole document cannot be deleted")
	}
	if !reads(d.Root(), at) {
		return d, false, nil
	}
	last := at[len(at)-1]
	for {
		l := d.layout()
		t := l.follow(at[:len(at)-1])
		if t.blocked == nil && len(t.missing) > 0 {
			t.block(reject(t.last().node, "the key %q comes from a merge key", t.missing[0].Key))
		}
		if t.blocked != nil {
			return nil, false, t.blocked
		}
		c := t.last()
		index, err := d.deletable(c.node, last)
		if err != nil {
			return nil, false, err
		}
		edited, err := d.edit(at, func(l *layout, again bool) (plan, error) {
			splices, err := l.remove(c, index, again)
			return plan{splices, replaced(t.crumbs, without(c.node, index))}, err
		})
		if err != nil {
			return nil, false, err
		}
		d = edited
		if last.IsIndex || !reads(d.Root(), at) {
			return d, true, nil
		}
	}
}

// reads reports whether there is something at the steps, aliases and merge keys
// followed.
func reads(n *yaml.Node, at []Step) bool {
	for _, step := range at {
		n = dealias(n)
		switch {
		case n == nil:
			return false
		case n.Kind == yaml.MappingNode && !step.IsIndex:
			p, ok := lookup(n, step.Key)
			if !ok {
				return false
			}
			n = p.Value
		case n.Kind == yaml.SequenceNode && step.IsIndex && step.Index >= 0 && step.Index < len(n.Content):
			n = n.Content[step.Index]
		default:
			return false
		}
	}
	return n != nil
}

// deletable returns the entry of n to delete for a step that is there.
func (d *Document) deletable(n *yaml.Node, step Step) (int, error) {
	if n.Kind == yaml.AliasNode {
		return -1, reject(n, "this is the alias *%s: an edit of what is in it would change line %d", n.Value, n.Alias.Line)
	}
	if used := d.anchors().used[n]; len(used) > 0 {
		return -1, rejectShared(n, n, used)
	}
	if n.Kind == yaml.SequenceNode {
		return step.Index, d.usedElsewhere(n.Content[step.Index])
	}
	for _, p := range mergedPairs(n) {
		if name, ok := p.Name(); ok && name == step.Key {
			return -1, reject(p.Key, "the key %q comes from a merge key on line %d: delete it there", step.Key, p.Key.Line)
		}
	}
	index := explicitIndex(n, step.Key)
	return index, d.usedElsewhere(node.Map(n.Content[2*index], n.Content[2*index+1]))
}

// without returns a copy of n without one entry.
func without(n *yaml.Node, index int) *yaml.Node {
	c := *n
	size := len(n.Content) / entries(n)
	c.Content = append([]*yaml.Node(nil), n.Content[:index*size]...)
	c.Content = append(c.Content, n.Content[(index+1)*size:]...)
	return &c
}

// remove takes one entry out of the collection of c. When a first try made
// other values read differently, blank lines and line breaks around the entry
// are treated the other way: a block scalar before it may have taken them.
func (l *layout) remove(c crumb, index int, again bool) ([]splice, error) {
	at := l.where(c)
	if entries(c.node) > 1 {
		return l.removeRun(c.node, at, index, index, again)
	}
	e, err := l.entry(c.node, index, at)
	if err != nil {
		return nil, err
	}
	if e.explicit {
		return nil, reject(e.key, "a key written with ? cannot be deleted")
	}
	return l.removeOnly(c, at, e)
}

// removeRun takes the entries from first to last out of the collection n, which keeps
// others.
func (l *layout) removeRun(n *yaml.Node, at context, first, last int, again bool) ([]splice, error) {
	e, err := l.entry(n, first, at)
	if err != nil {
		return nil, err
	}
	final, err := l.entry(n, last, at)
	if err != nil {
		return nil, err
	}
	if e.explicit || final.explicit {
		return nil, reject(e.key, "a key written with ? cannot be deleted")
	}
	if e.in.flow {
		return l.removeFlow(n, at, first, last, e, final)
	}
	end := l.belongings(final)
	if !l.ownLine(e) {
		return l.removeFirst(n, at, last, e, end)
	}
	floor, err := l.floor(n, first, at)
	if err != nil {
		return nil, err
	}
	start := l.head(e, floor)
	if before := trimBreak(l.text, start); before < start && !again {
		// The break before the run goes and not the one after it: there another edit
		// may insert, or none may be.
		return []splice{{before, end, ""}}, nil
	}
	end = afterBreak(l.text, end)
	for again {
		next := skipBlanks(l.text, end)
		if breakLength(l.text, next) == 0 {
			break
		}
		end = afterBreak(l.text, next)
	}
	return []splice{{start, end, ""}}, nil
}

// removeFirst takes out the entries up to last; the first of them, e, shares its line
// with the dash before it: the next one moves up.
func (l *layout) removeFirst(n *yaml.Node, at context, last int, e entry, end int) ([]splice, error) {
	if last+1 == entries(n) {
		return nil, errMismatch
	}
	next, err := l.entry(n, last+1, at)
	if err != nil {
		return nil, err
	}
	if strings.Trim(l.text[end:next.start], " \t\r\n") == "" {
		return []splice{{e.start, next.start, ""}}, nil
	}
	start := e.start
	for start > 0 && isBlank(l.text[start-1]) {
		start--
	}
	return []splice{{start, end, ""}}, nil
}

// removeFlow takes entries out of a collection in flow style, with the comma after or before them:
//
//	[a, b, c]  without b: [a, c]
func (l *layout) removeFlow(n *yaml.Node, at context, first, last int, e, final entry) ([]splice, error) {
	if last+1 < entries(n) {
		next, err := l.entry(n, last+1, at)
		return []splice{{e.start, next.start, ""}}, err
	}
	previous, err := l.entry(n, first-1, at)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(l.text[previous.end:e.start], "#") {
		return []splice{{previous.end, final.end, ""}}, nil
	}
	// The comment between them is the previous entry's.
	comma := skipSpace(l.text, previous.end)
	if l.at(comma) != ',' {
		return nil, errMismatch
	}
	return []splice{{comma, comma + 1, ""}, {e.start, final.end, ""}}, nil
}

// removeOnly takes out the only entry: the collection stays, empty.
func (l *layout) removeOnly(c crumb, at context, e entry) ([]splice, error) {
	n := c.node
	brackets := "{}"
	if n.Kind == yaml.SequenceNode {
		brackets = "[]"
	}
	if e.in.flow {
		end, err := l.end(n, at)
		return []splice{{l.content(n), end, brackets}}, err
	}
	end := l.belongings(e)
	if !l.ownLine(e) {
		return []splice{{e.start, end, brackets}}, nil
	}
	start := l.head(e, 0)
	if c.parent == nil {
		return []splice{{start, end, brackets}}, nil
	}
	outer, err := l.entry(c.parent, c.index, c.at)
	if err != nil {
		return nil, err
	}
	after := outer.indicator
	if hasProperties(n) {
		_, after = skipProperties(l.text, outer.valueStart, n)
	}
	start = trimBreak(l.text, start)
	if keyLine := lineEnd(l.text, after); strings.Trim(l.text[keyLine:start], " \t\r\n") == "" {
		start = keyLine // blank lines above the only entry separate it from nothing now
	}
	return []splice{{after, after, " " + brackets}, {start, end, ""}}, nil
}
