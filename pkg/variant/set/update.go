package set

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// Owns reports whether a PackageVariant, by its root, is one of the set: by the
// annotation, by the label that Porch sets, or by an owner reference. It is in
// the namespace of the set.
func (s *Set) Owns(resource *yaml.Node) bool {
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

// Update brings a PackageVariant of the set to what the set makes of it now, in
// its text: comments stay, and so does all that is not the set's. wanted is the
// variant as it is printed. A variant that is right already comes back as it is.
func (s *Set) Update(existing *values.Document, wanted *yaml.Node) (*values.Document, error) {
	d, err := synchronize(existing, values.Field(wanted, "spec"), values.Keys("spec")...)
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
	if d, err = synchronize(d, values.Field(wanted, label...), values.Keys(label...)...); err != nil {
		return nil, err
	}
	owners := values.Resolve(values.Field(d.Root(), "metadata", "ownerReferences"))
	if owners != nil && slices.ContainsFunc(owners.Content, s.isOwner) {
		return d, nil
	}
	at, reference := values.Keys("metadata", "ownerReferences"), values.Field(wanted, "metadata", "ownerReferences")
	if owners != nil && owners.Kind == yaml.SequenceNode && len(owners.Content) > 0 {
		at = append(at, values.Step{Index: len(owners.Content), IsIndex: true})
		reference = reference.Content[0]
	}
	return d.Set(at, values.Of(reference))
}

// synchronize makes the value at the steps equal to want, and leaves alone what
// is equal already.
func synchronize(d *values.Document, want *yaml.Node, at ...values.Step) (*values.Document, error) {
	have := values.Follow(d.Root(), at)
	if values.Equal(have, want) {
		return d, nil
	}
	same := have != nil && have.Kind == want.Kind && len(have.Content) > 0 && len(want.Content) > 0
	var err error
	switch {
	case same && want.Kind == yaml.MappingNode:
		for n := 0; n+1 < len(have.Content); n += 2 {
			if name := values.Resolve(have.Content[n]).Value; values.Field(want, name) == nil {
				if d, _, err = d.Delete(step(at, values.Step{Key: name})); err != nil {
					return nil, err
				}
			}
		}
		for n := 0; n+1 < len(want.Content); n += 2 {
			if d, err = synchronize(d, want.Content[n+1], step(at, values.Step{Key: want.Content[n].Value})...); err != nil {
				return nil, err
			}
		}
		return d, nil
	case same && want.Kind == yaml.SequenceNode:
		for _, n := range surplus(have.Content, want.Content) {
			if d, _, err = d.Delete(step(at, values.Step{Index: n, IsIndex: true})); err != nil {
				return nil, err
			}
		}
		for n, element := range want.Content {
			if d, err = synchronize(d, element, step(at, values.Step{Index: n, IsIndex: true})...); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	return d.Set(at, values.Of(want))
}

// surplus returns which elements a list has too many, from behind: those that
// nobody wants first, so that the others keep their comments.
func surplus(have, want []*yaml.Node) []int {
	wanted := func(n *yaml.Node) bool {
		return slices.ContainsFunc(want, func(w *yaml.Node) bool { return values.Equal(n, w) })
	}
	many := len(have) - len(want)
	if many <= 0 {
		return nil
	}
	var behind, unwanted []int
	for n := len(have) - 1; n >= 0; n-- {
		if wanted(have[n]) {
			behind = append(behind, n)
		} else if unwanted = append(unwanted, n); len(unwanted) == many {
			return unwanted
		}
	}
	all := append(unwanted, behind[:many-len(unwanted)]...)
	slices.Sort(all)
	slices.Reverse(all)
	return all
}

// step is the steps with one more behind them.
func step(at []values.Step, next values.Step) []values.Step {
	return append(slices.Clip(at), next)
}
