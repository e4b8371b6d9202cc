package preset

import (
	"fmt"
	"maps"
	"strings"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// The model computes what presets make of values. It works on decoded maps and
// slices, without any of the code under test.

func modelValue(n *yaml.Node) any {
	if n == nil {
		return nil
	}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = modelValue(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		s := []any{}
		for _, item := range n.Content {
			s = append(s, modelValue(item))
		}
		return s
	}
	switch tag := n.ShortTag(); tag {
	case "!!null":
		return nil
	case "!!int", "!!float", "!!bool": // 0 is 00
		var v any
		if n.Decode(&v) == nil {
			return fmt.Sprintf("%s %v", tag, v)
		}
		return tag + " " + n.Value
	default:
		return tag + " " + n.Value
	}
}

func modelMerge(below, over any) any {
	b, isMap := below.(map[string]any)
	o, alsoMap := over.(map[string]any)
	if !isMap || !alsoMap {
		return over
	}
	m := maps.Clone(b)
	for k, v := range o {
		if old, known := b[k]; known {
			v = modelMerge(old, v)
		}
		m[k] = v
	}
	return m
}

// modelRemove removes what any reading of the steps addresses.
func modelRemove(v any, steps []string) any {
	switch c := v.(type) {
	case map[string]any:
		m := maps.Clone(c)
		for n := 1; n <= len(steps) && steps[n-1] != "$[]"; n++ {
			key := strings.Join(steps[:n], ".")
			switch old, known := m[key]; {
			case known && n == len(steps):
				delete(m, key)
			case known:
				m[key] = modelRemove(old, steps[n:])
			}
		}
		return m
	case []any:
		s := []any{}
		for i, item := range c {
			switch {
			case steps[0] != "$[]" && steps[0] != fmt.Sprint(i):
				s = append(s, item)
			case len(steps) > 1:
				s = append(s, modelRemove(item, steps[1:]))
			}
		}
		return s
	}
	return v
}

func modelApply(v any, presets ...pack.Preset) any {
	for _, p := range presets {
		for _, path := range p.Remove {
			v = modelRemove(v, strings.Split(path.String(), "."))
		}
		if p.Add != nil && p.Add.Root() != nil {
			v = modelMerge(v, modelValue(p.Add.Root()))
		}
	}
	return v
}

// withoutNulls drops null keys of maps: null and absent count as equal.
func withoutNulls(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	left := map[string]any{}
	for k, value := range m {
		if value = withoutNulls(value); value != nil {
			left[k] = value
		}
	}
	return left
}

// orEmpty makes a map of values that are not there.
func orEmpty(v any) any {
	if v == nil {
		return map[string]any{}
	}
	return v
}

// The helpers below make presets and documents.

func mustParse(t rapid.TB, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return d
}

// change makes a preset: paths to remove, separated by blanks, and a text to add.
func change(t rapid.TB, remove, add string) pack.Preset {
	t.Helper()
	p := pack.Preset{Name: "it", Add: mustParse(t, add)}
	for path := range strings.FieldsSeq(remove) {
		parsed, err := values.ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		p.Remove = append(p.Remove, parsed)
	}
	return p
}
