package list

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// resultsAtOnce is the size in bytes above which the results of earlier functions are
// parsed piece by piece. Their nodes take twenty times the memory of their text.
const resultsAtOnce = 64 << 10

// entriesColumn returns the column of the dashes of a list in block style, the text of
// a section with its key, from 1. It parses the entries in pieces of at least a size,
// and reports false if one is not YAML on its own: the whole section is for the parser
// then.
func entriesColumn(section []byte, size int) (column int, ok bool) {
	key, _, _ := bytes.Cut(section, []byte("\n"))
	if l := classify(key, 0); l.kind != lineKey || !l.opensBlock() {
		return 0, false
	}
	indent, start := -1, 0
	for at := min(len(key)+1, len(section)); at < len(section); {
		end := len(section)
		if n := bytes.IndexByte(section[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if line := section[at:end]; isDash(line, indent) {
			if indent < 0 {
				indent, start = indentOf(line), at
			}
			if at-start >= size {
				if !isSequence(section[start:at]) {
					return 0, false
				}
				start = at
			}
		} else if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '#' && (indent < 0 || indentOf(line) <= indent) {
			return 0, false
		}
		at = end
	}
	return indent + 1, indent >= 0 && isSequence(section[start:])
}

// isDash reports whether a line begins an entry in a column, any column if it is -1.
func isDash(line []byte, column int) bool {
	indent := indentOf(line)
	if indent < 0 || column >= 0 && indent != column || line[indent] != '-' {
		return false
	}
	rest := line[indent+1:]
	return len(rest) == 0 || rest[0] == ' ' || rest[0] == '\n'
}

func isSequence(text []byte) bool {
	document, err := values.Parse(string(text))
	return err == nil && document.Root() != nil && document.Root().Kind == yaml.SequenceNode
}
