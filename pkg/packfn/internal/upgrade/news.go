package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// defaults reports the defaults that change, and the keys that are new; equal ones, and the images of
// a registry, are one finding. next are the values of the newer version without edits.
func (u *upgraded) defaults(d *differences, base *loaded, next *values.Document) {
	shower := shower{base.entries(), u.after.entries()}
	var all []news
	d.changed = func(at edit, v versions) {
		key := pathOf(at.keys)
		from, to := shower.show(key, v.base), shower.show(key, v.next)
		if from == to && v.next.Kind == yaml.SequenceNode {
			to = "another " + strings.TrimPrefix(to, "a ")
		}
		f := diag.Say("the default changes: %s → %s", from, to)
		if u.base == nil {
			f = diag.Say("the value changes: %s → %s; the default is another one, or you edited it", from, to)
		}
		if n := values.Resolve(v.user); n != nil && n.Kind == yaml.ScalarNode && from != shown.Hidden {
			f.Current = n.Value
		}
		one := news{at: at, finding: f.Of(rule.UpgradeChangedDefault), name: key, noun: "key", group: key}
		if from != shown.Hidden && to != shown.Hidden { // that others have the same value would say something of it
			one.group = joined([]string{f.Found, at.keys[len(at.keys)-1], content(v.base), content(v.next)})
		}
		one.byRegistry(from, to)
		all = append(all, one)
	}
	d.added = func(at edit, pairs []values.Pair) {
		var added, contents []string
		for _, p := range pairs {
			text := nameOf(p)
			if n := p.Value; isMapping(n) && len(n.Content) > 0 {
				text += " (" + diag.Count(size(n), "value") + ")"
			} else {
				text += ": " + shower.show(pathOf(at.below(text, nil).keys), n)
			}
			added, contents = append(added, text), append(contents, nameOf(p), content(p.Value))
		}
		f := diag.Say("%s adds %s", u.version(), diag.SomeOf(added)).Of(rule.UpgradeAdded)
		all = append(all, news{at: at, finding: f, group: joined(contents), name: pathOf(at.keys), noun: "map"})
	}
	d.dropped = func(at edit, pairs []values.Pair) {
		var names []string
		for _, p := range pairs {
			names = append(names, nameOf(p))
		}
		f := diag.Say("%s adds %s, which the package does not get, because you or an override removed or replaced this map", u.version(), diag.SomeOf(names))
		u.add(f.Do("add what you need").Of(rule.UpgradeAdded), u.before.OwnValues(), at)
	}
	d.walk(edit{}, roots(base.values, u.before.values, next))
	u.addNews(all)
}

// content returns a text that is equal for equal values.
func content(n *yaml.Node) string {
	text, _ := values.JSON(n)
	return text
}

// shower shows values that no version's schema makes a secret.
// before and after are the entries of both schemas.
type shower struct{ before, after inventory.Entries }

// show returns a value as both schemas allow to show it.
func (s shower) show(key string, n *yaml.Node) string {
	known, wasSecret := s.before.Of(key)
	other, isSecret := s.after.Of(key)
	before := s.before.Show(key, n, diag.Record)
	if (known != nil || wasSecret) && (before == shown.Hidden || other == nil && !isSecret) {
		return before
	}
	return s.after.Show(key, n, diag.Record)
}

// schemas reports the keys that only the schema of the newer version has.
func (u *upgraded) schemas(base *loaded) {
	known := map[string]bool{}
	for _, e := range base.entries().All() {
		known[e.Key] = true
	}
	texts := map[string]string{}
	for _, e := range u.after.entries().All() {
		if known[e.Key] {
			continue
		}
		texts[e.Key] = e.Key
		if accepted := inventory.Accepted(&e); accepted != "" {
			texts[e.Key] += " (" + accepted + ")"
		}
	}
	var added []string
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		added = append(added, texts[key])
	}
	if len(added) > 0 {
		u.add(diag.Say("the schema of %s adds %s", u.version(), diag.SomeOf(added)).Of(rule.UpgradeAdded), cmp.Or(u.before.Schema, u.before.OwnValues()), edit{})
	}
}

// presets reports applied presets that are gone or have changed, and new ones.
func (u *upgraded) presets(base *loaded) {
	about := func(rule diag.Rule, format string, args ...any) {
		u.add(diag.Say(format, args...).Of(rule), cmp.Or(u.before.Presets, u.before.OwnValues()), edit{})
	}
	record, _ := preset.ParseRecord(u.before.OwnValues().Annotation(preset.RecordAnnotation))
	older, newer := byFullName(base), byFullName(u.after)
	for _, name := range slices.Sorted(slices.Values(record.Names())) {
		now, ok := newer[name]
		moved := movedPreset(older[name], newer)
		switch {
		case !ok && moved != "":
			about(rule.UpgradePreset, "the preset %q is applied, and %s has it under another group, as %q: select it by this name", name, u.version(), moved)
		case !ok:
			about(rule.UpgradePreset, "the preset %q is applied, and cannot be applied to %s", name, u.version())
		case !preset.Same(now, older[name]):
			about(rule.UpgradePreset, "the preset %q is applied, and %s has another one of this name", name, u.version())
		}
	}
	var added []string
	for _, name := range slices.Sorted(maps.Keys(newer)) {
		if _, known := older[name]; !known {
			added = append(added, fmt.Sprintf("%q", name))
		}
	}
	if len(added) > 0 {
		about(rule.UpgradeAdded, "%s adds the preset%s %s", u.version(), strings.Repeat("s", min(1, len(added)-1)), diag.SomeOf(added))
	}
}

// movedPreset returns the full name of the only preset that differs from another one only in its
// group, or "" if there is none.
func movedPreset(of pack.Preset, among map[string]pack.Preset) (name string) {
	for full, one := range among {
		if one.Group = of.Group; of.Name != "" && preset.Same(one, of) {
			if name != "" {
				return ""
			}
			name = full
		}
	}
	return name
}

// byFullName returns the presets of a pack by their full names.
func byFullName(p *loaded) map[string]pack.Preset {
	all, _ := p.ReadPresets()
	found := map[string]pack.Preset{}
	for _, one := range all {
		found[preset.FullName(one)] = one
	}
	return found
}
