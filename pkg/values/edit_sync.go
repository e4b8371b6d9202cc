package values

import (
	"slices"
	"sort"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Change is a value that a document is to have, see [Document.Sync].
type Change struct {
	// At are the steps to the value.
	At []Step
	// Want is the value, or nil to remove the value.
	Want *yaml.Node
	// Identity identifies elements of lists. If it is nil, they are identified by their positions.
	Identity func(element *yaml.Node) string
	// IsWhole reports whether Want replaces the old value as a whole, as [Document.Set] does,
	// unless both are equal.
	IsWhole bool
}

// Sync returns the document with the wanted values at the paths of the changes. It keeps every byte
// that need not change, comments and quotes included. A value that is equal stays as it is, and a
// value whose Want is nil is removed, as Delete does. If two changes have the same path, or one path
// is a prefix of the other, the last change takes precedence.
//
// Mappings are compared key by key: keys that the wanted value does not have are removed, and new
// keys are appended in its order. In lists, elements with the same identity are compared. Other
// elements are removed, or inserted at their position in the wanted list. Without Identity, or if
// it returns "" for an element, equal elements at both ends of the lists are skipped, and the rest
// is compared by position. A scalar keeps its style and gets the new text.
//
// A value that cannot be changed in place (an alias, a key of a merge key, a map or list that keeps
// none of its elements) is replaced as a whole. The errors are the same as for Set: an *EditError
// if the edit would change a node that an alias or a merge key uses elsewhere.
//
// For example, a document, what is wanted, and the result:
//
//	b: 1 # one     a: y     b: 1 # one
//	a: 'x'         b: 1     a: 'y'
//	               c: 2     c: 2
func (d *Document) Sync(changes ...Change) (*Document, error) {
	if err := d.editable(); err != nil {
		return nil, err
	}
	if len(changes) > 1 {
		if edited, ok := d.syncAtOnce(changes); ok {
			return edited, nil
		}
	}
	edited := d
	for _, c := range changes {
		next, err := edited.sync(c, d)
		if err != nil {
			if _, same := d.sync(c, d); same != nil { // so that the error has a line of the original text
				err = same
			}
			return nil, err
		}
		edited = next
	}
	return edited, nil
}

// syncAtOnce makes changes of different places in one edit: each edit reads its result. It is not
// ok if one of them is not made as the text is.
func (d *Document) syncAtOnce(changes []Change) (edited *Document, ok bool) {
	l, root := d.layout(), d.Root()
	var splices []splice
	for i, c := range changes {
		if c.Want == nil || slices.ContainsFunc(changes[:i], c.overlaps) {
			return nil, false
		}
		if c.isDone(d) {
			continue
		}
		src, err := d.source(Of(c.Want))
		if err != nil {
			return nil, false
		}
		p, err := l.sync(c, src)
		if err != nil {
			return nil, false
		}
		if root, ok = joined(d.Root(), root, p.want); !ok {
			return nil, false
		}
		splices = append(splices, p.splices...)
	}
	if len(splices) == 0 {
		return d, true
	}
	edited, err := d.finish(splices, root, nil)
	return edited, err == nil
}

// joined returns the tree that two edits of a map result in: each shares with the map what it does
// not change, and adds keys at the end. It is not ok for other edits.
func joined(base, a, b *yaml.Node) (n *yaml.Node, ok bool) {
	switch {
	case b == base:
		return a, true
	case a == base:
		return b, true
	}
	for _, one := range []*yaml.Node{base, a, b} {
		if one == nil || one.Kind != yaml.MappingNode || len(one.Content) < len(base.Content) {
			return nil, false
		}
	}
	added := func(n *yaml.Node) []*yaml.Node { return n.Content[len(base.Content):] }
	for i := 0; i < len(added(a)); i += 2 {
		for j := 0; j < len(added(b)); j += 2 {
			if added(a)[i].Value == added(b)[j].Value { // both make a map
				return nil, false
			}
		}
	}
	both := *a
	both.Content = slices.Concat(a.Content, added(b))
	for i, child := range base.Content {
		if both.Content[i], ok = joined(child, a.Content[i], b.Content[i]); !ok {
			return nil, false
		}
	}
	return &both, true
}

// overlaps reports whether one change's path is a prefix of the other's.
func (c *Change) overlaps(other Change) bool {
	both := min(len(c.At), len(other.At))
	return slices.Equal(c.At[:both], other.At[:both])
}

// isDone reports whether the document has the value.
func (c *Change) isDone(d *Document) bool {
	have := Follow(d.Root(), c.At)
	return have != nil && Equal(have, c.Want)
}

// sync plans a change: in the value that is there if possible, otherwise as a whole.
func (l *layout) sync(c Change, src *Document) (plan, error) {
	if !c.isInPlace(l, src) {
		return l.set(c.At, src, false)
	}
	return l.lay(c.At, src, c.merger(l.d), false)
}

// isInPlace reports whether the value that is there can be changed, and need not be set.
func (c *Change) isInPlace(l *layout, src *Document) bool {
	if c.IsWhole || src.Root() == nil {
		return false
	}
	t := l.follow(c.At)
	return len(t.crumbs) > 0 && len(t.missing) == 0
}

func (c *Change) merger(d *Document) merger {
	return merger{exact: true, identity: c.Identity, known: sync.OnceValue(func() map[string]bool { return d.knownComments(c.Want) })}
}

// sync makes a change of a document, after others of the original, from which nodes of the value
// may be.
func (d *Document) sync(c Change, original *Document) (*Document, error) {
	if c.Want == nil {
		edited, _, err := d.Delete(c.At)
		return edited, err
	}
	if c.isDone(d) {
		return d, nil
	}
	src, err := d.source(Of(c.Want))
	if err != nil {
		return nil, err
	}
	if c.isInPlace(d.layout(), src) {
		if edited, err := d.lay(c.At, src, c.merger(original)); err == nil {
			return edited, nil
		}
	}
	return d.Set(c.At, src)
}

// kept returns which entries of n stay when over is laid on it: all, or those with a
// counterpart. It rejects when none stays, and when an entry that goes comes from a merge
// key.
func (m *merger) kept(n, over *yaml.Node) ([]bool, error) {
	kept := make([]bool, entries(n))
	wanted := newKeyIndex(over)
	for i := range kept {
		_, known := wanted.counterpart(dealias(n.Content[2*i]))
		kept[i] = !m.exact || known || isMergeKey(n.Content[2*i])
	}
	if !m.exact {
		return kept, nil
	}
	for _, p := range pairs(n) {
		if _, known := wanted.counterpart(dealias(p.Key)); p.Merged && !known {
			return nil, reject(p.Key, "the key comes from a merge key")
		}
	}
	if lastKept(kept) < 0 {
		return nil, reject(n, "nothing stays")
	}
	return kept, nil
}

// lastKept returns the index of the last entry that is kept, or -1 if none is.
func lastKept(kept []bool) int {
	last := len(kept) - 1
	for last >= 0 && !kept[last] {
		last--
	}
	return last
}

// remove takes the entries that are not kept out of the collection of c, and out of what
// results from it.
func (m *merger) remove(c crumb, result *yaml.Node, kept []bool) error {
	n, at := c.node, m.to.where(c)
	size := len(n.Content) / entries(n)
	content := result.Content
	result.Content = nil
	for i := 0; i < len(kept); i++ {
		if kept[i] {
			result.Content = append(result.Content, content[i*size:(i+1)*size]...)
			continue
		}
		first := i
		for ; i < len(kept) && !kept[i]; i++ {
			for _, gone := range n.Content[i*size : (i+1)*size] {
				if err := m.to.d.usedElsewhere(gone); err != nil {
					return err
				}
			}
		}
		s, err := m.to.removeRun(n, at, first, i-1, m.fallback)
		if err != nil {
			return err
		}
		m.splices = append(m.splices, s...)
		i--
	}
	return nil
}

// lists makes the list of c like the list over, at the place overAt of the
// source.
func (m *merger) lists(c crumb, over *yaml.Node, overAt context) (*yaml.Node, error) {
	n, at := c.node, m.to.where(c)
	becomes := aligned(n.Content, over.Content, m.identity)
	kept := make([]bool, len(becomes))
	changed := *n
	changed.Content = slices.Clone(n.Content)
	next, last := 0, -1
	for i, to := range becomes {
		if to < 0 {
			continue
		}
		if err := m.add(c, last, crumb{node: over, at: overAt}, numbers(next, to)); err != nil {
			return nil, err
		}
		value, err := m.value(crumb{n.Content[i], n, i, at}, crumb{over.Content[to], over, to, overAt})
		if err != nil {
			return nil, err
		}
		changed.Content[i], kept[i] = value, true
		next, last = to+1, i
	}
	if last < 0 {
		return nil, reject(n, "nothing stays")
	}
	if err := m.add(c, last, crumb{node: over, at: overAt}, numbers(next, len(over.Content))); err != nil {
		return nil, err
	}
	result := changed
	if err := m.remove(c, &result, kept); err != nil {
		return nil, err
	}
	result.Content = slices.Clone(over.Content)
	for i, to := range becomes {
		if to >= 0 {
			result.Content[to] = changed.Content[i]
		}
	}
	return &result, nil
}

// aligned returns for each element of a list which wanted element it becomes, or -1 if it goes. The
// numbers increase.
func aligned(have, want []*yaml.Node, identity func(*yaml.Node) string) []int {
	becomes := make([]int, len(have))
	if identity == nil || !identified(becomes, have, want, identity) {
		byPosition(becomes, have, want)
		return becomes
	}
	return increasing(becomes)
}

// identified finds the wanted element with the same identity; of several with one identity the
// first belongs to the first. It is false if one has no identity.
func identified(becomes []int, have, want []*yaml.Node, identity func(*yaml.Node) string) bool {
	places := map[string][]int{}
	for i, n := range want {
		id := identity(dealias(n))
		places[id] = append(places[id], i)
	}
	_, unknown := places[""]
	for i, n := range have {
		id := identity(dealias(n))
		unknown = unknown || id == ""
		becomes[i] = -1
		if left := places[id]; len(left) > 0 {
			becomes[i], places[id] = left[0], left[1:]
		}
	}
	return !unknown
}

// increasing keeps the longest increasing sequence of the numbers that are not
// negative, and makes the others -1.
func increasing(numbers []int) []int {
	var ends []int // the index at which the best sequence of each length ends
	before := make([]int, len(numbers))
	for i, number := range numbers {
		if number < 0 {
			continue
		}
		length := sort.Search(len(ends), func(l int) bool { return numbers[ends[l]] >= number })
		before[i] = -1
		if length > 0 {
			before[i] = ends[length-1]
		}
		ends = append(ends[:length], append([]int{i}, ends[min(length+1, len(ends)):]...)...)
	}
	kept := slices.Repeat([]int{-1}, len(numbers))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			kept[i] = numbers[i]
		}
	}
	return kept
}

// byPosition matches the elements that are equal at both ends, then the others in
// order. Those that are too many go: the ones that no wanted element equals first, from
// the end.
func byPosition(becomes []int, have, want []*yaml.Node) {
	start, end := 0, 0
	for start < min(len(have), len(want)) && Equal(have[start], want[start]) {
		becomes[start] = start
		start++
	}
	for end < min(len(have), len(want))-start && Equal(have[len(have)-1-end], want[len(want)-1-end]) {
		end++
		becomes[len(have)-end] = len(want) - end
	}
	middle := have[start : len(have)-end]
	gone := surplus(middle, want[start:len(want)-end])
	to := start
	for i := range middle {
		if gone[i] || to == len(want)-end {
			becomes[start+i] = -1
			continue
		}
		becomes[start+i] = to
		to++
	}
}

// surplus returns which elements are too many.
func surplus(have, want []*yaml.Node) map[int]bool {
	many := len(have) - len(want)
	if many <= 0 {
		return nil
	}
	wanted := map[string]bool{}
	for _, n := range want {
		text, _ := JSON(n)
		wanted[text] = true
	}
	var order, equal []int
	for i := len(have) - 1; i >= 0; i-- {
		if text, _ := JSON(have[i]); wanted[text] {
			equal = append(equal, i)
		} else {
			order = append(order, i)
		}
	}
	gone := map[int]bool{}
	for _, i := range append(order, equal...)[:many] {
		gone[i] = true
	}
	return gone
}
