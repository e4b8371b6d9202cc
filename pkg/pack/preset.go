package pack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	Remove []values.Path
	// Add is what is merged into the values; nil when nothing is.
	Add *values.Document
	// Position is where the entry begins in its document.
	Position values.Position
}

// String names the preset in a message: `"ha" (group "size")`.
func (p Preset) String() string {
	if p.Group == "" {
		return fmt.Sprintf("%q", p.Name)
	}
	return fmt.Sprintf("%q (group %q)", p.Name, p.Group)
}

// PresetProblem is a fault of a presets.yaml.
type PresetProblem struct {
	function.Problem
	// Preset is the name of the preset that is at fault, "" when it has none that
	// can be read.
	Preset string
	// Group is the preset's group, "" for none.
	Group string
	// Position is where the fault is in its document.
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
// an empty one, and the faults of those that can not be read, which are left
// out. The error is that of a document that is not YAML.
func (p *Pack) ReadPresets() ([]Preset, []PresetProblem, error) {
	if p.Presets == nil {
		return nil, nil, nil
	}
	document, err := p.Presets.Document()
	if err != nil || document.Root() == nil {
		return nil, nil, err
	}
	r := presetReader{document: document, embedded: p.Presets.Embedded()}
	list, path := document.Root(), p.Presets.Name
	if list.Kind == yaml.MappingNode {
		path = "presets"
		var file struct {
			Presets *yaml.Node `json:"presets"`
		}
		if r.report(list, "", Preset{}, function.Decode(list, "", &file)); len(r.problems) > 0 {
			return nil, r.problems, nil
		}
		if list = file.Presets; list == nil {
			return nil, nil, nil
		}
	}
	if list.Kind != yaml.SequenceNode {
		r.report(list, path, Preset{}, []function.Problem{{Path: path, Message: fmt.Sprintf("got %s, want a list of presets", function.KindOf(list))}})
		return nil, r.problems, nil
	}
	for i, n := range list.Content {
		r.entry(values.Resolve(n), fmt.Sprintf("%s[%d]", path, i))
	}
	return r.presets, r.problems, nil
}

// presetReader reads the entries of one document.
type presetReader struct {
	document *values.Document
	embedded bool
	presets  []Preset
	problems []PresetProblem
}

// report adds faults of the node at path, which are placed as near as the node
// can be followed.
func (r *presetReader) report(n *yaml.Node, path string, preset Preset, problems []function.Problem) {
	for _, p := range problems {
		at := values.At(nearestTo(n, strings.TrimPrefix(p.Path, path)))
		r.problems = append(r.problems, PresetProblem{Problem: p, Preset: preset.Name, Group: preset.Group, Position: at})
	}
}

// nearestTo follows a path of Decode, `.remove[1]`, as far as it leads.
func nearestTo(n *yaml.Node, path string) *yaml.Node {
	for path != "" {
		step, rest := path[1:], ""
		if end := strings.IndexAny(step, ".["); end >= 0 {
			step, rest = step[:end], step[end:]
		}
		next := values.Field(n, step)
		if path[0] == '[' {
			next = nil
			if index, err := strconv.Atoi(strings.TrimSuffix(step, "]")); err == nil && n.Kind == yaml.SequenceNode && index < len(n.Content) {
				next = values.Resolve(n.Content[index])
			}
		}
		if next == nil {
			return n
		}
		n, path = next, rest
	}
	return n
}

func (r *presetReader) entry(n *yaml.Node, path string) {
	var entry presetEntry
	if values.IsNull(n) { // which Decode takes for absent
		r.report(n, path, Preset{}, []function.Problem{{Path: path, Message: "got nothing, want a mapping"}})
		return
	}
	problems := function.Decode(n, path, &entry)
	preset := Preset{
		Name:        entry.Name,
		DisplayName: entry.DisplayName,
		Group:       entry.Group,
		Position:    values.At(n),
	}
	for i, text := range entry.Remove {
		p, err := values.ParsePath(text)
		if at := fmt.Sprintf("%s.remove[%d]", path, i); err != nil && !slices.ContainsFunc(problems, func(p function.Problem) bool { return p.Path == at }) {
			problems = append(problems, function.Problem{Path: at, Message: err.Error()})
		}
		preset.Remove = append(preset.Remove, p)
	}
	if entry.Add != nil {
		add, message := r.add(entry.Add)
		if message != "" {
			problems = append(problems, function.Problem{Path: path + ".add", Message: message})
		}
		preset.Add = add
	}
	if r.report(n, path, preset, problems); len(problems) == 0 {
		r.presets = append(r.presets, preset)
	}
}

// add reads what a preset adds, and says what is wrong with it.
func (r *presetReader) add(n *yaml.Node) (add *values.Document, message string) {
	lines := "line"
	switch n.Kind {
	case yaml.MappingNode:
		add = r.document.Part(n)
		if !r.embedded {
			return add, "" // keys of a resource that stand twice are reported with it
		}
	case yaml.ScalarNode:
		lines = "its line"
		var err error
		if add, err = values.Parse(n.Value); err != nil {
			return nil, fmt.Sprintf("is not YAML: %v", err)
		}
		if root := add.Root(); root != nil && root.Kind != yaml.MappingNode {
			return nil, fmt.Sprintf("got %s, want a mapping", function.KindOf(root))
		}
	default:
		return nil, fmt.Sprintf("got %s, want text or a mapping", function.KindOf(n))
	}
	if twice := add.Duplicates(); len(twice) > 0 {
		d := twice[0]
		return nil, fmt.Sprintf("the key %s stands on %s %d and again on %s %d; remove one", d.Path, lines, d.First.Line, lines, d.Second.Line)
	}
	return add, ""
}
