package chart

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// schemaAt is a schema inside a schema document, which its references are resolved against.
type schemaAt struct{ document, n *yaml.Node }

// all returns the schemas that may apply together with s, in any branch. complete is false if one
// of them is not in the document.
func (s schemaAt) all() (all []*yaml.Node, complete bool) {
	complete = true
	var add func(n *yaml.Node)
	add = func(n *yaml.Node) {
		if n == nil || n.Kind != yaml.MappingNode || slices.Contains(all, n) {
			return
		}
		all = append(all, n)
		if ref := values.Text(values.Field(n, "$ref")); ref != "" {
			path, isLocal := strings.CutPrefix(ref, "#")
			target := s.document
			for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
				if step != "" {
					target = values.Field(target, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
				}
			}
			if !isLocal || target == nil {
				complete = false
			}
			add(target)
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			for _, sub := range elements(values.Field(n, keyword)) {
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
	add(s.n)
	return all, complete
}

func (s schemaAt) names() []string {
	var names []string
	all, _ := s.all()
	for _, n := range all {
		for _, pair := range values.Pairs(values.Field(n, "properties")) {
			if name, ok := pair.Name(); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// child returns the schemas of a key. isFree is true if keys with any name may have a schema.
func (s schemaAt) child(key string) (found []schemaAt, isFree bool) {
	all, complete := s.all()
	isFree = !complete
	for _, n := range all {
		if property := values.Field(n, "properties", key); property != nil {
			found = append(found, schemaAt{s.document, property})
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
