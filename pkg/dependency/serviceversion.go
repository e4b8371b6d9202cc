package dependency

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// serviceVersion reads a ClusterServiceVersion as the bundle that it is part of.
func (p *processor) serviceVersion(resource function.Resource, document *values.Document) *carrier {
	root := document.Root()
	spec := values.Field(root, "spec")
	c := &carrier{name: resource.Name, version: values.Text(values.Field(spec, "version")), resource: resource}
	for _, part := range []struct {
		field, want string
		node        *yaml.Node
		kind        yaml.Kind
	}{
		{"spec", "a mapping", spec, yaml.MappingNode},
		{"spec.version", "text", values.Field(spec, "version"), yaml.ScalarNode},
	} {
		if !values.IsNull(part.node) && part.node.Kind != part.kind {
			p.run.LegacyInvalid(resource, part.field, fmt.Sprintf("%s: got %s, want %s", part.field, function.KindOf(part.node), part.want))
			p.unread = true
		}
	}
	p.annotated(c, values.Field(root, "metadata", "annotations", propertiesAnnotation))
	for _, list := range []struct {
		field, list string
		required    bool
		read        func(*yaml.Node) (gvk, string)
	}{
		{"customresourcedefinitions", "owned", false, definition},
		{"customresourcedefinitions", "required", true, definition},
		{"apiservicedefinitions", "owned", false, apiService},
		{"apiservicedefinitions", "required", true, apiService},
	} {
		field := "spec." + list.field + "." + list.list
		o := &origin{resource: resource, field: field, name: field, inResource: true}
		n := values.Field(spec, list.field, list.list)
		if values.IsNull(n) {
			continue
		}
		if n.Kind != yaml.SequenceNode {
			p.invalid(o, "", n, fmt.Sprintf("got %s, want a list", function.KindOf(n)))
			c.fault = true
			continue
		}
		for i, item := range n.Content {
			key := fmt.Sprintf("[%d]", i)
			api, missing := list.read(values.Resolve(item))
			if missing != "" {
				p.invalid(o, key, item, fmt.Sprintf("%s: %s", key, missing))
				c.fault = true
				continue
			}
			api.required, api.key, api.node, api.origin = list.required, key, values.Resolve(item), o
			c.gvks = append(c.gvks, api)
		}
	}
	return c
}

// definition reads the API of a custom resource definition, whose name is
// `plural.group`.
func definition(n *yaml.Node) (gvk, string) {
	name := values.Text(values.Field(n, "name"))
	_, group, ok := strings.Cut(name, ".")
	api := gvk{group: group, version: values.Text(values.Field(n, "version")), kind: values.Text(values.Field(n, "kind"))}
	if !ok || api.version == "" || api.kind == "" {
		return gvk{}, "want name (plural.group), version and kind"
	}
	return api, ""
}

// apiService reads the API of an API service.
func apiService(n *yaml.Node) (gvk, string) {
	api := gvk{group: values.Text(values.Field(n, "group")), version: values.Text(values.Field(n, "version")), kind: values.Text(values.Field(n, "kind"))}
	if api.version == "" || api.kind == "" {
		return gvk{}, "want group, version and kind"
	}
	return api, ""
}

// annotated reads the properties that a ClusterServiceVersion has in its
// annotation, as JSON.
func (p *processor) annotated(c *carrier, n *yaml.Node) {
	if values.IsNull(n) {
		return
	}
	o := &origin{resource: c.resource, field: "metadata.annotations[" + propertiesAnnotation + "]", name: "the annotation " + propertiesAnnotation}
	document, at, err := parseJSON(values.Text(n))
	if err != nil {
		p.run.ReportLegacy(o.locateAt(function.Finding{
			Rule:    function.RuleInputInvalid.ID,
			Message: fmt.Sprintf("%s can not be read: %v", o.name, err),
		}, "", at))
		p.unread, c.fault = true, true
		return
	}
	o.sizes = document.Sizes
	p.list(c, o, document.Document, "properties")
	o.sizes = nil // which the entries have
}
