package values

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// State is the result of following a path.
type State int

const (
	// Present: the path leads to a value, which may be null.
	Present State = iota
	// Absent: a key or an element on the way is not there, or the list that
	// "$[]" asks for is absent or null.
	Absent
	// EmptyList: "$[]" is applied to a list without elements.
	EmptyList
	// NotAList: "$[]" is applied to something else than a list.
	NotAList
)

// String returns the name of the state.
func (s State) String() string {
	switch s {
	case Present:
		return "Present"
	case Absent:
		return "Absent"
	case EmptyList:
		return "EmptyList"
	case NotAList:
		return "NotAList"
	}
	return "State(" + strconv.Itoa(int(s)) + ")"
}

// Match is one place that a path addresses.
type Match struct {
	// Path is concrete: list indexes are in brackets, as in
	// registry.addresses[1].host; keys with dots are as they are. For
	// Absent it is the path that was wanted, up to the list that "$[]" wanted.
	Path string
	// Steps is Path step by step, for edits. It may be shared: do not change it.
	Steps []Step
	// State tells whether there is a value.
	State State
	// Key is the key node of the last step; nil in a list, at the root, and
	// when Absent.
	Key *yaml.Node
	// Node is the value, aliases followed; the node that "$[]" is applied to for EmptyList and
	// NotAList, or nil if Absent.
	Node *yaml.Node
	// Layer is the layer of a Tree that supplied the value: 0 for a plain document, or -1 if Absent
	// from a Tree.
	Layer int
}

// Find returns the matches of p below root, in document order.
//
// If a step is not a key of a map, keys that contain dots are tried, the shortest first. For
// example, the path a.b.c finds each of these values, and in this order if several exist:
//
//	{a: {b: {c: 1}}}
//	{a: {"b.c": 1}}
//	{"a.b": {c: 1}}
//	{"a.b.c": 1}
//
// A step of digits indexes a list. Aliases are followed and merge keys ("<<") honored. If a key
// occurs more than once, the last one counts.
//
// A path without "$[]" has exactly one match. Over a list, "$[]" has one match for each element.
// Over any other value, it has one match, whose State describes the value.
func Find(root *yaml.Node, p Path) []Match {
	f := finder{path: p}
	return f.find(root, 0)
}

// finder carries one look-up.
type finder struct {
	// path is the path that is followed.
	path   Path
	layers map[*yaml.Node]int // nil outside a Tree with several layers
	// scores caches where the rest of the path leads, and keys indexes large maps.
	scores map[scoreKey]int
	keys   *index

	// steps are the steps to the current node, and matches the matches so far.
	steps   []Step
	matches []Match
	// list takes what the last step, "$[]", is applied to, or nil if all matches are wanted.
	list *elements
	// yield takes the matches one by one, until it returns false. It is nil if they are collected.
	yield func(Match) bool
	// isDone is true once yield returned false.
	isDone bool
	// up is the element from which the walk goes on, nil at the root.
	up *element
}

// find returns the matches below a root that a layer supplies.
func (f *finder) find(root *yaml.Node, layer int) []Match {
	if m, ok := f.direct(root, layer); ok {
		return []Match{m}
	}
	f.walk(root, nil, 0, layer)
	return f.matches
}

// direct follows paths without wildcards where every step is a key of its own:
// nearly all of them, and these need no search and no memory.
func (f *finder) direct(root *yaml.Node, layer int) (Match, bool) {
	n := dealias(root)
	var key *yaml.Node
	for i := range f.path.steps {
		if n == nil || n.Kind != yaml.MappingNode || f.path.steps[i].wildcard {
			return Match{}, false
		}
		p, ok := f.keys.lookup(n, f.path.plain[i].Key)
		if !ok {
			return Match{}, false
		}
		layer = f.layer(p.Value, layer)
		key, n = p.Key, dealias(p.Value)
	}
	steps := f.path.plain
	return Match{Path: f.path.text, Steps: steps[:len(steps):len(steps)], Key: key, Node: n, Layer: layer}, true
}

// layer returns the layer of a node, which is the layer above it unless the tree names another one.
func (f *finder) layer(n *yaml.Node, above int) int {
	if l, ok := f.layers[n]; ok {
		return l
	}
	return above
}

// walk adds the matches of the steps from i on below n. The steps that led to
// n are in f.steps.
func (f *finder) walk(n, key *yaml.Node, i, layer int) {
	n = dealias(n)
	if i == len(f.path.steps) {
		f.add(Present, n, key, layer)
		return
	}
	depth := len(f.steps)
	defer func() { f.steps = f.steps[:depth] }()
	switch step := f.path.steps[i]; {
	case step.wildcard && f.list != nil:
		f.list.add(f, n, key, layer)
	case step.wildcard:
		f.elements(n, key, i, layer)
	case n != nil && n.Kind == yaml.SequenceNode && step.digits:
		index, _ := strconv.Atoi(f.path.step(i))
		f.steps = append(f.steps, Element(index))
		if index >= len(n.Content) {
			f.absent(i + 1)
			return
		}
		item := n.Content[index]
		f.walk(item, nil, i+1, f.layer(item, layer))
	case n != nil && n.Kind == yaml.MappingNode:
		next, ok := f.choose(n, i)
		if !ok {
			f.absent(i)
			return
		}
		f.steps = append(f.steps, Step{Key: keyText(next.Key)})
		f.walk(next.Value, next.Key, next.rest, f.layer(next.Value, layer))
	default:
		f.absent(i)
	}
}

// elements applies the step "$[]" to a node: a match for each element, or one that tells why there is
// none.
func (f *finder) elements(n, key *yaml.Node, i, layer int) {
	switch {
	case isNull(n):
		f.absent(i)
	case n.Kind != yaml.SequenceNode:
		f.add(NotAList, n, key, layer)
	case len(n.Content) == 0:
		f.add(EmptyList, n, key, layer)
	default:
		depth := len(f.steps)
		for index, item := range n.Content {
			if f.isDone {
				return
			}
			f.steps = append(f.steps[:depth], Element(index))
			f.walk(item, nil, i+1, f.layer(item, layer))
		}
	}
}

func (f *finder) add(s State, n, key *yaml.Node, layer int) {
	steps := append([]Step(nil), f.steps...)
	f.emit(Match{Path: pathText(steps), Steps: steps, State: s, Key: key, Node: n, Layer: layer})
}

// absent adds the match for a look-up that failed before step i: the path that
// was wanted, as far as it is concrete.
func (f *finder) absent(i int) {
	if f.list != nil {
		return
	}
	steps := append([]Step(nil), f.steps...)
	for ; i < len(f.path.steps) && !f.path.steps[i].wildcard; i++ {
		steps = append(steps, f.path.plain[i])
	}
	f.emit(Match{Path: pathText(steps), Steps: steps, State: Absent})
}

// emit yields or collects a match.
func (f *finder) emit(m Match) {
	if f.yield == nil {
		f.matches = append(f.matches, m)
	} else {
		f.isDone = f.isDone || !f.yield(m)
	}
}

// candidate is a key that the path may go through, and the step after it.
type candidate struct {
	Pair
	// rest is the index of the step after the key.
	rest int
}

// choose returns the key of map n that the path goes through at step i: the
// first in the order of Find whose rest leads somewhere, else the one that
// leads furthest.
func (f *finder) choose(n *yaml.Node, i int) (candidate, bool) {
	options := f.candidates(n, i)
	if len(options) == 0 {
		return candidate{}, false
	}
	best := 0
	if len(options) > 1 {
		if f.list != nil {
			f.list.isAmbiguous = true
		}
		highest := -1
		for o := range options {
			if s := f.score(options[o].Value, options[o].rest); s > highest {
				best, highest = o, s
			}
			if highest == found {
				break
			}
		}
	}
	return options[best], true
}

// candidates returns the keys of n that are one or more steps from i on, the
// shortest first.
func (f *finder) candidates(n *yaml.Node, i int) []candidate {
	var options []candidate
	if p, ok := f.keys.lookup(n, f.path.step(i)); ok {
		options = append(options, candidate{Pair: p, rest: i + 1})
	}
	if i+1 == len(f.path.steps) || f.path.steps[i+1].wildcard {
		return options
	}
	if f.keys.isFor(n) {
		f.eachJoined(i, func(joined string, rest int) {
			if p, ok := f.keys.lookup(n, joined); ok {
				options = append(options, candidate{Pair: p, rest: rest})
			}
		})
		return options
	}
	merges := hasMergeKey(n)
	tail := f.path.tail(i)
	dotted := func(key *yaml.Node) bool {
		key = dealias(key)
		return key.Kind == yaml.ScalarNode && strings.HasPrefix(tail, key.Value) && strings.IndexByte(key.Value, '.') > 0
	}
	any := merges
	for k := 0; k+1 < len(n.Content) && !any; k += 2 {
		any = dotted(n.Content[k])
	}
	if !any {
		return options
	}
	keys := map[string]Pair{}
	for _, p := range pairs(n) {
		if dotted(p.Key) {
			keys[keyText(p.Key)] = p
		}
	}
	f.eachJoined(i, func(joined string, rest int) {
		if p, ok := keys[joined]; ok {
			options = append(options, candidate{Pair: p, rest: rest})
		}
	})
	return options
}

// eachJoined calls visit with two and more steps from i on as one key, and with the step
// after it.
func (f *finder) eachJoined(i int, visit func(joined string, rest int)) {
	for end := i + 1; end < len(f.path.steps) && !f.path.steps[end].wildcard; end++ {
		visit(f.path.text[f.path.steps[i].start:f.path.steps[end].end], end+1)
	}
}

// scoreKey identifies a result of score.
type scoreKey struct {
	node *yaml.Node
	step int
}

// found is the score of a look-up that leads somewhere.
const found = 1 << 20

// score rates where the steps from i on lead below n: found, else higher the
// further they go. Results are kept, so that the search is polynomial whatever
// keys and aliases the document holds.
func (f *finder) score(n *yaml.Node, i int) int {
	n = dealias(n)
	if i == len(f.path.steps) {
		return found
	}
	key := scoreKey{node: n, step: i}
	if s, ok := f.scores[key]; ok {
		return s
	}
	s := 2 * i
	switch step := f.path.steps[i]; {
	case step.wildcard:
		s = f.scoreElements(n, i)
	case n.Kind == yaml.SequenceNode && step.digits:
		if index, _ := strconv.Atoi(f.path.step(i)); index < len(n.Content) {
			s = f.score(n.Content[index], i+1)
		}
	case n.Kind == yaml.MappingNode:
		for _, option := range f.candidates(n, i) {
			s = max(s, f.score(option.Value, option.rest))
		}
	}
	if f.scores == nil {
		f.scores = map[scoreKey]int{}
	}
	f.scores[key] = s
	return s
}

// scoreElements is score for the step "$[]", which leads as far as the best of the elements.
func (f *finder) scoreElements(n *yaml.Node, i int) int {
	switch {
	case isNull(n):
		return 2 * i
	case n.Kind != yaml.SequenceNode:
		return 2*i + 1
	case len(n.Content) == 0:
		return found
	}
	best := 2 * i
	for _, item := range n.Content {
		if best = max(best, f.score(item, i+1)); best == found {
			break
		}
	}
	return best
}
