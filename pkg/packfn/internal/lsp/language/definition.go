package language

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
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
func (c *Query) target() (s target) {
	t := c.site
	if name, _, _ := t.macroAt(); name != "" {
		if p, path := c.snapshot.packReference(name); p != nil {
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
func (c *Query) referred(name string) (s target) {
	k, t := c.snapshot, c.site
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
func (k *Snapshot) resource(kind, name string) filePosition {
	for _, item := range k.items {
		if item.Kind() == kind && item.Name() == name {
			return k.place(diag.Whole(item.Resource()), "metadata.name", diag.Position{})
		}
	}
	return filePosition{}
}

// Definition returns the definition of the word at the position: for a macro its fact or value, for
// a name the resource, preset or upstream package, for a value of an override the pack's own
// line, and for a value of the pack its overrides.
func (c *Query) Definition() []protocol.Location {
	k, of := c.snapshot, c.target()
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
	return c.locations(places)
}

// isOwn reports whether a position is in the pack's own values.
func isOwn(p *pack.Pack, t *site) bool {
	return t.document == valuesDocument && t.head.kind == p.Resource.Kind && t.head.name == p.Resource.Name
}

// packPlace returns the position of a pack's name.
func (k *Snapshot) packPlace(p *pack.Pack) filePosition {
	if !p.Metadata.Embedded { // a Pack may have its name in the metadata
		return k.place(diag.Whole(p.Resource), "metadata.name", diag.Position{})
	}
	return k.place(p.Metadata.Origin, "name", diag.Position{})
}

// layers returns the positions where the layers of a pack set a value, starting with the pack's
// own values.
func (c *Query) layers(p *pack.Pack, key string) []filePosition {
	path, err := values.ParsePath(key)
	if err != nil {
		return nil
	}
	var places []filePosition
	for _, source := range p.Layers() {
		document, err := source.Mapping()
		if err == nil && slices.ContainsFunc(document.Find(path), func(m values.Match) bool { return m.State != values.Absent }) {
			places = append(places, c.snapshot.place(source.Origin, key, diag.Position{}))
		}
	}
	return places
}

// locations converts positions to the protocol's form.
func (c *Query) locations(places []filePosition) []protocol.Location {
	all := []protocol.Location{}
	for _, one := range places {
		if one.path == "" {
			continue
		}
		all = append(all, protocol.Location{URI: protocol.URIOf(one.path), Range: c.textOf(c.snapshot, one.path).Token(one.at)})
	}
	return all
}

// textOf returns the text of a file of a package, as it was when the positions in it were computed.
func (l *Language) textOf(k *Snapshot, path string) *protocol.Buffer {
	switch file := k.files[path]; {
	case k.directory != nil:
		return l.workspace.Buffer(string(k.directory.File(filepath.Base(path))))
	case file != nil:
		return l.workspace.Buffer(file.text)
	}
	return l.workspace.Text(path) // of a chart
}
