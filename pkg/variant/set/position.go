package set

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// position is where a path of a fault leads to in the text of a set: to the
// deepest part of it that is there.
func position(root *yaml.Node, path string) values.Position {
	at := values.At(root)
	for n := values.Resolve(root); n != nil && path != ""; {
		var next *yaml.Node
		switch n.Kind {
		case yaml.MappingNode:
			if path[0] == '[' { // a single mapping that stands for a list of one
				_, path, _ = strings.Cut(path, "]")
				path = strings.TrimPrefix(path, ".")
				continue
			}
			key := ""
			for i := 0; i+1 < len(n.Content); i += 2 {
				// Keys of labels have dots, so that several can be meant: the longest is.
				if name := n.Content[i].Value; len(name) >= len(key) && (name == path || within(path, name)) {
					key, next = name, n.Content[i+1]
				}
			}
			path = strings.TrimPrefix(path[len(key):], ".")
		case yaml.SequenceNode:
			index, rest, _ := strings.Cut(strings.TrimPrefix(path, "["), "]")
			if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(n.Content) {
				next, path = n.Content[i], strings.TrimPrefix(rest, ".")
			}
		}
		if next != nil {
			at = values.At(next)
		}
		n = values.Resolve(next)
	}
	return at
}
