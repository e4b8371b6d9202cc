package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/values"
)

// References returns the uses of the macro, pack or value at the position, and its declaration if withDeclaration
// is true.
func (c *Query) References(withDeclaration bool) []protocol.Location {
	k, of := c.snapshot, c.target()
	var places []filePosition
	switch {
	case of.macro != "":
		if withDeclaration {
			places = append(places, k.macroValue(of.macro).filePosition)
		}
		places = append(places, k.macros(func(name string) bool { return name == of.macro })...)
	case of.pack != nil && of.value != "":
		places = c.layers(of.pack, of.value)
		if len(places) > 0 && !withDeclaration {
			places = places[1:]
		}
		places = append(places, k.uses(of.pack, of.value)...)
	case of.pack != nil:
		if withDeclaration {
			places = append(places, k.packPlace(of.pack))
		}
		places = append(places, k.named(of.pack)...)
	}
	return c.locations(places)
}

// macros returns the positions of values with macros that read a name.
func (k *Snapshot) macros(reads func(name string) bool) []filePosition {
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
func (k *Snapshot) uses(p *pack.Pack, key string) []filePosition {
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
func (k *Snapshot) named(p *pack.Pack) []filePosition {
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
