package function

// flowState says where scanFlow is between two characters.
type flowState uint8

const (
	flowFresh flowState = iota // a token may start
	flowPlain                  // inside a plain scalar
	flowDone                   // behind a quoted scalar, a collection or an alias
)

// scanFlow returns the length of the flow collection at the start of text, or
// -1 when it does not end there or is not recognized with certainty. refers
// says that it may hold anchors, aliases or tags.
//
// It follows the scanner of go-yaml to the letter where that decides where the
// collection ends: quotes open a scalar only where a token starts, a colon
// behind a quoted key needs no blank, and a `#` that starts a comment makes the
// collection go on in the next line.
func scanFlow(text []byte) (n int, refers bool) {
	depth, state := 0, flowFresh
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
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
		c := text[i]
		switch state {
		case flowPlain:
			if c == '#' && text[i-1] == ' ' {
				return -1, refers
			}
		case flowDone:
			return -1, refers
		case flowFresh:
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
			case '#', '|', '>', '%', '@', '`':
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
