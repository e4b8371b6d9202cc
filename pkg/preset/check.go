package preset

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Check returns findings about the presets of a pack: their faults, whether they
// are applied or not, and which presets its values only seem to have.
func Check(p *pack.Pack) []diag.Finding {
	presets, findings := p.ReadPresets()
	for i := range findings {
		findings[i] = findings[i].Of(rule.PresetInvalid)
	}
	var sound []pack.Preset
	for _, one := range presets {
		for _, f := range one.Faults {
			findings = append(findings, f.Of(rule.PresetInvalid))
		}
		if len(one.Faults) == 0 {
			sound = append(sound, one)
		}
	}
	for _, f := range duplicates(presets) {
		findings = append(findings, f.From(p.Presets.Origin).For(p.Name))
	}
	return append(findings, comment(p, sound)...)
}

// comment returns infos if the comment with the enabled presets names one preset of a group, but
// the pack's own values are the values of another preset. The comment is not a record: nothing
// applies the presets that it names.
func comment(p *pack.Pack, presets []pack.Preset) (findings []diag.Finding) {
	if p.Values == nil || !p.Values.Embedded || !strings.Contains(p.Values.Text(), markerKey) {
		return nil
	}
	document, err := p.Values.Mapping()
	if err != nil {
		return nil // the functions report it
	}
	isApplied := func(one pack.Preset) bool {
		after, err := outcome(document.Root(), []pack.Preset{one})
		return err == nil && values.Equal(document.Root(), after)
	}
	start, line := marker(document, nil)
	_, list, _ := strings.Cut(line, markerKey)
	for item := range strings.SplitSeq(list, ",") {
		found := matching(presets, strings.TrimSpace(item))
		if len(found) != 1 || isApplied(found[0]) {
			continue
		}
		named := found[0]
		other := slices.IndexFunc(presets, func(one pack.Preset) bool {
			return one.Group == named.Group && one.Group != "" && one.Name != named.Name && isApplied(one)
		})
		if other < 0 {
			continue
		}
		f := diag.Say("the comment names preset %q, but the values are those of preset %q", FullName(named), FullName(presets[other]))
		f = f.Do("select presets with apply-preset: nothing applies what the comment names")
		at := document.Lines().Position(start)
		findings = append(findings, tagged(f.In(p.Values.Origin, "", at).For(p.Name).Of(rule.PresetComment), named.Group, named.Name))
	}
	return findings
}
