package manifest

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

// The nodes of aliases in aliases are counted only up to a limit.
func TestCountNodes(t *testing.T) {
	n := &yaml.Node{Kind: yaml.ScalarNode, Value: "x"}
	for range 60 {
		n = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{n, {Kind: yaml.AliasNode, Alias: n}}}
	}
	for _, limit := range []int{0, 1, 1000} {
		if got := countNodes(n, limit); got <= limit {
			t.Errorf("got %d, want more than %d", got, limit)
		}
	}
	few := n
	for range 57 {
		few = few.Content[0]
	}
	for limit, want := range map[int]int{20: 15, 15: 15} { // three lists in each other
		if got := countNodes(few, limit); got != want {
			t.Errorf("up to %d: got %d, want %d", limit, got, want)
		}
	}
	if got := countNodes(nil, 5); got != 1 {
		t.Errorf("got %d of nothing", got)
	}
}
