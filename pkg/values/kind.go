package values

import "go.yaml.in/yaml/v3"

// KindOf returns, for a message, the kind of a node and never its value: `a mapping`, `a
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
