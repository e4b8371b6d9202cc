package lsp

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// hover explains the text at a position: the rules of its findings, and the key, name or macro
// there.
func (s *Server) hover(ctx context.Context, p *protocol.DocumentParams) (*protocol.Hover, error) {
	c, err := s.completerAt(ctx, p)
	if c == nil {
		return nil, err
	}
	texts, at := s.explained(c.known, c.site, p.Position)
	if text, from, to := c.explain(); text != "" {
		texts = append(texts, text)
		if at == nil {
			of := c.site.span(from, to)
			at = &of
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: "markdown", Value: strings.Join(texts, "\n\n---\n\n")}, Range: at}, nil
}

// explained returns the texts about the rules of the findings at a position, and the range of the
// first one. It returns none if the text is newer than the findings.
func (s *Server) explained(k *known, t *site, at protocol.Position) (texts []string, of *protocol.Range) {
	if k.run == nil || s.textOf(k.run, t.file).Text != t.buffer.Text {
		return nil, nil
	}
	for _, f := range s.findingsAt(k.run, t.file, protocol.Range{Start: at, End: at}) {
		if text := ruleText(rule.Of(f.Rule)); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if of == nil {
			found := s.rangeOf(k.run, f)
			of = &found
		}
	}
	return texts, of
}

// ruleText returns the explanation of a rule in Markdown.
func ruleText(r rule.Rule) string {
	return fmt.Sprintf("**%s**: %s.\n\n```yaml\n%s\n```\n\n%s", r.ID, r.Plain(), r.Breaks, r.Fix)
}

// explain returns the explanation of the word at the position, and the range of the word in the
// innermost text. The text is "" if nothing is known about it.
func (c *completer) explain() (text string, from, to int) {
	t := c.site
	if name, from, to := t.macroAt(); name != "" {
		return c.macroText(name), from, to
	}
	if id, from, to := t.ruleAt(); id != "" {
		return ruleText(rule.Of(id)), from, to
	}
	from, to = t.context.From, t.context.To
	if t.context.AtValue && t.context.Word() != "" {
		if text := c.nameText(t.context.Word()); text != "" {
			return text, from, to
		}
	}
	path := t.word()
	switch {
	case len(path) == 0:
		return "", 0, 0
	case t.document == valuesDocument && c.pack != nil:
		return c.valueText(path), from, to
	case t.document == releaseDocument:
		return c.releaseText(path), from, to
	case t.document == schemaDocument && c.pack != nil:
		if parsed, err := values.ParsePath(path[0].Key); err == nil && len(path) == 1 {
			return c.valueText(values.Keys(parsed.Steps()...)), from, to
		}
		return "", 0, 0
	}
	return fieldText(c.form(), path), from, to
}

// ruleWord matches words that may be the id of a rule, such as dependency/missing.
var ruleWord = regexp.MustCompile(`[a-z]+(?:-[a-z]+)*/[a-z]+(?:-[a-z]+)*`)

// ruleAt returns the id of the rule at the position, or "" if there is none.
func (t *site) ruleAt() (id string, from, to int) {
	if t.document != resourceDocument && t.document != configDocument {
		return "", 0, 0
	}
	return t.matched(ruleWord, func(_, id string) bool { return rule.Of(id).ID != "" })
}

// macroText returns the value of a macro and its source.
func (c *completer) macroText(name string) string {
	v := c.known.macroValue(name)
	if v.source == "" {
		return fmt.Sprintf("**%s** has no value here: neither a ClusterContext nor a pack of the package has it.", name)
	}
	return fmt.Sprintf("**%s** = `%s`\n\nFrom %s (%s).", name, v.shown, v.source, c.known.show(v.filePosition))
}

// fieldText returns the description of a field of a kind.
func fieldText(f *form, path []values.Step) string {
	of := f.at(path)
	if of == nil {
		return ""
	}
	last := len(path) - 1
	detail := of.detail(slices.Contains(f.at(path[:last]).Required, path[last].Key))
	if of.Description == "" && detail == "" {
		return ""
	}
	return strings.TrimRight(strings.TrimSuffix(fmt.Sprintf("**%s**: %s", pattern(path), detail), ": ")+"\n\n"+of.documentation(), "\n")
}

// valueText returns the description of a value of the pack: its type, the layers that set it, and
// the charts and manifests that read it.
func (c *completer) valueText(path []values.Step) string {
	p, of, key := c.pack, c.known.of(c.pack), cursor.PathText(path)
	lines := []string{fmt.Sprintf("**%s** of %s", key, strings.TrimSpace(p.Name+" "+p.Version))}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	entry, _ := of.entries.Of(key)
	if entry != nil {
		for _, hint := range entry.Template.Hints {
			add("%s", diag.OneLine(hint))
		}
		add("Accepted: %s", cmp.Or(inventory.Accepted(entry), "any value"))
	}
	why, err := inventory.Why(p, key)
	if err == nil {
		for _, layer := range why.Layers {
			lines = append(lines, c.layerText(why, key, layer)...)
		}
		for _, one := range why.Presets {
			applied := ""
			if slices.Contains(why.Applied, preset.FullName(one)) {
				applied = ", and is applied"
			}
			add("The preset %s sets it%s.", preset.FullName(one), applied)
		}
		var reads, kept []string
		for _, m := range why.Macros {
			if m.IsKept {
				kept = append(kept, m.Names...)
			} else {
				reads = append(reads, m.Names...)
			}
		}
		slices.Sort(reads)
		slices.Sort(kept)
		if len(reads) > 0 {
			add("It reads %s.", diag.AllOf(slices.Compact(reads)))
		}
		if len(kept) > 0 {
			add("It comes from %s: the next render sets it again. A value of your own goes into an override; or delete the comment with the macro.", diag.AllOf(slices.Compact(kept)))
		}
	} else if of.form.at(path) == nil {
		return ""
	}
	readers := readersOf(of.facts, path)
	if why != nil {
		for _, reader := range why.Readers {
			readers = append(readers, reader.Key+" of pack.json")
		}
	}
	if len(readers) > 0 {
		add("Read by %s.", diag.AllOf(readers))
	}
	return strings.Join(lines, "\n\n")
}

// layerText returns a line with the value that a layer sets, or nil if the layer does not set it.
func (c *completer) layerText(why *inventory.Provenance, key string, layer inventory.Layer) []string {
	if layer.Node == nil {
		return nil
	}
	what := "sets it to"
	if layer.Source == c.pack.Values {
		what = "has"
	}
	line := fmt.Sprintf("%s %s `%s`", c.known.show(c.known.place(layer.Source.Origin, key, layer.Position)), what, why.Show(layer.Node, diag.Terminal))
	if layer.Counts {
		line += ", which is used"
	}
	return []string{line + "."}
}

// nameText returns the description of the thing that a name refers to, or "" for a value that is
// not a reference.
func (c *completer) nameText(name string) string {
	t := c.site
	switch refersTo(t) {
	case toPack:
		if p := c.known.pack(name); p != nil {
			return c.packText(p)
		}
		return ""
	case toPreset:
		return presetHover(c.known.pack(t.beside("pack")), name)
	case toRequirement:
		return c.requirementText(name)
	case toValue:
		if c.pack != nil {
			if path, err := values.ParsePath(name); err == nil {
				return c.valueText(values.Keys(path.Steps()...))
			}
		}
	}
	if t.document == presetsDocument && strings.HasSuffix(t.text(), "[].name") {
		return presetHover(c.pack, name)
	}
	return ""
}

// presetHover returns the description of a preset of a pack, or "" if it does not exist.
func presetHover(p *pack.Pack, name string) string {
	one := presetOf(p, name)
	if one == nil {
		return ""
	}
	return strings.TrimRight(fmt.Sprintf("**%s**: a preset of %s\n\n%s", preset.FullName(*one), strings.TrimSpace(p.Name+" "+p.Version), presetText(*one)), "\n")
}

// presetOf returns a preset by its name, with or without its group, or nil if it does not exist.
func presetOf(p *pack.Pack, name string) *pack.Preset {
	for _, one := range presetsOf(p) {
		if isNamed(one, name) {
			return &one
		}
	}
	return nil
}

// isNamed reports whether a name in a functionConfig may refer to a preset.
func isNamed(p pack.Preset, name string) bool { return name == p.Name || name == preset.FullName(p) }

// presetsOf returns the presets of a pack, or nil if the pack is nil.
func presetsOf(p *pack.Pack) []pack.Preset {
	if p == nil {
		return nil
	}
	presets, _ := p.ReadPresets()
	return presets
}

// packText returns the name, version, layer and location of a pack.
func (c *completer) packText(p *pack.Pack) string {
	text := "**" + strings.TrimSpace(p.Name+" "+p.Version) + "**"
	if p.Layer != "" {
		text += ", layer " + p.Layer
	}
	return text + " (" + c.known.show(c.known.packPlace(p)) + ")"
}

// requirementText returns the requirement of a dependency of pack.json, and the pack that
// satisfies it in the package.
func (c *completer) requirementText(name string) string {
	t := c.site
	bounds := ""
	if low := t.beside("minVersion"); low != "" {
		bounds += " from " + low
	}
	if high := t.beside("maxVersion"); high != "" {
		bounds += " up to " + high
	}
	text := fmt.Sprintf("**%s**%s, %s", name, bounds, cmp.Or(t.beside("type"), "optional"))
	if p := c.known.pack(name); p != nil {
		return text + "\n\nThe package has " + c.packText(p) + "."
	}
	return text + "\n\nThe package has no pack of this name."
}
