package values

import "go.yaml.in/yaml/v3"

// anchorTable says which nodes are used through aliases.
type anchorTable struct{ used map[*yaml.Node][]*yaml.Node }

func newAnchorTable(root *yaml.Node) *anchorTable {
	t := &anchorTable{}
	if root != nil {
		t.add(root)
	}
	return t
}

func (t *anchorTable) add(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		if t.used == nil {
			t.used = map[*yaml.Node][]*yaml.Node{}
		}
		t.used[n.Alias] = append(t.used[n.Alias], n)
		return
	}
	for _, child := range n.Content {
		t.add(child)
	}
}
