package chart

import (
	"cmp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/jsonschema"
	"github.com/krm-packs/functions/pkg/values"
)

// Violations returns what the values.schema.json of the chart and its subcharts do not
// allow in values for the chart, over its own values. Values with macros and null, which
// removes a default, are left out, and so are schemas that cannot be read.
func (c *Chart) Violations(n *yaml.Node) []jsonschema.Violation {
	merged := values.Merge(values.Layer{Document: c.values}, values.Layer{Document: values.Of(n)})
	return c.violations(merged.Root(), nil)
}

func (c *Chart) violations(n *yaml.Node, at []values.Step) []jsonschema.Violation {
	var found []jsonschema.Violation
	if schema := c.compiled(); schema != nil && n != nil {
		judged, err := schema.Judge(n, maxViolations)
		if err != nil {
			judged = nil
		}
		for _, v := range judged {
			value := values.Follow(n, v.Path)
			if value == nil || values.IsNull(value) || slices.ContainsFunc(texts(value), func(text string) bool { return strings.Contains(text, ".spectro.") }) {
				continue
			}
			v.Path = values.Below(at, v.Path...)
			found = append(found, v)
		}
	}
	for _, sub := range c.subcharts {
		for _, key := range c.keysOf(sub, n) {
			given := values.Field(n, key)
			if given == nil || given.Kind != yaml.MappingNode {
				continue
			}
			layers := []values.Layer{{Document: sub.values}, {Document: values.Of(given)}}
			if global := values.Field(n, "global"); global != nil { // Helm gives it to subcharts
				layers = append(layers, values.Layer{Document: values.Of(&yaml.Node{
					Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: "global"}, global},
				})})
			}
			merged := values.Merge(layers...)
			found = append(found, sub.violations(merged.Root(), values.Below(at, values.Key(key)))...)
		}
	}
	return found
}

// keysOf returns the keys of the values of a subchart, without those that the values do
// not switch on for certain.
func (c *Chart) keysOf(sub *Chart, n *yaml.Node) []string {
	var keys []string
	listed := false
	for _, d := range c.dependencies {
		if d.name != sub.Name {
			continue
		}
		listed = true
		isOn := len(d.conditions)+len(d.tags) == 0
		for _, condition := range d.conditions { // the first that is set counts
			if value := values.Field(n, strings.Split(condition, ".")...); value != nil {
				isOn = values.Text(value) == "true"
				break
			}
		}
		if isOn {
			keys = append(keys, cmp.Or(d.alias, d.name))
		}
	}
	if !listed {
		keys = append(keys, sub.Name)
	}
	return keys
}

// compiled returns the schema of the chart, nil when it cannot judge.
func (c *Chart) compiled() *jsonschema.Schema {
	root := rootOf(c.schema)
	if root == nil {
		return nil
	}
	schema, err := jsonschema.Compile(root)
	if err != nil {
		return nil
	}
	return schema
}
