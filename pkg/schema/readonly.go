package schema

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// readOnly compares the effective values with the pack's own.
func (c *checker) readOnly(e Entry) {
	own, tree := c.values.Own, c.values.Tree
	if c.values.Sources != nil {
		own, tree = c.values.OwnSources, c.values.Sources
	}
	effective, baseline := tree.Find(e.Path), c.values.Baseline
	if !c.charge(e, max(0, len(effective)-1)) {
		return
	}
	recorded, isRecorded := c.values.Recorded[e.Key]
	switch {
	case baseline != nil:
	case isRecorded:
		baseline = own
		c.edited(e, own, recorded)
	case !c.values.Edited:
		baseline = own
	}
	if baseline == nil {
		if !c.isUnbased {
			c.isUnbased = true
			f := diag.Say("is read-only, but the pack itself has no values to compare with")
			if c.values.Edited {
				f = diag.Say("is read-only, but the profile replaced the default values, so there is nothing to compare it with").Do("run packfn check --source PACKS")
				f.Severity = diag.Info
			}
			c.reportSchema(f, e, rule.ValuesNoBaseline)
		}
		return
	}
	report := func(found, want, action string, m *values.Match) {
		c.report(diag.Got(found, want+" (the key is read-only)").Do(action).With(c.valueOf(e, m, found)), e, m, rule.ValuesReadonly)
	}
	const ownValue, remove, restore = "the pack's own value", "remove it here", "remove the override that removes it"
	shipped := baseline.Find(e.Path)
	before, after := byPath(shipped), byPath(effective)
	listsBefore := listsOf(shipped, func(m values.Match) bool { return m.Node != nil })
	listsAfter := listsOf(effective, func(values.Match) bool { return true })
	for i := range effective {
		m := &effective[i]
		was := before[m.Path]
		if was != nil && was.State == m.State && values.Equal(was.Node, m.Node) || c.values.Baseline != nil && c.isOfPreset(m) {
			continue
		}
		had := was != nil && was.Node != nil || m.State != values.Present && listsBefore[m.Path]
		switch {
		case m.Node == nil && had:
			report("no value", ownValue, restore, m)
		case m.Node == nil: // the pack has no such value either
		case !had:
			report("a value", "unset, as in the pack's own values", remove, m)
		default:
			report("another value", ownValue, remove, m)
		}
	}
	for i := range shipped {
		m := &shipped[i]
		if m.Node == nil || after[m.Path] != nil || m.State != values.Present && listsAfter[m.Path] {
			continue // the elements of a list were reported above
		}
		if isPartOf(m.Path, func(list string) bool { return after[list] != nil && after[list].State != values.Present }) {
			continue // and so was the list as a whole
		}
		report("no value", ownValue, restore, &values.Match{Path: m.Path, State: values.Absent, Layer: -1})
	}
}

// edited reports own values that differ from the imported values, whose fingerprint was recorded.
func (c *checker) edited(e Entry, own *values.Document, recorded string) {
	if own == nil || Fingerprint(e, own.Root()) == recorded {
		return
	}
	for _, m := range own.Find(e.Path) {
		if m.Layer = c.ownLayer(); c.isOfPreset(&m) {
			return // apply-preset may set it: it is the author's
		}
	}
	found := "another value"
	matches := own.Find(e.Path)
	m := values.Match{Layer: -1, Path: e.Key}
	if len(matches) > 0 {
		m = matches[0]
		m.Layer = c.ownLayer()
	}
	if m.Node == nil {
		found, m.Layer = "no value", -1
	} else if recorded == pack.Fingerprint(e.Key) {
		found = "a value"
	}
	f := diag.Got(found, "the value of the pack as it was imported (the key is read-only)").Do("set it back; a value of your own cannot be set here").With(c.valueOf(e, &m, found))
	c.report(f, e, &m, rule.ValuesReadonly)
}

// ownLayer is the layer of the pack's own values.
func (c *checker) ownLayer() int {
	return slices.IndexFunc(c.values.Layers, func(d *values.Document) bool { return d == c.values.Own })
}

// isOfPreset reports whether a match in the pack's own values is as a preset of the pack has it.
func (c *checker) isOfPreset(m *values.Match) bool {
	if m.Layer != c.ownLayer() && m.Node != nil {
		return false
	}
	path, err := values.ParsePath(m.Path)
	if err != nil {
		return false
	}
	if m.Node == nil {
		return slices.ContainsFunc(c.values.Removed, func(removed values.Path) bool { return removed.String() == m.Path })
	}
	return slices.ContainsFunc(c.adding(path), func(d *values.Document) bool {
		return slices.ContainsFunc(d.Find(path), func(added values.Match) bool { return values.Equal(added.Node, m.Node) })
	})
}

// Fingerprint returns what the values of an entry were, see [pack.Fingerprint].
func Fingerprint(e Entry, root *yaml.Node) string {
	var nodes []*yaml.Node
	for _, m := range values.Find(root, e.Path) {
		if m.State == values.Present {
			nodes = append(nodes, m.Node)
		}
	}
	return pack.Fingerprint(e.Key, nodes...)
}
