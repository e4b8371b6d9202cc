package inventory

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// Layer is one layer of a value.
type Layer struct {
	// Source is the document of the layer.
	Source *pack.Source
	// Node is the value in the layer, or nil if the layer does not set it.
	Node     *yaml.Node
	Position diag.Position
	// Counts is true if the effective value comes from this layer.
	Counts bool
}

// Provenance describes the origin of a value, and its readers.
type Provenance struct {
	// Effective is the effective value, or nil if it is absent.
	Effective *yaml.Node
	// Layers are the layers of values, starting with the pack's own values.
	Layers []Layer
	// Presets are the presets that set or remove the value.
	Presets []pack.Preset
	// Applied are the full names of the presets that the resources of the layers record.
	Applied []string
	// Macros are the macros in the value, or that the value is the result of.
	Macros []Macro
	// Entry is the schema entry of the value, or nil if there is none.
	Entry *schema.Entry
	// Readers are the references to the value in pack.json.
	Readers []Reader

	// key is the path of the value, and entries are the entries of the schema.
	key     string
	entries Entries
	// isSecret is true if a sibling field names the value like a secret in any layer.
	isSecret bool
}

// Show formats the value of a layer for lists, masked for an audience.
func (c *Provenance) Show(n *yaml.Node, audience diag.Audience) string {
	return c.entries.show(c.key, n, c.isSecret, audience)
}

// Reader is a reference of pack.json to a value.
type Reader struct {
	// Key is the path in pack.json.
	Key      string
	Position diag.Position
}

// Why returns where the value at a key of a pack comes from. It returns an error
// that names the nearest key if neither the values nor the schema nor a preset
// contains the key.
func Why(p *pack.Pack, key string) (*Provenance, error) {
	path, err := values.ParsePath(key)
	if err != nil {
		return nil, err
	}
	effective, faults := p.Effective()
	if len(faults) > 0 {
		return nil, fmt.Errorf("the values: %s", faults[0].Message())
	}
	if effective == nil {
		return nil, errors.New("the values cannot be read")
	}
	counts := first(effective.Tree.Find(path))
	c := &Provenance{Effective: counts.Node, key: key, isSecret: secret.Of(&counts, effective.Tree).IsSecret}
	for i, source := range effective.Layers {
		document := effective.Documents[i]
		m := first(document.Find(path))
		c.isSecret = c.isSecret || secret.Of(&m, document).IsSecret
		c.Layers = append(c.Layers, Layer{Source: source, Node: m.Node, Position: values.At(m.Node), Counts: i == counts.Layer})
	}
	if c.entries, err = EntriesOf(p); err != nil {
		return nil, err
	}
	c.Entry, _ = c.entries.Of(key)
	presets, _ := p.ReadPresets()
	for _, one := range NewSetters(presets).Of(key) {
		c.Presets = append(c.Presets, presets[one])
	}
	if c.Effective == nil && c.Entry == nil && len(c.Presets) == 0 {
		return nil, unknownKey(p, key)
	}
	c.readRecord(p)
	macros, _ := Macros(p) // the layers could be read
	for _, m := range macros {
		if diag.Overlap(key, m.Key) {
			c.Macros = append(c.Macros, m)
		}
	}
	return c, c.readReferences(p, key)
}

// first returns the first match that is not absent.
func first(all []values.Match) values.Match {
	for _, m := range all {
		if m.State != values.Absent {
			return m
		}
	}
	return values.Match{Layer: -1}
}

// unknownKey returns the error about a key that does not exist.
func unknownKey(p *pack.Pack, key string) error {
	all, err := Values(p)
	if err != nil {
		return err
	}
	var known []string
	for _, v := range all {
		known = append(known, v.Key)
	}
	f := diag.NotFound("value", key, known).Do("see packfn list values")
	f.Nearest = nearest.Path(key, known, nil)
	return fmt.Errorf("the pack %s: %s", p.Name, f.Message())
}

// readRecord reads which presets were applied.
func (c *Provenance) readRecord(p *pack.Pack) {
	for _, source := range p.Layers() {
		record, _ := preset.ParseRecord(source.Annotation(preset.RecordAnnotation))
		c.Applied = append(c.Applied, record.Names()...)
	}
}

// readReferences finds the references of pack.json to the value.
func (c *Provenance) readReferences(p *pack.Pack, key string) error {
	document, err := mapping(p.Metadata)
	if err != nil {
		return err
	}
	for _, entry := range pack.ReadConstraints(document.Root(), pack.Resources, func(pack.Field, diag.Finding) {}).Resources {
		for _, component := range entry.Components {
			for _, ref := range []pack.Field{component.Request, component.Replicas} {
				if values.Text(ref.Node) == key {
					c.Readers = append(c.Readers, Reader{ref.Path, ref.At})
				}
			}
		}
	}
	return nil
}
