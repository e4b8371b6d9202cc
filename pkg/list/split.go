package list

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"
)

// layout is the result of the text reader for a list: the places of its parts.
type layout struct {
	// items are the items, each with its text from the line of its dash to the line
	// before the next, and itemsStart is where the first begins.
	items []*Item
	// itemsStart is the offset of the first item.
	itemsStart int
	// sections are the top-level keys and their text, in the order of the
	// input, `items` included.
	sections []section
	// results are where the earlier results begin, if they are a list in block style, and
	// resultsColumn is the column of their dashes, from 0.
	results       []int
	resultsColumn int
}

// section is a top-level key of a list with its text.
type section struct {
	key        string
	start, end int
}

// split finds the items of a list by its text. It reports false for whatever it
// does not recognize with certainty: the parser reads that.
//
// An item begins at a dash in the column of the first. That is certain because
// the content of block scalars and plain scalars is always indented deeper.
// Quoted scalars over several lines are taken when theirs is too, which YAML asks
// for and parsers do not; flow collections over several lines make classify
// unsure.
func split(input []byte) (layout, bool) {
	s := splitter{input: input}
	ok := isPlain(input) && s.run()
	return s.layout, ok
}

// isPlain reports whether the input is UTF-8 whose only line break is the
// newline and that holds no characters that YAML refuses or treats as breaks.
func isPlain(input []byte) bool {
	isASCII := true
	for _, c := range input {
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
		isASCII = isASCII && c < utf8.RuneSelf
	}
	return isASCII || utf8.Valid(input) && bytes.IndexFunc(input, isSpecial) < 0
}

// isSpecial reports whether a character is a control character, a line separator, a byte order mark or
// a noncharacter. The parser decides about texts with such characters.
func isSpecial(r rune) bool {
	return r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0xfdd0 && r <= 0xfdef || r == 0xfeff || r == 0xfffe || r == 0xffff
}

// splitter splits a list into items and sections.
type splitter struct {
	layout
	// input is the whole list.
	input []byte
	// at and end are where the line under way begins and ends, its break included.
	at, end int

	// blockParent is the column that the content of the block scalar under way is indented deeper
	// than, and blockIndent the column of that content, or -1 until its first line is seen.
	inBlock                  bool
	blockParent, blockIndent int

	// quote is the quotation mark of the current quoted scalar, or 0 if there is none. Its lines
	// must be indented deeper than quoteParent.
	quote       byte
	quoteParent int

	// list is the current section, "items" or "results", if it is a list in block style. column is
	// the column of its dashes, or -1 before the first dash.
	list   string
	column int

	// item is the one under way, nil outside of items, and itemStart is where it begins.
	item      *Item
	itemStart int
	// keyColumn is the column of its keys, and underColumn the column of the keys below metadata.
	// They are -1 before the first key.
	keyColumn, underColumn int
	inMetadata             bool
	// plainColumn is the column of the key of the head whose plain value came last, which
	// a deeper line would continue. It is -1 if there is no such key.
	plainColumn int
	// block is the destination for the text of the current labels or annotations, or nil if there
	// are none. blockStart is the start of that text.
	block      *[]byte
	blockStart int
}

// run reads all lines. It returns false if one of them is not recognized.
func (s *splitter) run() bool {
	for text := range bytes.Lines(s.input) {
		s.end = s.at + len(text)
		if !s.line(bytes.TrimSuffix(text, []byte("\n"))) {
			return false
		}
		s.at = s.end
	}
	// In a block scalar that ends without a line break, one that is written
	// after it would become part of the text.
	unfinished := s.inBlock && !bytes.HasSuffix(s.input, []byte("\n"))
	return s.closeSection() && len(s.sections) > 0 && !unfinished && s.quote == 0
}

// line takes one line, without its break, and reports whether it was recognized.
func (s *splitter) line(text []byte) bool {
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	if indent == len(text) {
		return true // blank
	}
	if s.quote != 0 {
		return s.quotedLine(text[indent:], indent)
	}
	if s.inBlock {
		if s.blockIndent < 0 && indent > s.blockParent {
			s.blockIndent = indent
		}
		if s.blockIndent >= 0 && indent >= s.blockIndent {
			return true
		}
		s.inBlock = false
		// Between the parent and the content nothing but a comment makes sense.
		if indent > s.blockParent && text[indent] != '#' {
			return false
		}
	}
	if text[indent] == '#' {
		return true
	}
	l := classify(text, indent)
	if l.kind == lineUnsure || !s.place(l, indent) {
		return false
	}
	s.quote, s.quoteParent = l.open, l.parent
	if l.block {
		s.inBlock, s.blockParent, s.blockIndent = true, l.parent, -1
		if l.explicit > 0 {
			s.blockIndent = l.parent + l.explicit
		}
	}
	return true
}

// quotedLine takes a further line of a quoted scalar, whatever it looks like.
func (s *splitter) quotedLine(text []byte, indent int) bool {
	if indent <= s.quoteParent || text[0] == '\t' {
		return false
	}
	n := scanQuotedRest(text, s.quote)
	if n < 0 {
		return true
	}
	s.quote = 0
	return endsHere(text[n:])
}

// place finds out which part of the list a line belongs to.
func (s *splitter) place(l line, indent int) bool {
	isEntry := l.dashes > 0 && (indent == s.column || s.column < 0)
	switch {
	case indent == 0 && l.dashes == 0:
		return s.openSection(l)
	case s.list == "items" && isEntry:
		if l.dashes > 1 || !s.closeItem() {
			return false
		}
		if s.item = new(Item); s.column < 0 {
			s.itemsStart = s.at
		}
		s.itemStart, s.column, s.keyColumn = s.at, indent, -1
		l.dashes = 0
		return s.itemLine(l, l.column)
	case s.list == "items":
		return indent > s.column && s.item != nil && s.itemLine(l, indent)
	case s.list == "results" && isEntry:
		s.column, s.resultsColumn = indent, indent
		s.results = append(s.results, s.at)
	case s.list == "results" && (indent <= s.column || s.column < 0):
		s.results, s.list = nil, "" // the parser checks it
	}
	return len(s.sections) > 0
}

// itemLine takes a line of the item under way whose content begins at column.
func (s *splitter) itemLine(l line, column int) bool {
	s.item.refers = s.item.refers || l.refers
	isKey := l.kind == lineKey && l.dashes == 0
	switch {
	case s.keyColumn < 0 && l.kind == lineNothing && l.dashes == 0:
		return true // a dash alone: the first key is on a later line
	case s.keyColumn < 0 && bytes.HasPrefix(l.value, []byte("{")) && l.kind == lineScalar && l.dashes == 0:
		// An item in flow style, complete on its line: nothing may follow.
		s.keyColumn, s.item.doubt = math.MaxInt, true
		return true
	case s.keyColumn < 0:
		s.keyColumn = column
	case column > s.keyColumn:
		s.deeperLine(l, column)
		return true
	case column == s.keyColumn && l.dashes > 0: // a list in the column of its key
		s.closeKey()
		return true
	}
	if isKey {
		s.itemKey(l)
	}
	return isKey && column == s.keyColumn
}

// openSection takes a key of the list itself.
func (s *splitter) openSection(l line) bool {
	if l.kind != lineKey || l.quotedKey || l.refers || !s.closeSection() {
		return false
	}
	key := string(l.key)
	if slices.ContainsFunc(s.sections, func(known section) bool { return known.key == key }) {
		return false
	}
	s.sections = append(s.sections, section{key: key, start: s.at})
	if s.list, s.column = "", -1; l.opensBlock() {
		s.list = key
	}
	return key != "items" || s.list == key || string(l.value) == "[]"
}

// closeItem ends the item under way. An item that holds nothing is for the
// parser to check.
func (s *splitter) closeItem() bool {
	if s.item == nil {
		return true
	}
	s.closeKey()
	s.item.text = s.input[s.itemStart:s.at]
	s.items = append(s.items, s.item)
	s.item = nil
	return s.keyColumn >= 0
}

// closeSection ends the current section and its last item.
func (s *splitter) closeSection() bool {
	if n := len(s.sections); n > 0 {
		s.sections[n-1].end = s.at
	}
	return s.closeItem()
}
