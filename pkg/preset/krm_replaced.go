package preset

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// replaced reports the remains of a preset when the record replaces it by another preset of its
// group: the values that only the former preset set, and the values that it removed.
func (j *job) replaced(t Target, by pack.Preset, entry string) []diag.Finding {
	at := slices.IndexFunc(j.known, func(p pack.Preset) bool { return entryOf(p) == entry })
	if at < 0 {
		former := strings.TrimPrefix(entry, ":")
		f := diag.Say("preset %s takes the place of %q of its group, which the pack does not have any more, so it is unknown what that one set or removed: all of it stays as it is", by, former)
		return []diag.Finding{tagged(f.Of(rule.PresetReapplied), by.Group, by.Name)}
	}
	former := j.known[at]
	set, err := t.left(former, j.presets...)
	if err != nil {
		return nil
	}
	removed, err := t.gone(former, j.pack.Imported, j.presets...)
	if err != nil || len(set)+len(removed) == 0 {
		return nil
	}
	f := diag.Say("preset %s takes the place of %s of its group", by, former)
	if len(set) > 0 {
		f.Found += ", and leaves what only that one set: " + diag.SomeOf(set)
	}
	if len(removed) > 0 {
		f.Found += fmt.Sprintf("; what that one removed stays removed: %s", diag.SomeOf(removed))
		f = f.Do("write it into an override (PackValues) if you need it")
	}
	return []diag.Finding{tagged(f.Of(rule.PresetReapplied), by.Group, by.Name)}
}

// gone returns the paths that a preset removed, and that presets which come after it do not set. Most
// public presets remove what was never there: the record of the import knows, and without one there was
// nothing if there is no map that held it.
func (t Target) gone(former pack.Preset, imported string, presets ...pack.Preset) (paths []string, err error) {
	own, _, err := t.own()
	if err != nil {
		return nil, err
	}
	record, _ := pack.ParseImported(imported)
	for _, path := range former.Remove {
		fingerprint, isRecorded := record.Presets[path.String()]
		if isRecorded && fingerprint == pack.Fingerprint("") || slices.Contains(paths, path.String()) {
			continue
		}
		isAbsent := func(below *yaml.Node) bool {
			after, err := outcome(overlay(below, own), presets)
			steps := path.Steps()
			around := values.Follow(after, values.Keys(steps[:len(steps)-1]...))
			return err == nil && !has(after, path) && (isRecorded || isMap(around))
		}
		if slices.ContainsFunc(t.below(), isAbsent) {
			paths = append(paths, path.String())
		}
	}
	return paths, nil
}
