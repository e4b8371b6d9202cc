package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/inventory"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// defaults reports the defaults that change, and the keys that are new. next are the values
// of the newer version without edits.
func (u *upgraded) defaults(d *differences, base *loaded, next *values.Document) {
	shower := shower{base.entries(), u.after.entries()}
	d.changed = func(at place, v versions) {
		key := pathOf(at.keys)
		from, to := shower.show(key, v.base), shower.show(key, v.next)
		if from == to && v.next.Kind == yaml.SequenceNode {
			to = "another " + strings.TrimPrefix(to, "a ")
		}
		f := diag.Say("the default changes: %s → %s", from, to)
		if u.base == nil {
			f = diag.Say("the value changes: %s → %s; the default is another one, or you edited it", from, to)
		}
		if n := values.Resolve(v.user); n != nil && n.Kind == yaml.ScalarNode && from != report.Hidden {
			f.Current = n.Value
		}
		u.add(f.Of(rule.UpgradeChangedDefault), u.before.OwnValues(), at)
	}
	d.added = func(at place, pairs []values.Pair) {
		var added []string
		for _, p := range pairs {
			text := nameOf(p)
			if n := p.Value; isMapping(n) && len(n.Content) > 0 {
				text += " (" + diag.Count(size(n), "value") + ")"
			} else {
				text += ": " + shower.show(pathOf(at.below(text, nil).keys), n)
			}
			added = append(added, text)
		}
		u.add(diag.Say("%s adds %s", u.version(), few(added)).Of(rule.UpgradeAdded), u.before.OwnValues(), at)
	}
	d.walk(place{}, roots(base.values, u.before.values, next))
}

// shower shows values that no version's schema makes a secret.
type shower struct{ before, after inventory.Entries }

func (s shower) show(key string, n *yaml.Node) string {
	known, wasSecret := s.before.Of(key)
	other, isSecret := s.after.Of(key)
	before := s.before.Show(key, n, false)
	if (known != nil || wasSecret) && (before == report.Hidden || other == nil && !isSecret) {
		return before
	}
	return s.after.Show(key, n, false)
}

// few lists the first of many.
func few(names []string) string {
	const whole, shown = 8, 5
	if len(names) <= whole {
		return diag.AllOf(names)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// schemas reports the keys that only the schema of the newer version has.
func (u *upgraded) schemas(base *loaded) {
	known := map[string]bool{}
	for _, e := range base.entries() {
		known[e.Key] = true
	}
	texts := map[string]string{}
	for _, e := range u.after.entries() {
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
		u.add(diag.Say("the schema of %s adds %s", u.version(), few(added)).Of(rule.UpgradeAdded), cmp.Or(u.before.Schema, u.before.OwnValues()), place{})
	}
}

// presets reports applied presets that are gone or have changed, and new ones.
func (u *upgraded) presets(base *loaded) {
	about := func(rule diag.Rule, format string, args ...any) {
		u.add(diag.Say(format, args...).Of(rule), cmp.Or(u.before.Presets, u.before.OwnValues()), place{})
	}
	before, after := record(u.before), record(u.after)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		shown := strings.TrimPrefix(name, ":")
		switch now, ok := after[name]; {
		case !ok:
			about(rule.UpgradePreset, "the preset %q is applied, and cannot be applied to %s", shown, u.version())
		case now.Hash != before[name].Hash:
			about(rule.UpgradePreset, "the preset %q is applied, and %s has another one of this name", shown, u.version())
		}
	}
	known := map[string]bool{}
	older, _ := base.ReadPresets()
	for _, one := range older {
		known[preset.FullName(one)] = true
	}
	newer, _ := u.after.ReadPresets()
	var added []string
	for _, one := range newer {
		if name := preset.FullName(one); !known[name] {
			added = append(added, fmt.Sprintf("%q", name))
		}
	}
	if len(added) > 0 {
		about(rule.UpgradeAdded, "%s adds the preset%s %s", u.version(), strings.Repeat("s", min(1, len(added)-1)), few(added))
	}
}

// record returns the presets that were applied to a pack.
func record(p *loaded) map[string]preset.Entry {
	all, _ := preset.ParseRecord(p.OwnValues().Annotation(preset.RecordAnnotation))
	entries := map[string]preset.Entry{}
	for _, e := range all {
		entries[e.Preset] = e
	}
	return entries
}
