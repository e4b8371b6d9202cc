package transfer

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// notePresets adds notes about faults in the presets of a pack directory, which are imported
// unchanged.
func (im *importer) notePresets(p *packdir.Pack) {
	findings := preset.Check(published(p))
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
		f.Origin = nil // the note begins with the location
		im.note("%s: %s: %s%s [%s]", at, f.Level(), key, f.Message(), f.Rule.ID)
	}
}

// withPresets applies the presets that are recorded in the values of a pack to the text of
// another version of the pack. It returns the names of the presets that this version does not
// contain. These are removed from the record, because their values are gone.
func withPresets(text []byte, file string) ([]byte, []string, error) {
	one, item, err := Load(text, file)
	if err != nil {
		return text, nil, nil // packfn check reports it
	}
	own := one.OwnValues()
	record, _ := preset.ParseRecord(own.Annotation(preset.RecordAnnotation))
	if len(record) == 0 {
		return text, nil, nil
	}
	presets, _ := one.ReadPresets()
	choices, faults := preset.Choose(presets, record.Names()...)
	var missing []string
	var kept preset.Record
	for i, name := range record.Names() {
		if slices.ContainsFunc(faults, func(f preset.Fault) bool { return f.Index == i }) {
			missing = append(missing, name)
		} else {
			kept = append(kept, record[i])
		}
	}
	var chosen []pack.Preset
	for _, choice := range choices {
		if len(choice.Faults) == 0 {
			chosen = append(chosen, choice.Preset)
		}
	}
	if len(chosen) > 0 {
		err = own.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
			return preset.Target{Document: d, At: at}.Apply(chosen...)
		})
	}
	if err == nil {
		err = own.Annotate(map[string]string{preset.RecordAnnotation: kept.String()})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: the presets of %s cannot be applied: %w", file, one.Name, err)
	}
	return item.Text(), missing, nil
}

// isUnedited reports whether the values of a pack are the values that an import wrote, ignoring
// the changes that presets make.
func isUnedited(text []byte, file string) bool {
	one, _, err := Load(text, file)
	if err != nil {
		return false
	}
	own := one.OwnValues()
	sources, err := own.Sources(hydration.Partly)
	record, _ := pack.ParseImported(one.Imported)
	if err != nil || record.Data == "" {
		return false
	}
	root := sources.Values()
	if pack.DataDigest(root) == record.Data {
		return true
	}
	applied, _ := preset.ParseRecord(own.Annotation(preset.RecordAnnotation))
	if len(applied) == 0 {
		return false
	}
	presets, _ := one.ReadPresets()
	rest, touched := preset.Without(root, presets)
	if pack.DataDigest(rest) != record.Rest {
		return false
	}
	_, ours := preset.Without(nil, slices.DeleteFunc(presets, func(p pack.Preset) bool { return !applied.Has(p) }))
	for path, nodes := range touched {
		if _, isOurs := ours[path]; !isOurs && pack.Fingerprint(path, nodes...) != record.Presets[path] {
			return false
		}
	}
	return true
}
