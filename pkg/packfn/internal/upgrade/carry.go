package upgrade

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/comments"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// carry writes the edits of the user into the values of the newer version, and reports
// those that have no place there.
func (u *upgraded) carry(d *differences, renames *renames) error {
	next := u.after.values.Root()
	var m merge
	merged := m.mapping(edit{}, roots(u.base.values, u.before.values, u.after.values))
	var keys []string
	for _, e := range m.edits {
		d.edited[joined(e.keys)] = true
		keys = append(keys, pathOf(e.keys))
		switch {
		case e.blocked != nil:
			u.lost++
			f := diag.Say("%s has %s at %s, which cannot hold this value", u.version(), values.KindOf(values.Field(next, e.blocked...)), pathOf(e.blocked))
			f.Severity = diag.Error
			u.add(f.Do("move your edit to an override of the pack, or undo it: nothing is written before that").Of(rule.UpgradeOrphanedValue), u.before.OwnValues(), e)
		case e.isOrphan && e.key != nil:
			u.orphan(renames, u.before.OwnValues(), e, "your edit is kept")
		}
	}
	if len(keys) > 0 && u.before.OwnValues().Embedded {
		u.Notes = append(u.Notes, fmt.Sprintf("%s: the values of %s are edited (%s): kpt pkg update and Porch take the text of the newer version as a whole; a value in an override (PackValues) survives both", u.Path, u.Pack, diag.SomeOf(keys)))
	}
	if len(m.edits) == u.lost {
		return nil
	}
	err := u.after.OwnValues().Edit(func(d *values.Document, steps []values.Step) (*values.Document, error) {
		return d.Sync(values.Change{At: steps, Want: merged})
	})
	if err != nil {
		return fmt.Errorf("%s: the edits of the values of %s cannot be carried over to %s: %w", u.Path, u.Pack, u.after.Version, err)
	}
	return nil
}

// override reports what an override sets and the newer version does not have.
func (u *upgraded) override(override *pack.Override, d *differences, renames *renames) {
	document, err := override.Values.Mapping()
	if err != nil {
		return // which the checks report
	}
	eachSet(edit{}, roots(renames.base, document, renames.next), func(at edit, n *yaml.Node) {
		if !isMapping(n) { // an empty mapping sets nothing
			d.edited[joined(at.keys)] = true
		}
		if at.isOrphan {
			u.orphan(renames, override.Values, at, "")
		}
	})
}

// orphan reports a value that has no key in the newer version.
func (u *upgraded) orphan(renames *renames, source *pack.Source, at edit, what string) {
	if u.hasPlace(at.keys) {
		return
	}
	f := diag.Say("%s has no such key", u.version())
	f.Action = what
	if to := renames.of(at.keys); to != nil {
		f.Action = "it is probably " + pathOf(to) + " now"
		if what != "" {
			f.Action += ", and " + what
		}
	}
	u.add(f.Of(rule.UpgradeOrphanedValue), source, at)
}

// hasPlace reports whether the newer version may use a value that its own values do not have: a chart
// or a manifest reads it. Without facts about these, an empty map takes any key.
func (u *upgraded) hasPlace(keys []string) bool {
	if isRead, isKnown := u.reads(keys); isKnown {
		return isRead
	}
	n := u.after.values.Root()
	for i, key := range keys {
		below := values.Field(n, key)
		if below == nil {
			return i > 0 && (values.IsNull(n) || isMapping(n) && len(n.Content) == 0)
		}
		n = below
	}
	return true
}

// files reports the edits of other files than the values, which are not carried over.
func (u *upgraded) files(discardEdits bool) {
	if discardEdits {
		if note := transfer.Dropped(u.Path, u.Pack, u.EditedFiles); note != "" {
			u.Notes = append(u.Notes, note)
		}
		return
	}
	for _, file := range u.EditedFiles {
		u.lost++
		f := diag.Say("%s was edited, or nothing records what was imported: the upgrade would drop the edit", file.Name)
		origin := diag.Whole(u.before.Resource)
		if file.Field == "" {
			f = diag.Say("%s was removed, or nothing records what was imported: the upgrade would add it again", file.Name)
		} else {
			origin = &diag.Origin{Resource: u.before.Resource, Field: file.Field}
		}
		f = f.Do("undo the edit, or drop it with --discard-edits").Of(rule.UpgradeEdited).From(origin).For(u.Pack)
		u.findings = append(u.findings, u.inPackage.Finding("upgrade", u.options, &f))
	}
}

// comments carries the comments of the user over to the values of the newer version, as far as
// they are known, and adds findings about comments that are dropped.
func (u *upgraded) comments() error {
	if u.IsSame || u.lost > 0 || u.HasImportedValues {
		return nil
	}
	texts := make([]*values.Document, 3)
	for i, of := range []*loaded{u.base, u.before, u.after} {
		if of == nil {
			continue
		}
		sources := of.sources
		if of == u.after { // with the edits
			var err error
			if sources, err = of.OwnValues().Sources(hydration.Partly); err != nil {
				return err
			}
		}
		var err error
		if texts[i], err = transfer.OwnText(of.OwnValues(), sources); err != nil {
			return fmt.Errorf("%s: the comments of the values of %s: %w", u.Path, u.Pack, err)
		}
	}
	base, before, after := texts[0], texts[1], texts[2]
	if u.Base == nil {
		if keys := comments.Dropped(before, after); len(keys) > 0 {
			u.Notes = append(u.Notes, fmt.Sprintf("%s: comments of the values are dropped (%s), because %s does not have them: --from keeps yours", u.Path, diag.SomeOf(keys), u.version()))
		}
		return nil
	}
	var dropped []string
	err := u.after.OwnValues().Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		if len(at) > 0 { // what an import writes is a text
			return d, nil
		}
		var kept *values.Document
		kept, dropped = comments.Keep(after, before, base)
		if kept == after {
			return d, nil
		}
		return kept, nil
	})
	if err == nil && len(dropped) > 0 {
		u.Notes = append(u.Notes, fmt.Sprintf("%s: comments of the values are dropped (%s), because %s has no place for them", u.Path, diag.SomeOf(dropped), u.version()))
	}
	return err
}
