package values

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A reader reads the YAML that people and tools write: block maps and lists, scalars of
// the five styles, and flow collections. It makes the nodes that go-yaml makes, several times
// as fast, without their comments: see [WithComments]. For all else (anchors, tags, explicit
// keys, plain and quoted scalars over several lines, several documents, faults) it stands
// aside, and go-yaml reads the text. A differential test and a fuzz target compare both.
type reader struct {
	// text is the text, and isASCII is true if it has ASCII characters only.
	text    string
	isASCII bool

	// The current line: its number, where it starts and ends, and where its next token is.
	line, start, end, at int
	// next is where the line after it starts, len(text)+1 after the last.
	next int

	// isInDocument reports whether the document has begun, with or without a start marker.
	isInDocument bool
	// hasComments is true if the text has a comment, which [WithComments] then looks for.
	hasComments bool
	// depth is the number of collections around the current token.
	depth int
	// doc is the document node.
	doc *yaml.Node
	// slab are nodes that are not used yet. Nodes are allocated together, because that is faster.
	slab []yaml.Node
	// made is the number of nodes in the slabs.
	made int
	// open are the nodes of the collections that are being read, with the innermost collection
	// last. The Content of each is allocated when its length is known.
	open []*yaml.Node
	few  [32]*yaml.Node // for the open nodes of most texts
	// contents is where the next Content is made: most are short.
	contents []*yaml.Node
}

// standsAside is the panic of a reader that does not recognize the text with certainty.
type standsAside struct{}

// readQuick returns the nodes of a text, and false if go-yaml must read it. The nodes have
// the document node as their Alias, which only means something for aliases. Its value is the
// text, if that has comments. A text of more than MaxNodes is a *LimitError as soon as that
// is certain, and so is a large one that go-yaml would have to read: it takes several times
// the memory.
func readQuick(text string) (doc *yaml.Node, ok bool, err error) {
	r := &reader{text: withUnixBreaks(text)}
	r.open = r.few[:0]
	defer func() {
		switch p := recover().(type) {
		case nil:
		case standsAside:
			doc, ok = nil, false
		case *LimitError:
			doc, ok, err = nil, false, p
		default:
			panic(p)
		}
		if !ok && err == nil && len(text) > maxSlowBytes {
			err = &LimitError{Reason: fmt.Sprintf("the text has %d bytes, and YAML above %d bytes must be plain: line %d has an anchor, a tag, a text over several lines that is not a block, or a fault", len(text), maxSlowBytes, max(r.line, 1))}
		}
	}()
	var isOrdinary bool
	if r.isASCII, isOrdinary = characters(r.text); !isOrdinary || !r.advance() {
		return nil, false, nil
	}
	doc = r.node(yaml.DocumentNode, "", r.at)
	r.doc = doc
	if r.text[r.start:r.end] == "---" && !r.advance() {
		return nil, false, nil
	}
	r.must(r.indent() > 0 || !isMarker(r.text[r.at:r.end]))
	r.isInDocument = true
	doc.Content = []*yaml.Node{r.root()}
	r.must(r.at < 0)
	if r.hasComments {
		doc.Value = text
	}
	return doc, true, nil
}

// withUnixBreaks returns a text with line feeds in the place of carriage returns, which are line breaks, too.
func withUnixBreaks(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// characters reports whether text has ASCII only, and whether all of its characters are
// those that YAML allows and line feed is its only line break.
func characters(text string) (isASCII, isOrdinary bool) {
	isASCII = true
	for i := 0; i < len(text); {
		if c := text[i]; c-' ' <= '~'-' ' || c == '\n' || c == '\t' {
			i++
			continue
		}
		isASCII = false
		r, w := utf8.DecodeRuneInString(text[i:])
		if r < ' ' || r == utf8.RuneError && w == 1 || needsEscape(r) {
			return false, false
		}
		i += w
	}
	return isASCII, true
}

func (r *reader) standAside() { panic(standsAside{}) }

// must stands aside unless something is so.
func (r *reader) must(isSo bool) {
	if !isSo {
		r.standAside()
	}
}

// advance goes to the next line that is not blank and not only a comment, to its first
// character. It reports false after the last one.
func (r *reader) advance() bool {
	for r.next <= len(r.text) {
		r.startLine()
		i := r.start + leadingSpaces(r.text[r.start:r.end])
		switch {
		case i == r.end:
			continue
		case r.text[i] == '#':
			r.hasComments = true
			continue
		case r.text[i] == '\t' || i == r.start && r.isInDocument && isMarker(r.text[i:r.end]):
			r.standAside()
		}
		r.at = i
		return true
	}
	r.at = -1
	return false
}

// startLine makes the next line the current one.
func (r *reader) startLine() {
	r.line++
	r.start = r.next
	r.end = len(r.text)
	if length := strings.IndexByte(r.text[r.start:], '\n'); length >= 0 {
		r.end = r.start + length
	}
	r.next = r.end + 1
}

// isMarker reports whether a line starts or ends a document, or may.
func isMarker(line string) bool {
	return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...") || line[0] == '%'
}

// skipSpaces returns the offset of the next character on the line that is not a space.
func (r *reader) skipSpaces(i int) int {
	for i < r.end && r.text[i] == ' ' {
		i++
	}
	return i
}

// indent is the number of characters before the current token.
func (r *reader) indent() int { return r.at - r.start }

// node returns a node of the current line that starts at an offset.
func (r *reader) node(kind yaml.Kind, tag string, at int) *yaml.Node {
	// Nodes are made together, more each time; most need more than a dozen bytes of text, and
	// one that is a block of text needs a thousand.
	if len(r.slab) == 0 {
		if r.made > MaxNodes {
			panic(tooManyNodes())
		}
		r.slab = make([]yaml.Node, max(4, min(64, 8+r.made, (len(r.text)-at)/12)))
		r.made += len(r.slab)
	}
	n := &r.slab[0]
	r.slab = r.slab[1:]
	n.Kind, n.Tag, n.Line, n.Alias = kind, tag, r.line, r.doc
	if n.Column = at - r.start + 1; !r.isASCII {
		n.Column = utf8.RuneCountInString(r.text[r.start:at]) + 1
	}
	return n
}

// root reads the content of the document.
func (r *reader) root() *yaml.Node {
	if c := r.text[r.at]; c != '{' && c != '[' {
		return r.collection()
	}
	n, i := r.flow(r.at)
	r.endLine(i)
	r.advance()
	return n
}

// collection reads the block map or list that starts at the current token.
func (r *reader) collection() *yaml.Node {
	if r.isDash(r.at) {
		return r.list()
	}
	return r.mapping()
}

// isDash reports whether the element of a block list starts at an offset.
func (r *reader) isDash(i int) bool {
	return r.text[i] == '-' && (i+1 == r.end || r.text[i+1] == ' ')
}

// has reports whether the current token is in a column: whether the collection that has its
// entries there goes on. Everything else must be left of it.
func (r *reader) has(column int) bool {
	if r.at < 0 {
		return false
	}
	r.must(r.indent() <= column)
	return r.indent() == column
}

// enter goes a level deeper. Deeper texts are left to go-yaml, which knows the limit.
func (r *reader) enter() {
	const deepest = 500
	r.depth++
	r.must(r.depth < deepest)
}

// mapping reads a block map whose first key is the current token.
func (r *reader) mapping() *yaml.Node {
	r.enter()
	column := r.indent()
	n, first := r.node(yaml.MappingNode, "!!map", r.at), len(r.open)
	for {
		key, after := r.key()
		r.open = append(r.open, key)
		r.open = append(r.open, r.value(after, column, true))
		if !r.has(column) {
			break
		}
	}
	r.close(n, first)
	return n
}

// close ends a collection, whose nodes are those that are open from the first on.
func (r *reader) close(n *yaml.Node, first int) {
	const short = 16
	nodes := r.open[first:]
	switch {
	case len(nodes) == 0: // nil, as go-yaml leaves it
	case len(nodes) > short:
		n.Content = slices.Clone(nodes)
	default:
		if len(r.contents) < len(nodes) {
			r.contents = make([]*yaml.Node, max(short, len(r.slab)))
		}
		n.Content = r.contents[:len(nodes):len(nodes)] // who appends to it copies it
		copy(n.Content, nodes)
		r.contents = r.contents[len(nodes):]
	}
	r.open = r.open[:first]
	r.depth--
}

// list reads a block list whose first dash is the current token.
func (r *reader) list() *yaml.Node {
	r.enter()
	column := r.indent()
	n, first := r.node(yaml.SequenceNode, "!!seq", r.at), len(r.open)
	for {
		r.open = append(r.open, r.value(r.at+1, column, false))
		if !r.has(column) || !r.isDash(r.at) {
			break
		}
	}
	r.close(n, first)
	return n
}

// key reads the key of a block map, and returns the offset after its colon.
func (r *reader) key() (*yaml.Node, int) {
	n, i := r.scalar(r.at, true)
	i = r.skipSpaces(i)
	const longest = 1000 // go-yaml has a limit of 1024
	r.must(i < r.end && r.text[i] == ':' && (i+1 == r.end || r.text[i+1] == ' ') && i-r.at < longest)
	return n, i + 1
}

// value reads what follows the colon or the dash that ends before an offset, of an entry in
// a column.
func (r *reader) value(after, column int, isPair bool) *yaml.Node {
	i := r.skipSpaces(after)
	canNest := !isPair
	if i == r.end || r.text[i] == '#' {
		r.hasComments = r.hasComments || i < r.end
		empty := r.node(yaml.ScalarNode, nullTag, after)
		switch r.advance(); {
		case r.at < 0 || r.indent() < column:
			return empty
		case r.indent() == column && isPair && r.isDash(r.at):
			return r.list()
		case r.indent() == column:
			return empty
		}
		i, canNest = r.at, true
	}
	if canNest && (r.isDash(i) || r.hasKey(i)) {
		r.at = i
		return r.collection()
	}
	var n *yaml.Node
	switch r.text[i] {
	case '|', '>':
		return r.block(i, column)
	case '[', '{':
		n, i = r.flow(i)
	default:
		n, i = r.scalar(i, false)
	}
	r.endLine(i)
	// A line that is indented further would continue the scalar.
	r.must(!r.advance() || r.indent() <= column)
	return n
}

// endLine stands aside unless nothing but a comment follows on the line.
func (r *reader) endLine(i int) {
	after := r.skipSpaces(i)
	if after < r.end {
		r.must(after > i && r.text[after] == '#')
		r.hasComments = true
	}
}

// hasKey reports whether the map of a list element starts at an offset.
func (r *reader) hasKey(i int) bool {
	switch r.text[i] {
	case '"', '\'':
		_, after := r.quoted(i)
		after = r.skipSpaces(after)
		return after < r.end && r.text[after] == ':'
	case '|', '>', '[', '{':
		return false
	}
	_, hasColon := r.plainEnd(i)
	return hasColon
}
