package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/values"
)

// filePosition is a position in a file. The zero value means that there is none.
type filePosition struct {
	// path is the path of the file on disk.
	path string
	at   diag.Position
}

// target is the thing that the word at a position names. It is a macro, a pack, a value of a
// pack, or another position.
type target struct {
	// macro is the name of a macro. pack is a pack, and value the path of a value of the pack.
	macro string
	pack  *pack.Pack
	value string
	// place is the position of anything else, for which references are not searched.
	place filePosition
}

// target returns the thing that the word at the position names or refers to.
func (c *completer) target() (s target) {
	t := c.site
	if name, _, _ := t.macroAt(); name != "" {
		if p, path := c.known.packReference(name); p != nil {
			return target{pack: p, value: path}
		}
		return target{macro: name}
	}
	word, path := t.context.Word(), t.word()
	if path == nil {
		return s
	}
	if t.context.AtValue {
		if s := c.referred(word); s != (target{}) {
			return s
		}
	}
	switch {
	case t.document == valuesDocument:
		return target{pack: c.pack, value: cursor.PathText(path)}
	case t.document == schemaDocument && !path[0].IsIndex:
		return target{pack: c.pack, value: path[0].Key}
	case t.document == metadataDocument && t.text() == "name":
		return target{pack: c.pack}
	case t.head.kind == pack.ClusterContextKind:
		for field, prefix := range macroFields {
			if name, ok := strings.CutPrefix(cursor.PathText(path), "spec."+field+"."); ok {
				return target{macro: prefix + name}
			}
		}
	}
	return s
}

// referred returns the thing that a name refers to.
func (c *completer) referred(name string) (s target) {
	k, t := c.known, c.site
	switch refersTo(t) {
	case toPack, toRequirement:
		return target{pack: k.pack(name)}
	case toPreset:
		if p := k.pack(t.beside("pack")); p != nil {
			if one := presetOf(p, name); one != nil {
				return target{place: k.place(p.Presets.Origin, one.Key, one.Position)}
			}
		}
	case toOverride:
		return target{place: k.resource(pack.PackValuesKind, name)}
	case toCluster:
		return target{place: k.resource(pack.ClusterContextKind, name)}
	case toInstanceType:
		if k.cluster != nil {
			for i, one := range k.cluster.InstanceTypes {
				if one.Name == name {
					return target{place: k.place(diag.Whole(k.cluster.Resource), fmt.Sprintf("spec.instanceTypes[%d].name", i), diag.Position{})}
				}
			}
		}
	case toFile:
		return target{place: filePosition{filepath.Join(filepath.Dir(t.file), filepath.FromSlash(name)), diag.Position{Line: 1}}}
	case toValue:
		return target{pack: c.pack, value: name}
	case toUpstream:
		return target{place: c.upstream()}
	}
	return s
}

// resource returns the position of a resource's name.
func (k *known) resource(kind, name string) filePosition {
	for _, item := range k.items {
		if item.Kind() == kind && item.Name() == name {
			return k.place(diag.Whole(item.Resource()), "metadata.name", diag.Position{})
		}
	}
	return filePosition{}
}

// definition returns the definition of the word at a position: for a macro its fact or value, for
// a name the resource, preset or upstream package, for a value of an override the pack's own
// line, and for a value of the pack its overrides.
func (s *Server) definition(ctx context.Context, p *protocol.DocumentParams) ([]protocol.Location, error) {
	c, err := s.completerAt(ctx, p)
	if c == nil {
		return []protocol.Location{}, err
	}
	k, of := c.known, c.target()
	var places []filePosition
	switch {
	case of.macro != "":
		places = append(places, k.macroValue(of.macro).filePosition)
	case c.site.layer != nil && len(c.site.word()) > 0:
		path := c.site.word()
		if places = append(places, c.chartPlace(path)); places[0].path == "" { // another layer
			places = slices.DeleteFunc(c.setBy(path), func(one filePosition) bool { return one.path == c.site.file })
		}
	case of.value != "" && of.pack != nil:
		places = c.layers(of.pack, of.value)
		if len(places) > 1 && isOwn(of.pack, c.site) {
			places = places[1:] // at the pack's own line: its overrides
		} else if len(places) > 1 {
			places = places[:1]
		}
	case of.pack != nil:
		places = append(places, k.packPlace(of.pack))
	default:
		places = append(places, of.place)
	}
	return s.locations(k, places), nil
}

// isOwn reports whether a position is in the pack's own values.
func isOwn(p *pack.Pack, t *site) bool {
	return t.document == valuesDocument && t.head.kind == p.Resource.Kind && t.head.name == p.Resource.Name
}

// packPlace returns the position of a pack's name.
func (k *known) packPlace(p *pack.Pack) filePosition {
	if !p.Metadata.Embedded { // a Pack may have its name in the metadata
		return k.place(diag.Whole(p.Resource), "metadata.name", diag.Position{})
	}
	return k.place(p.Metadata.Origin, "name", diag.Position{})
}

// layers returns the positions where the layers of a pack set a value, starting with the pack's
// own values.
func (c *completer) layers(p *pack.Pack, key string) []filePosition {
	path, err := values.ParsePath(key)
	if err != nil {
		return nil
	}
	var places []filePosition
	for _, source := range p.Layers() {
		document, err := source.Mapping()
		if err == nil && slices.ContainsFunc(document.Find(path), func(m values.Match) bool { return m.State != values.Absent }) {
			places = append(places, c.known.place(source.Origin, key, diag.Position{}))
		}
	}
	return places
}

// references returns the uses of the macro, pack or value at a position.
func (s *Server) references(ctx context.Context, p *protocol.DocumentParams) ([]protocol.Location, error) {
	c, err := s.completerAt(ctx, p)
	if c == nil {
		return []protocol.Location{}, err
	}
	k, of := c.known, c.target()
	var places []filePosition
	switch {
	case of.macro != "":
		if p.Context.IncludeDeclaration {
			places = append(places, k.macroValue(of.macro).filePosition)
		}
		places = append(places, k.macros(func(name string) bool { return name == of.macro })...)
	case of.pack != nil && of.value != "":
		places = c.layers(of.pack, of.value)
		if len(places) > 0 && !p.Context.IncludeDeclaration {
			places = places[1:]
		}
		places = append(places, k.uses(of.pack, of.value)...)
	case of.pack != nil:
		if p.Context.IncludeDeclaration {
			places = append(places, k.packPlace(of.pack))
		}
		places = append(places, k.named(of.pack)...)
	}
	return s.locations(k, places), nil
}

// macros returns the positions of values with macros that read a name.
func (k *known) macros(reads func(name string) bool) []filePosition {
	var places []filePosition
	seen := map[*diag.Origin]bool{}
	for _, p := range k.set.Packs {
		all, err := inventory.Macros(p)
		if err != nil {
			continue
		}
		for _, m := range all {
			if slices.ContainsFunc(m.Names, reads) && !seen[m.Source.Origin] {
				places = append(places, k.place(m.Source.Origin, m.Key, m.Position))
			}
		}
		for _, layer := range p.Layers() { // an override may be one of several packs
			seen[layer.Origin] = true
		}
	}
	return places
}

// uses returns the uses of a value in the schema, the presets, pack.json and macros.
func (k *known) uses(p *pack.Pack, key string) []filePosition {
	var places []filePosition
	add := func(origin *diag.Origin, key string, at diag.Position) {
		places = append(places, k.place(origin, key, at))
	}
	if entry, _ := k.of(p).entries.Of(key); entry != nil {
		add(p.Schema.Origin, entry.Key, entry.Position)
	}
	if why, err := inventory.Why(p, key); err == nil {
		for _, one := range why.Presets {
			add(p.Presets.Origin, one.Key, one.Position)
		}
		for _, reader := range why.Readers {
			add(p.Metadata.Origin, reader.Key, reader.Position)
		}
	}
	full := packPrefix + p.Name + "." + key
	return append(places, k.macros(func(name string) bool { return name == full || strings.HasPrefix(name, full+".") })...)
}

// named returns the positions where a pack is named: in overrides, requirements, functionConfigs
// and macros.
func (k *known) named(p *pack.Pack) []filePosition {
	var places []filePosition
	add := func(origin *diag.Origin, key string, at diag.Position) {
		places = append(places, k.place(origin, key, at))
	}
	for _, o := range p.Overrides {
		key := "spec.packRef.name"
		if o.Values.Resource.Kind == "ConfigMap" {
			key = "metadata.annotations[" + pack.ValuesOfAnnotation + "]"
		}
		add(diag.Whole(o.Values.Resource), key, diag.Position{})
	}
	for _, other := range k.set.Packs {
		document, err := other.Metadata.Mapping()
		if err != nil {
			continue
		}
		for _, entry := range pack.ReadConstraints(document.Root(), pack.Dependencies, func(pack.Field, diag.Finding) {}).Dependencies {
			if values.Text(entry.PackName.Node) == p.Name {
				add(other.Metadata.Origin, entry.PackName.Path, entry.PackName.At)
			}
		}
	}
	for _, item := range k.items {
		if item.APIVersion() == function.ConfigGroupVersion && item.Mentions(p.Name) {
			for _, key := range configReferences(item, p.Name) {
				add(diag.Whole(item.Resource()), key, diag.Position{})
			}
		}
	}
	return append(places, k.macros(func(name string) bool { return strings.HasPrefix(name, packPrefix+p.Name+".") })...)
}

// configReferences returns the paths of the fields of a functionConfig that name a pack:
//
//	spec:
//	  packs: [vault]
//	  presets:
//	  - pack: vault
func configReferences(item *list.Item, name string) []string {
	document, err := item.Document()
	if err != nil {
		return nil
	}
	var keys []string
	for _, format := range []string{"spec.packs[%d]", "spec.presets[%d].pack"} {
		list, _, _ := strings.Cut(format, "[")
		n, _ := place.Find(document.Root(), list)
		for i := 0; n != nil && i < len(n.Content); i++ {
			key := fmt.Sprintf(format, i)
			if of, _ := place.Find(n, strings.TrimPrefix(key, list)); values.Text(of) == name {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// locations converts positions to the protocol's form.
func (s *Server) locations(k *known, places []filePosition) []protocol.Location {
	all := []protocol.Location{}
	for _, one := range places {
		if one.path == "" {
			continue
		}
		all = append(all, protocol.Location{URI: protocol.URIOf(one.path), Range: k.textOf(s, one.path).Token(one.at)})
	}
	return all
}

// textOf returns the text of a file, as it was when the positions in it were computed.
func (k *known) textOf(s *Server, path string) *protocol.Buffer {
	switch file := k.files[path]; {
	case k.directory != nil:
		return protocol.NewBuffer(string(k.directory.File(filepath.Base(path))), s.encoding)
	case file != nil:
		return protocol.NewBuffer(file.text, s.encoding)
	}
	return s.current(path) // of a chart
}
