package fleet

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/variant"
)

// objects are the in-cluster objects by their names.
type objects struct {
	all    []*list.Item
	byName map[string][]*list.Item
}

// called returns the object of a PackageVariant that messages call by a name, the last of
// several; nil for none.
func (o *objects) called(v *packageVariant, name string) (found *list.Item) {
	for _, injector := range v.Spec.Injectors {
		for _, item := range o.byName[injector.Name] {
			for _, namespace := range []string{item.Namespace(), variant.NamespaceOr(item.Namespace())} {
				if name == (variant.Object{APIVersion: item.APIVersion(), Kind: item.Kind(), Namespace: namespace, Name: item.Name()}).String() {
					found = item
				}
			}
		}
	}
	return found
}

// fewObjects is the number of objects up to which each package is offered all of them.
// Of more it is offered those that its PackageVariant names.
const fewObjects = 64

func newObjects(items []*list.Item) *objects {
	o := &objects{byName: map[string][]*list.Item{}}
	for _, item := range items {
		if item.Fault() != "" || item.Name() == "" || strings.HasPrefix(item.APIVersion(), variant.Group+"/") || item.Kind() == "Kptfile" {
			continue
		}
		o.all = append(o.all, item)
		o.byName[item.Name()] = append(o.byName[item.Name()], item)
	}
	if len(o.all) <= fewObjects {
		o.keep()
	}
	return o
}

// keep parses all objects once: each package is offered all of them.
func (o *objects) keep() {
	for _, item := range o.all {
		item.Keep()
	}
}

// near returns, of each kind and namespace, the objects whose names are nearest to those
// that are asked for.
func (o *objects) near(asked []string) []*list.Item {
	type of struct{ apiVersion, kind, namespace string }
	names := map[of][]string{}
	for _, item := range o.all {
		key := of{item.APIVersion(), item.Kind(), variant.NamespaceOr(item.Namespace())}
		names[key] = append(names[key], item.Name())
	}
	var chosen []*list.Item
	for key, all := range names {
		slices.Sort(all)
		for _, name := range asked {
			for _, item := range o.byName[nearest.Name(name, all)] {
				if (of{item.APIVersion(), item.Kind(), variant.NamespaceOr(item.Namespace())}) == key && !slices.Contains(chosen, item) && !slices.Contains(asked, item.Name()) {
					chosen = append(chosen, item)
				}
			}
		}
	}
	slices.SortFunc(chosen, func(a, b *list.Item) int { return a.Resource().Compare(b.Resource()) })
	return chosen
}

// of returns the objects to offer to a PackageVariant. all says to add those with the
// nearest names.
func (o *objects) of(v *packageVariant, all bool) []*yaml.Node {
	chosen := o.all
	if len(o.all) > fewObjects {
		chosen = nil
		var names []string
		for _, injector := range v.Spec.Injectors {
			if !slices.Contains(names, injector.Name) {
				names = append(names, injector.Name)
				chosen = append(chosen, o.byName[injector.Name]...)
			}
		}
		if all {
			chosen = append(chosen, o.near(names)...)
		}
	}
	var roots []*yaml.Node
	for _, item := range chosen {
		if document, err := item.Document(); err == nil {
			roots = append(roots, document.Root())
		}
	}
	return roots
}

// has reports whether there is an object for a point of a PackageVariant.
func (o *objects) has(v *packageVariant, p variant.Point) bool {
	return slices.ContainsFunc(v.Spec.Injectors, func(injector variant.Injector) bool {
		return injector.Fits(p) && slices.ContainsFunc(o.byName[injector.Name], func(item *list.Item) bool {
			return item.Kind() == p.Kind && item.APIVersion() == p.APIVersion && (item.Namespace() == "" || variant.NamespaceOr(item.Namespace()) == v.Namespace)
		})
	})
}
