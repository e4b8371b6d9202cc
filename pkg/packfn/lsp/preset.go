package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

// presets returns the actions that apply and remove presets of the pack at a place: those of
// the resource at its own lines, and one at its entry in presets.yaml.
func (s *Server) presets(a *asked) []codeAction {
	b := s.textOf(a.found, a.path)
	if !strings.Contains(b.text, "presets") {
		return nil
	}
	packs, err := s.packs(a.unit, a.found)
	if err != nil {
		return nil
	}
	var all []codeAction
	for i := range packs {
		p := &packs[i]
		if p.Presets == nil {
			continue
		}
		for _, one := range s.presetsAt(p, b, a) {
			if action := s.preset(a, p, one, i); action != nil {
				all = append(all, *action)
			}
		}
	}
	return all
}

// packs reads the packs of a unit from the texts of a run.
func (s *Server) packs(unit string, r *result) ([]check.Pack, error) {
	options, err := s.checkOptions(unit, r.texts, false)
	if err != nil {
		return nil, err
	}
	return check.Packs([]string{unit}, options)
}

// presetsAt returns the presets of a pack that are meant at a place.
func (s *Server) presetsAt(p *check.Pack, b *buffer, a *asked) []pack.Preset {
	presets, _ := p.ReadPresets()
	presets = slices.DeleteFunc(presets, func(one pack.Preset) bool { return len(one.Faults) > 0 })
	if len(presets) == 0 || len(presets) > preset.MaxPresets {
		return nil
	}
	line := a.Range.Start.Line + 1
	if file, at := p.Locate(p.Presets.Origin, "", diag.Position{}); file != a.path || at.Line == 0 {
		return nil
	}
	var here []pack.Preset
	for _, one := range presets {
		if _, at := p.Locate(p.Presets.Origin, one.Key, one.Position); at.Line == line {
			here = append(here, one)
		}
	}
	if len(here) > 0 {
		return here
	}
	for _, of := range symbolsOf(b, a.path) {
		if of.item != nil && of.item.Resource().Index == p.Resource.Index && of.isOwn(line-1) {
			return presets
		}
	}
	return nil
}

// preset returns the action that applies a preset, or that takes it back if it is recorded.
func (s *Server) preset(a *asked, p *check.Pack, one pack.Preset, index int) *codeAction {
	name := preset.FullName(one)
	for layer, source := range p.Layers() {
		record, _ := preset.ParseRecord(source.Annotation(preset.RecordAnnotation))
		for _, entry := range record {
			if strings.TrimPrefix(entry.Preset, ":") == name {
				return s.removePreset(a, name, index, layer)
			}
		}
	}
	texts, findings := p.Change(preset.Function(), selection(p.Name, name))
	if slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Level() == diag.Error }) {
		return nil
	}
	edit := s.edit(a, texts)
	if edit == nil {
		return nil
	}
	return &codeAction{Title: "Apply preset " + name, Kind: kindPreset, Edit: edit}
}

// removePreset returns the action that takes a preset back from the values that record it.
func (s *Server) removePreset(a *asked, name string, index, layer int) *codeAction {
	packs, err := s.packs(a.unit, a.found)
	if err != nil {
		return nil
	}
	p := &packs[index]
	kept, err := preset.Undo(p.Layers()[layer], name)
	if err != nil {
		return nil
	}
	edit := s.edit(a, p.Changed())
	if edit == nil {
		return nil
	}
	title := "Remove preset " + name
	if len(kept) > 0 {
		title += " (" + diag.SomeOf(kept) + " stay as set)"
	}
	return &codeAction{Title: title, Kind: kindPreset, Edit: edit}
}

// selection is the functionConfig that selects a preset of a pack.
func selection(name, preset string) *yaml.Node {
	text := fmt.Sprintf("apiVersion: %s\nkind: ApplyPreset\nmetadata: {name: presets}\nspec:\n  presets:\n  - pack: %s\n    name: %s\n",
		function.ConfigGroupVersion, values.Quote(name), values.Quote(preset))
	document, err := values.Parse(text)
	if err != nil {
		return nil
	}
	return document.Root()
}

// isOwn reports whether a line, from 0, is one of a resource itself: not in a document that it
// holds.
func (of *symbol) isOwn(line int) bool {
	isOwn := of.Range.Start.Line <= line && line <= of.Range.End.Line
	each(of.Children, func(in *symbol) {
		isOwn = isOwn && !(in.isText && in.Range.Start.Line < line && line <= in.Range.End.Line)
	})
	return isOwn
}
