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

// presets returns the actions that apply and remove presets of the pack at a place: those of
// the resource at its own lines, and one at its entry in presets.yaml.
func (s *Server) presets(a *asked) []codeAction {
	of := packAt(symbolsOf(s.textOf(a.found, a.path), a.path), a.Range.Start.Line)
	if of == nil {
		return nil
	}
	packs, err := s.packs(a.unit, a.found)
	if err != nil {
		return nil
	}
	var all []codeAction
	for i := range packs {
		p := &packs[i]
		if p.Presets == nil || of.item.Resource().Index != p.Resource.Index {
			continue
		}
		for _, one := range presetsAt(p, of, a) {
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

// packAt returns the pack at a line, from 0, if the line is one of the resource itself or of its
// presets.
func packAt(all []*symbol, line int) *symbol {
	for _, of := range all {
		if of.Kind != symbolPackage || line < of.Range.Start.Line || line > of.Range.End.Line {
			continue
		}
		isMeant := true
		each(of.Children, func(in *symbol) {
			if in.isText && in.Range.Start.Line < line && line <= in.Range.End.Line && !strings.HasPrefix(in.Name, "presets") {
				isMeant = false
			}
		})
		if isMeant {
			return of
		}
	}
	return nil
}

// presetsAt returns the presets of a pack that are meant at a place: one at the line of its
// entry, else all of them.
func presetsAt(p *check.Pack, of *symbol, a *asked) []pack.Preset {
	presets := slices.DeleteFunc(presetsOf(p.Pack), func(one pack.Preset) bool { return len(one.Faults) > 0 })
	if file, _ := p.Locate(p.Presets.Origin, "", diag.Position{}); file != a.path || len(presets) > preset.MaxPresets {
		return nil
	}
	last, isInside := -1, false // the entry that begins before the line
	for i, one := range presets {
		if _, at := p.Locate(p.Presets.Origin, one.Key, one.Position); at.Line <= a.Range.Start.Line+1 {
			last = i
		}
	}
	each(of.Children, func(in *symbol) {
		isInside = isInside || in.isText && in.Range.Start.Line < a.Range.Start.Line && a.Range.Start.Line <= in.Range.End.Line
	})
	if isInside && last >= 0 {
		return presets[last : last+1]
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
