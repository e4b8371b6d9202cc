package preset

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// minKey is the length from which a key can be a misspelt one. Most slips of shorter ones
// are other words.
const minKey = 4

// maxComparisons is the largest number of pairs of keys that are compared for one preset. A key
// that would need more has no near one: among some of the keys another might seem the nearest.
const maxComparisons = 20_000

// misspelt returns a warning for each key that a preset adds next to a key which it probably
// means: their names are almost the same, the values have the same form, and nothing but
// the preset sets the key. The chart would not read it, and the preset would do nothing.
//
// effective are the values with the preset. The warnings do not depend on whether it was
// applied now or earlier.
func misspelt(p pack.Preset, effective *yaml.Node) []diag.Finding {
	var findings []diag.Finding
	left := maxComparisons
	var walk func(added, present *yaml.Node, at []string)
	walk = func(added, present *yaml.Node, at []string) {
		all, own := values.ByName(present), values.ByName(added)
		var others []values.Pair // that the preset does not have
		for _, e := range values.Pairs(present) {
			if name, ok := e.Name(); ok && own[name] == nil {
				others = append(others, e)
			}
		}
		for _, e := range values.Pairs(added) {
			name, ok := e.Name()
			if !ok {
				continue
			}
			near := ""
			if v := all[name]; (v == nil || values.Equal(v, e.Value)) && len(others) <= left {
				near = keyMeant(name, e.Value, others)
				left -= len(others)
			}
			below := append(at[:len(at):len(at)], name)
			switch {
			case near != "":
				f := diag.Say("the pack has no such key; the preset %s adds it", p).Do("correct the key in the preset").At(p.Key+".add."+strings.Join(below, "."), p.Position)
				f.Severity, f.Nearest = diag.Warning, near
				findings = append(findings, tagged(f.Of(rule.PresetInvalid), p.Group, p.Name))
			case isMap(e.Value) && isMap(all[name]):
				walk(e.Value, all[name], below)
			}
		}
	}
	walk(added(p), effective, nil)
	return findings
}

// keyMeant returns the one of other keys that a key, with its value, probably means, or "" if there
// is none.
func keyMeant(name string, value *yaml.Node, others []values.Pair) string {
	if len(name) < minKey {
		return ""
	}
	for _, e := range others {
		near, _ := e.Name()
		if nearest.IsTypo(name, near) && nearest.Reference(name, []string{near}) == near && fits(value, e.Value) {
			return near
		}
	}
	return ""
}

// fits reports whether a value that a preset adds has the form of another one: a map has
// no other keys.
func fits(value, in *yaml.Node) bool {
	if !isMap(value) || !isMap(in) {
		return isMap(value) == isMap(in) && isList(value) == isList(in) && values.IsNull(value) == values.IsNull(in)
	}
	all := values.ByName(in)
	for name, child := range values.ByName(value) {
		if all[name] == nil || !fits(child, all[name]) {
			return false
		}
	}
	return len(value.Content) > 0
}
