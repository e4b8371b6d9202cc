package preset

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// pathConflicts returns a warning, without a document, for each path that two presets,
// applied in the given order, set to different values. Each preset is paired
// with the last one before it that sets the path. Presets of one group are left out: they
// cannot be applied together.
func pathConflicts(presets []pack.Preset) []diag.Finding {
	var findings []diag.Finding
	for second, p := range presets {
		seen := map[string]bool{}
		for first := second - 1; first >= 0; first-- {
			if p.Group != "" && presets[first].Group == p.Group {
				continue
			}
			for _, d := range differences(added(presets[first]), added(p)) {
				if seen[d.path] {
					continue
				}
				seen[d.path] = true
				f := diag.Say("presets %s and %s set %s to different values. The value of the last preset is used", presets[first], p, d.path)
				f = f.Do("select only one of them, or set the value in an override").At(d.path, p.Position)
				f.Kind = diag.KindPlaced
				findings = append(findings, tagged(f.Of(rule.PresetPathConflict), p.Group, p.Name))
			}
		}
	}
	return findings
}

// overridden returns an info, about an override, for each key of a preset that the
// override sets to another value, or sets although the preset removes it.
func overridden(p pack.Preset, override *values.Document) []diag.Finding {
	var findings []diag.Finding
	report := func(path string, n *yaml.Node) {
		f := diag.Say("overrides the preset %s", p).Do("to use the preset's value, remove the key here")
		findings = append(findings, tagged(f.In(override.Origin(), path, values.At(n)).Of(rule.PresetOverridden), p.Group, p.Name))
	}
	for _, d := range differences(added(p), override.Root()) {
		report(d.path, d.second)
	}
	for _, path := range p.Remove {
		for _, match := range values.Find(override.Root(), path) {
			if match.State == values.Present && !values.IsNull(match.Node) && !has(added(p), path) {
				report(path.String(), match.Node)
			}
		}
	}
	return findings
}

// added returns what a preset adds, or nil if there is none.
func added(p pack.Preset) *yaml.Node {
	if p.Add == nil {
		return nil
	}
	return p.Add.Root()
}

// has reports whether a path leads to a value.
func has(n *yaml.Node, path values.Path) bool {
	return slices.ContainsFunc(values.Find(n, path), func(m values.Match) bool { return m.State == values.Present })
}

// difference is a path that two trees set to different values.
type difference struct {
	// path is the path, and second the value in the second tree.
	path   string
	second *yaml.Node
}

// differences returns the highest paths that both trees have, with different values.
func differences(first, second *yaml.Node) []difference {
	var found []difference
	walkBoth(first, second, nil, func(at []string, a, b *yaml.Node) {
		if a != nil && b != nil {
			found = append(found, difference{strings.Join(at, "."), b})
		}
	})
	return found
}

// walkBoth visits the highest keys of two maps whose values differ, in the order of the
// first. Nil is an absent value.
func walkBoth(first, second *yaml.Node, at []string, visit func(at []string, first, second *yaml.Node)) {
	inFirst, inSecond := values.ByName(first), values.ByName(second)
	for _, name := range keysOf(first, second) {
		a, b := inFirst[name], inSecond[name]
		below := append(at[:len(at):len(at)], name)
		switch {
		case isMap(a) && isMap(b):
			walkBoth(a, b, below, visit)
		case !values.Equal(a, b):
			visit(below, a, b)
		}
	}
}
