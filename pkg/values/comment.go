package values

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// WithComments returns a tree with the comments that its nodes have in their texts. Nodes of
// a [Document] need not have them: most are read and never printed. The tree may have
// nodes of several documents, and new ones. It is for printing, and must not be changed.
func WithComments(n *yaml.Node) *yaml.Node {
	c := commenter{places: map[*yaml.Node]map[nodePlace]*yaml.Node{}, lines: map[*yaml.Node]*Lines{}}
	return c.tree(n, nil)
}

// nodePlace identifies a node in its text.
type nodePlace struct {
	// kind distinguishes a map from its first key, which starts at the same place.
	kind yaml.Kind
	// line and column are the start of the node, from 1.
	line, column int
}

func placeOf(n *yaml.Node) nodePlace { return nodePlace{n.Kind, n.Line, n.Column} }

// commenter adds comments to trees.
type commenter struct {
	// places are the nodes with comments, by the document node of their text.
	places map[*yaml.Node]map[nodePlace]*yaml.Node
	// lines are the lines of the texts, by the same document nodes.
	lines map[*yaml.Node]*Lines
}

// tree returns n with comments. Its parent is of the document above.
func (c *commenter) tree(n, above *yaml.Node) *yaml.Node {
	if n == nil || n.Kind == yaml.AliasNode {
		return n
	}
	doc := n.Alias // of an ordinary node the document, see readQuick
	if doc != nil && doc != above && c.places[doc] == nil && c.hasNear(n) {
		c.places[doc] = map[nodePlace]*yaml.Node{}
		c.note(doc, withComments(doc.Value))
	}
	content := n.Content
	for i, child := range n.Content {
		if with := c.tree(child, doc); with != child {
			if &content[0] == &n.Content[0] {
				content = append([]*yaml.Node(nil), n.Content...)
			}
			content[i] = with
		}
	}
	if n.Kind == yaml.MappingNode {
		content = besideEmpty(content)
	}
	with := c.places[doc][placeOf(n)]
	if with == nil && (len(content) == 0 || &content[0] == &n.Content[0]) {
		return n
	}
	copied := *n
	if copied.Content = content; with != nil {
		copied.HeadComment, copied.LineComment, copied.FootComment = with.HeadComment, with.LineComment, with.FootComment
	}
	return &copied
}

// withComments returns the document of a text as go-yaml reads it, with comments.
func withComments(text string) *yaml.Node {
	cache, key := kept.Load(), keptText{text, "with comments"}
	if d, known := cache.Get(key); known {
		return d.nodes().doc
	}
	doc, err := readNodes(text)
	if err != nil {
		return nil // the reader takes only what go-yaml takes
	}
	cache.Put(key, &Document{nodes: func() nodes { return nodes{doc: doc} }}, len(text))
	return doc
}

// besideEmpty returns the content of a map. If a value is a map or list that was emptied, it moves
// the comment on the line of the key to the line of the value, because the encoder would write the
// brackets behind the comment, on a line of their own.
func besideEmpty(content []*yaml.Node) []*yaml.Node {
	for i := 0; i+1 < len(content); i += 2 {
		key, value := content[i], content[i+1]
		if key.LineComment == "" || value.Kind&(yaml.MappingNode|yaml.SequenceNode) == 0 || len(value.Content) > 0 {
			continue
		}
		bare, beside := *key, *value
		bare.LineComment, beside.LineComment, beside.Style = "", key.LineComment, value.Style|yaml.FlowStyle
		content = append(append(append([]*yaml.Node(nil), content[:i]...), &bare, &beside), content[i+2:]...)
	}
	return content
}

// note keeps the nodes of a document that have comments.
func (c *commenter) note(doc, n *yaml.Node) {
	if n == nil {
		return
	}
	if n.HeadComment != "" || n.LineComment != "" || n.FootComment != "" {
		c.places[doc][placeOf(n)] = n
	}
	for _, child := range n.Content {
		c.note(doc, child)
	}
}

// hasNear reports whether the text of a tree may have comments that belong to it: within its
// lines, or between them and the nearest lines with content.
func (c *commenter) hasNear(n *yaml.Node) bool {
	text := n.Alias.Value
	if text == "" {
		return false
	}
	lines := c.lines[n.Alias]
	if lines == nil {
		lines = NewLines(text)
		c.lines[n.Alias] = lines
	}
	line := func(number int) string {
		return strings.TrimSpace(text[lines.Start(number):lines.Start(number+1)])
	}
	indent := func(number int) int { return leadingSpaces(text[lines.Start(number):lines.Start(number+1)]) }
	first, last, hasBlock := extentOf(n)
	for number := first; number >= 1; number-- {
		switch one := line(number); {
		case strings.Contains(one, "#"):
			return true
		case one != "" && one != "---" && number < first:
			number = 0
		}
	}
	for number := first + 1; number <= len(lines.starts); number++ {
		switch one := line(number); {
		case strings.Contains(one, "#"):
			return true
		case one != "" && number > last && (!hasBlock || indent(number) <= indent(first)):
			return false
		}
	}
	return false
}

// extentOf returns the first and last line on which a node of a tree starts, and whether a
// block scalar is among them, which may have more lines.
func extentOf(n *yaml.Node) (first, last int, hasBlock bool) {
	first, last, hasBlock = n.Line, n.Line, isBlockScalar(n)
	for _, child := range n.Content {
		f, l, b := extentOf(child)
		first, last, hasBlock = min(first, f), max(last, l), hasBlock || b
	}
	return first, last, hasBlock
}
