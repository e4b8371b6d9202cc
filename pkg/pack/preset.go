package pack

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// Preset is one entry of presets.yaml: a named change of a pack's values.
type Preset struct {
	// Name is the preset's identity within its pack.
	Name string
	// DisplayName is what user interfaces show.
	DisplayName string
	// Group is the group of which one preset at most may be chosen, "" for none.
	Group string
	// Remove are the paths that are removed before anything is added.
	Remove []string
	// Add is what is merged into the values; nil when nothing is.
	Add *values.Document
	// Position is where the entry begins in its document.
	Position values.Position
}

// presetEntry is a preset as written; add is text or a mapping.
type presetEntry struct {
	Name        string     `json:"name" required:"true"`
	DisplayName string     `json:"displayName"`
	Group       string     `json:"group"`
	Remove      []string   `json:"remove"`
	Add         *yaml.Node `json:"add"`
}

// ReadPresets returns the presets of a pack, none when it has no presets.yaml or
// an empty one, and the faults of those that can not be read. The error is that
// of a document that is not YAML.
func (p *Pack) ReadPresets() ([]Preset, []function.Problem, error) {
	if p.Presets == nil {
		return nil, nil, nil
	}
	document, err := p.Presets.Document()
	if err != nil || document.Root() == nil {
		return nil, nil, err
	}
	list, path := document.Root(), p.Presets.Name
	if list.Kind == yaml.MappingNode {
		path = "presets"
		var file struct {
			Presets *yaml.Node `json:"presets"`
		}
		if problems := function.Decode(list, "", &file); len(problems) > 0 {
			return nil, problems, nil
		}
		if list = file.Presets; list == nil {
			return nil, nil, nil
		}
	}
	if list.Kind != yaml.SequenceNode {
		return nil, []function.Problem{{Path: path, Message: fmt.Sprintf("got %s, want a list of presets", function.KindOf(list))}}, nil
	}
	var presets []Preset
	var problems []function.Problem
	for i, n := range list.Content {
		preset, found := readPreset(document, values.Resolve(n), fmt.Sprintf("%s[%d]", path, i))
		problems = append(problems, found...)
		if len(found) == 0 {
			presets = append(presets, preset)
		}
	}
	return presets, problems, nil
}

func readPreset(document *values.Document, n *yaml.Node, path string) (Preset, []function.Problem) {
	var entry presetEntry
	if values.IsNull(n) { // which Decode takes for absent
		return Preset{}, []function.Problem{{Path: path, Message: "got nothing, want a mapping"}}
	}
	if problems := function.Decode(n, path, &entry); len(problems) > 0 {
		return Preset{}, problems
	}
	preset := Preset{
		Name:        entry.Name,
		DisplayName: entry.DisplayName,
		Group:       entry.Group,
		Remove:      entry.Remove,
		Position:    values.At(n),
	}
	if entry.Add == nil {
		return preset, nil
	}
	switch entry.Add.Kind {
	case yaml.MappingNode:
		preset.Add = document.Part(entry.Add)
		return preset, nil
	case yaml.ScalarNode:
		add, err := values.Parse(entry.Add.Value)
		if err != nil {
			return preset, []function.Problem{{Path: path + ".add", Message: fmt.Sprintf("is not YAML: %v", err)}}
		}
		if root := add.Root(); root != nil && root.Kind != yaml.MappingNode {
			return preset, []function.Problem{{Path: path + ".add", Message: fmt.Sprintf("got %s, want a mapping", function.KindOf(root))}}
		}
		preset.Add = add
		return preset, nil
	default:
		return preset, []function.Problem{{Path: path + ".add", Message: fmt.Sprintf("got %s, want text or a mapping", function.KindOf(entry.Add))}}
	}
}
