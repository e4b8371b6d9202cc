package transfer

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// Form is the kind of resource that a pack becomes.
type Form string

// The forms of a pack in a package.
const (
	ConfigMap Form = "configmap"
	Pack      Form = "pack"
)

// resource is a pack that is written to a file.
type resource struct {
	// form is the kind of the resource, and name its name.
	form Form
	name string
	// metadata is the metadata from an earlier import, or nil for a new pack.
	metadata *yaml.Node
	// record identifies the imported files, and files are those to write.
	record pack.Imported
	files  []packdir.File
	// kept are entries that a user added after an earlier import. own are the files that keep the
	// edits of a user; the node is nil for a file that the user removed.
	kept []*yaml.Node
	own  map[string]*yaml.Node
}

var dataKey = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)

// text returns the text of the resource in the layout of kpt.
func (r *resource) text() ([]byte, error) {
	r.recordWritten()
	return layout.Print("pack "+r.name, r.node)
}

// node returns the resource, with the texts of files in a style.
func (r *resource) node(style yaml.Style) (*yaml.Node, error) {
	body, err := r.data(style), error(nil)
	head := []string{"v1", "ConfigMap", "data"}
	if r.form == Pack {
		body, err = r.spec(style)
		head = []string{pack.GroupVersion, "Pack", "spec"}
	}
	return layout.Map("apiVersion", layout.Text(head[0]), "kind", layout.Text(head[1]), "metadata", r.metadataNode(), head[2], body), err
}

// metadataNode returns the metadata, with the annotations that keep kpt from applying the resource and
// that record the import.
func (r *resource) metadataNode() *yaml.Node {
	metadata := layout.Map("name", layout.Text(r.name))
	if r.metadata != nil {
		metadata = layout.Clone(r.metadata)
	}
	annotations := values.Field(metadata, "annotations")
	if annotations == nil {
		annotations = layout.Map()
		metadata.Content = append(metadata.Content, layout.Text("annotations"), annotations)
	}
	layout.SetText(annotations, list.LocalConfigAnnotation, "true")
	layout.SetText(annotations, pack.ImportedAnnotation, r.record.String())
	return metadata
}

// data returns the data of a ConfigMap: a text for each file, and the entries of the user after them.
func (r *resource) data(style yaml.Style) *yaml.Node {
	data := layout.Map()
	for _, f := range r.files {
		data.Content = r.withFile(data.Content, f, f.Name, style)
	}
	data.Content = append(data.Content, r.kept...)
	return data
}

// documentFields maps files to the fields of a Pack that contain them.
var documentFields = map[string]string{
	"values.yaml": "values", "schema.yaml": "schema", "presets.yaml": "presets",
	"properties.yaml": "properties", "dependencies.yaml": "dependencies", facts.FileName: "chartFacts",
}

// spec returns the spec of a Pack: the fields of pack.json, and the other files in the fields that
// stand for them. It is an error if pack.json itself has one of these fields.
func (r *resource) spec(style yaml.Style) (*yaml.Node, error) {
	spec := layout.Map()
	for _, f := range r.files {
		if f.Name == packdir.Metadata {
			content, err := layout.ParseJSON(f.Text)
			if err != nil {
				return nil, fmt.Errorf("%s of the pack %s: %w; import it with --as configmap", f.Name, r.name, err)
			}
			for _, field := range slices.Sorted(maps.Values(documentFields)) {
				if values.Field(content, field) != nil {
					return nil, fmt.Errorf("%s of the pack %s has the field %s, which means the file in a Pack; import it with --as configmap", f.Name, r.name, field)
				}
			}
			spec = content
			continue
		}
		field, ok := documentFields[f.Name]
		if !ok {
			return nil, fmt.Errorf("a Pack has no place for %s; import it with --as configmap", f.Name)
		}
		spec.Content = r.withFile(spec.Content, f, field, style)
	}
	spec.Content = append(spec.Content, r.kept...)
	return spec, nil
}

// withFile appends a file to the pairs of a mapping, in the version of the user if it has edits.
func (r *resource) withFile(pairs []*yaml.Node, f packdir.File, key string, style yaml.Style) []*yaml.Node {
	n, isOwn := r.own[f.Name]
	switch {
	case isOwn && n == nil:
		return pairs
	case isOwn && n.Kind == yaml.ScalarNode:
		f.Text = []byte(n.Value)
	case isOwn:
		return append(pairs, layout.Text(key), layout.Clone(n))
	}
	return append(pairs, layout.Text(key), layout.Styled(string(f.Text), style))
}

// quotedTexts returns a message for each file that kpt stores as a single quoted line, with the
// reason.
func quotedTexts(text []byte, files []packdir.File) []string {
	document, err := values.Parse(string(text))
	if err != nil {
		return nil
	}
	var notes []string
	for _, f := range files {
		n := values.Field(document.Root(), "data", f.Name)
		if field, ok := documentFields[f.Name]; ok && n == nil {
			n = values.Field(document.Root(), "spec", field)
		}
		if n == nil || n.Style&yaml.DoubleQuotedStyle == 0 || !strings.Contains(n.Value, "\n") {
			continue
		}
		line, why := quotedLine(n.Value)
		note := f.Name + ": kpt stores it as one quoted line"
		if line > 0 {
			note += fmt.Sprintf(", because line %d %s", line, why)
		}
		notes = append(notes, note)
	}
	return notes
}

// quotedLine returns the first line of a text that makes kpt's printer quote it, and the reason.
// The line is 0 if it is unknown.
func quotedLine(text string) (line int, why string) {
	for i, content := range strings.Split(text, "\n") {
		switch {
		case strings.HasSuffix(content, "\r"):
			return i + 1, "ends in a carriage return"
		case strings.HasSuffix(content, " "):
			return i + 1, "ends in whitespace"
		}
		for _, r := range content {
			if !kptpackage.IsPrinted(r) {
				return i + 1, fmt.Sprintf("has the character %U", r)
			}
		}
	}
	return 0, ""
}
