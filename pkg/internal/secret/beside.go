package secret

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// The fields of a mapping that name its value, and the fields with the value:
//
//   - name: DB_PASSWORD
//     value: x
//   - {key: token, valueExpr: "'x'"}
var (
	nameFields  = []string{"name", "key"}
	valueFields = []string{"value", "values", "valueExpr", "default", "defaultValue", "content"}
)

// NamesSecret reports whether a field with a text names the value beside it like a secret.
func NamesSecret(field, text string) bool {
	return slices.Contains(nameFields, field) && isSecretPath(text)
}

// IsValueField reports whether a field has the value that a field beside it names.
func IsValueField(field string) bool { return slices.Contains(valueFields, field) }

// NamedBeside returns the scalars of a document that a field beside them, or beside what they are in, names like
// secrets.
func NamedBeside(root *yaml.Node) map[*yaml.Node]bool {
	found := map[*yaml.Node]bool{}
	var walk func(n *yaml.Node, isNamed bool)
	walk = func(n *yaml.Node, isNamed bool) {
		switch n.Kind {
		case yaml.ScalarNode:
			if isNamed {
				found[n] = true
			}
		case yaml.AliasNode:
			if isNamed && n.Alias.Kind == yaml.ScalarNode {
				found[n.Alias] = true
			}
		case yaml.SequenceNode:
			for _, child := range n.Content {
				walk(child, isNamed)
			}
		case yaml.MappingNode:
			namesSecret := slices.ContainsFunc(nameFields, func(field string) bool { return NamesSecret(field, values.Text(values.Field(n, field))) })
			for i := 1; i < len(n.Content); i += 2 {
				walk(n.Content[i], isNamed || namesSecret && IsValueField(n.Content[i-1].Value))
			}
		}
	}
	if root != nil {
		walk(root, false)
	}
	return found
}

// Of returns the context of a match in a tree.
func Of(m *values.Match, tree interface {
	Root() *yaml.Node
	Follow(n *yaml.Node, steps []values.Step) *yaml.Node
}) Context {
	c := Context{Path: m.Path}
	for i, step := range m.Steps {
		if step.IsIndex || !IsValueField(step.Key) {
			continue
		}
		c.IsSecret = c.IsSecret || slices.ContainsFunc(nameFields, func(field string) bool {
			return NamesSecret(field, values.Text(tree.Follow(tree.Root(), append(slices.Clip(m.Steps[:i]), values.Key(field)))))
		})
	}
	return c
}
