package palette

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/values"
)

// Node returns the ClusterProfile with the record of its import, and with multi-line strings in a style.
func (p *Profile) Node(record pack.Imported, style yaml.Style) *yaml.Node {
	packs := values.Field(p.spec, "packs")
	for i := range p.Packs {
		packs.Content[i] = p.Packs[i].Entry
	}
	spec := layout.Clone(p.spec)
	layout.Restyle(spec, style)
	annotations := layout.Map(list.LocalConfigAnnotation, layout.Text("true"), pack.ImportedAnnotation, layout.Text(record.String()))
	return layout.Map("apiVersion", layout.Text(pack.GroupVersion), "kind", layout.Text("ClusterProfile"), "metadata", layout.Map("name", layout.Text(p.Resource), "annotations", annotations), "spec", spec)
}

// Export converts the spec of a ClusterProfile to a profile as Palette exports it, which is the reverse of [Read].
// setPack is called for each entry of spec.packs, to set the version and the values of the pack.
func Export(spec *yaml.Node, setPack func(entry *yaml.Node, i int) error) (*yaml.Node, error) {
	root := layout.Map()
	if document := values.Field(spec, "document"); document != nil && document.Kind == yaml.MappingNode {
		root = layout.Clone(document)
	}
	spec = layout.Clone(spec)
	layout.Remove(spec, "document")
	for _, part := range parts {
		at := root
		for _, key := range part.keys {
			next := values.Field(at, key)
			if next == nil {
				next = layout.Map()
				at.Content = append(at.Content, layout.Text(key), next)
			}
			at = next
		}
		for _, name := range part.fields {
			n := values.Field(spec, name)
			if n == nil {
				continue
			}
			if name == "packs" && n.Kind == yaml.SequenceNode {
				for i, entry := range n.Content {
					if err := setPack(entry, i); err != nil {
						return nil, err
					}
					exportPack(entry)
				}
			}
			layout.Remove(spec, name)
			at.Content = append(at.Content, layout.Text(name), n)
		}
	}
	// Fields that a user has added keep their names.
	at := values.Field(root, "spec")
	at.Content = append(at.Content, spec.Content...)
	return root, nil
}

// exportPack removes the fields that a ClusterProfile adds to the entry of a pack.
func exportPack(entry *yaml.Node) {
	for _, field := range packFields {
		layout.Remove(entry, field)
	}
	if registry := values.Field(entry, "registry"); registry != nil {
		*registry = *nestRegistry(registry)
	}
}

// nestRegistry is the reverse of [flattenRegistry].
func nestRegistry(registry *yaml.Node) *yaml.Node {
	if registry.Kind != yaml.MappingNode || len(registry.Content) == 0 {
		return registry
	}
	metadata, out := layout.Clone(registry), layout.Map()
	layout.Remove(metadata, "beside")
	if len(metadata.Content) > 0 {
		out.Content = append(out.Content, layout.Text("metadata"), metadata)
	}
	if beside := values.Field(registry, "beside"); beside != nil {
		out.Content = append(out.Content, layout.Clone(beside).Content...)
	}
	return out
}
