package schema

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// dotted writes the keys and indexes that are in brackets, as in `data[config.yaml]` of
// messages, with dots.
var dotted = strings.NewReplacer("$[]", "$[]", "$[", "$[", "[", ".", "]", "")

// target checks the fields that the i-th target of the configuration chooses.
func (p *processor) target(i int) {
	t := &p.config.Targets[i]
	at := fmt.Sprintf("%s[%d]", p.run.ConfigPath("targets"), i)
	if t.Path == "" || t.Schema == nil {
		return // reported with the configuration
	}
	path, err := values.ParsePath(dotted.Replace(t.Path))
	if err != nil {
		p.run.ConfigInvalid(diag.Say("%v", err).At(at+".path", diag.Position{}))
		return
	}
	nothing := func(f diag.Finding, path string) {
		p.run.Report(f.In(p.run.ConfigOrigin(), path, diag.Position{}).Of(rule.NothingToDo))
	}
	schema := p.schema(pack.NewSource(p.run.ConfigOrigin().Resource, at+".schema", at+".schema", values.Of(t.Schema), t.Schema), "")
	chosen := 0
	var missing missingField
	var absent []func() // the checks of resources without the field
	for _, item := range p.run.Items() {
		if !t.Selector.MatchesHead(item) {
			continue
		}
		p.run.Guard(item.Resource(), func() {
			document, err := item.Document()
			if err != nil {
				p.run.Report(diag.Unreadable(err).About(item.Resource(), "").Of(rule.InputInvalid))
				return
			}
			if !t.Selector.MatchesLabels(document.Root()) {
				return
			}
			chosen++
			if injection.IsContent(item.APIVersion(), item.Kind(), path.String()) {
				status := p.injection.Of(item)
				p.points = append(p.points, status)
				if status.IsPending {
					return
				}
			}
			for _, m := range values.Find(document.Root(), path) {
				if m.State == values.Absent || m.State == values.NotAList {
					missing.add(item.Resource(), document, path)
					absent = append(absent, func() { p.field(schema, item.Resource(), values.Of(nil), m) })
					continue
				}
				p.field(schema, item.Resource(), document, m)
			}
		})
	}
	f, ok := missing.finding(t.Path, chosen)
	switch {
	case ok && f.Nearest != "" && missing.resources == chosen: // the path is misspelt
		p.run.ConfigInvalid(f.At(at+".path", diag.Position{}))
		return
	case ok:
		nothing(f, at+".path")
	}
	for _, check := range absent {
		check()
	}
	if chosen == 0 {
		nothing(diag.Say("no resource matches %s", &t.Selector).IfUnseen("if one exists"), at)
	}
}

// field checks one field of a resource.
func (p *processor) field(schema *Schema, resource diag.Resource, document *values.Document, m values.Match) {
	n, empty, read := m.Node, yaml.MappingNode, (*pack.Source).Mapping
	if schema.isOfList() {
		empty, read = yaml.SequenceNode, (*pack.Source).Document
	}
	if values.IsNull(n) || m.State != values.Present {
		n = &yaml.Node{Kind: empty}
	}
	source := pack.NewSource(resource, m.Path, m.Path, document, n)
	content, err := read(source)
	if err != nil {
		p.run.Report(diag.Unreadable(err).From(source.Origin).Do("fix it: the values are not checked before that").Of(rule.ValuesInvalidYAML))
		return
	}
	for f := range pack.Duplicates(content) {
		p.run.Report(f.Of(rule.ValuesDuplicateKey))
	}
	p.check(schema, Values{Tree: values.Merge(values.Layer{Document: content}), Layers: []*values.Document{content}, Absent: source.Origin}, "", nil)
}
