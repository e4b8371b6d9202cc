package variant

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant/internal/foreign"
)

// ContextName is the name of the ConfigMap that holds a package's context.
const ContextName = "kptfile.kpt.dev"

// IsEmpty reports whether the package context changes nothing.
func (c *PackageContext) IsEmpty() bool { return len(c.Data) == 0 && len(c.RemoveKeys) == 0 }

// Apply sets and then removes keys of the data of the ConfigMap d. Keys that
// nobody names stay, those that an earlier run has set included: so the document
// wants it. The keys name and package-path are never touched.
//
// The error says why the ConfigMap can not be edited.
func (c *PackageContext) Apply(d *values.Document) (*values.Document, error) {
	removed := map[string]bool{"name": true, "package-path": true}
	for _, k := range c.RemoveKeys {
		removed[k] = true
	}
	var set []textField
	for _, k := range c.order {
		if !removed[k] {
			set = append(set, textField{k, c.Data[k]})
		}
	}
	d, err := setTexts(d, values.Keys("data"), set...)
	if err != nil {
		return nil, err
	}
	for _, k := range c.RemoveKeys {
		if k == "name" || k == "package-path" || values.Field(d.Root(), "data", k) == nil && !hasKey(values.Field(d.Root(), "data"), k) {
			continue
		}
		if d, _, err = d.Delete(values.Keys("data", k)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func hasKey(n *yaml.Node, name string) bool {
	for _, e := range foreign.Entries(n) {
		if e.Key == name {
			return true
		}
	}
	return false
}
