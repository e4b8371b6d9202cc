package list

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// span is a range of bytes of the input.
type span struct{ start, end int }

func (s span) of(input []byte) []byte { return input[s.start:s.end] }

// layout is what the text reader finds in a list: where its parts are.
type layout struct {
	// items are the spans of the items, each from the line of its dash to the
	// line before the next.
	items []itemSpan
	// sections are the top-level keys and their text, in the order of the
	// input, `items` included.
	sections []section
}

type section struct {
	key  string
	text span
}

// itemSpan is the text of one item.
type itemSpan struct {
	span
	// refers says that it holds anchors, aliases or tags: an alias may need an anchor
	// of another item.
	refers bool
	// inDoubt says that it has a misspelt key, or a key of the head twice. Then the last
	// one counts.
	inDoubt bool
	// has are the keys of the head that it has so far, a bit for each.
	has uint8
}

// addKey notes a key of the item.
func (s *itemSpan) addKey(key []byte) {
	for n, name := range headKeys {
		if string(key) == name {
			s.inDoubt = s.inDoubt || s.has&(1<<n) != 0
			s.has |= 1 << n
		}
	}
	s.inDoubt = s.inDoubt || mayBeSlip(key, headKeys, contentKeys)
}

// split finds the items of a list by its text. It reports false for whatever it
// does not recognize with certainty: the SDK's parser reads that.
//
// An item begins at a dash in the column of the first. That is certain because
// the content of block scalars and plain scalars is always indented deeper.
// Quoted scalars over several lines are taken when theirs is too, which YAML asks
// for and parsers do not; flow collections over several lines make classify
// unsure.
func split(input []byte) (layout, bool) {
	if !plainText(input) {
		return layout{}, false
	}
	s := splitter{input: input, itemColumn: -1}
	if !s.run() {
		return layout{}, false
	}
	return s.layout, true
}

// plainText reports whether the input is UTF-8 whose only line break is the
// newline and that holds no characters that YAML refuses or treats as breaks.
func plainText(input []byte) bool {
	ascii := true
	for rest := input; len(rest) > 0; {
		// Eight bytes at once, as long as none of them is anything but printable
		// ASCII. The arithmetic finds some bytes too many, never too few.
		const each, tops = 0x0101010101010101, 0x8080808080808080
		for len(rest) >= 8 {
			word := binary.LittleEndian.Uint64(rest)
			if (word|(word-' '*each)|(word+each))&tops != 0 {
				break
			}
			rest = rest[8:]
		}
		n := min(8, len(rest))
		for _, c := range rest[:n] {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			if c >= utf8.RuneSelf {
				ascii = false
			}
		}
		rest = rest[n:]
	}
	if ascii {
		return true
	}
	if !utf8.Valid(input) {
		return false
	}
	return bytes.IndexFunc(input, func(r rune) bool {
		return r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 ||
			r >= 0xfdd0 && r <= 0xfdef || r == 0xfeff || r >= 0xfffe && r <= 0xffff
	}) < 0
}

type splitter struct {
	layout
	input []byte

	// blockParent is the column that the content of the block scalar under way
	// is indented deeper than, and blockIndent the column of that content, -1
	// until its first line is seen.
	inBlock                  bool
	blockParent, blockIndent int

	// quote is that of the quoted scalar under way, 0 when there is none; its
	// lines must be indented deeper than quoteParent.
	quote       byte
	quoteParent int

	inItems    bool // within the section `items`
	noItems    bool // that section is `items: []`
	itemColumn int  // column of the items' dashes, -1 until the first is seen
	keyColumn  int  // column of the keys of the item under way, -1 until the first is seen
}

func (s *splitter) run() bool {
	for at := 0; at < len(s.input); {
		end := bytes.IndexByte(s.input[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(s.input)-at, len(s.input)
		}
		if !s.line(s.input[at:at+end], at) {
			return false
		}
		at = next
	}
	// In a block scalar that ends without a line break, one that is written
	// after it would become part of the text.
	unfinished := s.inBlock && !bytes.HasSuffix(s.input, []byte("\n"))
	s.closeSection(len(s.input))
	return s.closeItem(len(s.input)) && len(s.sections) > 0 && !unfinished && s.quote == 0
}

// line takes one line, which starts at byte at of the input, and reports
// whether it was recognized.
func (s *splitter) line(text []byte, at int) bool {
	indent := 0
	for indent < len(text) && text[indent] == ' ' {
		indent++
	}
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
	if text[indent] == '\t' {
		return false
	}
	if text[indent] == '#' {
		return true
	}
	l := classify(text, indent)
	if l.kind == lineUnsure {
		return false
	}
	if !s.place(l, indent, at) {
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
func (s *splitter) place(l line, indent, at int) bool {
	switch {
	case s.inItems && l.dashes > 0 && (indent == s.itemColumn || s.itemColumn < 0):
		if l.dashes > 1 {
			return false // a list within the list
		}
		if s.noItems || !s.closeItem(at) {
			return false
		}
		s.items = append(s.items, itemSpan{span: span{start: at}})
		s.itemColumn, s.keyColumn = indent, -1
		return s.itemLine(l, l.column)
	case indent == 0 && l.dashes > 0:
		// The list of another section, such as results; readByText parses its text.
		return !s.inItems && len(s.sections) > 0
	case indent == 0:
		return s.openSection(l, at)
	case s.inItems:
		return len(s.items) > 0 && indent > s.itemColumn && s.itemLine(l, indent)
	default:
		return len(s.sections) > 0
	}
}

// itemLine takes a line of the item under way whose content begins at column.
func (s *splitter) itemLine(l line, column int) bool {
	item := &s.items[len(s.items)-1]
	item.refers = item.refers || l.refers
	if s.keyColumn < 0 {
		if l.kind == lineNothing {
			return true // a dash alone: the first key is on a later line
		}
		s.keyColumn = column
		if l.kind == lineScalar && len(l.value) > 0 && l.value[0] == '{' {
			// An item in flow style, complete on its line: nothing may follow.
			s.keyColumn = math.MaxInt
			return true
		}
		item.addKey(l.key)
		return l.kind == lineKey
	}
	if column == s.keyColumn && l.dashes == 0 {
		item.addKey(l.key)
	}
	return column >= s.keyColumn && (column > s.keyColumn || l.kind == lineKey || l.dashes > 0)
}

// openSection takes a key of the list itself.
func (s *splitter) openSection(l line, at int) bool {
	if l.kind != lineKey || l.quotedKey || l.refers || !s.closeItem(at) {
		return false
	}
	s.closeSection(at)
	key := string(l.key)
	for _, known := range s.sections {
		if known.key == key {
			return false
		}
	}
	s.sections = append(s.sections, section{key: key, text: span{start: at}})
	s.inItems = key == "items"
	s.noItems = s.inItems && string(l.value) == "[]"
	return !s.inItems || s.noItems || (len(l.value) == 0 && !l.block)
}

// closeItem ends the item under way. An item that holds nothing is for the
// parser to judge.
func (s *splitter) closeItem(at int) bool {
	if s.inItems && len(s.items) > 0 {
		s.items[len(s.items)-1].end = at
		return s.keyColumn >= 0
	}
	return true
}

func (s *splitter) closeSection(at int) {
	if n := len(s.sections); n > 0 {
		s.sections[n-1].text.end = at
	}
}
