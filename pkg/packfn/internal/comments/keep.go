package comments

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Keep adds the comments of a user to a new version of values. These are the comments in
// user that base, the imported version, does not contain. It returns the keys of the comments for
// which next has no place.
//
// For example, the own-line comment of user is put above the same entry of next:
//
//	server:
//	  # must be free: the load balancer has 8200
//	  port: 8201
func Keep(next, user, base *values.Document) (kept *values.Document, dropped []string) {
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
	// next are the values of the new version, which get the comments.
	next *values.Document
	// entries are the entries of next by their value. comments are the lines of its own-line
	// comments, by the result of place.
	entries  map[*yaml.Node]*entry
	comments map[string]int
	// text are the line comments of next, by the value of their entry.
	text map[*yaml.Node]string
	// edits are the comments that are put on lines of values.
	edits []values.CommentEdit
	// keys are the comments to append to lines of keys. above are the own-line comments to
	// insert, by the line above which they are inserted.
	keys  []comment
	above map[int][]comment
	// end are the comments to insert after all entries.
	end []comment
}

// keep adds a comment, and reports whether there is a place for it. was is the line comment of
// the entry in the imported version.
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

// after returns the line after the entry that a comment follows, or 0 if it follows none.
func (k *keeper) after(c comment) int {
	if c.follows == nil {
		return 0
	}
	if e := k.find(c.follows.steps); e != nil && e.isLine() {
		return e.line + 1
	}
	return 0
}

// follow sets before and follows of the comments in mine, which are a subset of users, so that
// their order is kept.
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

// followedBy returns the single-line entry at the end of a map or list that an own-line comment
// follows, or nil if there is none.
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

// find returns the entry of next at a path. A list element is found by equality: at the same
// index if it is equal there, otherwise the first equal element.
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

// written returns the values with the comments. It returns false if the comments would change the
// values.
func (k *keeper) written() (*values.Document, bool) {
	edited, err := k.next.Rewrite(nil, k.edits)
	if err != nil {
		return nil, false
	}
	for _, isAsBefore := range []bool{true, false} { // first in the column of the user, then in the column of the entry
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
