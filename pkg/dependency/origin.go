package dependency

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// origin is a document of OLM inside a resource: a file in a ConfigMap, JSON in
// an annotation or a field, or a list of the resource itself.
type origin struct {
	resource function.Resource
	// field is where it is in the resource: `data[bundle.yaml]`.
	field string
	// name is what messages call it: `bundle.yaml`.
	name string
	// line is how many lines of the text come before the document.
	line int
	// inResource says that the document is part of the resource, which has no
	// lines that a user could look up.
	inResource bool
	// sizes are the lengths of the values of the entries as they were written,
	// by their entry; nil for YAML.
	sizes map[*yaml.Node]int
}

// locate puts the place of a node into a finding. key is the way to it from the
// field; in a part of the resource it continues the field.
func (o *origin) locate(f function.Finding, key string, n *yaml.Node) function.Finding {
	at := values.At(n)
	if at.Line > 0 {
		at.Line += o.line
	}
	return o.locateAt(f, key, at)
}

// locateAt is locate with a position of the text.
func (o *origin) locateAt(f function.Finding, key string, at values.Position) function.Finding {
	f.Resource, f.Field, f.Key = o.resource, o.field, key
	f.Line, f.Column, f.InResource = at.Line, at.Column, o.inResource
	if o.inResource {
		f.Field = joinPath(o.field, key)
	}
	return f
}

// joinPath continues a path, with an index or with a key.
func joinPath(path, key string) string {
	if path == "" || key == "" || key[0] == '[' {
		return path + key
	}
	return path + "." + key
}

// place says where a node is, to follow a sentence: ` (bundle.yaml line 14)`.
func (o *origin) place(n *yaml.Node) string {
	if at := values.At(n); at.Line > 0 && !o.inResource {
		return fmt.Sprintf(" (%s line %d)", o.name, at.Line+o.line)
	}
	return fmt.Sprintf(" (%s)", o.name)
}
