package pipeline

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// packsOption is the option of functions that limits them to some packs, see [pack.Choice].
const packsOption = "packs"

// HasPacks reports whether a function has the option.
func HasPacks(f function.Function) bool {
	return slices.Contains(decode.FlatNames(f.New().Config()), packsOption)
}

// WithPacks returns a functionConfig with the option packs. In a ConfigMap it is a string:
//
//	spec: {packs: [vault, consul]}
//	data: {packs: "vault,consul"}
func WithPacks(config *yaml.Node, kind string, packs []string) *yaml.Node {
	if config == nil {
		config = node.Resource(function.ConfigGroupVersion, kind, "packfn-check")
	}
	field, value := "spec", node.List()
	for _, name := range packs {
		value.Content = append(value.Content, node.Text(name))
	}
	if values.Text(values.Field(config, "kind")) == "ConfigMap" {
		field, value = "data", node.Text(strings.Join(packs, ","))
	}
	return set(config, field, set(orMapping(values.Field(config, field)), packsOption, value))
}

// orMapping returns a node if it is a mapping, and otherwise an empty mapping.
func orMapping(n *yaml.Node) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return node.Map()
	}
	return n
}

// set returns a copy of a mapping with a key set.
func set(mapping *yaml.Node, key string, value *yaml.Node) *yaml.Node {
	c := *mapping
	c.Content = slices.Clone(c.Content)
	for i := 0; i+1 < len(c.Content); i += 2 {
		if c.Content[i].Value == key {
			c.Content[i+1] = value
			return &c
		}
	}
	c.Content = append(c.Content, node.Text(key), value)
	return &c
}
