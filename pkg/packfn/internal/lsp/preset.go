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
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/language"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/rewrite"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

// presets offers to apply or remove presets of the pack at a line. At an entry in presets.yaml it
// offers that preset, and at other lines of the resource all presets of the pack.
func (a *asked) presets() {
	b := a.results.textOf(a.last, a.path)
	line := b.Line(a.Range.Start.Line)
	begin := b.Offset(protocol.Position{Line: a.Range.Start.Line}) + len(line) - len(strings.TrimLeft(line, " "))
	kind, name, document := language.ResourceAt(a.path, b, begin)
	packs := a.packs()
	for i := range packs {
		p := &packs[i]
		if p.Presets == nil || kind != p.Resource.Kind || name != p.Resource.Name {
			continue
		}
		for _, one := range presetsAt(p, a.path, document, a.Range.Start.Line+1) {
			a.preset(p, one, i)
		}
	}
}

// packs reads the packs of the unit. It returns nil if that fails.
func (a *asked) packs() []check.Pack {
	options, err := a.checkOptions(a.unit, a.last.texts, scope{})
	if err != nil {
		return nil
	}
	packs, _ := check.Readable([]string{a.unit}, options)
	return packs
}

// presetsAt returns the presets of a pack to offer at a line of a file, counted from 1, which is in a document
// of the pack or in none: a single preset in its entry, none in other documents, and all presets in the
// other lines of the resource.
func presetsAt(p *check.Pack, path, document string, line int) []pack.Preset {
	presets := slices.DeleteFunc(presetsOf(p), func(one pack.Preset) bool { return len(one.Faults) > 0 })
	if file, _ := p.Locate(p.Presets.Origin, "", diag.Position{}); file != path || len(presets) > preset.MaxPresets || document != "" && document != language.PresetsDocument {
		return nil
	}
	for i, one := range slices.Backward(presets) {
		if _, at := p.Locate(p.Presets.Origin, one.Key, one.Position); document != "" && at.Line <= line {
			return presets[i : i+1]
		}
	}
	return presets
}

// presetsOf returns the presets of a pack.
func presetsOf(p *check.Pack) []pack.Preset {
	presets, _ := p.ReadPresets()
	return presets
}

// preset offers to apply a preset, or to remove it if it is recorded as applied.
func (a *asked) preset(p *check.Pack, one pack.Preset, index int) {
	name := preset.FullName(one)
	for layer, source := range p.Layers() {
		if record, _ := preset.ParseRecord(source.Annotation(preset.RecordAnnotation)); record.Has(one) {
			a.removePreset(one, index, layer)
			return
		}
	}
	known := presetsOf(p)
	failed := false
	texts := p.Edit(func(items []*list.Item) {
		own := slices.DeleteFunc(slices.Clone(items), func(item *list.Item) bool { return !p.IsOwn(item) })
		outcome, _ := pipeline.Run(preset.Function(), choice(p.Name, name), own)
		isOther := func(other string) bool { // a preset of the same group, which a pipeline would apply instead
			return slices.ContainsFunc(known, func(k pack.Preset) bool {
				return one.Group != "" && k.Group == one.Group && k.Name != one.Name && language.IsNamed(k, other)
			})
		}
		failed = outcome.Failed || rewrite.Reselect(items, p.Name, isOther, name) != nil
	})
	if !failed {
		a.offer(protocol.CodeAction{Title: "Apply preset " + name, Kind: kindPreset}, texts)
	}
}

// removePreset offers to remove a preset from the values that record it.
func (a *asked) removePreset(one pack.Preset, index, layer int) {
	packs := a.packs() // to edit them
	if index >= len(packs) {
		return
	}
	p, title := &packs[index], "Remove preset "+preset.FullName(one)
	kept, err := preset.Undo(p.Layers()[layer], one)
	texts := p.Changed(func(items []*list.Item) {
		if err == nil {
			err = rewrite.Reselect(items, p.Name, func(other string) bool { return language.IsNamed(one, other) }, "")
		}
	})
	if len(kept) > 0 {
		title += " (keeps " + diag.SomeOf(kept) + ")"
	}
	if err == nil {
		a.offer(protocol.CodeAction{Title: title, Kind: kindPreset}, texts)
	}
}

// choice returns the functionConfig that selects a preset of a pack:
//
//	kind: ApplyPreset
//	spec:
//	  presets:
//	  - {pack: vault, name: ha}
func choice(name, preset string) *yaml.Node {
	text := fmt.Sprintf("apiVersion: %s\nkind: ApplyPreset\nmetadata: {name: presets}\nspec:\n  presets:\n  - pack: %s\n    name: %s\n",
		function.ConfigGroupVersion, values.Quote(name), values.Quote(preset))
	document, _ := values.Parse(text) // the names are quoted where that is needed
	return document.Root()
}
