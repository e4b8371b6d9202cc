package values

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// flow reads a flow collection, and returns the offset after it.
func (r *reader) flow(i int) (*yaml.Node, int) {
	r.enter()
	kind, tag, closer := yaml.MappingNode, "!!map", byte('}')
	if r.text[i] == '[' {
		kind, tag, closer = yaml.SequenceNode, "!!seq", ']'
	}
	n, first := r.node(kind, tag, i), len(r.open)
	n.Style = yaml.FlowStyle
	for i = r.flowNext(i + 1); r.text[i] != closer; {
		if len(r.open) > first {
			r.must(r.text[i] == ',')
			i = r.flowNext(i + 1)
		}
		if kind == yaml.MappingNode {
			key, after := r.flowScalar(i)
			i = r.skipSpaces(after)
			r.must(i < r.end && r.text[i] == ':' && (key.Style != 0 || i+1 < r.end && r.text[i+1] == ' '))
			r.open = append(r.open, key)
			i = r.flowNext(i + 1)
		}
		var value *yaml.Node
		if c := r.text[i]; c == '[' || c == '{' {
			value, i = r.flow(i)
		} else {
			value, i = r.flowScalar(i)
		}
		r.open = append(r.open, value)
		i = r.flowNext(i)
	}
	r.close(n, first)
	return n, i + 1
}

// flowNext returns the offset of the next token of a flow collection, which may be on
// another line.
func (r *reader) flowNext(i int) int {
	for i = r.skipSpaces(i); i == r.end; {
		r.must(r.next <= len(r.text))
		r.startLine()
		i = r.skipSpaces(r.start)
		r.must(i > r.start || i == r.end || !isMarker(r.text[i:r.end]))
	}
	return i
}

// flowScalar reads a scalar in a flow collection.
func (r *reader) flowScalar(i int) (*yaml.Node, int) {
	if c := r.text[i]; c == '"' || c == '\'' {
		return r.scalar(i, false)
	}
	r.must(startsPlain(r.text[i:r.end]))
	j := i
	for ; j < r.end; j++ {
		switch c := r.text[j]; {
		case c == ':' && j+1 < r.end && r.text[j+1] == ' ', c == ',', c == ']', c == '}':
			return r.plain(i, r.trimmed(i, j)), j
		case strings.IndexByte(":#?[{\t", c) >= 0:
			r.standAside() // often allowed
		}
	}
	return r.plain(i, r.trimmed(i, j)), j
}
