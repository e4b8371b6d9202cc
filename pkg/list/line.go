package list

import "bytes"

// lineKind says what a line of block-style YAML holds, as far as the text
// reader has to know.
type lineKind uint8

const (
	lineUnsure  lineKind = iota // not recognized with certainty: the SDK's parser decides
	lineScalar                  // a plain or quoted scalar, or a flow collection, complete on the line
	lineKey                     // `key:` or `key: value`
	lineNothing                 // only dashes
)

// line is what classify finds in one line.
type line struct {
	kind lineKind
	// dashes counts the `- ` prefixes.
	dashes int
	// column is where the content after the dashes starts.
	column int
	// key is the text of a plain or quoted key without its quotes; quotedKey
	// says that it had some. Keys with escapes are unsure.
	key       []byte
	quotedKey bool
	// value is the text after `key:`, whitespace and comment trimmed.
	value []byte
	// block says that the value is the header of a block scalar, whose content
	// is indented deeper than parent, the column of the key or the last dash;
	// explicit is its indentation indicator, or 0.
	block    bool
	parent   int
	explicit int
	// open is the quote of a quoted value that goes on in the next line, 0 when
	// there is none. Its lines are indented deeper than parent.
	open byte
	// refers says that the line holds an anchor, an alias or a tag, which may
	// depend on what is elsewhere.
	refers bool
}

// classify looks at one line (without its break) that is neither blank nor a
// comment nor content of a block scalar, and whose indentation is indent
// blanks. What it does not recognize with certainty is lineUnsure; that always
// holds for flow collections that go on in the next line, and for quoted scalars
// that do without a key or a dash on their line.
func classify(text []byte, indent int) line {
	var l line
	i := indent
	for i < len(text) && text[i] == '-' && (i+1 == len(text) || text[i+1] == ' ') {
		l.dashes++
		l.parent = i
		i++
		for i < len(text) && text[i] == ' ' {
			i++
		}
	}
	l.column = i
	if i == len(text) {
		l.kind = lineNothing
		return l
	}
	if text[i] == '#' {
		if l.dashes > 0 {
			l.kind = lineNothing
		}
		return l
	}
	rest := text[i:]
	if end, quoted, ok := scanKey(rest); ok {
		l.kind = lineKey
		l.key, l.quotedKey = rest[:end.key], quoted
		if quoted {
			l.key = rest[1 : end.key-1]
		}
		l.parent = i
		return classifyValue(l, rest[end.value:], true)
	}
	return classifyValue(l, rest, l.dashes > 0)
}

// keyEnd holds the ends of a key and of the colon and whitespace after it.
type keyEnd struct{ key, value int }

// scanKey finds an implicit key at the start of text.
func scanKey(text []byte) (end keyEnd, quoted, ok bool) {
	i := 0
	switch c := text[0]; c {
	case '"', '\'':
		n := scanQuoted(text)
		// A key with escapes is left to the parser: nothing reads it here.
		if n < 0 || bytes.IndexByte(text[:n], '\\') >= 0 || (c == '\'' && bytes.Contains(text[1:n-1], []byte("''"))) {
			return end, false, false
		}
		i, quoted = n, true
		end.key = n
		for i < len(text) && text[i] == ' ' {
			i++
		}
		if i == len(text) || text[i] != ':' {
			return end, false, false
		}
	case '[', ']', '{', '}', ',', '?', ':', '&', '*', '!', '|', '>', '%', '@', '`', '-':
		// A plain key may start with `?`, `:` or `-` and a letter; those are
		// rare enough to leave them to the parser.
		return end, false, false
	default:
	scan:
		for ; ; i++ {
			if i == len(text) {
				return end, false, false
			}
			switch text[i] {
			case ':':
				if i+1 == len(text) || text[i+1] == ' ' {
					break scan
				}
			case '\t':
				return end, false, false // at the end of a key it is not part of it
			case '#':
				if text[i-1] == ' ' {
					return end, false, false
				}
			}
		}
		end.key = len(bytes.TrimRight(text[:i], " "))
	}
	i++ // the colon
	if i < len(text) && text[i] != ' ' {
		return end, false, false
	}
	for i < len(text) && text[i] == ' ' {
		i++
	}
	end.value = i
	return end, quoted, true
}

// classifyValue judges what is where a value may be. hasParent says that
// a key or a dash on the line gives a block or quoted scalar its parent.
func classifyValue(l line, value []byte, hasParent bool) line {
	unsure := line{refers: l.refers}
	for {
		if len(value) == 0 || value[0] == '#' {
			// `key:`, or `key: &anchor`, whose value follows on deeper lines.
			if l.kind != lineKey {
				l.kind = lineScalar
			}
			return l
		}
		switch value[0] {
		case '&', '!':
			// A tab after the name would hide what follows it.
			l.refers = true
			n := bytes.IndexAny(value, " \t")
			if n < 0 {
				n = len(value)
			} else if value[n] == '\t' {
				return line{refers: true}
			}
			value = bytes.TrimLeft(value[n:], " ")
			continue
		}
		break
	}
	l.value = value
	if l.kind != lineKey {
		l.kind = lineScalar
	}
	switch value[0] {
	case '*':
		l.refers = true
		if bytes.ContainsAny(value, ":,[]{}") {
			return unsure
		}
		return l
	case '"', '\'':
		n := scanQuoted(value)
		if n < 0 && hasParent {
			l.open = value[0]
			return l
		}
		if n < 0 || !endsHere(value[n:]) {
			return unsure
		}
		l.value = value[:n]
		return l
	case '[', '{':
		n, refers := scanFlow(value)
		if n < 0 || !endsHere(value[n:]) {
			return unsure
		}
		l.refers = l.refers || refers
		l.value = value[:n]
		return l
	case '|', '>':
		explicit, ok := scanBlockHeader(value)
		if !ok || !hasParent {
			return unsure
		}
		l.block, l.explicit, l.value = true, explicit, nil
		return l
	case ']', '}', ',', '%', '@', '`', '\t':
		return unsure
	case '?', '-', ':':
		if len(value) == 1 || value[1] == ' ' || value[1] == '\t' {
			return unsure
		}
	}
	end := len(value)
scan:
	for i, c := range value {
		switch c {
		case '\t':
			return unsure
		case ':':
			// This would make a key of a form that scanKey leaves alone, whose
			// value may go on in the next line.
			if i+1 == len(value) || value[i+1] == ' ' {
				return unsure
			}
		case '#':
			if value[i-1] == ' ' { // a value never begins with a number sign
				end = i
				break scan
			}
		}
	}
	l.value = bytes.TrimRight(value[:end], " ")
	return l
}

// endsHere reports whether nothing but whitespace and a comment follow.
func endsHere(rest []byte) bool {
	trimmed := bytes.TrimLeft(rest, " ")
	return len(trimmed) == 0 || (trimmed[0] == '#' && len(trimmed) < len(rest))
}

// scanQuoted returns the length of the quoted scalar at the start of text, or
// -1 when it does not end there.
func scanQuoted(text []byte) int {
	if n := scanQuotedRest(text[1:], text[0]); n >= 0 {
		return n + 1
	}
	return -1
}

// scanQuotedRest returns the length of what is left of a quoted scalar, its
// closing quote included, or -1 when it does not end in the text.
func scanQuotedRest(text []byte, quote byte) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return -1
}

// scanBlockHeader reads the header of a block scalar: `|`, `>-`, `|2+ # note`.
func scanBlockHeader(text []byte) (explicit int, ok bool) {
	i := 1
	chomped := false
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '-' || c == '+') && !chomped:
			chomped = true
		case c >= '1' && c <= '9' && explicit == 0:
			explicit = int(c - '0')
		default:
			return explicit, endsHere(text[i:])
		}
	}
	return explicit, true
}
