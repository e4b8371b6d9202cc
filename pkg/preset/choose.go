package preset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
)

// Rule is the id of a rule about presets.
type Rule string

// The rules. Their severities are those of Function.
const (
	RuleUnknown       Rule = "preset/unknown"
	RuleGroupConflict Rule = "preset/group-conflict"
	RuleInvalid       Rule = "preset/invalid"
	RulePathConflict  Rule = "preset/path-conflict"
	RuleApplied       Rule = "preset/applied"
)

// Fault says why presets can not be chosen as asked.
type Fault struct {
	Rule Rule
	// Name is the index of the name that is at fault, the last one of a conflict.
	Name int
	// Message says what is wrong and how to mend it.
	Message string
}

// Choose returns the presets that names ask for, in their order and each once,
// and everything that is wrong with them (rule P5). A name is that of a preset,
// or `group:name`. Of presets that nothing tells apart, see Twice, the first is
// returned.
func Choose(presets []pack.Preset, names ...string) ([]pack.Preset, []Fault) {
	var faults []Fault
	var chosen []pack.Preset
	var from []int // the index of the name that each was chosen by
	for i, name := range names {
		found := bearing(presets, name)
		switch {
		case len(found) == 0:
			faults = append(faults, Fault{RuleUnknown, i, unknown(presets, name)})
		case slices.ContainsFunc(found, func(p pack.Preset) bool { return p.Group != found[0].Group }):
			faults = append(faults, Fault{RuleInvalid, i, ambiguous(found, name)})
		case !slices.ContainsFunc(chosen, func(p pack.Preset) bool { return p.Name == found[0].Name && p.Group == found[0].Group }):
			chosen, from = append(chosen, found[0]), append(from, i)
		}
	}
	for i, p := range chosen {
		first := slices.IndexFunc(chosen, func(q pack.Preset) bool { return p.Group != "" && q.Group == p.Group })
		if first >= 0 && first < i {
			faults = append(faults, Fault{RuleGroupConflict, from[i], fmt.Sprintf(
				"the presets %q and %q are both of the group %q, of which one at most can be applied: remove one of them", chosen[first].Name, p.Name, p.Group)})
		}
	}
	return chosen, faults
}

// bearing returns the presets that a name can mean.
func bearing(presets []pack.Preset, name string) []pack.Preset {
	var found []pack.Preset
	for _, p := range presets {
		if p.Name == name || p.Group != "" && p.Group+":"+p.Name == name {
			found = append(found, p)
		}
	}
	return found
}

// known are the names by which presets can be asked for, those that are not
// unique with their group.
func known(presets []pack.Preset) []string {
	var names []string
	for _, p := range presets {
		name := p.Name
		if p.Group != "" && len(bearing(presets, name)) > 1 {
			name = p.Group + ":" + p.Name
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// maxListed bounds the lists in messages.
const maxListed = 20

func unknown(presets []pack.Preset, name string) string {
	names := known(presets)
	if len(names) == 0 {
		return fmt.Sprintf("no preset is named %q: the pack has no presets; remove the name", name)
	}
	// A name with its group is compared with others of that form.
	hint := nearest.Hint(name, names)
	if hint == "" {
		var full []string
		for _, p := range presets {
			full = append(full, strings.TrimPrefix(p.Group+":"+p.Name, ":"))
		}
		hint = nearest.Hint(name, full)
	}
	for i, n := range names {
		names[i] = fmt.Sprintf("%q", n)
	}
	if more := len(names) - maxListed; more > 0 {
		names = append(names[:maxListed], fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("no preset is named %q%s: want %s", name, hint, function.OneOf(names))
}

func ambiguous(found []pack.Preset, name string) string {
	var ways []string
	alone := ""
	for _, p := range found {
		if p.Group == "" {
			alone = ", or give the one without a group another name in presets.yaml"
			continue
		}
		if way := fmt.Sprintf("%q", p.Group+":"+p.Name); !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return fmt.Sprintf("%d presets are named %q: write %s%s", len(found), name, function.OneOf(ways), alone)
}

// Twice returns the presets whose name another one before them in the file
// bears, each behind that one. Those of different groups can be told apart, by
// `group:name`.
func Twice(presets []pack.Preset) [][2]pack.Preset {
	var pairs [][2]pack.Preset
	first := map[[2]string]pack.Preset{}
	for _, p := range presets {
		key := [2]string{p.Group, p.Name}
		if earlier, ok := first[key]; ok {
			pairs = append(pairs, [2]pack.Preset{earlier, p})
			continue
		}
		first[key] = p
	}
	slices.SortStableFunc(pairs, func(a, b [2]pack.Preset) int { return cmp.Compare(a[1].Position.Line, b[1].Position.Line) })
	return pairs
}
