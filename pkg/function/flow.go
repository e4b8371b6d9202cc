package function

import "bytes"

// flowState says where scanFlow is between two characters.
type flowState uint8

const (
	flowFresh flowState = iota // a token may start
	flowPlain                  // inside a plain scalar
	flowDone                   // behind a quoted scalar, a collection or an alias
)

// flowTraits is what may stand in a flow collection besides plain content.
type flowTraits struct {
	refers   bool // anchors, aliases or tags
	comments bool
}

// scanFlow returns the length of the flow collection at the start of a line, or
// -1 when it does not end there or is not recognized with certainty. refers
// says that it may hold anchors, aliases or tags.
func scanFlow(line []byte) (n int, refers bool) {
	n, f := scanFlowLines(line)
	return n, f.refers
}

// scanFlowLines is scanFlow for a text of several lines.
//
// It follows the scanner of go-yaml to the letter where that decides where the
// collection ends: quotes open a scalar only where a token starts, a colon
// behind a quoted key needs no blank, and a `#` starts a comment wherever a
// token may start or a blank is before it.
func scanFlowLines(text []byte) (n int, f flowTraits) {
	depth, state := 0, flowFresh
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ':
			continue
		case '\n':
			if isMarker(text[i+1:]) {
				return -1, f
			}
			continue
		case ',':
			state = flowFresh
			continue
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1, f
			}
			state = flowDone
			continue
		case '\t', '?':
			return -1, f // ends even a plain scalar; rare
		case '[', '{':
			if state != flowFresh {
				return -1, f
			}
			depth++
			continue
		case ':':
			switch {
			case state == flowDone, state == flowPlain && i+1 < len(text) && isSpace(text[i+1]):
				state = flowFresh
			case state == flowFresh, i+1 == len(text), text[i+1] == '\t':
				return -1, f
			}
			continue
		}
		c := text[i]
		if c == '#' && (state != flowPlain || isSpace(text[i-1])) {
			end := bytes.IndexByte(text[i:], '\n')
			if end < 0 {
				return -1, f // the collection goes on in the next line
			}
			if state == flowPlain {
				state = flowDone
			}
			f.comments = true
			i += end - 1
			continue
		}
		switch state {
		case flowDone:
			return -1, f
		case flowFresh:
			switch c {
			case '"', '\'':
				n := scanQuoted(text[i:])
				if n < 0 {
					return -1, f
				}
				i += n - 1
				state = flowDone
			case '&', '*', '!':
				f.refers = true
				n := scanName(text[i+1:])
				if n < 0 {
					return -1, f
				}
				i += n
				if c == '*' {
					state = flowDone
				}
			case '|', '>', '%', '@', '`':
				return -1, f
			case '-':
				if i+1 == len(text) || isSpace(text[i+1]) || text[i+1] == '\t' {
					return -1, f
				}
				state = flowPlain
			default:
				state = flowPlain
			}
		}
	}
	return -1, f
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' }

// isMarker reports whether a line starts with what ends a document.
func isMarker(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
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
