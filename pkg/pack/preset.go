package pack

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Preset is one entry of presets.yaml: a named change of a pack's values.
type Preset struct {
	// Name is the preset's identity within its pack.
	Name string
	// DisplayName is what user interfaces show.
	DisplayName string
	// Group is the preset's group, or "" if there is none. At most one preset of a group may be
	// chosen.
	Group string
	// Remove are the paths that are removed before anything is added.
	Remove []values.Path
	// Add is merged into the values, or nil if there is none.
	Add *values.Document
	// Key is the path of the entry in its document, and Position where it begins.
	Key      string
	Position values.Position
	// Faults, without a rule, are the reasons why the preset cannot be applied. There are none if
	// it can.
	Faults []diag.Finding
}

// String names the preset in a message: `"ha" (group "size")`.
func (p Preset) String() string {
	if p.Group == "" {
		return fmt.Sprintf("%q", p.Name)
	}
	return fmt.Sprintf("%q (group %q)", p.Name, p.Group)
}

// presetEntry is a preset as written; add is a string or a map.
type presetEntry struct {
	// Name is the preset's identity in its pack.
	Name string `json:"name" required:"true"`
	// DisplayName is what user interfaces show.
	DisplayName string `json:"displayName"`
	// Group is the preset's group. At most one preset of a group may be chosen.
	Group string `json:"group"`
	// Remove are the paths of values that are removed before anything is added.
	Remove []string `json:"remove"`
	// Add contains the values that are merged into the values of the pack, as a string with YAML or as a map.
	Add *yaml.Node `json:"add"`
}

// ReadPresets returns the presets of a pack, none when it has no presets.yaml or an
// empty one. Presets with faults are among them, see [Preset.Faults]. The findings,
// without a rule, are about the document as a whole.
//
//	presets:            # or the list as the document
//	- name: ha
//	  group: size
//	  add: {server: {replicas: 3}}
func (p *Pack) ReadPresets() ([]Preset, []diag.Finding) {
	if p.Presets == nil {
		return nil, nil
	}
	document, err := p.Presets.Document()
	if err != nil {
		return nil, []diag.Finding{diag.Unreadable(err).From(p.Presets.Origin).For(p.Name)}
	}
	if document.Root() == nil {
		return nil, nil
	}
	r := presetReader{document: document, pack: p.Name}
	list, path := document.Root(), ""
	var faults []diag.Finding
	if list.Kind == yaml.MappingNode {
		path = "presets"
		var file struct {
			Presets *yaml.Node `json:"presets"`
		}
		faults = r.located(decode.Node(list, "", &file))
		if list = file.Presets; list == nil {
			return nil, faults
		}
	}
	if list.Kind != yaml.SequenceNode {
		return nil, append(faults, r.located([]diag.Finding{diag.Got(values.KindOf(list), "a list of presets").At(path, values.At(list))})...)
	}
	var presets []Preset
	for i, n := range list.Content {
		presets = append(presets, r.entry(values.Resolve(n), fmt.Sprintf("%s[%d]", path, i)))
	}
	if len(faults) == 0 {
		return presets, nil
	}
	for _, one := range presets {
		faults = append(faults, one.Faults...)
	}
	return nil, faults
}

// presetReader reads the entries of one document.
type presetReader struct {
	// document is presets.yaml, and pack the name of the pack.
	document *values.Document
	pack     string
}

// located gives findings their document and their pack.
func (r *presetReader) located(findings []diag.Finding) []diag.Finding {
	for i := range findings {
		findings[i] = findings[i].From(r.document.Origin()).For(r.pack)
	}
	return findings
}

// entry reads a preset. Its faults are kept, because other presets may still be applied.
func (r *presetReader) entry(n *yaml.Node, path string) Preset {
	if values.IsNull(n) {
		null := diag.Got("null", "a map with name, add and remove").At(path, values.At(n))
		return Preset{Key: path, Position: values.At(n), Faults: r.located([]diag.Finding{null})}
	}
	var entry presetEntry
	faults := decode.Node(n, path, &entry)
	preset := Preset{
		Name:        entry.Name,
		DisplayName: entry.DisplayName,
		Group:       entry.Group,
		Key:         path,
		Position:    values.At(n),
	}
	for i, text := range entry.Remove {
		p, err := values.ParsePath(text)
		at := fmt.Sprintf("%s.remove[%d]", path, i)
		if err != nil && !slices.ContainsFunc(faults, func(f diag.Finding) bool { return f.Key == at }) {
			faults = append(faults, diag.Say("%v", err).At(at, values.At(values.Follow(n, values.Below(values.Keys("remove"), values.Element(i))))))
		}
		preset.Remove = append(preset.Remove, p)
	}
	if entry.Add != nil {
		add, found := r.add(entry.Add)
		preset.Add = add
		for _, fault := range found {
			if fault.Position.Line == 0 {
				fault.Position = values.At(entry.Add)
			}
			faults = append(faults, fault.At(path+".add"+fault.Key, fault.Position))
		}
	}
	preset.Faults = r.located(faults)
	return preset
}

// add reads what a preset adds, and returns its faults, with keys below add.
func (r *presetReader) add(n *yaml.Node) (add *values.Document, faults []diag.Finding) {
	switch n.Kind {
	case yaml.MappingNode:
		if add = r.document.Part(n); !r.document.Origin().Embedded {
			return add, nil // duplicate keys of a resource are reported with it
		}
	case yaml.ScalarNode:
		var err error
		if add, err = values.Parse(n.Value); err != nil {
			fault := diag.Unreadable(err)
			if fault.Position = r.document.InText(n, fault.Position); !r.document.Origin().Embedded {
				fault.Found = err.Error() // with the line in the text, the only one to show
			}
			return nil, []diag.Finding{fault}
		}
		if root := add.Root(); root != nil && root.Kind != yaml.MappingNode {
			return nil, []diag.Finding{diag.Got(values.KindOf(root), "a map").At("", r.document.InText(n, values.At(root)))}
		}
	default:
		return nil, []diag.Finding{diag.Got(values.KindOf(n), "a string or a map")}
	}
	for _, d := range add.Duplicates() {
		if n.Kind == yaml.ScalarNode {
			d.First, d.Second = r.document.InText(n, d.First), r.document.InText(n, d.Second)
		}
		faults = append(faults, diag.Duplicate(d.First, d.Second).At("."+d.Path, d.Second))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return add, nil
}
