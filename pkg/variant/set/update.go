package set

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// owns reports whether a PackageVariant, by its root, is one of the set: by the
// annotation, by the label that Porch sets, or by an owner reference. It is in
// the namespace of the set.
func (s *Set) owns(resource *yaml.Node) bool {
	metadata := values.Field(resource, "metadata")
	if variant.NamespaceOr(values.Text(values.Field(metadata, "namespace"))) != variant.NamespaceOr(s.Namespace) {
		return false
	}
	if s.isNamed(values.Text(values.Field(metadata, "annotations", SetAnnotation))) {
		return true
	}
	if s.UID != "" && values.Text(values.Field(metadata, "labels", SetLabel)) == s.UID {
		return true
	}
	owners := values.Resolve(values.Field(metadata, "ownerReferences"))
	return owners != nil && slices.ContainsFunc(owners.Content, s.isOwner)
}

// isNamed reports whether an annotation names the set: by its name, or by
// namespace and name.
func (s *Set) isNamed(annotation string) bool {
	space, name, both := strings.Cut(annotation, "/")
	if !both {
		return annotation == s.Name
	}
	return name == s.Name && variant.NamespaceOr(space) == variant.NamespaceOr(s.Namespace)
}

// isOwner reports whether an owner reference is to the set. A set that never was
// in a cluster is known by its name.
func (s *Set) isOwner(reference *yaml.Node) bool {
	group, _, _ := strings.Cut(values.Text(values.Field(reference, "apiVersion")), "/")
	if group != Group || values.Text(values.Field(reference, "kind")) != Kind {
		return false
	}
	if s.UID != "" {
		return values.Text(values.Field(reference, "uid")) == s.UID
	}
	return values.Text(values.Field(reference, "name")) == s.Name
}

// update brings a PackageVariant of the set to what the set makes of it now, in
// its text: comments stay, and so does all that is not the set's. wanted is the
// variant as it is printed. A variant that is right already comes back as it is.
func (s *Set) update(existing *values.Document, wanted *yaml.Node) (*values.Document, error) {
	d, err := existing.Sync(values.Change{At: values.Keys("spec"), Want: values.Field(wanted, "spec")})
	if err != nil {
		return nil, err
	}
	if !s.isNamed(values.Text(values.Field(d.Root(), "metadata", "annotations", SetAnnotation))) {
		at := []string{"metadata", "annotations", SetAnnotation}
		if d, err = d.Set(values.Keys(at...), values.Of(values.Field(wanted, at...))); err != nil {
			return nil, err
		}
	}
	if s.UID == "" {
		return d, nil
	}
	label := []string{"metadata", "labels", SetLabel}
	if d, err = d.Sync(values.Change{At: values.Keys(label...), Want: values.Field(wanted, label...)}); err != nil {
		return nil, err
	}
	owners := values.Resolve(values.Field(d.Root(), "metadata", "ownerReferences"))
	if owners != nil && slices.ContainsFunc(owners.Content, s.isOwner) {
		return d, nil
	}
	return d.Insert(values.Keys("metadata", "ownerReferences"), values.End, values.Of(values.Field(wanted, "metadata", "ownerReferences")))
}
