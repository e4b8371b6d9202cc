package lsp

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// The documents that a place can be in, besides those that have a form of their own.
const (
	valuesDocument   = "values.yaml"
	schemaDocument   = "schema.yaml"
	presetsDocument  = "presets.yaml"
	metadataDocument = "pack.json"
	resourceDocument = "resource"
	kptfileDocument  = kptpackage.KptfileName
	configDocument   = config.Name
)

// site is a place in a file: the document that it is in, and its path there.
type site struct {
	file   string
	buffer *buffer
	// head is of the resource, zero in a file that is none.
	head head
	// part is the document of a pack that the place is in, also within a text there, and document
	// the kind of the innermost one. path is the way in it to what context has.
	part, document string
	path           []values.Step
	context        cursor.Context
	// texts are the texts that the document is in, outermost first: that of the file is not
	// among them. start is where the outermost begins in the file.
	texts []*cursor.Text
	start int
	// whole is the innermost text, and at the place in it.
	whole string
	at    int
}

// head is what the beginning of a resource says, as far as it can be read.
type head struct {
	apiVersion, kind, name, valuesOf, packRef string
	// isPack says that a ConfigMap has the file of a pack.
	isPack bool
}

// siteOf finds out where an offset of a file is.
func siteOf(path string, b *buffer, offset int) *site {
	s := &site{file: path, buffer: b}
	from, to := 0, len(b.text)
	name := filepath.Base(path)
	switch {
	case slices.Contains(packdir.FileNames, name) && packdir.IsFound(filepath.Dir(path)):
		s.document = name
	case name == kptfileDocument || name == configDocument:
		s.document = name
	default:
		s.document = resourceDocument
		from, to = cursor.Document(b.text, offset)
	}
	s.start, s.whole, s.at = from, b.text[from:to], offset-from
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

// headOf reads the head of a resource.
func headOf(text string) head {
	h := head{}
	fields := map[string]*string{"apiVersion": &h.apiVersion, "kind": &h.kind, "metadata.name": &h.name, "metadata.annotations." + pack.ValuesOfAnnotation: &h.valuesOf, "spec.packRef.name": &h.packRef}
	cursor.Entries(text, func(e cursor.Entry) {
		if len(e.Path) > 3 {
			return
		}
		path := pathText(e.Path)
		if field := fields[path]; field != nil && *field == "" {
			*field = e.Scalar(text)
		}
		h.isPack = h.isPack || path == "data."+packdir.Metadata
	})
	return h
}

// pathText returns a path as paths of values are written: server.ports.0.
func pathText(steps []values.Step) string {
	var parts []string
	for _, step := range steps {
		if step.IsIndex {
			parts = append(parts, fmt.Sprint(step.Index))
		} else {
			parts = append(parts, step.Key)
		}
	}
	return strings.Join(parts, ".")
}

// inner returns the document that begins at or above the place in the document, and the length
// of the path to it; "" for none.
func (s *site) inner() (document string, length int) {
	key := func(i int) string {
		if i < len(s.path) && !s.path[i].IsIndex {
			return s.path[i].Key
		}
		return ""
	}
	switch s.document {
	case resourceDocument:
		switch {
		case s.head.kind == "ConfigMap" && key(0) == "data" && (s.head.isPack || s.head.valuesOf != "") && slices.Contains(packdir.FileNames, key(1)):
			return key(1), 2
		case (s.head.kind == pack.PackKind || s.head.kind == pack.PackValuesKind) && key(0) == "spec" && slices.Contains([]string{"values", "schema", "presets"}, key(1)):
			return key(1) + ".yaml", 2
		case s.head.kind == pack.PackKind && key(0) == "spec" && key(1) == "constraints":
			return metadataDocument, 1
		}
	case presetsDocument:
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

// outer returns the offset in the file of one in the innermost text.
func (s *site) outer(offset int) int {
	for _, text := range slices.Backward(s.texts) {
		offset = text.Outer(offset)
	}
	return s.start + offset
}

// span returns the range in the file of one in the innermost text.
func (s *site) span(from, to int) span {
	return span{s.buffer.place(s.outer(from)), s.buffer.place(s.outer(to))}
}

// encode returns how a part of a line of the innermost text is written in the file.
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

// word returns the whole path of the key or the value that is at the place, nil if nothing is.
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

// text returns the path of the value at the place with all lists as `[]`: what rules about
// places are written in.
func (s *site) text() string { return pattern(s.path) }

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

// packOf returns the pack that the document is of, nil for none.
func (s *site) packOf(k *known) *pack.Pack {
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
