package language

import (
	"cmp"
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

// RuleText returns the explanation of a rule in Markdown.
func RuleText(r rule.Rule) string {
	return fmt.Sprintf("**%s**: %s.\n\n```yaml\n%s\n```\n\n%s", r.ID, r.Plain(), r.Breaks, r.Fix)
}

// Explain returns the explanation of the word at the position, and the range of the word. The text is "" if
// nothing is known about it.
func (c *Query) Explain() (text string, at protocol.Range) {
	text, from, to := c.explain()
	if text == "" {
		return "", at
	}
	return text, c.site.span(from, to)
}

// explain returns the explanation of the word at the position, and the range of the word in the
// innermost text.
func (c *Query) explain() (text string, from, to int) {
	t := c.site
	if name, from, to := t.macroAt(); name != "" {
		return c.macroText(name), from, to
	}
	if id, from, to := t.ruleAt(); id != "" {
		return RuleText(rule.Of(id)), from, to
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
func (c *Query) macroText(name string) string {
	v := c.snapshot.macroValue(name)
	if v.source == "" {
		return fmt.Sprintf("**%s** has no value here: neither a ClusterContext nor a pack of the package has it.", name)
	}
	return fmt.Sprintf("**%s** = `%s`\n\nFrom %s (%s).", name, v.shown, v.source, c.snapshot.show(v.filePosition))
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
func (c *Query) valueText(path []values.Step) string {
	p, of, key := c.pack, c.snapshot.of(c.pack), cursor.PathText(path)
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
func (c *Query) layerText(why *inventory.Provenance, key string, layer inventory.Layer) []string {
	if layer.Node == nil {
		return nil
	}
	what := "sets it to"
	if layer.Source == c.pack.Values {
		what = "has"
	}
	line := fmt.Sprintf("%s %s `%s`", c.snapshot.show(c.snapshot.place(layer.Source.Origin, key, layer.Position)), what, why.Show(layer.Node, diag.Terminal))
	if layer.Counts {
		line += ", which is used"
	}
	return []string{line + "."}
}

// nameText returns the description of the thing that a name refers to, or "" for a value that is
// not a reference.
func (c *Query) nameText(name string) string {
	t := c.site
	switch refersTo(t) {
	case toPack:
		if p := c.snapshot.pack(name); p != nil {
			return c.packText(p)
		}
		return ""
	case toPreset:
		return presetHover(c.snapshot.pack(t.beside("pack")), name)
	case toRequirement:
		return c.requirementText(name)
	case toValue:
		if c.pack != nil {
			if path, err := values.ParsePath(name); err == nil {
				return c.valueText(values.Keys(path.Steps()...))
			}
		}
	}
	if t.document == PresetsDocument && strings.HasSuffix(t.text(), "[].name") {
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
		if IsNamed(one, name) {
			return &one
		}
	}
	return nil
}

// IsNamed reports whether a name in a functionConfig may refer to a preset.
func IsNamed(p pack.Preset, name string) bool { return name == p.Name || name == preset.FullName(p) }

// presetsOf returns the presets of a pack, or nil if the pack is nil.
func presetsOf(p *pack.Pack) []pack.Preset {
	if p == nil {
		return nil
	}
	presets, _ := p.ReadPresets()
	return presets
}

// packText returns the name, version, layer and location of a pack.
func (c *Query) packText(p *pack.Pack) string {
	text := "**" + strings.TrimSpace(p.Name+" "+p.Version) + "**"
	if p.Layer != "" {
		text += ", layer " + p.Layer
	}
	return text + " (" + c.snapshot.show(c.snapshot.packPlace(p)) + ")"
}

// requirementText returns the requirement of a dependency of pack.json, and the pack that
// satisfies it in the package.
func (c *Query) requirementText(name string) string {
	t := c.site
	bounds := ""
	if low := t.beside("minVersion"); low != "" {
		bounds += " from " + low
	}
	if high := t.beside("maxVersion"); high != "" {
		bounds += " up to " + high
	}
	text := fmt.Sprintf("**%s**%s, %s", name, bounds, cmp.Or(t.beside("type"), "optional"))
	if p := c.snapshot.pack(name); p != nil {
		return text + "\n\nThe package has " + c.packText(p) + "."
	}
	return text + "\n\nThe package has no pack of this name."
}
