package values

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// habits describes the indentation of a document.
type habits struct {
	step       int  // of a map below a key
	indentless bool // lists are in the column of their key
}

// observer collects habits from the first maps that show them.
type observer struct {
	habits
	list bool // whether indentless is known
}

// look reads the habits that a map shows: how far its maps and lists are indented. done is true once
// both are known.
func (o *observer) look(m *yaml.Node) (done bool) {
	if m.Kind != yaml.MappingNode || !isBlock(m) || hasProperties(m) {
		return false
	}
	for i := 1; i < len(m.Content); i += 2 {
		v := m.Content[i]
		if !isBlock(v) || hasProperties(v) {
			continue
		}
		switch step := v.Column - m.Column; {
		case v.Kind == yaml.MappingNode && o.step == 0 && step > 0:
			o.step = step
		case v.Kind == yaml.SequenceNode && !o.list:
			o.list = true
			o.indentless = step == 0
		}
	}
	return o.step > 0 && o.list
}

// walk looks at the maps of a tree until all habits are known.
func (o *observer) walk(n *yaml.Node) (done bool) {
	if o.look(n) {
		return true
	}
	for _, child := range n.Content {
		if len(child.Content) > 0 && o.walk(child) {
			return true
		}
	}
	return false
}

// habitsOf looks at the map that is edited first, then at the rest of the
// document.
func (l *layout) habitsOf(near *yaml.Node) habits {
	if l.near != near || near == nil {
		l.near, l.habits = near, l.observe(near)
	}
	return l.habits
}

// observe returns the habits of a map, and of the document where the map shows none. By default the
// step is 2.
func (l *layout) observe(near *yaml.Node) habits {
	var o observer
	if near != nil && o.look(near) {
		return o.habits
	}
	if l.general == nil {
		l.general = &observer{}
		if l.d.Root() != nil {
			l.general.walk(l.d.Root())
		}
	}
	if o.step == 0 {
		o.step = l.general.step
	}
	if o.step == 0 {
		o.step = 2
	}
	if !o.list {
		o.indentless = l.general.indentless
	}
	return o.habits
}

// slotRegion is the part of the text that a new value of an entry replaces.
type slotRegion struct {
	// start and end are the offsets of the part.
	start, end int
	gap        string // what the new value needs before it
	tail       string // the rest of the line that the value started on: whitespace and a comment
}

// region returns the extent of an entry's value.
func (l *layout) region(e entry) slotRegion {
	if isBlock(e.value) {
		end := l.belongings(e)
		if breakBetween(l.text, e.indicator, l.content(e.value)) {
			after := e.indicator
			if !breakBetween(l.text, e.indicator, e.valueStart) {
				_, after = skipProperties(l.text, e.valueStart, e.value)
			}
			return slotRegion{e.indicator, end, " ", l.text[after:lineEnd(l.text, after)]}
		}
		return slotRegion{e.valueStart, end, "", ""} // - a: 1
	}
	r := slotRegion{start: e.valueStart, end: lineEnd(l.text, e.end)}
	if e.empty && !hasProperties(e.value) {
		r.gap = " "
	}
	r.tail = l.text[e.end:r.end]
	if isBlockScalar(e.value) {
		b := scanBlock(l.text, l.content(e.value), e.in)
		r.end = e.end
		r.tail = l.text[b.headerEnd:b.lineEnd]
	}
	return r
}

func breakBetween(text string, start, end int) bool { return lineEnd(text, start) < end }

// put replaces the value of an entry in block style.
func (l *layout) put(e entry, f fragment, h habits) (splice, error) {
	if e.explicit || e.indicator < 0 {
		return splice{}, reject(e.value, "a value of a key written with ? cannot be replaced")
	}
	r := l.region(e)
	lineBreak := l.lineBreak()
	parent := e.in.indent
	var out []string
	switch {
	case f.block && e.key == nil && !strings.Contains(r.tail, "#"):
		r.start = e.indicator
		lines := indented(f.lines, parent+2)
		lines[0] = " " + f.lines[0]
		out = lines
	case f.block:
		comment := strings.TrimRight(r.tail, " \t")
		if comment == "" {
			comment = f.comment
		}
		if breakBetween(l.text, e.indicator, r.start) {
			comment = strings.TrimRight(l.text[e.indicator:lineEnd(l.text, e.indicator)], " \t")
		}
		r.start = e.indicator
		column := parent + f.childIndent(h.step, h.indentless && e.key != nil)
		out = append([]string{comment}, indented(f.lines, column)...)
	default:
		tail := r.tail
		if !strings.Contains(tail, "#") && f.comment != "" {
			tail = f.comment
		}
		if f.scalar && strings.Contains(f.lines[0], "#") {
			tail = ""
		}
		out = append([]string{r.gap + f.lines[0]}, f.continued(parent)...)
		if f.scalar {
			out[0] += tail
		} else {
			out[len(out)-1] += tail
		}
	}
	text := strings.Join(out, lineBreak)
	if f.open && r.end == len(l.text) {
		text += lineBreak
	}
	return splice{r.start, r.end, text}, nil
}

// putFlow replaces the value of an entry in flow style.
func (l *layout) putFlow(e entry, n *yaml.Node) (splice, error) {
	text, err := flowText(n, true)
	if err != nil {
		return splice{}, err
	}
	if e.explicit {
		return splice{}, reject(e.value, "a value of a key written with ? cannot be replaced")
	}
	if e.empty && !hasProperties(e.value) {
		return l.insertValue(e, text)
	}
	return splice{e.valueStart, e.end, text}, nil
}

// add writes lines after an entry of the block collection of c, which is not empty;
// before the first one for -1.
func (l *layout) add(c crumb, after int, lines []string, open bool) ([]splice, error) {
	if after < 0 {
		s, err := l.addFirst(c, lines)
		return []splice{s}, err
	}
	n, at := c.node, l.where(c)
	last, err := l.entry(n, after, at)
	if err != nil {
		return nil, err
	}
	lineBreak := l.lineBreak()
	end := l.belongings(last)
	var splices []splice
	if end == len(l.text) {
		s, err := l.strip(n, at)
		if err != nil {
			return nil, err
		}
		splices = append(splices, s...)
	}
	if at, rest := l.belowComments(afterBreak(l.text, end), last.column, lines); len(rest) < len(lines) {
		end, lines = at, rest
	}
	text := lineBreak + strings.Join(indented(lines, last.column), lineBreak)
	if open && end == len(l.text) {
		text += lineBreak
	}
	return append(splices, splice{end, end, text}), nil
}

// belowComments returns where new lines go, and the rest of them, if the comments that they begin
// with are there already, in a column, between the start of a line and the next entry. These are
// not written again: the rest goes below them.
func (l *layout) belowComments(start, column int, lines []string) (end int, rest []string) {
	count := headLines(lines)
	is := func(text string, i int) bool { return text == strings.TrimRight(lines[i], " \t") }
	for matched := 0; count > 0 && count < len(lines) && start < len(l.text); start = afterBreak(l.text, end) {
		first := skipBlanks(l.text, start)
		end = lineEnd(l.text, first)
		switch text := strings.TrimRight(l.text[first:end], " \t"); {
		case text == "":
			matched = 0
			continue
		case text[0] != '#' || width(l.text[start:first]) != column:
			return 0, lines
		case is(text, matched):
			matched++
		case is(text, 0):
			matched = 1
		default:
			matched = 0
		}
		if matched == count {
			return end, lines[count:]
		}
	}
	return 0, lines
}

// isBelow reports whether lines that are added after an entry go below comments that are there.
func (l *layout) isBelow(c crumb, after int, lines []string) bool {
	e, err := l.entry(c.node, max(after, 0), l.where(c))
	if err != nil || after < 0 && !l.ownLine(e) {
		return false
	}
	start := l.head(e, 0)
	if after >= 0 {
		start = afterBreak(l.text, l.belongings(e))
	}
	_, rest := l.belowComments(start, e.column, lines)
	return len(rest) < len(lines)
}

// addFirst writes lines before the first entry of the block collection of c: directly
// below its key, so that comments stay with the entries that they are about.
func (l *layout) addFirst(c crumb, lines []string) (splice, error) {
	first, err := l.entry(c.node, 0, l.where(c))
	if err != nil {
		return splice{}, err
	}
	lineBreak := l.lineBreak()
	if l.ownLine(first) {
		if at, rest := l.belowComments(l.head(first, 0), first.column, lines); len(rest) < len(lines) {
			return splice{at, at, lineBreak + strings.Join(indented(rest, first.column), lineBreak)}, nil
		}
	}
	text := strings.Join(indented(lines, first.column), lineBreak)
	if !l.ownLine(first) {
		padding := strings.Repeat(" ", first.column)
		return splice{first.start, first.start, text[len(padding):] + lineBreak + padding}, nil
	}
	if c.parent == nil {
		start := l.head(first, 0)
		if before := trimBreak(l.text, start); before < start {
			return splice{before, before, lineBreak + text}, nil
		}
		return splice{start, start, text + lineBreak}, nil
	}
	outer, err := l.entry(c.parent, c.index, c.at)
	if err != nil {
		return splice{}, err
	}
	after := outer.indicator
	if hasProperties(c.node) {
		_, after = skipProperties(l.text, outer.valueStart, c.node)
	}
	end := lineEnd(l.text, after)
	return splice{end, end, lineBreak + text}, nil
}

// strip keeps the text of a block scalar at the end of a document that lacks
// its last line break, when a line is added: there is a break to strip now.
func (l *layout) strip(n *yaml.Node, at context) ([]splice, error) {
	for isBlock(n) {
		e, err := l.entry(n, entries(n)-1, at)
		if err != nil {
			return nil, err
		}
		n, at = e.value, e.in
	}
	if !isBlockScalar(n) || n.Value == "" {
		return nil, nil
	}
	b := scanBlock(l.text, l.content(n), at)
	if b.last != len(l.text) {
		return nil, nil
	}
	switch b.chomping {
	case 0:
		return []splice{{b.headerEnd, b.headerEnd, "-"}}, nil
	case '+':
		plus := l.content(n) + strings.IndexByte(l.text[l.content(n):b.headerEnd], '+')
		return []splice{{plus, plus + 1, "-"}}, nil
	}
	return nil, nil
}

// addFlow writes text after an entry of the flow collection n; before the first one for
// -1.
func (l *layout) addFlow(n *yaml.Node, at context, after int, text string) (splice, error) {
	open := l.content(n)
	if c := l.at(open); c != '{' && c != '[' || c == '[' && n.Kind == yaml.MappingNode {
		return splice{}, reject(n, "a pair in a list without braces cannot be extended")
	}
	count := entries(n)
	if count == 0 {
		return splice{open + 1, open + 1, text}, nil
	}
	e, err := l.entry(n, max(after, 0), at)
	if err != nil {
		return splice{}, err
	}
	switch {
	case e.explicit:
		return splice{}, reject(e.value, "a map with a key written with ? cannot be extended")
	case after < 0:
		return splice{e.start, e.start, text + ", "}, nil
	case after+1 == count:
		if comma := skipSpace(l.text, e.end); l.at(comma) == ',' {
			return splice{comma + 1, comma + 1, " " + text + ","}, nil // several may follow each other
		}
	}
	separator := ", "
	if e.empty && e.indicator == e.end {
		separator = " , " // {a: , b} is not {a:, b}
	}
	return splice{e.end, e.end, separator + text}, nil
}
