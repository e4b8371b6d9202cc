package capact

import (
	"cmp"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// resource makes a resource of Capact's group.
func resource(kind, name string, spec *yaml.Node) *yaml.Node {
	return resourceOf(scalar(kind, nil), name, spec)
}

// resourceOf makes a resource of Capact's group. The nodes of kind and spec keep their places in the
// file, and those that are made have none.
func resourceOf(kind *yaml.Node, name string, spec *yaml.Node) *yaml.Node {
	return mapping(nil, scalar("apiVersion", nil), scalar(manifest.GroupVersion, nil), scalar("kind", nil), kind,
		scalar("metadata", nil), mapping(nil, scalar("name", nil), scalar(name, nil)), scalar("spec", nil), spec)
}

// asManifest makes the resource of a manifest. What it has of metadata beside prefix, name and
// attributes says nothing about what is selected, and is left out.
func asManifest(d *values.Document) *yaml.Node {
	root := d.Root()
	field := func(keys ...string) *yaml.Node { return values.Field(root, keys...) }
	prefix, name, revision := field("metadata", "prefix"), field("metadata", "name"), field("revision")
	spec, path := mapping(root), ""
	if values.Text(prefix) != "" && values.Text(name) != "" {
		path = values.Text(prefix) + "." + values.Text(name)
		spec.Content = append(spec.Content, scalar("path", name), scalar(path, name))
	}
	if revision != nil {
		spec.Content = append(spec.Content, scalar("revision", revision), revision)
	}
	if attributes := field("metadata", "attributes"); attributes != nil {
		spec.Content = append(spec.Content, scalar("attributes", attributes), attributes)
	}
	switch own := field("spec"); {
	case values.IsNull(own):
	case own.Kind == yaml.MappingNode:
		spec.Line, spec.Column, spec.Alias = own.Line, own.Column, own.Alias
		spec.Content = append(spec.Content, own.Content...)
	default:
		spec = own // its reader reports it
	}
	kind := field("kind")
	if kind == nil {
		kind = scalar("", root)
	}
	full := kptpackage.ResourceName(cmp.Or(path, values.Text(name), values.Text(prefix), "manifest") + "-" + values.Text(revision))
	return resourceOf(kind, full, spec)
}

// asPolicy makes the resource of a policy: of a mapping of Capact's, of one with rules at its
// root, which is the older form, or of a list of rules.
func asPolicy(root *yaml.Node, name, scope string) *yaml.Node {
	spec := mapping(root)
	if values.Field(root, "scope") == nil {
		spec.Content = append(spec.Content, scalar("scope", root), scalar(scope, root))
	}
	rules := values.Field(root, "rules")
	if root.Kind == yaml.SequenceNode {
		rules = root
	}
	if rules != nil && values.Field(root, "interface") == nil {
		spec.Content = append(spec.Content, scalar("interface", rules), mapping(rules, scalar("rules", rules), rules))
	}
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value != "rules" {
			spec.Content = append(spec.Content, root.Content[i], root.Content[i+1])
		}
	}
	return resource("Policy", name, spec)
}

// asInstance makes the resource of a TypeInstance that Capact prints, or that has the form of a manifest. Its value
// may be a secret, and is left out.
//
//	id: 6f9f1c1e-0d0e-4a53-9b56-6d2e7f2f1a11      ocfVersion: 0.0.1
//	typeRef: {path: cap.type.a, revision: 0.1.0}  kind: TypeInstance
//	                                              metadata: {id: 6f9f1c1e-0d0e-4a53-9b56-6d2e7f2f1a11}
//	                                              spec: {typeRef: {path: cap.type.a, revision: 0.1.0}}
func asInstance(d *values.Document) *yaml.Node {
	spec, id := mapping(d.Root()), ""
	for _, path := range [][]string{{"id"}, {"metadata", "id"}, {"typeRef"}, {"spec", "typeRef"}} {
		key := path[len(path)-1]
		if n := values.Field(d.Root(), path...); n != nil {
			spec.Content = append(spec.Content, scalar(key, n), n)
			if key == "id" {
				id = values.Text(n)
			}
		}
	}
	return resource("TypeInstance", kptpackage.ResourceName(id), spec)
}

// scalar returns a string scalar at the position of another node, which may be nil.
func scalar(text string, at *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if at != nil {
		n.Line, n.Column = at.Line, at.Column
	}
	return n
}

// mapping returns a mapping at the place of a node.
func mapping(at *yaml.Node, content ...*yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: content}
	if at != nil {
		n.Line, n.Column = at.Line, at.Column
	}
	return n
}
