// Package comments keeps the comments that users write into values when other values replace them.
//
// For example, a user has added a comment to the values of a pack:
//
//	server:
//	  # must be free: the load balancer has 8200
//	  port: 8201
//
// [Keep] writes it above the same key of a newer version, wherever that has the key. The comments of the imported
// version are not the user's, so they are not kept.
package comments

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// comment is a comment in values. This text has an own-line comment at the entry server.port, and
// a line comment at server:
//
//	server: # the API
//	  # must be free
//	  port: 8200
type comment struct {
	// text is the comment, including the "#".
	text string
	// at is the entry on the line of the comment, or below an own-line comment. It is nil at the
	// end of the values.
	at *entry
	// isAbove is true for an own-line comment. line and column are its position.
	isAbove      bool
	line, column int
	// before is the next comment above the same entry that the imported version has, or "".
	// follows is the entry at the end of a map or list that the comment comes after, or nil.
	before  string
	follows *entry
}

// key returns the path of the entry, for messages.
func (c *comment) key() string {
	if c.at == nil {
		return "the end"
	}
	return c.at.path
}

// entry is an entry of a block map or list.
type entry struct {
	// path is the path for messages, such as `server.ports[]`.
	path string
	// steps is the path to the entry. The step of a list element contains its node instead of a
	// name.
	steps []step
	// line and column are the position of the entry.
	line, column int
	key, value   *yaml.Node // key is nil for a list element
}

// isLine reports whether the entry takes a single line.
func (e *entry) isLine() bool {
	return e.value.Kind == yaml.ScalarNode && e.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && e.value.Line == e.line && !strings.Contains(e.value.Value, " ")
}

// isBare reports whether the value of the entry is an alias, or a block map or list. A comment on
// the line of such an entry does not belong to a value, see [values.Document.LineComments].
func (e *entry) isBare() bool {
	return e.value.Kind == yaml.AliasNode || e.value.Kind != yaml.ScalarNode && e.value.Style&yaml.FlowStyle == 0
}

// step is one step of the path of an entry: a key, or an element of a list.
type step struct {
	// name is the key. index is the position in a list, where element was in the values of the user.
	name  string
	index int
	// element is the list element, or nil for the value of a key.
	element *yaml.Node
}

// entriesOf returns the entries of the block maps and lists of a document, in document order.
func entriesOf(d *values.Document) (all []*entry) {
	var visit func(n *yaml.Node, above entry)
	visit = func(n *yaml.Node, above entry) {
		if n.Style&yaml.FlowStyle != 0 {
			return
		}
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				key, value := n.Content[i], n.Content[i+1]
				e := entry{diag.Join(above.path, key.Value), append(slices.Clip(above.steps), step{name: key.Value}), key.Line, key.Column, key, value}
				all = append(all, &e)
				visit(value, e)
			}
		case yaml.SequenceNode:
			for i, element := range n.Content {
				e := entry{above.path + "[]", append(slices.Clip(above.steps), step{index: i, element: element}), element.Line, n.Column, nil, element}
				all = append(all, &e)
				visit(element, e)
			}
		}
	}
	if d.Root() != nil {
		visit(d.Root(), entry{})
	}
	return all
}

// commentsOf returns the comments of values: first the line comments, then the own-line comments,
// each in document order.
func commentsOf(d *values.Document) (all []comment) {
	entries := entriesOf(d)
	byValue, byLine := map[*yaml.Node]*entry{}, map[int]*entry{}
	for _, e := range entries {
		byValue[e.value] = e
		if byLine[e.line] == nil {
			byLine[e.line] = e
		}
	}
	for _, c := range d.LineComments("#") {
		if e := byValue[c.Node]; e != nil {
			all = append(all, comment{text: c.Text, at: e})
		}
	}
	lines := strings.Split(d.Text(), "\n")
	for _, e := range entries {
		if text := keyComment(lines, e); text != "" {
			all = append(all, comment{text: text, at: e})
		}
	}
	return append(all, ownLines(d, lines, byLine)...)
}

// keyComment returns the comment on the line of a key whose value is an alias, or a block map or
// list below it. It returns "" if there is none.
func keyComment(lines []string, e *entry) string {
	if e.key == nil || !e.isBare() || e.line > len(lines) {
		return ""
	}
	line := strings.TrimRight(lines[e.line-1], "\r \t")
	if e.key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 { // a quoted key may have a "#"
		line = line[max(0, strings.Index(line, `":`), strings.Index(line, "':")):]
	}
	_, text, found := strings.Cut(line, " #")
	if !found {
		return ""
	}
	return "#" + text
}

// ownLines returns the own-line comments.
func ownLines(d *values.Document, lines []string, byLine map[int]*entry) (all []comment) {
	isComment := func(removed ...comment) bool {
		rest := slices.Clone(lines)
		for _, c := range slices.Backward(removed) {
			rest = slices.Delete(rest, c.line-1, c.line)
		}
		without, err := values.Parse(strings.Join(rest, "\n"))
		return err == nil && values.Equal(without.Root(), d.Root())
	}
	for i, line := range lines {
		if text := strings.Trim(line, " \t\r"); strings.HasPrefix(text, "#") {
			all = append(all, comment{text: text, isAbove: true, line: i + 1, column: strings.Index(line, "#") + 1})
		}
	}
	if len(all) > 0 && !isComment(all...) { // some of them are lines of strings
		if len(all) > maxTried {
			return nil
		}
		all = slices.DeleteFunc(all, func(c comment) bool { return !isComment(c) })
	}
	next, number := (*entry)(nil), len(lines)
	for i := range slices.Backward(all) {
		for ; number > all[i].line; number-- {
			if e := byLine[number]; e != nil {
				next = e
			}
		}
		all[i].at = next
	}
	return all
}

// maxTried is the maximum number of lines that are tested one by one.
const maxTried = 1000

// without returns the comments that are not among the known ones. A comment is known if the same
// text is known at the same entry. Own-line comments, or all comments if isAnywhere is true, are
// also known if the same text is known at another entry.
func without(all, known []comment, isAnywhere bool) (rest []comment) {
	same, texts := map[string]int{}, map[string]int{}
	for _, c := range known {
		same[c.place()]++
	}
	for _, c := range all {
		if same[c.place()]--; same[c.place()] < 0 {
			rest = append(rest, c)
		}
	}
	for _, c := range known {
		if same[c.place()]--; same[c.place()] >= 0 && (c.isAbove || isAnywhere) {
			texts[c.text]++
		}
	}
	return slices.DeleteFunc(rest, func(c comment) bool {
		texts[c.text]--
		return texts[c.text] >= 0
	})
}

// place returns a string that identifies the comment and its location.
func (c *comment) place() string { return fmt.Sprintf("%t %s %s", c.isAbove, c.key(), c.text) }

// Dropped returns the keys of the comments in user that next does not contain.
func Dropped(user, next *values.Document) []string {
	return keysOf(without(commentsOf(user), commentsOf(next), true))
}

// keysOf returns the keys of comments, each one once.
func keysOf(all []comment) (keys []string) {
	for _, c := range all {
		if key := c.key(); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
