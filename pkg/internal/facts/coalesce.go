package facts

import (
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// running is a chart as Helm installs it: with the subcharts that are on.
type running struct {
	*Chart
	// path is the path of the chart in the values, and around is the parent chart, or nil if there
	// is none.
	path   []string
	around *Chart
	// own are the values of the chart itself. Helm adds the values of its subcharts.
	own *yaml.Node
	// subs are the subcharts that are on.
	subs []*running
	// isUnsure reports whether it is unknown if a subchart is on.
	isUnsure bool
}

// run adds the subcharts that isOn chooses, and theirs.
func (r *running) run(isOn func(sub *running) (on, unsure bool)) *running {
	r.own = root(r.Defaults)
	for _, key := range slices.Sorted(maps.Keys(r.Subcharts)) {
		sub := &running{Chart: r.Subcharts[key], path: append(slices.Clone(r.path), key), around: r.Chart}
		on, unsure := isOn(sub)
		if r.isUnsure = r.isUnsure || unsure; on {
			r.subs = append(r.subs, sub.run(isOn))
		}
	}
	return r
}

// key returns the key of a subchart in the values of its parent chart.
func (r *running) key() string { return r.path[len(r.path)-1] }

// install returns the chart as Helm installs it with values: without the subcharts that a condition
// or a tag switches off. mismatch is called for each value of a subchart that is not a mapping,
// because Helm requires a mapping of all subcharts.
func (c *Chart) install(n *yaml.Node, o open, mismatch func(sub *running, value *yaml.Node)) *running {
	every := (&running{Chart: c}).run(func(*running) (bool, bool) { return true, false })
	wrong := map[*Chart]bool{}
	all := every.coalesce(n, false, func(sub *running, value *yaml.Node) {
		wrong[sub.Chart] = true
		mismatch(sub, value)
	})
	tags := map[*Chart]*yaml.Node{}
	r := (&running{Chart: c}).run(func(sub *running) (on, unsure bool) {
		if wrong[sub.Chart] {
			return false, true
		}
		if tags[sub.around] == nil { // Helm reads the tags of all charts at the top
			tags[sub.around] = lay(values.Field(all, "tags"), values.Field(root(sub.around.Defaults), "tags"), false)
		}
		return sub.isOn(values.Field(all, sub.path[:len(sub.path)-1]...), tags[sub.around], o)
	})
	r.addSubcharts()
	return r
}

// addSubcharts adds the values of subcharts to the values of their parent charts, as Helm does when
// it imports values. Null stays null there.
func (r *running) addSubcharts() {
	for _, sub := range r.subs {
		sub.addSubcharts()
	}
	if len(r.subs) > 0 {
		r.own = r.coalesce(node.Map(), true, func(*running, *yaml.Node) {})
	}
}

// isOn reports whether a subchart is used: the first condition that is set decides, else its
// tags, else it is. around are the values of the chart around it. Where a text that is still to be
// resolved decides, it is off, which is unsure.
func (c *Chart) isOn(around, tags *yaml.Node, o open) (on, unsure bool) {
	for _, path := range c.Condition {
		n := values.Field(around, path...)
		if on, ok := boolean(n); ok {
			return on, false
		}
		if o.has(n) {
			return false, true
		}
	}
	on = true
	for _, tag := range c.Tags {
		switch isSet, ok := boolean(values.Field(tags, tag)); {
		case isSet:
			return true, false
		case ok:
			on = false
		}
	}
	return on, false
}

// booleans are the words that are booleans in YAML 1.1, which Helm reads.
var booleans = map[string]bool{
	"true": true, "True": true, "TRUE": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true, "y": true, "Y": true,
	"false": false, "False": false, "FALSE": false, "no": false, "No": false, "NO": false, "off": false, "Off": false, "OFF": false, "n": false, "N": false,
}

// boolean returns the value of a boolean.
func boolean(n *yaml.Node) (value, ok bool) {
	if n != nil && n.Kind == yaml.ScalarNode && n.Style == 0 {
		value, ok = booleans[n.Value]
	}
	return value, ok
}

// withBooleans returns values in which all booleans of YAML 1.1 are booleans.
func withBooleans(n *yaml.Node) *yaml.Node {
	if value, ok := boolean(n); ok {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(value), Line: n.Line, Column: n.Column}
	}
	c := *n
	c.Content = slices.Clone(n.Content)
	for i, e := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 1 {
			c.Content[i] = withBooleans(e)
		}
	}
	return &c
}

// coalesce merges values into the values of the chart and its subcharts, as Helm does. If keepsNull
// is true, null is kept. Otherwise it removes the value below it.
func (r *running) coalesce(n *yaml.Node, keepsNull bool, mismatch func(sub *running, value *yaml.Node)) *yaml.Node {
	var keys []string
	for _, sub := range r.subs {
		keys = append(keys, sub.key())
	}
	own, given := node.Map(), values.ByName(n)
	for _, pair := range values.Pairs(r.own) {
		name, _ := pair.Name()
		value := pair.Value
		switch {
		case keepsNull, given[name] != nil && slices.Contains(keys, name):
		case given[name] == nil && values.IsNull(value):
			continue
		default:
			value = withoutNull(value)
		}
		own.Content = append(own.Content, pair.Key, value)
	}
	merged := lay(n, own, keepsNull, keys...)
	global := values.Field(merged, "global")
	for _, sub := range r.subs {
		given := values.Field(merged, sub.key())
		switch {
		case given == nil || isTable(given):
			replace(merged, sub.key(), sub.coalesce(withGlobal(given, global), keepsNull, mismatch))
		case !values.IsNull(given) || r.Defaults != nil:
			mismatch(sub, given)
		}
	}
	return merged
}

// withGlobal returns values of a subchart with what the chart around it has for all. A
// mapping and another value do not replace each other.
func withGlobal(n, global *yaml.Node) *yaml.Node {
	own := values.Field(n, "global")
	if own != nil && !isTable(own) || global != nil && !isTable(global) {
		return n
	}
	around, shared, there := node.Map(), node.Map(), values.ByName(own)
	for _, pair := range values.Pairs(global) {
		name, ok := pair.Name()
		if other := there[name]; ok && (other == nil || isTable(other) == isTable(pair.Value)) {
			shared.Content = append(shared.Content, pair.Key, pair.Value)
		}
	}
	put(around, "global", shared)
	return lay(around, n, true)
}

// lay lays a mapping over another one. A null removes the value below it, unless
// keepsNull is true. In the mappings of the keys a null always stays.
func lay(n, below *yaml.Node, keepsNull bool, keys ...string) *yaml.Node {
	merged := node.Map()
	if n = values.Resolve(n); n != nil {
		merged.Line, merged.Column = n.Line, n.Column
	}
	given, others := values.ByName(n), values.ByName(below)
	for _, pair := range values.Pairs(n) {
		name, ok := pair.Name()
		value, other := pair.Value, others[name]
		switch {
		case !ok, values.IsNull(value) && other != nil && !keepsNull:
			continue
		case isTable(value) && isTable(other):
			value = lay(value, other, keepsNull || slices.Contains(keys, name))
		}
		merged.Content = append(merged.Content, pair.Key, value)
	}
	for _, pair := range values.Pairs(below) {
		if name, ok := pair.Name(); ok && given[name] == nil {
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
	c := node.Map()
	c.Line, c.Column = n.Line, n.Column
	for _, pair := range values.Pairs(n) {
		if !values.IsNull(pair.Value) {
			c.Content = append(c.Content, pair.Key, withoutNull(pair.Value))
		}
	}
	return c
}

func isTable(n *yaml.Node) bool { return n != nil && n.Kind == yaml.MappingNode }

// replace sets a key of a mapping that belongs to the caller.
func replace(n *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = value
			return
		}
	}
	put(n, key, value)
}
