package transfer

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
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
	return layOut("pack "+r.name, r.node)
}

// layOut returns the text of a resource in the layout of kpt. node returns the resource with
// multi-line strings in a style.
func layOut(what string, node func(yaml.Style) (*yaml.Node, error)) ([]byte, error) {
	var beyond error
	for _, style := range []yaml.Style{yaml.LiteralStyle, yaml.DoubleQuotedStyle} {
		root, err := node(style)
		if err != nil {
			return nil, err
		}
		printed, err := values.Print(root)
		if err != nil {
			return nil, err
		}
		text, err := kptpackage.Format(printed)
		if err != nil {
			continue
		}
		// Verify that the printed text parses to the same content.
		again, err := values.Parse(string(text))
		if err == nil && values.Equal(again.Root(), root) {
			return text, nil
		}
		if limit, ok := errors.AsType[*values.LimitError](err); ok {
			beyond = limit
		}
	}
	if beyond != nil {
		return nil, fmt.Errorf("the %s is too large to be stored as one resource: %w; make its files smaller", what, beyond)
	}
	return nil, fmt.Errorf("the %s cannot be stored by kpt without a change", what)
}

// node returns the resource, with the texts of files in a style.
func (r *resource) node(style yaml.Style) (*yaml.Node, error) {
	body, err := r.data(style), error(nil)
	head := []string{"v1", "ConfigMap", "data"}
	if r.form == Pack {
		body, err = r.spec(style)
		head = []string{pack.GroupVersion, "Pack", "spec"}
	}
	return mapping("apiVersion", text(head[0]), "kind", text(head[1]), "metadata", r.metadataNode(), head[2], body), err
}

// metadataNode returns the metadata, with the annotations that keep kpt from applying the resource and
// that record the import.
func (r *resource) metadataNode() *yaml.Node {
	metadata := mapping("name", text(r.name))
	if r.metadata != nil {
		metadata = clone(r.metadata)
	}
	annotations := values.Field(metadata, "annotations")
	if annotations == nil {
		annotations = mapping()
		metadata.Content = append(metadata.Content, text("annotations"), annotations)
	}
	setText(annotations, list.LocalConfigAnnotation, "true")
	setText(annotations, pack.ImportedAnnotation, r.record.String())
	return metadata
}

// data returns the data of a ConfigMap: a text for each file, and the entries of the user after them.
func (r *resource) data(style yaml.Style) *yaml.Node {
	data := mapping()
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
	spec := mapping()
	for _, f := range r.files {
		if f.Name == packdir.Metadata {
			content, err := jsonNode(f.Text)
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
		return append(pairs, text(key), clone(n))
	}
	return append(pairs, text(key), styled(string(f.Text), style))
}

// jsonNode parses JSON to a mapping in block style. It keeps the order of keys and the spelling
// of numbers, and returns an error for a duplicate key.
func jsonNode(source []byte) (*yaml.Node, error) {
	document, err := values.ParseJSON(string(source))
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	for _, d := range document.Duplicates() {
		return nil, errors.New(duplicate(d))
	}
	if root := document.Root(); root == nil || root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("must be a map, got %s", values.KindOf(root))
	}
	n := block(document.Root())
	restyle(n, yaml.DoubleQuotedStyle)
	return n, nil
}

// duplicate returns the message about a duplicate key.
func duplicate(d values.Duplicate) string {
	f := diag.Duplicate(d.First, d.Second)
	return d.Path + ": " + f.Message()
}

// text returns a string scalar, which is quoted if necessary.
func text(value string) *yaml.Node {
	n := node.Text(value)
	if quoted := values.Quote(value); quoted != value {
		n.Style = yaml.DoubleQuotedStyle
		if strings.HasPrefix(quoted, "'") || !strings.ContainsAny(value, "'\n") && strings.Contains(value, `"`) {
			n.Style = yaml.SingleQuotedStyle
		}
	}
	return n
}

// styled returns a string scalar in a style, for the content of a file.
func styled(value string, style yaml.Style) *yaml.Node {
	if value == "" {
		style = yaml.DoubleQuotedStyle
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: style}
}

// mapping returns a mapping with alternating keys and nodes.
func mapping(pairs ...any) *yaml.Node {
	n := node.Map()
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Content = append(n.Content, text(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return n
}

// setText sets a key of a mapping to a string.
func setText(n *yaml.Node, key, value string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = text(value)
			return
		}
	}
	n.Content = append(n.Content, text(key), text(value))
}

// removeKey removes a key of a mapping. n may be nil.
func removeKey(n *yaml.Node, key string) {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
	}
}

// clone copies a tree, with aliases resolved and without anchors.
func clone(n *yaml.Node) *yaml.Node {
	c := *values.Resolve(n)
	c.Anchor = ""
	c.Content = make([]*yaml.Node, len(c.Content))
	for i, child := range values.Resolve(n).Content {
		c.Content[i] = clone(child)
	}
	return &c
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
