package list

import "bytes"

// lineKind is the kind of content of a line in block style, as far as the text reader needs it.
type lineKind uint8

const (
	lineUnsure  lineKind = iota // not recognized with certainty: the parser decides, see readByParser
	lineScalar                  // a plain or quoted scalar, or a flow collection, complete on the line
	lineKey                     // `key:` or `key: value`
	lineNothing                 // only dashes
)

// line is the result of classify for one line.
type line struct {
	kind lineKind
	// dashes counts the `- ` prefixes.
	dashes int
	// column is the column of the content after the dashes.
	column int
	// key is the text of a plain or quoted key without its quotes. quotedKey reports whether it was
	// quoted. Keys with escapes are unsure.
	key       []byte
	quotedKey bool
	// value is the text after `key:`, whitespace and comment trimmed.
	value []byte
	// block reports whether the value is the header of a block scalar. Its content is indented
	// deeper than parent, the column of the key or the last dash. explicit is its indentation
	// indicator, or 0.
	block    bool
	parent   int
	explicit int
	// open is the quote of a quoted value that goes on in the next line, or 0 if there is none. Its
	// lines are indented deeper than parent.
	open byte
	// refers reports whether the line contains an anchor, an alias or a tag, which may depend on
	// other lines.
	refers bool
}

// classify looks at one line (without its break) that is neither blank nor a
// comment nor content of a block scalar, and whose indentation is indent
// blanks. What it does not recognize with certainty is lineUnsure; that always
// holds for flow collections that go on in the next line, and for quoted scalars
// that do without a key or a dash on their line.
func classify(text []byte, indent int) line {
	l := line{column: indent}
	for rest := text[indent:]; len(rest) > 0 && rest[0] == '-' && (len(rest) == 1 || rest[1] == ' '); rest = text[l.column:] {
		l.dashes++
		l.parent = l.column
		l.column = len(text) - len(bytes.TrimLeft(rest[1:], " "))
	}
	rest := text[l.column:]
	if len(rest) == 0 || rest[0] == '#' {
		l.kind = lineNothing
		return l
	}
	l.kind = lineScalar
	if key, value, quoted, ok := cutKey(rest); ok {
		l.kind, l.key, l.quotedKey, l.parent = lineKey, key, quoted, l.column
		rest = value
	}
	return l.withValue(rest)
}

// cutKey cuts an implicit key from the start of a text.
func cutKey(text []byte) (key, value []byte, quoted, ok bool) {
	switch c := text[0]; c {
	case '"', '\'':
		n := scanQuoted(text)
		if n < 0 {
			return nil, nil, false, false
		}
		key, quoted = text[1:n-1], true
		value, ok = bytes.CutPrefix(bytes.TrimLeft(text[n:], " "), []byte(":"))
		// A key with escapes is left to the parser: nothing reads it here.
		ok = ok && (len(value) == 0 || value[0] == ' ') && bytes.IndexByte(key, '\\') < 0 && bytes.IndexByte(key, c) < 0
	case '[', ']', '{', '}', ',', '?', ':', '&', '*', '!', '|', '>', '%', '@', '`', '-':
		// A plain key may start with `?`, `:` or `-` and a letter; those are
		// rare enough to leave them to the parser.
		return nil, nil, false, false
	default:
		n := colon(text)
		// A tab at the end of a key is not part of it, and what is after a number sign is a comment.
		if n < 0 || bytes.IndexByte(text[:n], '\t') >= 0 || bytes.Contains(text[:n], []byte(" #")) {
			return nil, nil, false, false
		}
		key, value, ok = bytes.TrimRight(text[:n], " "), text[n+1:], true
	}
	return key, bytes.TrimLeft(value, " "), quoted, ok
}

// colon finds the first colon of a text that ends a key, or -1 if there is none.
func colon(text []byte) int {
	if n := bytes.Index(text, []byte(": ")); n >= 0 || !bytes.HasSuffix(text, []byte(":")) {
		return n
	}
	return len(text) - 1
}

// withValue checks what is where a value may be.
func (l line) withValue(value []byte) line {
	for len(value) > 0 && (value[0] == '&' || value[0] == '!') {
		l.refers = true
		n := bytes.IndexByte(value, ' ')
		if n < 0 {
			n = len(value)
		}
		if bytes.IndexByte(value[:n], '\t') >= 0 {
			return line{} // it hides what follows
		}
		value = bytes.TrimLeft(value[n:], " ")
	}
	if len(value) == 0 || value[0] == '#' {
		return l // `key:`, or `key: &anchor`, whose value follows on deeper lines
	}
	l.value = value
	// A key or a dash on the line gives a block or quoted scalar its parent.
	hasParent := l.kind == lineKey || l.dashes > 0
	switch value[0] {
	case '*':
		l.refers = true
		if bytes.ContainsAny(value, ":,[]{}") {
			return line{}
		}
		return l
	case '"', '\'':
		n := scanQuoted(value)
		if n < 0 && hasParent {
			l.open = value[0]
			return l
		}
		return l.upTo(n)
	case '[', '{':
		n, refers := scanFlow(value)
		l.refers = l.refers || refers
		return l.upTo(n)
	case '|', '>':
		explicit, ok := scanBlockHeader(value)
		if !ok || !hasParent {
			return line{}
		}
		l.block, l.explicit, l.value = true, explicit, nil
		return l
	case ']', '}', ',', '%', '@', '`':
		return line{}
	case '?', '-', ':':
		if len(value) == 1 || value[1] == ' ' || value[1] == '\t' {
			return line{}
		}
	}
	if n := bytes.Index(value, []byte(" #")); n >= 0 {
		l.value = value[:n]
	}
	// A colon would make a key of a form that cutKey leaves alone, whose
	// value may go on in the next line.
	if l.value = bytes.TrimRight(l.value, " "); colon(l.value) >= 0 || bytes.IndexByte(l.value, '\t') >= 0 {
		return line{}
	}
	return l
}

// upTo returns the line with n bytes of its value, after which there is only a comment.
func (l line) upTo(n int) line {
	if n < 0 || !endsHere(l.value[n:]) {
		return line{}
	}
	l.value = l.value[:n]
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

// scanQuotedRest returns the length of the rest of a quoted scalar, its closing quote included, or
// -1 when it does not end in the text.
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
