package inventory

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Override is a value in a layer that differs from the value in another layer.
type Override struct {
	// Source is the layer with the value, and Node the value there.
	Source *pack.Source
	// Key is the path of the value, such as `server.replicas`.
	Key  string
	Node *yaml.Node
	// Default is the pack's own value that the layer overrides, or nil if there is none.
	Default *yaml.Node
	// By is the layer that takes precedence over this one, or nil if there is none. Effective is
	// the value in By.
	By        *pack.Source
	Effective *yaml.Node
}

// Overrides returns the values in the layers of a pack that differ from the pack's own values or
// from the effective values, in the order of the layers.
func Overrides(p *pack.Pack) ([]Override, error) {
	effective, _ := p.Effective()
	if effective == nil || len(effective.Layers) < 2 {
		return nil, nil
	}
	var all []Override
	for i, source := range effective.Layers {
		for _, leaf := range leaves(effective.Documents[i].Root(), "") {
			path, err := values.ParsePath(leaf.path)
			if err != nil {
				continue
			}
			o := Override{Source: source, Key: leaf.path, Node: leaf.node}
			if source != p.Values && effective.Own != nil {
				if own := effective.Own.Find(path)[0]; own.State == values.Present && !values.Equal(own.Node, leaf.node) {
					o.Default = own.Node
				}
			}
			if counts := effective.Tree.Find(path)[0]; counts.Layer != i && !values.Equal(counts.Node, leaf.node) {
				o.By = effective.Layers[len(effective.Layers)-1] // what has no value is dropped above
				if o.Effective = counts.Node; counts.Layer >= 0 {
					o.By = effective.Layers[counts.Layer]
				}
			}
			if o.Default != nil || o.By != nil {
				all = append(all, o)
			}
		}
	}
	return all, nil
}
