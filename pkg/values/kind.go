package values

import "go.yaml.in/yaml/v3"

// KindOf says for a message what a node is, never what it holds: `a mapping`, `a
// list`, `text`, `a number`, `a boolean`, `a date`, and `nothing` for null and nil.
func KindOf(n *yaml.Node) string {
	if n = dealias(n); n == nil {
		return "nothing"
	}
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "nothing"
	case "!!timestamp":
		return "a date"
	default:
		return "text"
	}
}
