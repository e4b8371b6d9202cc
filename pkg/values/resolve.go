package values

import "go.yaml.in/yaml/v3"

// Resolve returns the node that n means: what an alias refers to, and
// otherwise n itself.
func Resolve(n *yaml.Node) *yaml.Node { return dealias(n) }
