package constraint

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// entryFields are the fields of an entry. An entry without a value may have a misspelt one.
type entryFields struct {
	// Type is the type, such as olm.package.
	Type string `json:"type" required:"true"`
	// Value is the value, whose form depends on the type.
	Value *yaml.Node `json:"value" required:"true"`
}

// open returns the type and the value of an entry, and the path of the value.
func (r *reader) open(e Entry, isValueRequired bool) (name string, value *yaml.Node, key string, ok bool) {
	key = e.Key
	n := values.Resolve(e.Node)
	if inner := values.Field(n, "property"); inner != nil && values.Field(n, "type") == nil {
		n, key = inner, diag.Join(key, "property")
	}
	name, value, ok = openPlain(n)
	if !ok && r.besideType(n, key) {
		return "", nil, key, false
	}
	if !ok {
		var fields entryFields
		if !r.decode(n, key, "an entry with type and value", true, &fields) {
			return "", nil, key, false
		}
		name, value = fields.Type, values.Field(n, "value")
		if value != nil || !isValueRequired {
			r.findings = slices.DeleteFunc(r.findings, func(f diag.Finding) bool { return f.Kind == diag.KindMissing && lastStep(f.Key) == "value" })
		}
	}
	return name, value, diag.Join(key, "value"), len(r.findings) == 0
}

// valueFields are the fields that the values of entries have.
var valueFields = append([]string{"packageName", "version", "versionRange", "group", "kind", "label", "failureMessage"}, typeKeys...)

// besideType reports fields of the value of an entry that stand beside its type, and whether
// there are any.
func (r *reader) besideType(n *yaml.Node, key string) bool {
	if !values.IsNull(values.Field(n, "value")) || values.Field(n, "type") == nil {
		return false
	}
	var names []string
	for _, p := range values.Pairs(n) {
		if name := values.Resolve(p.Key).Value; slices.Contains(valueFields, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return false
	}
	what, object := "a field", "it"
	if len(names) > 1 {
		what, object = "fields", "them"
	}
	r.report(diag.Say("%s must be %s of value, not of the entry", diag.AllOf(names), what).Do("move "+object+" into value"), diag.Join(key, names[0]), values.Field(n, names[0]))
	return true
}

// openPlain reads an entry of the usual form without package decode: a list may have
// very many.
func openPlain(n *yaml.Node) (name string, value *yaml.Node, ok bool) {
	if n == nil || n.Kind != yaml.MappingNode || len(n.Content) != 4 {
		return "", nil, false
	}
	first, second := n.Content[1], n.Content[3]
	if n.Content[0].Value == "value" {
		first, second = second, first
	} else if n.Content[2].Value != "value" {
		return "", nil, false
	}
	isPlain := (n.Content[0].Value == "type" || n.Content[2].Value == "type") && first.Kind == yaml.ScalarNode && first.ShortTag() == "!!str"
	return first.Value, values.Resolve(second), isPlain && first.Value != ""
}
