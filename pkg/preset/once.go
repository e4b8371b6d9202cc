package preset

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/template"
	"github.com/krm-packs/functions/pkg/values"
)

// Selection is the presets that are selected for the values of one resource.
type Selection struct {
	// Presets are the selected presets, in the order in which they are applied.
	Presets []pack.Preset
	// Known are all presets of the pack.
	Known []pack.Preset
	// Version is that of the pack.
	Version string
	// Record is which presets were applied to the values before, and Leaves what they set.
	Record Record
	Leaves Leaves
	// Upstream is the commit that the package comes from, "" if unknown.
	Upstream string
	// Always says that presets are applied although they are recorded.
	Always bool
}

// Result is the values and the record after a selection was applied.
type Result struct {
	// Document is the edited document, the target's own when nothing changes.
	Document *values.Document
	Record   Record
	Leaves   Leaves
	// Edited are the paths that applying the selected presets again would change, because
	// they were edited.
	Edited []string
	// Upgraded are the leaves that the last upgrade changed.
	Upgraded []Change
	// Outdated are presets that cannot be applied without the user's decision. When there
	// are any, document and record are as they were.
	Outdated []Outdated
}

// Change is what the last upgrade did to a leaf of a preset.
type Change struct {
	Preset pack.Preset
	// Path is that of the leaf, for people.
	Path    string
	Upgrade Upgrade

	steps []string
}

// Outdated is a preset that is recorded with another content or version but without
// leaves, and whose values differ from those in the target.
type Outdated struct {
	Preset pack.Preset
	// Recorded is its entry, and Current the entry that it would have now.
	Recorded, Current Entry
	// Paths are those that applying it would change.
	Paths []string
}

// ApplyOnce applies the selected presets that are not recorded, and records them: a
// preset is selected once, and what the user edits later stays (rule P8). Of a preset that
// is recorded, it sets again what an upgrade of the package replaced, and follows a changed
// definition (rule P10). Another preset of a recorded group is applied.
//
// A preset that is recorded without leaves and with another content or version is
// outdated, unless applying it changes nothing: then only its entry changes.
//
// The errors are those of [Target.Apply].
func (t Target) ApplyOnce(s Selection) (Result, error) {
	result, err := t.applyOnce(s)
	// Presets that contradict each other (one sets a value where another has a map) can
	// have other leaves in the values that they made than in those before.
	for pass := 1; pass < maxPasses && err == nil && len(s.Presets) > 1; pass++ {
		before := result.Leaves.String()
		t.Document, s.Record, s.Leaves = result.Document, result.Record, result.Leaves
		if result, err = t.applyOnce(s); result.Leaves.String() == before {
			break
		}
	}
	return result, err
}

// maxPasses is how often presets are applied until their leaves stay.
const maxPasses = 4

func (t Target) applyOnce(s Selection) (Result, error) {
	result := Result{Document: t.Document, Record: s.Record, Leaves: s.Leaves}
	p, err := newPlan(t, s)
	if err != nil {
		return result, err
	}
	if result.Outdated, err = p.outdated(); err != nil || len(result.Outdated) > 0 {
		return result, err
	}
	p.decide()
	if t.Document, err = p.write(); err != nil {
		return result, err
	}
	result.Document = t.Document
	for _, a := range p.presets {
		result.Record = result.Record.with(a.entry, a.Preset, s.Known)
	}
	result.Leaves = p.leaves(result.Record)
	result.Edited, result.Upgraded, err = p.report(t)
	return result, err
}

// outdated returns the presets that need the user's decision.
func (p *plan) outdated() ([]Outdated, error) {
	mayBe := func(a *application) bool { return !a.isFresh && !a.hasLeaves && *a.was != a.entry }
	if !slices.ContainsFunc(p.presets, mayBe) {
		return nil, nil
	}
	paths, err := p.Changes(p.Presets...)
	if err != nil {
		return nil, err
	}
	var all trie
	for _, path := range paths {
		all.add(dotted(path))
	}
	var found []Outdated
	for _, a := range p.presets {
		if !mayBe(a) {
			continue
		}
		changes, err := p.Changes(a.Preset)
		if err != nil {
			return nil, err
		}
		// A later preset may undo what this one changes.
		changes = slices.DeleteFunc(changes, func(path string) bool { return !all.overlaps(dotted(path)) })
		if len(changes) > 0 {
			found = append(found, Outdated{a.Preset, *a.was, a.entry, changes})
		}
	}
	return found, nil
}

// hasMacro reports whether a text, or one in a list, has a macro.
func hasMacro(n *yaml.Node) bool {
	if isList(n) {
		return slices.ContainsFunc(n.Content, hasMacro)
	}
	return template.HasMacro(values.Text(n))
}
