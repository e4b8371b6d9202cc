package preset

import (
	"slices"
	"strings"

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
	// Record is which presets were applied to the values before.
	Record Record
	// Always says that presets are applied although they are recorded.
	Always bool
}

// Result is the values and the record after a selection was applied.
type Result struct {
	// Document is the edited document, the target's own when nothing changes.
	Document *values.Document
	Record   Record
	// Edited are the paths that applying the selected presets again would change, because
	// they were edited.
	Edited []string
	// Outdated are presets that cannot be applied without the user's decision. When there
	// are any, document and record are as they were.
	Outdated []Outdated
}

// Outdated is a preset that is recorded with another content or version, and whose
// values differ from those in the target.
type Outdated struct {
	Preset pack.Preset
	// Recorded is its entry, and Current the entry that it would have now.
	Recorded, Current Entry
	// Paths are those that applying it would change.
	Paths []string
}

// ApplyOnce applies the selected presets that are not recorded, and records them: a
// preset is selected once, and what the user edits later stays (rule P8). A preset that
// is recorded with another content or version is outdated, unless applying it changes
// nothing: then only its entry changes. Another preset of a recorded group is applied.
//
// The errors are those of [Target.Apply].
func (t Target) ApplyOnce(s Selection) (Result, error) {
	result := Result{Document: t.Document, Record: s.Record}
	all, err := t.Changes(s.Presets...)
	if err != nil {
		return result, err
	}
	record := s.Record
	var fresh []pack.Preset
	for _, p := range s.Presets {
		entry := NewEntry(p, s.Version)
		at := record.find(p, s.Known)
		switch {
		case s.Always || at < 0 || record[at].Preset != entry.Preset:
			fresh = append(fresh, p)
		case record[at] != entry:
			changes, err := t.Changes(p)
			if err != nil {
				return result, err
			}
			// A later preset may undo what this one changes.
			isUndone := func(path string) bool {
				return !slices.ContainsFunc(all, func(other string) bool { return overlaps(path, other) })
			}
			if changes = slices.DeleteFunc(changes, isUndone); len(changes) > 0 {
				result.Outdated = append(result.Outdated, Outdated{p, record[at], entry, changes})
				continue
			}
		}
		record = record.with(entry, p, s.Known)
	}
	if len(result.Outdated) > 0 {
		return result, nil
	}
	result.Record = record
	if len(fresh) > 0 {
		if t.Document, err = t.Apply(fresh...); err != nil {
			return result, err
		}
		result.Document = t.Document
	}
	// A macro that a preset adds becomes a value in a later step. That is not an edit.
	result.Edited, err = t.changes(s.Presets, func(n *yaml.Node) bool { return !hasMacro(n) })
	return result, err
}

// hasMacro reports whether a text, or one in a list, has a macro.
func hasMacro(n *yaml.Node) bool {
	if isList(n) {
		return slices.ContainsFunc(n.Content, hasMacro)
	}
	return template.HasMacro(values.Text(n))
}

// overlaps reports whether two paths are equal, or one is above the other.
func overlaps(a, b string) bool {
	return strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".")
}
