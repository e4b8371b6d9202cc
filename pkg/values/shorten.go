package values

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// The parser reads literal blocks byte by byte, and a ConfigMap that holds a
// pack's values is little else. So large blocks are parsed in short: as many
// lines, the first and the last of them a single character and the others
// empty. What the parser does before a block is then what it does in the whole
// text, because it has read the same characters. Its state after the block is the
// same too: at the end of a line that is not blank and has the same indentation,
// with the same text to come. Only its offset differs, which it does not report.
// So if it finds a literal exactly where a block was shortened, and with that
// text, it finds one there in the whole text, and everything else that it finds
// is the same. Otherwise (the block is part of a comment, a quoted scalar or
// another block) the text is read whole.

// worthShortening is the size from which a block costs more to parse than to
// leave out.
const worthShortening = 512

// standIn replaces the text of the first and the last line.
const standIn = "x"

// shortBlock is a literal that was shortened.
type shortBlock struct {
	line, column int    // of the indicator
	content      string // the lines, from the first to the last that is not blank
	indent       int
	lines        int
}

// readShort is read with the large literals shortened; false means that the
// text must be read whole.
func readShort(text string, atLeast int) (*yaml.Node, bool) {
	short, blocks := shorten(text, atLeast)
	if len(blocks) == 0 {
		return nil, false
	}
	doc, err := readNodes(short)
	if err != nil || doc == nil {
		return nil, false
	}
	if blocks = lengthen(doc, blocks); len(blocks) > 0 {
		return nil, false
	}
	return doc, true
}

// shorten returns the text with the literals that are values of maps and have
// at least so many bytes shortened, and no blocks when there are none or when
// the text has characters that are not certain.
func shorten(text string, atLeast int) (string, []shortBlock) {
	const header = ": |"
	var blocks []shortBlock
	var out strings.Builder
	copied, line, counted := 0, 1, 0
	for i := 0; ; {
		found := strings.Index(text[i:], header)
		if found < 0 {
			break
		}
		indicator := i + found + len(header) - 1
		i = indicator + 1
		if i < len(text) && (text[i] == '-' || text[i] == '+') {
			i++
		}
		if i >= len(text) || text[i] != '\n' {
			continue
		}
		lineStart := strings.LastIndexByte(text[:indicator], '\n') + 1
		if text[lineStart+leadingSpaces(text[lineStart:])] == '#' {
			continue
		}
		content := i + 1
		b := measureBlock(text[content:])
		if b.lines == 0 || len(b.content) < atLeast {
			i = content + len(b.content) // every line is looked at once
			continue
		}
		if blocks == nil {
			if !ordinary(text) {
				return "", nil
			}
			out.Grow(len(text) - len(b.content) + b.lines + 2*b.indent)
		}
		line += strings.Count(text[counted:indicator], "\n")
		counted = indicator
		b.line, b.column = line, utf8.RuneCountInString(text[lineStart:indicator])+1
		blocks = append(blocks, b)
		out.WriteString(text[copied:content])
		b.writeShort(&out)
		copied = content + len(b.content)
		i = copied
	}
	if blocks == nil {
		return "", nil
	}
	out.WriteString(text[copied:])
	return out.String(), blocks
}

// measureBlock returns the block whose content text starts with; it has no
// lines when the first is blank, from which its indentation could not be told.
func measureBlock(text string) shortBlock {
	indent := leadingSpaces(text)
	if indent == 0 || indent == len(text) || text[indent] == '\n' {
		return shortBlock{}
	}
	b := shortBlock{indent: indent}
	padding := text[:indent]
	for start, lines := 0, 1; start < len(text); lines++ {
		line, _, _ := strings.Cut(text[start:], "\n")
		blank := lastNotSpace(line) < 0
		if !blank && !strings.HasPrefix(line, padding) {
			break
		}
		end := start + len(line)
		if !blank {
			b.content, b.lines = text[:end], lines
		}
		start = end + 1
	}
	return b
}

func (b shortBlock) writeShort(out *strings.Builder) {
	padding := b.content[:b.indent]
	out.WriteString(padding)
	out.WriteString(standIn)
	if b.lines > 1 {
		for range b.lines - 1 {
			out.WriteByte('\n')
		}
		out.WriteString(padding)
		out.WriteString(standIn)
	}
}

// value returns the text of the block, given what was read for it in short;
// false when this is not what was written. What follows the last line, which
// depends on chomping, is the same in short.
func (b shortBlock) value(short string) (string, bool) {
	rest, ok := strings.CutPrefix(short, standIn)
	if ok && b.lines > 1 {
		breaks := 0
		for breaks < len(rest) && rest[breaks] == '\n' {
			breaks++
		}
		if breaks != b.lines-1 {
			return "", false
		}
		rest, ok = strings.CutPrefix(rest[breaks:], standIn)
	}
	if !ok {
		return "", false
	}
	var out strings.Builder
	out.Grow(len(b.content) - b.indent + len(rest))
	for content, more := b.content, true; more; {
		var line string
		line, content, more = strings.Cut(content, "\n")
		if len(line) > b.indent {
			out.WriteString(line[b.indent:])
		}
		if more {
			out.WriteByte('\n')
		}
	}
	out.WriteString(rest)
	return out.String(), true
}

// lengthen gives the nodes of shortened blocks their texts and returns the
// blocks that it did not find. Nodes and blocks are in the order of the text.
func lengthen(n *yaml.Node, blocks []shortBlock) []shortBlock {
	for _, child := range n.Content {
		if len(blocks) == 0 {
			return nil
		}
		b := &blocks[0]
		if child.Line == b.line && child.Column == b.column && child.Kind == yaml.ScalarNode && child.Style == yaml.LiteralStyle {
			value, ok := b.value(child.Value)
			if !ok {
				return blocks
			}
			child.Value = value
			blocks = blocks[1:]
		}
		blocks = lengthen(child, blocks)
	}
	return blocks
}

// ordinary says whether text is UTF-8 without tabs, control characters, byte
// order marks and line breaks other than line feed: whether its lines are what
// the parser takes for lines, and the parser complains about none of it.
func ordinary(text string) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c-' ' <= '~'-' ' || c == '\n' {
			i++
			continue
		}
		r, w := utf8.DecodeRuneInString(text[i:])
		if r < ' ' || r == utf8.RuneError && w == 1 || needsEscape(r) {
			return false
		}
		i += w
	}
	return true
}

func lastNotSpace(s string) int {
	i := len(s) - 1
	for i >= 0 && s[i] == ' ' {
		i--
	}
	return i
}
