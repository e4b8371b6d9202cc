package facts

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/jsonschema"
	"github.com/krm-packs/functions/pkg/values"
)

// maxViolations bounds the violations of one schema.
const maxViolations = 100

// Violation is what the schema of a chart does not allow.
type Violation struct {
	jsonschema.Violation
	// Chart has the schema.
	Chart *Chart
}

// Violations returns what the values.schema.json of the chart and of its subcharts do not
// allow in values for the chart, over its own values, as Helm judges them: null removes a
// default, and a subchart counts unless a condition or tag switches it off. Values with
// macros are left out, and so are schemas that cannot be read.
func (c *Chart) Violations(n *yaml.Node) []Violation {
	j := judge{}
	j.tags = values.Field(c.coalesce(n), "tags")
	j.chart(c, n, nil)
	return j.found
}

type judge struct {
	// tags are those of the outermost chart, which count for all.
	tags  *yaml.Node
	found []Violation
}

// chart judges the values of a chart.
func (j *judge) chart(c *Chart, n *yaml.Node, at []values.Step) {
	merged := c.coalesce(n)
	imports := false
	for _, sub := range c.Subcharts {
		imports = imports || len(sub.ImportValues) > 0
	}
	if schema := c.compiled(); schema != nil {
		judged, err := schema.Judge(merged, maxViolations)
		if err != nil {
			judged = nil
		}
		for _, v := range judged {
			if isRequired := v.Keyword == "required"; imports && isRequired || !isRequired && hasMacro(values.Follow(merged, v.Path)) {
				continue
			}
			v.Path = values.Below(at, v.Path...)
			j.found = append(j.found, Violation{v, c})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Subcharts)) {
		sub, given := c.Subcharts[key], values.Field(merged, key)
		below := values.Below(at, values.Key(key))
		if given != nil && given.Kind != yaml.MappingNode { // Helm also asks it of a subchart that is off
			if !hasMacro(given) {
				message := "got " + values.KindOf(given) + "; want a mapping: the values of the subchart " + sub.Name
				j.found = append(j.found, Violation{jsonschema.Violation{Path: below, Message: message, Keyword: "type"}, c})
			}
			continue
		}
		if c.isOn(sub, merged, j.tags) {
			j.chart(&sub.Chart, withGlobal(given, values.Field(merged, "global")), below)
		}
	}
}

// withGlobal returns values of a subchart with what the chart around it has for all.
func withGlobal(n, global *yaml.Node) *yaml.Node {
	if global == nil || global.Kind != yaml.MappingNode {
		global = mapping()
	}
	around := mapping()
	put(around, "global", global)
	return lay(around, n, true)
}

// isOn reports whether a subchart is used: the first condition that is set decides, else its
// tags, else it is. Conditions also see the values of subcharts.
func (c *Chart) isOn(s *Subchart, merged, tags *yaml.Node) bool {
	for _, path := range s.Condition {
		value := values.Field(merged, path...)
		if sub := c.Subcharts[path[0]]; value == nil && sub != nil {
			value = values.Field(sub.coalesce(values.Field(merged, path[0])), path[1:]...)
		}
		if value != nil && (value.Value == "true" || value.Value == "false") {
			return value.Value == "true"
		}
		if hasMacro(value) {
			return false // unknown
		}
	}
	isOn, isOff := false, false
	for _, tag := range s.Tags {
		switch value := values.Field(tags, tag); {
		case value == nil:
		case value.Value == "true":
			isOn = true
		default:
			isOff = true
		}
	}
	return isOn || !isOff
}

// coalesce lays values over the defaults of the chart as Helm does: null removes a default,
// and a default that is null counts as none.
func (c *Chart) coalesce(n *yaml.Node) *yaml.Node {
	merged := mapping()
	if n = values.Resolve(n); n != nil {
		merged.Line, merged.Column = n.Line, n.Column
	}
	defaults := root(c.Defaults)
	given := map[string]bool{}
	for _, pair := range values.Pairs(n) {
		name, ok := pair.Name()
		if !ok || given[name] {
			continue
		}
		given[name] = true
		value, below := values.Resolve(pair.Value), values.Resolve(values.Field(defaults, name))
		if below != nil && values.IsNull(value) {
			continue
		}
		if isTable(value) && isTable(below) {
			if isSub := c.Subcharts[name] != nil; isSub {
				value = lay(value, below, true)
			} else {
				value = lay(value, withoutNull(below), false)
			}
		}
		merged.Content = append(merged.Content, pair.Key, value)
	}
	for _, pair := range values.Pairs(defaults) {
		if name, ok := pair.Name(); ok && !given[name] && !values.IsNull(pair.Value) {
			merged.Content = append(merged.Content, pair.Key, withoutNull(pair.Value))
		}
	}
	return merged
}

func isTable(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// lay lays a mapping over another one. Null removes what is below it, unless keepsNull.
func lay(n, below *yaml.Node, keepsNull bool) *yaml.Node {
	if below = values.Resolve(below); !isTable(below) {
		return n
	}
	merged := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	given := map[string]bool{}
	for _, pair := range values.Pairs(n) {
		name, ok := pair.Name()
		if !ok || given[name] {
			continue
		}
		given[name] = true
		value, other := values.Resolve(pair.Value), values.Resolve(values.Field(below, name))
		switch {
		case values.IsNull(value) && other != nil && !values.IsNull(other) && !keepsNull:
			continue
		case isTable(value) && isTable(other):
			value = lay(value, other, keepsNull)
		}
		merged.Content = append(merged.Content, pair.Key, value)
	}
	for _, pair := range values.Pairs(below) {
		if name, ok := pair.Name(); ok && !given[name] {
			merged.Content = append(merged.Content, pair.Key, pair.Value)
		}
	}
	return merged
}

// withoutNull returns values without the keys that are null.
func withoutNull(n *yaml.Node) *yaml.Node {
	if n = values.Resolve(n); !isTable(n) {
		return n
	}
	c := *n
	c.Content = nil
	for _, pair := range values.Pairs(n) {
		if !values.IsNull(pair.Value) {
			c.Content = append(c.Content, pair.Key, withoutNull(pair.Value))
		}
	}
	return &c
}

// compiled returns the schema of the chart, nil when it cannot judge.
func (c *Chart) compiled() *jsonschema.Schema {
	n := root(c.Schema)
	if n == nil {
		return nil
	}
	schema, err := jsonschema.Compile(n)
	if err != nil {
		return nil
	}
	return schema
}

func root(d *values.Document) *yaml.Node {
	if d == nil {
		return nil
	}
	return d.Root()
}

// hasMacro reports whether a value has a text that is still to be resolved.
func hasMacro(n *yaml.Node) bool {
	return slices.ContainsFunc(Texts(n), func(text string) bool { return strings.Contains(text, ".spectro.") })
}

// Texts returns the texts in values.
func Texts(n *yaml.Node) []string {
	if n == nil || n.Kind == yaml.AliasNode {
		return nil
	}
	found := []string{n.Value}
	for _, sub := range n.Content {
		found = append(found, Texts(sub)...)
	}
	return found
}
