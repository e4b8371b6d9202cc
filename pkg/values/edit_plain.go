package values

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// plainText returns a tree as the encoder prints it, if it consists of maps and lists in
// block style and of short scalars on one line, without comments, anchors and tags: what edits
// write is almost always of this kind, and the encoder takes most of the time of an edit.
func plainText(n *yaml.Node) (text string, ok bool) {
	if entangled(n) {
		return "", false
	}
	var p plainPrinter
	if !p.block(n, 0) {
		return "", false
	}
	return p.String(), true
}

// mostOfKey is the length up to which the encoder writes every key as a simple one.
const mostOfKey = 100

// plainPrinter prints trees as [plainText] describes it.
type plainPrinter struct{ strings.Builder }

// block prints a tree from the column of an indent on, which is written already. It reports
// false for what it does not print.
func (p *plainPrinter) block(n *yaml.Node, indent int) bool {
	isMapping := n.Kind == yaml.MappingNode
	if !isMapping && n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return p.flat(n) && p.WriteByte('\n') == nil
	}
	if !isBare(n) {
		return false
	}
	for i := 0; i < len(n.Content); i++ {
		if i > 0 {
			p.indent(indent)
		}
		if !isMapping {
			p.WriteString("- ")
			if n.Content[i].Kind == yaml.SequenceNode || !p.block(n.Content[i], indent+2) {
				return false
			}
			continue
		}
		key := n.Content[i]
		i++
		if key.Kind != yaml.ScalarNode || len(key.Value) > mostOfKey || !p.flat(key) {
			return false
		}
		p.WriteByte(':')
		value := n.Content[i]
		if len(value.Content) == 0 {
			p.WriteByte(' ')
		} else {
			p.WriteByte('\n')
			p.indent(indent + 2)
		}
		if !p.block(value, indent+2) {
			return false
		}
	}
	return true
}

// indent writes blanks up to a column.
func (p *plainPrinter) indent(columns int) {
	for range columns {
		p.WriteByte(' ')
	}
}

// flat prints a scalar, or an empty map or list.
func (p *plainPrinter) flat(n *yaml.Node) bool {
	if !isBare(n) || len(n.Value) > MaxKey {
		return false
	}
	switch {
	case n.Kind == yaml.MappingNode:
		p.WriteString("{}")
	case n.Kind == yaml.SequenceNode:
		p.WriteString("[]")
	case n.Kind != yaml.ScalarNode:
		return false
	case n.Style == 0 && (isPlainText(n) || isPlainNumber(n)):
		p.WriteString(n.Value)
	case n.Style == yaml.DoubleQuotedStyle && isQuotedText(n, "\"\\"):
		p.WriteString(`"` + n.Value + `"`)
	case n.Style == yaml.SingleQuotedStyle && isQuotedText(n, "'"):
		p.WriteString("'" + n.Value + "'")
	default:
		return false
	}
	return true
}

// isBare reports whether a node has nothing beside its content.
func isBare(n *yaml.Node) bool {
	isCollection := n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode
	return n.Anchor == "" && n.HeadComment == "" && n.LineComment == "" && n.FootComment == "" && (!isCollection || n.Style == 0 && isUsual(n))
}

// isUsual reports whether a map or list has the tag that it has without one.
func isUsual(n *yaml.Node) bool {
	return n.Tag == "" || n.Kind == yaml.MappingNode && n.Tag == "!!map" || n.Kind == yaml.SequenceNode && n.Tag == "!!seq"
}

func isPlainText(n *yaml.Node) bool {
	return n.Tag == strTag && n.Value != "<<" && n.Value != "=" && plainString(n.Value, false) && isASCII(n.Value, "")
}

// isPlainNumber reports whether a scalar is a whole number in its usual form, true or false.
func isPlainNumber(n *yaml.Node) bool {
	if n.Tag == "!!bool" {
		return n.Value == "true" || n.Value == "false"
	}
	return n.Tag == "!!int" && n.Value != "" && len(n.Value) < 10 && strings.Trim(n.Value, "0123456789") == "" && (n.Value[0] != '0' || n.Value == "0")
}

func isQuotedText(n *yaml.Node, special string) bool {
	return n.Tag == strTag && isASCII(n.Value, special) && strings.TrimSpace(n.Value) == n.Value && n.Value != ""
}

// isASCII reports whether a text has printable characters of ASCII alone, and none of some.
func isASCII(text, special string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || strings.IndexByte(special, c) >= 0 {
			return false
		}
	}
	return true
}
