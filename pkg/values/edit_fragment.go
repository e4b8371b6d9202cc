package values

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
)

// errUnusual means that a value's text cannot be moved as it is, so that
// the value must be written as plain flow text.
var errUnusual = errors.New("the text cannot be moved")

// fragment is the text of a value, ready to be put somewhere else.
type fragment struct {
	// node is the value.
	node *yaml.Node
	// lines hold no breaks. The first one has no indentation; the others are
	// indented as below a collection at column 0.
	lines   []string
	block   bool   // a block map or list, which starts on a line of its own
	scalar  bool   // a block scalar: the first line is its header
	loose   bool   // lines may start at column 0, where they may not below a key
	comment string // the line comment, with the whitespace before it
	open    bool   // ends in a block scalar, which needs a last line break
}

// cut returns the lines of text[start:end], without up to strip spaces at the
// start of each.
func (l *layout) cut(start, end, strip int) ([]string, error) {
	text := l.text[start:end]
	if strings.ContainsAny(text, "\u0085\u2028\u2029") {
		return nil, errUnusual
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	for i := range lines {
		if i == 0 && !breakBefore(l.text, start) {
			continue
		}
		n := 0
		for n < strip && n < len(lines[i]) && lines[i][n] == ' ' {
			n++
		}
		lines[i] = lines[i][n:]
	}
	return lines, nil
}

// endsInBlockScalar reports whether the last line of n belongs to a block scalar.
func endsInBlockScalar(n *yaml.Node) bool {
	for isBlock(n) && len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return isBlockScalar(n)
}

// rootFragment returns the whole content of a document with the comments
// around it.
func rootFragment(src *Document) (fragment, error) {
	root := src.Root()
	if root == nil {
		return fragment{node: nullNode(), lines: []string{"null"}}, nil
	}
	l := src.layout()
	f := fragment{node: root, open: endsInBlockScalar(root)}
	start := l.start(root)
	end, err := l.end(root, rootContext)
	if err != nil {
		return f, err
	}
	if isBlockScalar(root) || f.open {
		if lineEnd(l.text, end) == len(l.text) {
			return f, errUnusual // no last break: another line would add one
		}
	}
	if !isBlock(root) {
		return l.inline(f, start, end, 0, true)
	}
	if hasProperties(root) || !breakBefore(l.text, l.lineStartOf(start)) {
		return f, errUnusual
	}
	f.block = true
	column := l.column(start)
	f.lines, err = l.cut(l.bodyStart(start), l.bodyEnd(end), column)
	if len(f.lines) > 0 && (strings.HasPrefix(f.lines[0], " ") || strings.HasPrefix(f.lines[0], "\t")) {
		return f, errUnusual
	}
	return f, err
}

// bodyStart returns the start of the first line with a comment above the
// root, after any document marker and directives.
func (l *layout) bodyStart(root int) int {
	body := l.lineStartOf(root)
	for line := l.lines.Line(root) - 1; line >= 1; line-- {
		start := l.lines.Start(line)
		first := skipBlanks(l.text, start)
		switch {
		case l.at(first) == '#':
			body = start
		case breakLength(l.text, first) == 0:
			return body
		}
	}
	return body
}

// bodyEnd returns the end of the last comment below the root.
func (l *layout) bodyEnd(end int) int {
	return l.deeperComments(lineEnd(l.text, end), -1)
}

// inline returns the fragment of a value that starts on the line of its key,
// which is a key at column indent.
func (l *layout) inline(f fragment, start, end, indent int, loose bool) (fragment, error) {
	var err error
	f.lines, err = l.cut(start, end, indent)
	if err != nil {
		return f, err
	}
	f.scalar = isBlockScalar(f.node)
	f.loose = loose && !f.scalar
	if !f.scalar {
		if tail := l.text[end:lineEnd(l.text, end)]; strings.HasPrefix(strings.TrimLeft(tail, " \t"), "#") {
			f.comment = tail
		}
	}
	return f, nil
}

// valueFragment returns the value of the i-th entry of the collection n.
func (l *layout) valueFragment(n *yaml.Node, i int, at context) (fragment, error) {
	e, err := l.entry(n, i, at)
	f := fragment{node: e.value}
	switch {
	case err != nil:
		return f, err
	case e.explicit || hasProperties(e.value) && isBlock(e.value):
		return f, errUnusual
	case e.empty && !hasProperties(e.value):
		f.lines = []string{"null"}
		return f, nil
	}
	f.open = endsInBlockScalar(e.value)
	if f.open && e.end == len(l.text) {
		return f, errUnusual
	}
	if !isBlock(e.value) || e.in.flow {
		return l.inline(f, e.valueStart, e.end, max(e.in.indent, 0), e.in.flow)
	}
	f.block = true
	column := l.inside(e.value, e.in).indent
	keyLine := lineEnd(l.text, e.indicator)
	if e.valueStart < keyLine { // - a: 1
		f.lines, err = l.cut(e.valueStart, l.belongings(e), column)
		return f, err
	}
	if tail := l.text[e.indicator:keyLine]; strings.Contains(tail, "#") {
		f.comment = tail
	}
	f.lines, err = l.cut(afterBreak(l.text, keyLine), l.belongings(e), column)
	return f, err
}

// entryLines returns the lines of the i-th entry of the collection n with its comments,
// as at column 0.
func (l *layout) entryLines(n *yaml.Node, i int, at context) ([]string, error) {
	e, err := l.entry(n, i, at)
	if err != nil {
		return nil, err
	}
	if e.explicit || endsInBlockScalar(e.value) && e.end == len(l.text) {
		return nil, errUnusual
	}
	if e.in.flow {
		key := "-"
		if e.key != nil {
			key = l.text[e.start:e.keyEnd] + ":"
		}
		if e.empty && !hasProperties(e.value) {
			return l.cutKey(key, fragment{})
		}
		f, err := l.inline(fragment{node: e.value}, e.valueStart, e.end, 0, true)
		f.comment = ""
		if err != nil {
			return nil, err
		}
		return l.cutKey(key, f)
	}
	lines, err := l.cut(e.start, l.belongings(e), e.column)
	if err != nil {
		return nil, err
	}
	comments, err := l.comments(n, i, at, e)
	return append(comments, lines...), err
}

// comments returns the comment lines above e, the i-th entry of the collection n. There
// are none above one that starts after a dash, or in flow style.
func (l *layout) comments(n *yaml.Node, i int, at context, e entry) ([]string, error) {
	if e.in.flow || !l.ownLine(e) {
		return nil, nil
	}
	floor, err := l.floor(n, i, at)
	return l.commentsAbove(e.start, floor), err
}

// floor returns the end of the text before the i-th entry of the collection n.
func (l *layout) floor(n *yaml.Node, i int, at context) (int, error) {
	if i == 0 {
		return 0, nil
	}
	previous, err := l.entry(n, i-1, at)
	return afterBreak(l.text, l.belongings(previous)), err
}

// commentsAbove returns the comment lines between floor and the entry at
// start. The blank lines among them are left out: so the comments are directly above
// the entry, and go with it when it is deleted.
func (l *layout) commentsAbove(start, floor int) []string {
	var comments []string
	for line := l.lines.Line(start) - 1; line >= 1; line-- {
		first := l.lines.Start(line)
		if first < floor {
			break
		}
		text := strings.TrimLeft(l.text[first:lineEnd(l.text, first)], " \t")
		switch {
		case strings.HasPrefix(text, "#"):
			if !fileComment().MatchString(text) {
				comments = append([]string{text}, comments...)
			}
		case text != "":
			return comments
		}
	}
	return comments
}

// cutKey returns the lines of a key with its value, at column 0. It rejects a key over several lines.
func (l *layout) cutKey(key string, f fragment) ([]string, error) {
	if strings.ContainsAny(key, "\r\n\u0085\u2028\u2029") {
		return nil, errUnusual
	}
	if f.node == nil {
		return []string{key}, nil
	}
	return f.below(key, 2, false).lines, nil
}

// below returns the map {key: f}, written at column 0 with its children
// indented by step; key is written with its colon.
func (f fragment) below(key string, step int, indentless bool) fragment {
	out := fragment{node: node.Map(node.Text(key), f.node), block: true, open: f.open}
	if f.block {
		out.lines = append([]string{key + f.comment}, indented(f.lines, f.childIndent(step, indentless))...)
		return out
	}
	out.lines = append([]string{key + " " + f.lines[0] + f.commentOf(0)}, f.continued(0)...)
	if last := len(out.lines) - 1; last > 0 && !f.scalar {
		out.lines[last] += f.comment
	}
	return out
}

// commentOf returns the line comment when it belongs on line i.
func (f fragment) commentOf(i int) string {
	if i == len(f.lines)-1 || f.scalar {
		return f.comment
	}
	return ""
}

// childIndent returns how far the value is indented below its key: not at all for a list in a document
// whose lists are in the column of their key.
func (f fragment) childIndent(step int, indentless bool) int {
	if f.node.Kind == yaml.SequenceNode && indentless {
		return 0
	}
	return step
}

// continued returns the lines after the first, below a collection at column.
func (f fragment) continued(column int) []string {
	if f.loose {
		column += 2
	}
	return indented(f.lines[1:], column)
}

// indented returns the lines with spaces before each that is not empty.
func indented(lines []string, columns int) []string {
	padding := strings.Repeat(" ", columns)
	out := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			out[i] = padding + line
		}
	}
	return out
}

// flowText writes a value on one line, in flow style unless it is a scalar
// in block style.
func flowText(n *yaml.Node, flow bool) (string, error) {
	text, err := flowContent(n, flow)
	if n.Anchor != "" {
		text = "&" + n.Anchor + " " + text // no alias uses it, and yet it is part of the text
	}
	return text, err
}

// flowContent is [flowText] for a node without its anchor. It rejects aliases and tags, which mean
// something else at another place.
func flowContent(n *yaml.Node, flow bool) (string, error) {
	switch n.Kind {
	case yaml.ScalarNode:
		return flowScalar(n, flow)
	case yaml.AliasNode:
		return "", reject(n, "the alias *%s cannot be moved", n.Value)
	}
	if n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != "!!map" && n.ShortTag() != "!!seq" {
		return "", reject(n, "the tag %s cannot be moved", n.Tag)
	}
	var parts []string
	for i, child := range n.Content {
		text, err := flowText(child, true)
		if err != nil {
			return "", err
		}
		switch {
		case n.Kind == yaml.SequenceNode:
			parts = append(parts, text)
		case i%2 == 1:
			parts[i/2] += ": " + text
		case child.Kind != yaml.ScalarNode || width(text) > 1000:
			return "", reject(child, "a key that is a map, a list or very long cannot be moved")
		default:
			parts = append(parts, text)
		}
	}
	text := strings.Join(parts, ", ")
	if n.Kind == yaml.SequenceNode {
		return "[" + text + "]", nil
	}
	return "{" + text + "}", nil
}

// plainFragment writes a value on one line, without comments.
func plainFragment(n *yaml.Node) (fragment, error) {
	text, err := flowText(n, false)
	return fragment{node: n, lines: []string{text}}, err
}
