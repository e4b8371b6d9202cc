package list

// flowState is the state of scanFlow between two characters.
type flowState uint8

const (
	flowFresh flowState = iota // a token may start
	flowPlain                  // inside a plain scalar
	flowDone                   // after a quoted scalar, a collection or an alias
)

// scanFlow returns the length of the flow collection at the start of a line, or -1 if it does not
// end there or is not recognized with certainty. refers reports whether it may contain anchors,
// aliases or tags.
//
//	{kind: ConfigMap, "data":{"a b": 'it''s'}}  # a comment
//
// It follows the scanner of go-yaml where this determines the end of the collection: quotes open a
// scalar only where a token starts, a colon after a quoted key needs no space, and a `#` starts a
// comment wherever a token may start or after a space.
func scanFlow(text []byte) (n int, refers bool) {
	depth, state := 0, flowFresh
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case ' ':
			continue
		case ',':
			state = flowFresh
			continue
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1, refers
			}
			state = flowDone
			continue
		case '\t', '?':
			return -1, refers // ends even a plain scalar; rare
		case '[', '{':
			if state != flowFresh {
				return -1, refers
			}
			depth++
			continue
		case ':':
			switch {
			case state == flowDone, state == flowPlain && i+1 < len(text) && text[i+1] == ' ':
				state = flowFresh
			case state == flowFresh, i+1 == len(text), text[i+1] == '\t':
				return -1, refers
			}
			continue
		}
		if c == '#' && (state != flowPlain || text[i-1] == ' ') || state == flowDone {
			return -1, refers // the collection goes on in the next line
		}
		if state == flowPlain {
			continue
		}
		switch c {
		case '"', '\'':
			n := scanQuoted(text[i:])
			if n < 0 {
				return -1, refers
			}
			i += n - 1
			state = flowDone
		case '&', '*', '!':
			refers = true
			n := scanName(text[i+1:])
			if n < 0 {
				return -1, refers
			}
			i += n
			if c == '*' {
				state = flowDone
			}
		case '|', '>', '%', '@', '`':
			return -1, refers
		case '-':
			if i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\t' {
				return -1, refers
			}
			state = flowPlain
		default:
			state = flowPlain
		}
	}
	return -1, refers
}

// scanName returns the length of the name of an anchor, alias or simple tag, or
// -1 when it is of a form that only the parser knows.
func scanName(text []byte) int {
	for i, c := range text {
		switch {
		case c == ' ', c == ',', c == ']', c == '}':
			return i
		case c != '!' && c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z'):
			return -1
		}
	}
	return -1
}
