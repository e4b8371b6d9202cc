package chart

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// schemaAt is a schema inside a schema document, which its references are resolved against. bundle contains
// the other documents.
type schemaAt struct {
	// bundle has the other documents, document is the whole document, and n the part of it.
	bundle      *bundle
	document, n *yaml.Node
}

// all returns the schemas that may apply together with s, in any branch. complete is false if one
// of them is not in the chart.
func (s schemaAt) all() (all []schemaAt, complete bool) {
	complete = true
	seen := map[*yaml.Node]bool{}
	var visit func(document, n *yaml.Node)
	visit = func(document, n *yaml.Node) {
		if n == nil || n.Kind != yaml.MappingNode || seen[n] {
			return
		}
		seen[n] = true
		all = append(all, schemaAt{s.bundle, document, n})
		add := func(n *yaml.Node) { visit(document, n) }
		if ref := values.Text(values.Field(n, "$ref")); ref != "" {
			to, fragment := s.bundle.find(document, ref)
			target := to
			for step := range strings.SplitSeq(strings.TrimPrefix(fragment, "/"), "/") {
				if step != "" {
					target = values.Field(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
				}
			}
			complete = complete && target != nil
			visit(to, target)
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			for _, sub := range values.Elements(values.Field(n, keyword)) {
				add(sub)
			}
		}
		for _, keyword := range []string{"if", "then", "else"} {
			add(values.Field(n, keyword))
		}
		for _, keyword := range []string{"dependentSchemas", "dependencies"} {
			for _, pair := range values.Pairs(values.Field(n, keyword)) {
				add(pair.Value)
			}
		}
	}
	visit(s.document, s.n)
	return all, complete
}

// names returns the keys that the schemas define or require.
func (s schemaAt) names() []string {
	var names []string
	all, _ := s.all()
	for _, one := range all {
		n := one.n
		for _, pair := range values.Pairs(values.Field(n, "properties")) {
			if name, ok := pair.Name(); ok {
				names = append(names, name)
			}
		}
		for _, required := range values.Elements(values.Field(n, "required")) {
			names = append(names, values.Text(required))
		}
	}
	return names
}

// child returns the schemas of a key. isFree is true if keys with any name may have a schema.
func (s schemaAt) child(key string) (found []schemaAt, isFree bool) {
	all, complete := s.all()
	isFree = !complete
	for _, one := range all {
		n := one.n
		if property := values.Field(n, "properties", key); property != nil {
			found = append(found, schemaAt{s.bundle, one.document, property})
		}
		for _, keyword := range []string{"additionalProperties", "patternProperties", "unevaluatedProperties"} {
			if sub := values.Field(n, keyword); sub != nil && sub.Kind == yaml.MappingNode {
				isFree = true
			}
		}
	}
	return found, isFree
}

// isOpen reports whether keys with any name may have a schema.
func (s schemaAt) isOpen() bool {
	_, isFree := s.child("")
	return isFree
}
