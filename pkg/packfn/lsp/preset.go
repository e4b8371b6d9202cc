package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/pipeline"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

// presets returns the actions that apply and remove presets of the pack at a line: those of
// the resource at its own lines, and one at its entry in presets.yaml.
func (s *Server) presets(a *asked) []codeAction {
	packs, err := s.packs(a.unit, a.found)
	if err != nil {
		return nil
	}
	b := s.textOf(a.found, a.path)
	line := b.line(a.Range.Start.Line)
	begin := b.offset(position{Line: a.Range.Start.Line}) + len(line) - len(strings.TrimLeft(line, " "))
	t := siteOf(a.path, b, begin)
	var all []codeAction
	for i := range packs {
		p := &packs[i]
		if p.Presets == nil || t.head.kind != p.Resource.Kind || t.head.name != p.Resource.Name {
			continue
		}
		for _, one := range presetsAt(p, t, a.Range.Start.Line+1) {
			if action := s.preset(a, p, one, i); action != nil {
				all = append(all, *action)
			}
		}
	}
	return all
}

// packs reads the packs of a unit from the texts of a run.
func (s *Server) packs(unit string, r *result) ([]check.Pack, error) {
	options, err := s.checkOptions(unit, r.texts, scope{})
	if err != nil {
		return nil, err
	}
	return check.Readable([]string{unit}, options)
}

// presetsAt returns the presets of a pack that are meant at a line, from 1: one in its entry, all
// of them in the other lines of the resource, and none in other documents of the pack.
func presetsAt(p *check.Pack, t *site, line int) []pack.Preset {
	presets := slices.DeleteFunc(presetsOf(p.Pack), func(one pack.Preset) bool { return len(one.Faults) > 0 })
	if file, _ := p.Locate(p.Presets.Origin, "", diag.Position{}); file != t.file || len(presets) > preset.MaxPresets || t.part != "" && t.part != presetsDocument {
		return nil
	}
	for i, one := range slices.Backward(presets) {
		if _, at := p.Locate(p.Presets.Origin, one.Key, one.Position); t.part != "" && at.Line <= line {
			return presets[i : i+1]
		}
	}
	return presets
}

// preset returns the action that applies a preset, or that takes it back if it is recorded.
func (s *Server) preset(a *asked, p *check.Pack, one pack.Preset, index int) *codeAction {
	name := preset.FullName(one)
	for layer, source := range p.Layers() {
		record, _ := preset.ParseRecord(source.Annotation(preset.RecordAnnotation))
		for _, entry := range record {
			if strings.TrimPrefix(entry.Preset, ":") == name {
				return s.removePreset(a, one, index, layer)
			}
		}
	}
	known := presetsOf(p.Pack)
	failed := false
	texts := p.Edit(func(items []*list.Item) {
		own := slices.DeleteFunc(slices.Clone(items), func(item *list.Item) bool { return !p.IsOwn(item) })
		outcome, _ := pipeline.Run(preset.Function(), choice(p.Name, name), own)
		isOther := func(other string) bool { // one that a pipeline would put in its place
			return slices.ContainsFunc(known, func(k pack.Preset) bool {
				return one.Group != "" && k.Group == one.Group && k.Name != one.Name && isNamed(k, other)
			})
		}
		failed = outcome.Failed || reselect(items, p.Name, isOther, name) != nil
	})
	if failed {
		return nil
	}
	edit := s.edit(a, texts)
	if edit == nil {
		return nil
	}
	return &codeAction{Title: "Apply preset " + name, Kind: kindPreset, Edit: edit}
}

// removePreset returns the action that takes a preset back from the values that record it.
func (s *Server) removePreset(a *asked, one pack.Preset, index, layer int) *codeAction {
	packs, err := s.packs(a.unit, a.found) // to edit them
	if err != nil || index >= len(packs) {
		return nil
	}
	p, name := &packs[index], preset.FullName(one)
	kept, err := preset.Undo(p.Layers()[layer], name)
	edit := s.edit(a, p.Changed(func(items []*list.Item) {
		if err == nil {
			err = reselect(items, p.Name, func(other string) bool { return isNamed(one, other) }, "")
		}
	}))
	if err != nil || edit == nil {
		return nil
	}
	title := "Remove preset " + name
	if len(kept) > 0 {
		title += " (keeps " + diag.SomeOf(kept) + ")"
	}
	return &codeAction{Title: title, Kind: kindPreset, Edit: edit}
}

// choice is the functionConfig that selects a preset of a pack.
func choice(name, preset string) *yaml.Node {
	text := fmt.Sprintf("apiVersion: %s\nkind: ApplyPreset\nmetadata: {name: presets}\nspec:\n  presets:\n  - pack: %s\n    name: %s\n",
		function.ConfigGroupVersion, values.Quote(name), values.Quote(preset))
	document, err := values.Parse(text)
	if err != nil {
		return nil
	}
	return document.Root()
}
