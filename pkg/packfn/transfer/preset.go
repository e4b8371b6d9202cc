package transfer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// takePresets removes the record of applied presets from a resource's metadata, and
// returns their names, `group:name`.
func takePresets(metadata *yaml.Node) []string {
	annotations := values.Field(metadata, "annotations")
	record, faults := preset.ParseRecord(values.Text(values.Field(annotations, preset.RecordAnnotation)))
	if len(faults) > 0 {
		return nil
	}
	removeKey(annotations, preset.RecordAnnotation)
	removeKey(annotations, preset.LeavesAnnotation)
	var names []string
	for _, entry := range record {
		names = append(names, strings.TrimPrefix(entry.Preset, ":"))
	}
	return names
}

// notePresets says what is wrong with the presets of a pack directory. They are imported as
// they are.
func (im *importer) notePresets(p *packdir.Pack) {
	findings := preset.Judge(published(p))
	slices.SortStableFunc(findings, func(a, b diag.Finding) int { return a.Position.Line - b.Position.Line })
	for _, f := range findings {
		if f.Rule != rule.PresetInvalid {
			continue
		}
		at, key := filepath.Join(p.Dir, f.Origin.Name), ""
		for _, n := range []int{f.Position.Line, f.Position.Column} {
			if n > 0 {
				at += fmt.Sprintf(":%d", n)
			}
		}
		if f.Key != "" {
			key = diag.Shown(f.Key) + ": "
		}
		f.Origin = nil // the note begins with the place
		im.note("%s: %s: %s%s [%s]", at, f.Level(), key, f.Message(), f.Rule.ID)
	}
}

// carryPresets applies the presets that an earlier version of the pack had to the text
// of the new one. A preset that cannot be applied is left out with a note.
func (im *importer) carryPresets(p *packdir.Pack, text []byte, names []string) []byte {
	for _, name := range names {
		applied, findings := applyPreset(p.Name, text, name)
		if len(findings) > 0 {
			im.note("%s: the preset %q is not carried over: %s", p.Dir, name, findings[0].Message())
			continue
		}
		im.note("%s: the preset %q is carried over", p.Dir, name)
		text = applied
	}
	return text
}

// carryLeaves returns the text of a newer version of a pack with the record of what became
// of the values that presets had set in the older one.
func carryLeaves(before, after []byte, file string) ([]byte, error) {
	old, _, err := Load(before, file)
	if err != nil {
		return after, nil // packfn check reports it
	}
	newer, item, err := Load(after, file)
	if err != nil {
		return after, nil
	}
	if err := preset.CarryLeaves(old.OwnValues(), newer.OwnValues()); err != nil {
		return nil, err
	}
	return item.Text(), nil
}

// applyPreset runs apply-preset over the text of a pack.
func applyPreset(packName string, text []byte, name string) ([]byte, []diag.Finding) {
	l := &list.List{Items: list.FileItems(text, "pack.yaml")}
	config, err := values.Parse(fmt.Sprintf("apiVersion: %s\nkind: ApplyPreset\nmetadata: {name: import}\nspec:\n  presets:\n  - {pack: %q, name: %q}\n", // %q is a scalar of YAML, too
		function.ConfigGroupVersion, packName, name))
	if err != nil {
		return nil, []diag.Finding{diag.Unreadable(err)}
	}
	l.SetConfig(config.Root())
	outcome := function.Evaluate(preset.Function(), l)
	var errors []diag.Finding
	for _, f := range outcome.Findings {
		if f.Severity == diag.Error {
			errors = append(errors, f)
		}
	}
	return l.Items[0].Text(), errors
}
