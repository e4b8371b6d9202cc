package preset

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// remove returns the values without what a path addresses (rule P2): root itself
// when that is nothing. Maps and lists that it empties stay, empty.
//
// Paths are those of rule V16, with one difference. A path that can be read in
// several ways, as in `a: {b: 1}` beside `a.b: 2`, removes what every reading
// addresses. If only the first were removed, the second would be what the path
// addresses on the next run.
func remove(root *yaml.Node, path values.Path) (*yaml.Node, error) {
	r := remover{text: path.String(), steps: path.Steps(), known: map[place]*yaml.Node{}}
	at := 0
	for _, step := range r.steps {
		r.starts = append(r.starts, at)
		at += len(step) + 1
	}
	left := r.from(root, 0)
	return left, r.err
}

// place is a node and the step of the path that is looked for in it.
type place struct {
	n    *yaml.Node
	step int
}

type remover struct {
	text   string
	steps  []string
	starts []int // where each step begins in the text
	// known keeps what is left of nodes, so that nodes that aliases use many
	// times are looked at once.
	known map[place]*yaml.Node
	err   error
}

// from returns what is left of n when the steps from i on are removed from it,
// nil when n is what they address.
func (r *remover) from(n *yaml.Node, i int) *yaml.Node {
	if i == len(r.steps) {
		return nil
	}
	n = values.Resolve(n)
	if n == nil || len(n.Content) == 0 {
		return n
	}
	at := place{n, i}
	if left, ok := r.known[at]; ok {
		return left
	}
	left := n
	if isMap(n) {
		left = r.fromMap(n, i)
	} else if isList(n) {
		left = r.fromList(n, i)
	}
	r.known[at] = left
	return left
}

func (r *remover) fromMap(n *yaml.Node, i int) *yaml.Node {
	changed := false
	var left []entry
	for _, e := range entries(n) {
		name, ok := e.name()
		if next := r.behind(name, i); ok && next > 0 {
			value := r.from(e.value, next)
			changed = changed || value != e.value
			if e.value = value; value == nil {
				continue
			}
		}
		left = append(left, e)
	}
	if !changed {
		return n
	}
	return mapOf(n, left)
}

// behind returns the step behind a key that the path goes through from step i
// on, 0 when it does not.
func (r *remover) behind(key string, i int) int {
	if key == "" || !strings.HasPrefix(r.text[r.starts[i]:], key) {
		return 0
	}
	end := r.starts[i] + len(key)
	for next := i; next < len(r.steps) && r.steps[next] != values.Wildcard; next++ {
		if r.starts[next]+len(r.steps[next]) == end {
			return next + 1
		}
	}
	return 0
}

func (r *remover) fromList(n *yaml.Node, i int) *yaml.Node {
	step := r.steps[i]
	left := *n
	left.Content, left.Anchor = nil, ""
	changed := false
	for index, element := range n.Content {
		switch {
		case step == values.Wildcard:
		case step == fmt.Sprint(index):
			if i+1 == len(r.steps) {
				r.err = fmt.Errorf("removes one element of a list by its number: the next would move up and be removed by the next run; write %s for all elements, or add the list as it has to be", strings.Join(append(r.steps[:i:i], values.Wildcard), "."))
				return n
			}
		default:
			left.Content = append(left.Content, element)
			continue
		}
		value := r.from(element, i+1)
		changed = changed || value != values.Resolve(element)
		if value != nil {
			left.Content = append(left.Content, value)
		}
	}
	if !changed {
		return n
	}
	return &left
}
