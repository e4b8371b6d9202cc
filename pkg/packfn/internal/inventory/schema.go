package inventory

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// JSONSchema returns the JSON Schema of the values of a pack: what its schema accepts, the
// keys of its own values, and those that its charts read. read may be nil. The pack's own
// values are defaults unless they may be secrets.
//
// All other keys are accepted, and what [schema.Schema.AddJSON] leaves open. Entries of the
// schema with faults are left out, as the findings say. It is an error if the values or the
// schema cannot be read.
func JSONSchema(p *pack.Pack, read *facts.Pack) (schema.JSON, []diag.Finding, error) {
	document, err := mapping(p.Values)
	if err != nil {
		return nil, nil, err
	}
	constraints, err := mapping(p.Schema)
	if err != nil {
		return nil, nil, err
	}
	parsed, faults := schema.Parse(constraints)
	j := schema.JSON{
		"$schema": "http://json-schema.org/draft-07/schema#",
		"title":   strings.TrimSpace(fmt.Sprintf("Values of %s %s", p.Name, p.Version)),
		"type":    []string{"object", "null"},
	}
	parsed.AddJSON(j, document)
	d := defaults{entries: map[string]*schema.Entry{}, named: secret.NamedBeside(document.Root())}
	for i := range parsed.Entries {
		for _, m := range document.Present(parsed.Entries[i].Path) {
			if !isSecretEntry(d.entries[m.Path]) {
				d.entries[m.Path] = &parsed.Entries[i]
			}
		}
	}
	d.add(j, document.Root(), "", nil, 0)
	if read != nil {
		for _, name := range slices.Sorted(maps.Keys(read.Charts)) {
			addChart(j.Below("charts").Below(name), read.Charts[name], values.Field(document.Root(), "charts", name), 2)
		}
		for _, name := range slices.Sorted(maps.Keys(read.Manifests)) {
			addReads(j.Below("manifests").Below(name), read.Manifests[name], values.Field(document.Root(), "manifests", name), 2)
		}
	}
	return j, faults, nil
}

// maxPath is the length of the paths of defaults, in bytes. A schema has none that is longer.
const maxPath = 4096

// defaults adds the keys of a pack's own values to a JSON Schema, and the values as defaults.
type defaults struct {
	// entries are the schema entries, by the path of the value.
	entries map[string]*schema.Entry
	// named are the values that a field beside them names like secrets.
	named map[*yaml.Node]bool
}

// add adds a value at a path. above is the schema entry that marks the value and everything
// below it as a secret, or nil.
func (d *defaults) add(j schema.JSON, n *yaml.Node, path string, above *schema.Entry, depth int) {
	n = values.Resolve(n)
	above = d.entryOf(path, above)
	switch {
	case n == nil || depth > schema.MaxJSONDepth || len(path) > maxPath:
	case n.Kind == yaml.MappingNode && len(n.Content) > 0:
		for _, pair := range values.Pairs(n) {
			if name, ok := pair.Name(); ok {
				d.add(j.Below(name), pair.Value, diag.Join(path, name), above, depth+1)
			}
		}
	case d.isPublic(n, path, above):
		if text, ok := values.JSON(n); ok {
			j["default"] = json.RawMessage(text)
		}
	}
}

// entryOf returns the entry that decides whether a value is a secret: the entry of a parent that
// marks it as a secret, or else the entry of the value.
func (d *defaults) entryOf(path string, above *schema.Entry) *schema.Entry {
	if isSecretEntry(above) {
		return above
	}
	return d.entries[path]
}

// isSecretEntry reports whether an entry declares its value as a secret. e may be nil.
func isSecretEntry(e *schema.Entry) bool {
	return e != nil && e.Template.Format != nil && e.Template.Format.Secret()
}

// isPublic reports whether a value, with all that is below it, is not a secret.
func (d *defaults) isPublic(n *yaml.Node, path string, entry *schema.Entry) bool {
	n = values.Resolve(n)
	switch {
	case len(path) > maxPath:
		return false
	case n.Kind == yaml.MappingNode:
		return !slices.ContainsFunc(values.Pairs(n), func(pair values.Pair) bool {
			name, ok := pair.Name()
			below := diag.Join(path, name)
			return !ok || !d.isPublic(pair.Value, below, d.entryOf(below, entry))
		})
	case n.Kind == yaml.SequenceNode:
		for i, element := range n.Content {
			if below := fmt.Sprintf("%s[%d]", path, i); !d.isPublic(element, below, d.entryOf(below, entry)) {
				return false
			}
		}
		return true
	}
	return !d.named[n] && schema.IsPublic(path, n, entry)
}

// addChart adds the keys that a chart reads, and the keys that its subcharts read, below the key
// of each subchart. own are the pack's own values for the chart.
func addChart(j schema.JSON, c *facts.Chart, own *yaml.Node, depth int) {
	if depth > schema.MaxJSONDepth {
		return
	}
	addReads(j, c.Reads, own, depth)
	for _, key := range slices.Sorted(maps.Keys(c.Subcharts)) {
		addChart(j.Below(key), c.Subcharts[key], values.Field(own, key), depth+1)
	}
}

// addReads adds the keys that are read at a position. The facts do not distinguish between a key
// with any name in a mapping and a list element, so the pack's own values decide.
func addReads(j schema.JSON, t *facts.Tree, own *yaml.Node, depth int) {
	if depth > schema.MaxJSONDepth {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(t.Keys)) {
		switch {
		case key != facts.Any:
			addReads(j.Below(key), t.Keys[key], values.Field(own, key), depth+1)
		case len(t.Keys[key].Keys) == 0:
		case own != nil && own.Kind == yaml.SequenceNode:
			addReads(j.Elements(), t.Keys[key], nil, depth+1)
		default:
			addReads(j.Others(), t.Keys[key], nil, depth+1)
		}
	}
}
