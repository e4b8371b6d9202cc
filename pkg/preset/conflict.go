package preset

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// PathConflict is a path that two presets set to different values; the later
// one wins.
type PathConflict struct {
	First, Second pack.Preset
	Path          string
}

// PathConflicts returns the paths that presets, applied in the given order, set
// to different values (rule P5). Of several presets that set one path each is
// paired with the one before it.
func PathConflicts(presets []pack.Preset) []PathConflict {
	var found []PathConflict
	for second := range presets {
		told := map[string]bool{}
		for first := second - 1; first >= 0; first-- {
			for _, path := range differences(presets[first], presets[second]) {
				if !told[path] {
					told[path] = true
					found = append(found, PathConflict{presets[first], presets[second], path})
				}
			}
		}
	}
	return found
}

// differences are the paths that two presets set to different values.
func differences(a, b pack.Preset) []string {
	var found []string
	var walk func(a, b *yaml.Node, at []string)
	walk = func(a, b *yaml.Node, at []string) {
		for _, e := range entries(a) {
			name, ok := e.name()
			other := values.Field(b, name)
			if !ok || other == nil {
				continue
			}
			path := append(at[:len(at):len(at)], name)
			switch {
			case isMap(e.value) && isMap(other):
				walk(e.value, other, path)
			case !values.Equal(e.value, other):
				found = append(found, strings.Join(path, "."))
			}
		}
	}
	if a.Add != nil && b.Add != nil {
		walk(a.Add.Root(), b.Add.Root(), nil)
	}
	return found
}
