package set

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// inventory reads what the sets may refer to.
func (p *processor) inventory() *Inventory {
	inventory := &Inventory{}
	kinds := map[gvk]bool{repositoryKind: true}
	for _, s := range p.sets {
		for _, t := range s.Targets {
			if t.ObjectSelector != nil {
				kinds[gvk{t.ObjectSelector.APIVersion, t.ObjectSelector.Kind}] = true
			}
		}
	}
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b gvk) int {
		return cmp.Or(cmp.Compare(a.apiVersion, b.apiVersion), cmp.Compare(a.kind, b.kind))
	}) {
		for _, item := range p.items[kind] {
			if o := p.object(item); o != nil {
				inventory.Add(o)
			}
		}
	}
	for _, version := range revisionVersions {
		for _, item := range p.items[gvk{version, PackageRevisionKind}] {
			if o := p.object(item); o != nil {
				p.addRevision(inventory, item, o)
			}
		}
	}
	return inventory
}

// object returns what a set may know of an item. It is nil if the item cannot be read,
// which is reported.
func (p *processor) object(item *list.Item) *Object {
	labels, annotations, err := item.Metadata()
	if err != nil {
		p.unreadable(item, err)
		return nil
	}
	p.checkObject(item)
	return &Object{
		APIVersion: item.APIVersion(), Kind: item.Kind(), Namespace: item.Namespace(), Name: item.Name(),
		Labels: p.shared.Texts(labels), Annotations: p.shared.Texts(ownAnnotations(annotations)),
	}
}

// addRevision adds a PackageRevision. Fields that cannot be read are empty: the resource
// belongs to Porch.
func (p *processor) addRevision(inventory *Inventory, item *list.Item, o *Object) {
	document, err := item.Document()
	if err != nil {
		p.unreadable(item, err)
		return
	}
	var file revisionFile
	for _, f := range decode.Node(document.Root(), "", &file) {
		if f.Kind == diag.KindUnknown {
			p.run.Report(f.About(item.Resource(), f.Key).Of(rule.InputInvalid))
		}
	}
	p.reportAmbiguous(diag.Whole(item.Resource()), Ambiguous(document.Root()))
	spec := file.Spec
	inventory.AddRevision(&PackageRevision{Object: *o, Repository: spec.Repository, PackageName: spec.PackageName, Revision: cmp.Or(spec.Revision, file.Status.Revision), WorkspaceName: spec.WorkspaceName})
}

func (p *processor) unreadable(item *list.Item, err error) {
	p.run.Report(diag.Unreadable(err).About(item.Resource(), "").Of(rule.InputInvalid))
}

// ownAnnotations returns annotations without the ones in which clients record where a resource is
// stored, because expressions must not depend on the client that runs the function.
func ownAnnotations(annotations map[string]string) map[string]string {
	own := map[string]string{}
	for name, value := range annotations {
		if !isOfClient(name) {
			own[name] = value
		}
	}
	return own
}

// isOfClient reports whether a client keeps the place of a resource in an annotation.
func isOfClient(annotation string) bool {
	switch annotation {
	case list.OlderPathAnnotation, list.OlderIndexAnnotation, "config.k8s.io/id":
		return true
	}
	return strings.HasPrefix(annotation, "internal.config.kubernetes.io/") || strings.HasPrefix(annotation, "internal.config.k8s.io/")
}
