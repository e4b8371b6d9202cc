package schema

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// placeholders reports the placeholders among the values. It leaves out values
// below a map that is switched off, because they have no effect.
func (c *checker) placeholders() {
	c.values.Tree.Each(func(steps []values.Step, n *yaml.Node, layer int) bool {
		if n.Kind != yaml.ScalarNode {
			return !isOff(n)
		}
		if isString(n) && placeholder.Is(n.Value) {
			f := diag.Say("the value is a placeholder that was not replaced").Do("write the real value here, or in a PackValues")
			c.add(f.Of(rule.ValuesPlaceholder), c.values.Layers[layer].Origin(), keyOf(steps), n)
		}
		return true
	})
}

// isOff reports whether a map disables its component, as `enabled: false` does.
func isOff(n *yaml.Node) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case "enabled", "enable", "create":
			if n.Content[i+1].Kind == yaml.ScalarNode && n.Content[i+1].Value == "false" {
				return true
			}
		}
	}
	return false
}
