package language

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// The kinds of documents that a position can be in.
const (
	valuesDocument   = "values.yaml"
	schemaDocument   = "schema.yaml"
	PresetsDocument  = "presets.yaml"
	metadataDocument = "pack.json"
	resourceDocument = "resource"
	kptfileDocument  = kptpackage.KptfileName
	configDocument   = config.Name
)

// site describes a position in a file: the document that contains it, and the path in that
// document. For example, a position at "replicas" below is in the document values.yaml of a pack
// in a ConfigMap, and its path is "server":
//
//	kind: ConfigMap
//	data:
//	  values.yaml: |
//	    server:
//	      replicas: 3
type site struct {
	// file is the path of the file, and buffer its text.
	file   string
	buffer *protocol.Buffer
	// head describes the resource. It is zero in a file that is not a resource.
	head head
	// part is the outermost pack document that contains the position, or "". document is the kind
	// of the innermost document, and path the path in it to the value or mapping in context.
	part, document string
	path           []values.Step
	// context is what the lines around the position are: a key, a value, or an item of a list.
	context cursor.Context
	// texts are the embedded texts that contain the position, outermost first, without the text
	// of the file. start is the offset in the file where the resource begins.
	texts []*cursor.Text
	start int
	// whole is the innermost text, and at the offset of the position in it.
	whole string
	at    int
	// layers are the layers of releases in the file, and layer is the one that contains the position, or nil.
	layers []layer
	layer  *layer
}

// head holds the identifying fields of a resource, as far as they can be read.
type head struct {
	// apiVersion, kind and name are fields of the resource. valuesOf is the annotation that makes a
	// ConfigMap an override, and packRef the name in spec.packRef of a PackValues.
	apiVersion, kind, name, valuesOf, packRef string
	// isPack is true if a ConfigMap contains the pack.json of a pack.
	isPack bool
}

// siteOf returns the site at an offset of a file, which may have layers of releases.
func siteOf(path string, b *protocol.Buffer, offset int, layers []layer) *site {
	s := &site{file: path, buffer: b, layers: layers}
	from, to := 0, len(b.Text)
	name := filepath.Base(path)
	switch {
	case slices.Contains(packdir.FileNames, name) && packdir.IsFound(filepath.Dir(path)):
		s.document = name
	case name == kptfileDocument || name == configDocument:
		s.document = name
	default:
		s.document = resourceDocument
		from, to = cursor.Document(b.Text, offset)
	}
	s.start, s.whole, s.at = from, b.Text[from:to], offset-from
	if s.document == resourceDocument {
		s.head = headOf(s.whole)
	}
	s.context = cursor.At(s.whole, s.at)
	s.path = s.context.Path
	for {
		document, n := s.inner()
		text := s.context.Embedded()
		if document == "" {
			return s
		}
		s.part = cmp.Or(s.part, document)
		if n == len(s.path) && text != nil {
			s.texts = append(s.texts, text)
			s.whole, s.at = text.Text, text.Offset
			s.context = cursor.At(s.whole, s.at)
			s.path = s.context.Path
		} else {
			s.path = s.path[n:]
		}
		s.document = document
	}
}

// headOf reads the head of a resource from its text.
func headOf(text string) head {
	h := head{}
	fields := map[string]*string{"apiVersion": &h.apiVersion, "kind": &h.kind, "metadata.name": &h.name, "metadata.annotations." + pack.ValuesOfAnnotation: &h.valuesOf, "spec.packRef.name": &h.packRef}
	cursor.Entries(text, func(e cursor.Entry) {
		if len(e.Path) > 3 {
			return
		}
		path := cursor.PathText(e.Path)
		if field := fields[path]; field != nil && *field == "" {
			*field = e.Scalar(text)
		}
		h.isPack = h.isPack || path == "data."+packdir.Metadata
	})
	return h
}

// inner returns the document embedded in the current one that contains the position, and the
// length of the path to it. It returns "" if there is none.
func (s *site) inner() (document string, length int) {
	key := func(i int) string {
		if i < len(s.path) && !s.path[i].IsIndex {
			return s.path[i].Key
		}
		return ""
	}
	switch s.document {
	case resourceDocument:
		if one := s.layerAt(); one != nil {
			s.layer = one
			return releaseDocument, len(one.above)
		}
		switch {
		case s.head.kind == "ConfigMap" && key(0) == "data" && (s.head.isPack || s.head.valuesOf != "") && slices.Contains(packdir.FileNames, key(1)):
			return key(1), 2
		case (s.head.kind == pack.PackKind || s.head.kind == pack.PackValuesKind) && key(0) == "spec" && slices.Contains([]string{"values", "schema", "presets"}, key(1)):
			return key(1) + ".yaml", 2
		case s.head.kind == pack.PackKind && key(0) == "spec" && key(1) == "constraints":
			return metadataDocument, 1
		}
	case PresetsDocument:
		n := 1
		if key(0) == "presets" {
			n = 2
		}
		if key(n) == "add" && s.path[n-1].IsIndex {
			return valuesDocument, n + 1
		}
	}
	return "", 0
}

// outer converts an offset in the innermost text to an offset in the file.
func (s *site) outer(offset int) int {
	for _, text := range slices.Backward(s.texts) {
		offset = text.Outer(offset)
	}
	return s.start + offset
}

// span converts a range in the innermost text to a range in the file.
func (s *site) span(from, to int) protocol.Range {
	return s.buffer.Span(s.outer(from), s.outer(to))
}

// encode escapes a part of a line of the innermost text for insertion into the file.
func (s *site) encode(text string) string {
	for _, outer := range slices.Backward(s.texts) {
		text = outer.Encode(text)
	}
	return text
}

// isJSON reports whether the innermost text is JSON.
func (s *site) isJSON() bool {
	return s.document == metadataDocument && s.head.kind != "Pack" || filepath.Ext(s.file) == ".json" && len(s.texts) == 0
}

// word returns the full path of the key or value at the position, or nil if there is none.
func (s *site) word() []values.Step {
	switch c := &s.context; {
	case c.Word() == "":
		return nil
	case c.AtValue:
		return s.path
	case c.AtKey:
		return values.Below(s.path, values.Key(c.Word()))
	}
	return nil
}

// text returns the path of the value at the position with `[]` for each list index, such as
// `spec.presets[].pack`.
func (s *site) text() string { return pattern(s.path) }

// pattern returns a path with `[]` for each index, so that it can be compared with the path of a
// field.
func pattern(steps []values.Step) string {
	text := ""
	for _, step := range steps {
		if step.IsIndex {
			text += "[]"
		} else {
			text = strings.TrimPrefix(text+"."+step.Key, ".")
		}
	}
	return text
}

// ResourceAt returns the kind and the name of the resource at an offset in a file, and the document of a
// pack in it that contains the offset, such as [PresetsDocument], or "" if there is none.
func ResourceAt(path string, b *protocol.Buffer, offset int) (kind, name, document string) {
	t := siteOf(path, b, offset, nil)
	return t.head.kind, t.head.name, t.part
}

// packOf returns the pack that the document belongs to, or nil if there is none.
func (s *site) packOf(k *Snapshot) *pack.Pack {
	switch {
	case k.directory != nil && s.document != resourceDocument && len(k.set.Packs) > 0:
		return k.set.Packs[0]
	case s.head.packRef != "":
		return k.pack(s.head.packRef)
	case s.head.valuesOf != "":
		return k.pack(s.head.valuesOf)
	}
	return k.packAt(s.file, s.head.kind, s.head.name)
}
