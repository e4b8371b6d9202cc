package schema

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// have reports whether a path addresses something in one of the layers, or in the
// values that presets add.
func (c *checker) have(path values.Path) bool {
	has := func(d *values.Document) bool { return d.Has(path) }
	return slices.ContainsFunc(c.values.Layers, has) || slices.ContainsFunc(c.adding(path), has)
}

// adding returns the documents of presets that may have a path. Keys are indexed, so that they are not looked
// up in each preset.
func (c *checker) adding(path values.Path) []*values.Document {
	if c.addedAt == nil {
		c.addedAt = map[string][]*values.Document{}
		for _, d := range c.values.Added {
			c.index(d, d.Root(), "")
		}
	}
	keys := path.Steps()
	list := slices.IndexFunc(keys, func(key string) bool { return key == values.Wildcard || isIndex(key) })
	switch {
	case list < 0:
		return c.addedAt[path.String()]
	case list == 0:
		return c.values.Added
	}
	return c.addedAt[strings.Join(keys[:list], ".")]
}

// index notes the keys of a document below a key, joined by dots.
func (c *checker) index(d *values.Document, n *yaml.Node, above string) {
	for _, p := range values.Pairs(n) {
		name, ok := p.Name()
		key := diag.Join(above, name)
		if !ok || len(key) > values.MaxPath {
			continue
		}
		if known := c.addedAt[key]; len(known) == 0 || known[len(known)-1] != d {
			c.addedAt[key] = append(known, d)
		}
		c.index(d, p.Value, key)
	}
}
