package transfer

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// KeepComments adds the comments of a user to a version of values: those that the values have and
// the version that was imported does not. It returns the keys of those that have no place there.
func KeepComments(next, user, base *values.Document) (kept *values.Document, dropped []string) {
	users, bases, nexts := commentsOf(user), commentsOf(base), commentsOf(next)
	mine := without(without(users, bases, true), nexts, false)
	if len(mine) == 0 {
		return next, nil
	}
	k := keeper{next: next, entries: map[*yaml.Node]*entry{}, comments: map[string]int{}, text: map[*yaml.Node]string{}, above: map[int][]comment{}}
	was := map[string]string{}
	for _, c := range bases {
		if !c.isAbove {
			was[c.key()] = c.text
		}
	}
	for _, e := range entriesOf(next) {
		k.entries[e.value] = e
	}
	for _, c := range nexts {
		if c.isAbove {
			k.comments[c.place()] = c.line
		} else {
			k.text[c.at.value] = c.text
		}
	}
	follow(mine, users, entriesOf(user))
	for _, c := range mine {
		if !k.keep(c, was[c.key()]) {
			dropped = append(dropped, keysOf([]comment{c})...)
		}
	}
	kept, isDone := k.written()
	if !isDone {
		return next, keysOf(mine)
	}
	return kept, slices.Compact(dropped)
}

// keeper adds comments to values.
type keeper struct {
	next *values.Document
	// entries are those of next by their values, and comments the lines of its comments with lines of
	// their own, by their places.
	entries  map[*yaml.Node]*entry
	comments map[string]int
	// text are the comments on the lines of entries, by their values in next.
	text  map[*yaml.Node]string
	edits []values.CommentEdit
	// keys are comments on lines of keys, and above those with lines of their own, by the lines
	// at or above which they come.
	keys  []comment
	above map[int][]comment
	// end are those behind all entries.
	end []comment
}

// keep adds a comment, and reports whether there is a place for it. was is the comment on the line
// of the entry in the version that was imported.
func (k *keeper) keep(c comment, was string) bool {
	var e *entry
	if c.at != nil {
		e = k.find(c.at.steps)
	}
	switch after := k.after(c); {
	case c.isAbove && after > 0:
		k.above[after] = append(k.above[after], c)
		return true
	case c.at == nil:
		k.end = append(k.end, c)
		return true
	case e == nil:
		return false
	case c.isAbove:
		next := comment{text: c.before, at: c.at, isAbove: true}
		line := cmp.Or(k.comments[next.place()], e.line)
		c.at = e
		k.above[line] = append(k.above[line], c)
		return true
	}
	text := k.text[e.value]
	switch {
	case !e.isBare():
		k.edits = append(k.edits, values.CommentEdit{Node: e.value, Text: c.text, Append: text != "" && text != was})
	case e.key != nil && text == "":
		c.line = e.line
		k.keys = append(k.keys, c)
	default:
		return false
	}
	return true
}

// after returns the line behind the entry that a comment follows, 0 if it follows none.
func (k *keeper) after(c comment) int {
	if c.follows == nil {
		return 0
	}
	if e := k.find(c.follows.steps); e != nil && e.isLine() {
		return e.line + 1
	}
	return 0
}

// follow says of the comments of a user, which are among others, in what order they are.
func follow(mine, users []comment, entries []*entry) {
	isMine, before := map[int]bool{}, map[int]string{}
	for _, c := range mine {
		isMine[c.line] = true
	}
	var next *comment
	for i := range slices.Backward(users) {
		c := &users[i]
		switch {
		case !c.isAbove:
		case !isMine[c.line]:
			next = c
		case next != nil && next.at == c.at:
			before[c.line] = next.text
		}
	}
	for i := range mine {
		if c := &mine[i]; c.isAbove {
			c.before, c.follows = before[c.line], followedBy(*c, entries)
		}
	}
}

// followedBy returns the entry that a comment on a line of its own follows in a map or list which
// ends there: one on one line. Nil is none.
func followedBy(c comment, entries []*entry) *entry {
	if c.at != nil && c.column <= c.at.column || c.at == nil && c.column == 1 {
		return nil
	}
	for _, e := range slices.Backward(entries) {
		if e.line < c.line {
			if !e.isLine() || e.column != c.column {
				return nil
			}
			return e
		}
	}
	return nil
}

// find returns the entry of next that is at some steps. An element of a list is one that is
// equal, the nearest one.
func (k *keeper) find(steps []step) *entry {
	n := k.next.Root()
	for _, s := range steps {
		switch {
		case n == nil || n.Style&yaml.FlowStyle != 0:
			return nil
		case s.element == nil:
			n = child(n, s.name)
		case n.Kind != yaml.SequenceNode:
			return nil
		case s.index < len(n.Content) && values.Equal(n.Content[s.index], s.element):
			n = n.Content[s.index]
		default:
			at := slices.IndexFunc(n.Content, func(other *yaml.Node) bool { return values.Equal(other, s.element) })
			if at < 0 {
				return nil
			}
			n = n.Content[at]
		}
	}
	return k.entries[n]
}

// child returns the value of a key, which may be an alias.
func child(n *yaml.Node, name string) *yaml.Node {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

// written returns the values with the comments, and reports whether they are the same values.
func (k *keeper) written() (*values.Document, bool) {
	edited, err := k.next.Rewrite(nil, k.edits)
	if err != nil {
		return nil, false
	}
	for _, isAsBefore := range []bool{true, false} { // else in the column of the entry
		var b strings.Builder
		write := func(all []comment) {
			for _, c := range all {
				column := c.column
				if !isAsBefore {
					column = 1
					if c.at != nil {
						column = c.at.column
					}
				}
				b.WriteString(strings.Repeat(" ", column-1) + c.text + "\n")
			}
		}
		for i, line := range strings.SplitAfter(strings.TrimSuffix(edited.Text(), "\n")+"\n", "\n") {
			write(k.above[i+1])
			for _, c := range k.keys {
				if c.line == i+1 {
					content := strings.TrimRight(line, "\r\n")
					line = content + " " + c.text + line[len(content):]
				}
			}
			b.WriteString(line)
		}
		write(k.end)
		kept, err := values.Parse(b.String())
		if err == nil && values.Equal(kept.Root(), k.next.Root()) {
			return kept, true
		}
	}
	return nil, false
}
