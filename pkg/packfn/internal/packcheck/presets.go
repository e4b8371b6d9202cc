package packcheck

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
)

// LeftPresets reports presets that are recorded in the values of a pack but that no step selects, or
// that the pack no longer contains. A step that selects a preset which the pack does not contain
// fails.
func LeftPresets(one *pack.Pack, names []string) (findings []diag.Finding) {
	presets, faults := one.ReadPresets()
	selected, _ := preset.Choose(presets, names...)
	report := func(layer *pack.Source, f diag.Finding, do string) {
		findings = append(findings, f.Do(do+", or remove it from the annotation").
			About(layer.Resource, "metadata.annotations["+preset.RecordAnnotation+"]").For(one.Name).Of(rule.PresetLeft))
	}
	for _, layer := range append(one.Layers(), one.OwnValues()) {
		record, _ := preset.ParseRecord(layer.Annotation(preset.RecordAnnotation))
		for _, p := range presets {
			isSelected := func(c preset.Choice) bool { return c.Group == p.Group && c.Name == p.Name }
			if !record.Has(p) || slices.ContainsFunc(selected, isSelected) {
				continue
			}
			f := diag.Say("no step of the pipeline selects the preset %s, so nothing sets %s again, and an upgrade may drop it", p, diag.SomeOf(preset.Added(p)))
			report(layer, f, "select it with apply-preset")
		}
		isFaulty := func(p pack.Preset) bool { return len(p.Faults) > 0 }
		if len(faults) > 0 || one.Hides("presets.yaml") || slices.ContainsFunc(presets, isFaulty) { // a name may be missing
			continue
		}
		for _, name := range record.Names() {
			isNamed := func(known string) bool { return known == name || strings.HasSuffix(name, ":"+known) }
			if !slices.ContainsFunc(presets, func(p pack.Preset) bool { return preset.FullName(p) == name }) && !slices.ContainsFunc(names, isNamed) {
				f := diag.Say("the values have the preset %q, which the pack does not have any more, so nothing sets its values again, and an upgrade may drop them", name)
				report(layer, f, "write what you need of it into an override (PackValues)")
			}
		}
	}
	return findings
}
