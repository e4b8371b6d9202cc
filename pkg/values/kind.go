package values

import "go.yaml.in/yaml/v3"

// KindOf says for a message what a node is, never what it holds: `a map`, `a list`, `a
// string`, `a number`, `a boolean`, `a date`, and `null`, also for nil.
func KindOf(n *yaml.Node) string {
	if n = dealias(n); n == nil {
		return "null"
	}
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "a boolean"
	case "!!null":
		return "null"
	case "!!timestamp":
		return "a date"
	default:
		return "a string"
	}
}
