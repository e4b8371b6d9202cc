package preset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// Choice is a preset that a name asks for.
type Choice struct {
	pack.Preset
	// Index is the index of the name.
	Index int
}

// Fault is a finding about one of several names. It is not a plain diag.Finding, because
// the caller knows where the name is written.
type Fault struct {
	diag.Finding
	// Index is the index of the name, or of the last name in a conflict.
	Index int
}

// Choose returns the presets with the given names, in order, and all faults of the names. A name is
// the name of a preset, or `group:name`. If there are duplicate presets, see [duplicates], the
// first is returned.
func Choose(presets []pack.Preset, names ...string) ([]Choice, []Fault) {
	var chosen []Choice
	var faults []Fault
	for i, name := range names {
		found := matching(presets, name)
		switch {
		case len(found) == 0:
			faults = append(faults, Fault{unknown(presets, name), i})
			continue
		case slices.ContainsFunc(found, func(p pack.Preset) bool { return p.Group != found[0].Group }):
			faults = append(faults, Fault{ambiguous(found, name), i})
			continue
		}
		choice := Choice{found[0], i}
		first := slices.IndexFunc(chosen, func(c Choice) bool { return c.Group != "" && c.Group == choice.Group })
		if first >= 0 && chosen[first].Name != choice.Name {
			f := diag.Say("presets %q and %q are both in the group %q, and only one of a group can be applied", chosen[first].Name, choice.Name, choice.Group)
			faults = append(faults, Fault{tagged(f.Do("remove one of them").Of(rule.PresetGroupConflict), choice.Group, choice.Name), i})
		}
		chosen = append(chosen, choice)
	}
	return chosen, faults
}

// FullName returns the name by which a preset can always be asked for: `group:name`, or
// the name alone when it has no group.
func FullName(p pack.Preset) string {
	if p.Group == "" {
		return p.Name
	}
	return p.Group + ":" + p.Name
}

// matching returns the presets that a name may ask for.
func matching(presets []pack.Preset, name string) []pack.Preset {
	var found []pack.Preset
	for _, p := range presets {
		if p.Name == name || p.Group != "" && FullName(p) == name {
			found = append(found, p)
		}
	}
	return found
}

// unknown returns the finding about a name that no preset has.
func unknown(presets []pack.Preset, name string) diag.Finding {
	if len(presets) == 0 {
		return diag.Unknown("preset", name, nil).Do("remove it: the pack has no presets").Of(rule.PresetUnknown)
	}
	var all []string
	for _, p := range presets {
		all = append(all, FullName(p))
	}
	f := diag.Unknown("preset", name, all)
	f.Nearest = "" // it may be in another group
	f = f.Propose(name, meant(presets, name)).Of(rule.PresetUnknown)
	if bare := withoutGroup(presets, name, f.Nearest); bare != "" {
		f.Mistakes[0].Right = bare
	}
	return f
}

// withoutGroup returns the correct spelling of a misspelt name that has no group: the name of the
// only preset that it can mean, or "" if there are several.
func withoutGroup(presets []pack.Preset, name, full string) (bare string) {
	for _, p := range presets {
		switch {
		case !nearest.IsMisspelt(name, p.Name):
		case bare != "" || FullName(p) != full:
			return ""
		default:
			bare = p.Name
		}
	}
	return bare
}

// meant returns the full name of the preset that a name probably asks for: the one with
// that display name, the only one of that name in another group, or a near name. A name
// with a group that exists is near to presets of this group only.
func meant(presets []pack.Preset, name string) string {
	var byDisplay, byName, full, bare []string
	inGroup := func(p pack.Preset) bool { return p.Group != "" && strings.HasPrefix(name, p.Group+":") }
	isGrouped := slices.ContainsFunc(presets, inGroup)
	for _, p := range presets {
		if strings.EqualFold(p.DisplayName, name) {
			byDisplay = append(byDisplay, FullName(p))
		}
		if strings.HasSuffix(name, ":"+p.Name) {
			byName = append(byName, FullName(p))
		}
		if !isGrouped || inGroup(p) {
			full, bare = append(full, FullName(p)), append(bare, p.Name)
		}
	}
	for _, sure := range [][]string{byDisplay, byName} {
		if len(sure) == 1 {
			return sure[0]
		}
	}
	if near := nearest.Name(name, full); near != "" {
		return near
	}
	if i := slices.Index(bare, nearest.Name(name, bare)); i >= 0 {
		return full[i]
	}
	return ""
}

// ambiguous returns the finding about a name that presets of several groups have.
func ambiguous(found []pack.Preset, name string) diag.Finding {
	var ways []string
	action := ""
	for _, p := range found {
		if p.Group == "" {
			action = "to use the one without a group, rename it in presets.yaml"
		} else if !slices.Contains(ways, FullName(p)) {
			ways = append(ways, FullName(p))
		}
	}
	f := diag.Got(fmt.Sprintf("%q, the name of %d presets", name, len(found)), diag.OneOf(ways))
	return tagged(f.Do(action).Of(rule.PresetInvalid), "", name)
}

// duplicates returns a finding, without a document, for each preset whose group and name
// an earlier one has. Of different groups presets may have one name.
func duplicates(presets []pack.Preset) []diag.Finding {
	var findings []diag.Finding
	first := map[[2]string]pack.Preset{}
	for _, p := range presets {
		key := [2]string{p.Group, p.Name}
		earlier, ok := first[key]
		if !ok {
			first[key] = p
			continue
		}
		f := diag.Say("duplicate preset %s", p).Do("rename one").At("", p.Position)
		f.First = earlier.Position
		findings = append(findings, tagged(f.Of(rule.PresetInvalid), p.Group, p.Name))
	}
	return findings
}

// tagged adds the tags of a preset to a finding.
func tagged(f diag.Finding, group, name string) diag.Finding {
	f.Tags = map[string]string{"preset": name}
	if group != "" {
		f.Tags["group"] = group
	}
	return f
}
