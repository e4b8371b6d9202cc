package schema

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// target judges the fields that the i-th target of the configuration chooses.
func (v *validator) target(i int) {
	t := &v.config.Targets[i]
	at := fmt.Sprintf("spec.targets[%d]", i)
	if t.Path == "" || t.Schema == nil {
		return // reported with the configuration
	}
	path, err := values.ParsePath(t.Path)
	if err != nil {
		v.run.LegacyConfigInvalid(at+".path", fmt.Sprintf("%s.path: %v", at, err))
		return
	}
	source := pack.NewSource(v.run.ConfigResource(), at+".schema", at+".schema", values.Of(t.Schema), t.Schema)
	schema := v.schema(source, "")
	chosen := 0
	var lacking lacking
	for _, item := range v.run.Items() {
		if !t.Selector.MatchesHead(item) {
			continue
		}
		v.run.Guard(item.Resource(), func() {
			document, err := item.Document()
			if err != nil {
				v.run.LegacyInvalid(item.Resource(), "", fmt.Sprintf("%s can not be read: %v", item.Resource(), err))
				return
			}
			if !t.Selector.MatchesLabels(document.Root()) {
				return
			}
			chosen++
			for _, m := range values.Find(document.Root(), path) {
				if m.State == values.Absent || m.State == values.NotAList {
					lacking.add(item.Resource(), document.Root(), path)
				}
				v.field(schema, source, item.Resource(), document, m)
			}
		})
	}
	if message := lacking.message(t.Path, chosen); message != "" {
		v.run.NothingToDo(at + ".path: " + message)
	}
	if chosen == 0 {
		v.run.NothingToDo(fmt.Sprintf("%s: no resource is chosen by %s; a selector of the function may hide it", at, t.Selector.String()))
	}
}

// field judges one field of a resource.
func (v *validator) field(schema *Schema, schemaSource *pack.Source, resource function.Resource, document *values.Document, m values.Match) {
	n := m.Node
	if values.IsNull(n) || m.State != values.Present {
		n = &yaml.Node{Kind: yaml.MappingNode}
	}
	source := pack.NewSource(resource, m.Path, m.Path, document, n)
	read, err := source.Mapping()
	if err != nil {
		v.unreadable(source, "", err)
		return
	}
	v.duplicates(source, "", read)
	v.judge(schema, Values{Tree: values.Merge(values.Layer{Document: read}), Layers: []*values.Document{read}}, sources{
		layers: []*pack.Source{source},
		schema: schemaSource,
		absent: func(f function.Finding) function.Finding {
			return function.Locate(source.Origin, f, f.Key, values.Position{})
		},
	})
}
