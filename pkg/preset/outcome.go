package preset

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Error is returned if a preset cannot be applied to some values, because it removes one element of
// a list by its number: the next element would move up, and be removed in the next run. It is a Go
// error and not a finding, because it ends [Apply].
type Error struct {
	// Preset is the preset that cannot be applied.
	Preset pack.Preset
	// Path is the path of the element.
	Path values.Path
}

func (e *Error) Error() string {
	f := e.finding()
	return f.Message()
}

// finding returns the error as a finding at the preset, without a document.
func (e *Error) finding() diag.Finding {
	steps := e.Path.Steps()
	list, index := strings.Join(steps[:len(steps)-1], "."), steps[len(steps)-1]
	f := diag.Say("preset %s cannot be applied: %s removes the element with the index %s, and the next render would remove the one that follows it", e.Preset, e.Path, index)
	f = f.Do(fmt.Sprintf("write the whole list that you want under add (%s.%s under remove removes all elements)", list, values.Wildcard))
	f.Kind = diag.KindPlaced
	return tagged(f.At("", e.Preset.Position).Of(rule.PresetInvalid), e.Preset.Group, e.Preset.Name)
}

// outcome returns what the values become with the presets: each removes first and then
// adds, in the given order.
func outcome(root *yaml.Node, presets []pack.Preset) (*yaml.Node, error) {
	var err error
	for _, p := range presets {
		if root, err = remove(root, p); err != nil {
			return nil, err
		}
		root = overlay(root, added(p))
	}
	// What is added may be what a path cannot remove: the next run would fail.
	for _, p := range presets {
		if _, err := remove(root, p); err != nil {
			return nil, err
		}
	}
	return root, nil
}

// content returns what a layer has to hold so that it makes want over the layers below;
// own is what it holds now. Nil is absent. What makes want already stays as it is; what
// below would bring back becomes null, which counts as absent.
func content(below, own, want *yaml.Node) *yaml.Node {
	if values.Equal(overlay(below, own), want) {
		return own
	}
	switch {
	case want == nil && below == nil:
		return nil
	case want == nil && isNull(below):
		if isNull(own) {
			return own
		}
		return nil
	case want == nil:
		return nullNode()
	case !isMap(want) || !isMap(below):
		return want
	}
	var layer []values.Pair
	done := map[string]bool{}
	belows, owns, wants := values.ByName(below), values.ByName(own), values.ByName(want)
	for _, n := range []*yaml.Node{own, want, below} {
		for _, e := range values.Pairs(n) {
			name, ok := e.Name()
			switch {
			case !ok && n == own:
				layer = append(layer, e) // no path leads there
			case ok && !done[name]:
				done[name] = true
				if value := content(belows[name], owns[name], wants[name]); value != nil {
					layer = append(layer, values.Pair{Key: e.Key, Value: value})
				}
			}
		}
	}
	if len(layer) == 0 && own == nil {
		return nil
	}
	return mapOf(want, layer)
}

// isSame reports whether two values are equal where null and absent keys of maps count
// as equal.
func isSame(a, b *yaml.Node) bool {
	switch {
	case values.IsNull(a) || values.IsNull(b):
		return values.IsNull(a) && values.IsNull(b)
	case !isMap(a) || !isMap(b):
		return values.Equal(a, b)
	}
	same := true
	walkBoth(a, b, nil, func(_ []string, a, b *yaml.Node) { same = same && isSame(a, b) })
	return same
}
