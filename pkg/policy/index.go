package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Hub is the manifests and the TypeInstances that selections are made from.
type Hub struct {
	// Interfaces are what can be implemented.
	Interfaces []*manifest.Interface
	// Implementations are what Interfaces can be implemented by.
	Implementations []*manifest.Implementation
	// Types are the types of parameters and TypeInstances, with their JSON schemas.
	Types []*manifest.Type
	// Attributes are what constraints of policies can ask for.
	Attributes []*manifest.Attribute
	// TypeInstances are what exists, such as credentials.
	TypeInstances []*manifest.TypeInstance
}

// Index finds the manifests of a hub. It is made once for many selections.
type Index struct {
	// Hub contains the indexed manifests.
	Hub Hub

	// interfaces are the Interfaces by path, the highest revision first.
	interfaces map[string][]*manifest.Interface
	// implementing are the Implementations by the paths of the Interfaces that
	// they implement, the preferred ones first.
	implementing map[string][]*manifest.Implementation
	// types are the Types by path and revision, and schemas their compiled JSON schemas.
	types   map[manifest.Ref]*manifest.Type
	schemas map[*manifest.Type]*parameterSchema
	// meter bounds the checks of parameters with these schemas. isSpent reports whether the rest is not
	// checked.
	meter meter.Meter
	// isSpent is true once the meter was exceeded.
	isSpent bool
	// instances are the TypeInstances by their ids.
	instances map[string]*manifest.TypeInstance
	// available are the revisions of Types that have a TypeInstance or are assumed.
	available map[manifest.Ref]bool
}

// NewIndex makes the index of a hub. The assumed Types are available without a
// TypeInstance. It returns duplicates: as warnings, and as an error where one id names
// TypeInstances of different Types.
func NewIndex(hub Hub, assumed []manifest.Ref) (*Index, []diag.Finding) {
	x := &Index{
		Hub:          hub,
		interfaces:   map[string][]*manifest.Interface{},
		implementing: map[string][]*manifest.Implementation{},
		types:        map[manifest.Ref]*manifest.Type{},
		schemas:      map[*manifest.Type]*parameterSchema{},
		instances:    map[string]*manifest.TypeInstance{},
		available:    map[manifest.Ref]bool{},
	}
	findings := slices.Concat(x.addInterfaces(), x.addImplementations(), x.addTypes(), x.addInstances())
	for _, ref := range assumed {
		x.available[ref] = true
	}
	return x, findings
}

// addInterfaces indexes the Interfaces. Of two with the same path and revision the first is used, in
// the order of their names.
func (x *Index) addInterfaces() (findings []diag.Finding) {
	slices.SortStableFunc(x.Hub.Interfaces, func(a, b *manifest.Interface) int { return preferred(a.Ref, b.Ref, a.Resource, b.Resource) })
	for _, i := range x.Hub.Interfaces {
		same := x.interfaces[i.Path]
		if len(same) > 0 && same[len(same)-1].Ref == i.Ref {
			findings = append(findings, duplicate(i.Resource, same[len(same)-1].Resource, i.Ref, "is used"))
			continue
		}
		x.interfaces[i.Path] = append(same, i)
	}
	return findings
}

// addImplementations indexes the Implementations by the Interfaces that they implement. Duplicates are
// all candidates.
func (x *Index) addImplementations() (findings []diag.Finding) {
	slices.SortStableFunc(x.Hub.Implementations, func(a, b *manifest.Implementation) int { return preferred(a.Ref, b.Ref, a.Resource, b.Resource) })
	for n, i := range x.Hub.Implementations {
		if n > 0 && x.Hub.Implementations[n-1].Ref == i.Ref {
			findings = append(findings, duplicate(i.Resource, x.Hub.Implementations[n-1].Resource, i.Ref, "is preferred"))
		}
		paths := map[string]bool{}
		for _, ref := range i.Implements {
			if !paths[ref.Path] {
				paths[ref.Path] = true
				x.implementing[ref.Path] = append(x.implementing[ref.Path], i)
			}
		}
	}
	return findings
}

// addTypes indexes the Types. Of duplicates the first is used.
func (x *Index) addTypes() (findings []diag.Finding) {
	slices.SortStableFunc(x.Hub.Types, func(a, b *manifest.Type) int { return compareNames(a.Resource, b.Resource) })
	for _, t := range x.Hub.Types {
		if first := x.types[t.Ref]; first != nil {
			findings = append(findings, duplicate(t.Resource, first.Resource, t.Ref, "is used"))
			continue
		}
		x.types[t.Ref] = t
	}
	return findings
}

// addInstances indexes the TypeInstances, and notes which Types are available.
func (x *Index) addInstances() (findings []diag.Finding) {
	slices.SortStableFunc(x.Hub.TypeInstances, func(a, b *manifest.TypeInstance) int { return compareNames(a.Resource, b.Resource) })
	for _, t := range x.Hub.TypeInstances {
		x.available[t.TypeRef] = true
		first := x.instances[t.ID]
		if first == nil {
			x.instances[t.ID] = t
			continue
		}
		f := diag.Say("%s has the same id, %q", first.Resource.InFile(), t.ID).Do("remove one of them").About(t.Resource, "spec.id")
		f.Tags = map[string]string{"first": first.Resource.String()}
		if first.TypeRef == t.TypeRef {
			findings = append(findings, f.Of(rule.PolicyDuplicate))
			continue
		}
		f.Found += fmt.Sprintf(", and the Type %s", first.TypeRef)
		findings = append(findings, f.Do("give each TypeInstance a unique id").Of(rule.PolicyInvalid))
	}
	return findings
}

// preferred orders manifests by path, the highest revision first, and then by the
// names of their resources.
func preferred(a, b manifest.Ref, one, other diag.Resource) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), -manifest.CompareRevisions(a.Revision, b.Revision), compareNames(one, other))
}

// compareNames orders resources by their names, and by their places where names are equal.
func compareNames(a, b diag.Resource) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index))
}

// duplicate returns the finding about a manifest that exists twice. counts tells what happens to the
// first one.
func duplicate(resource, first diag.Resource, ref manifest.Ref, counts string) diag.Finding {
	f := diag.Say("%s has the same path and revision, %s, and that one %s", first.InFile(), ref, counts)
	f.Tags = map[string]string{"first": first.String()}
	return f.Do("give this one another path or revision, or remove it").About(resource, "spec.path").Of(rule.PolicyDuplicate)
}

// Interface returns the Interface of a path and revision, without a revision the highest one, or
// nil if there is none.
func (x *Index) Interface(m manifest.RefMatch) *manifest.Interface {
	for _, i := range x.interfaces[m.Path] {
		if m.Revision == "" || i.Revision == m.Revision {
			return i
		}
	}
	return nil
}

// allInterfaces returns all Interfaces, each revision once, in the order of their
// paths.
func (x *Index) allInterfaces() []*manifest.Interface {
	var all []*manifest.Interface
	for _, i := range x.Hub.Interfaces {
		if x.Interface(manifest.RefMatch(i.Ref)) == i {
			all = append(all, i)
		}
	}
	return all
}

// unknownInterface returns the finding about an Interface that does not exist, at its path or its
// revision.
func (x *Index) unknownInterface(m manifest.RefMatch, field string) diag.Finding {
	if known := x.interfaces[m.Path]; len(known) > 0 {
		f := diag.GotText(m.Revision, diag.OneOf(revisions(known))+" (the revision of "+m.Path+" in the package)")
		if len(known) > 1 {
			f.Accepted = diag.OneOf(revisions(known)) + " (the revisions of " + m.Path + " in the package)"
		}
		return f.At(field+".revision", diag.Position{})
	}
	var paths []string
	for _, i := range x.Hub.Interfaces {
		paths = append(paths, i.Path)
	}
	return noPath("Interface", m.Path, slices.Compact(paths)).At(field+".path", diag.Position{})
}

// revisions returns the revisions of Interfaces, in their order.
func revisions(known []*manifest.Interface) []string {
	var all []string
	for _, i := range known {
		all = append(all, i.Revision)
	}
	return all
}

const hubStorage = "cap.core.type.hub.storage"

// isStorage reports whether TypeInstances of a Type are storage backends.
func (x *Index) isStorage(ref manifest.Ref) bool {
	below := manifest.Pattern{Prefix: hubStorage, Below: true}
	t := x.types[ref]
	return ref.Path == hubStorage || below.Matches(ref.Path) || t != nil && slices.Contains(t.AdditionalRefs, hubStorage)
}

// checkStorage returns a finding, without a place, if a TypeInstance is not a storage
// backend.
func (x *Index) checkStorage(i Instance) []diag.Finding {
	switch {
	case x.isStorage(i.TypeRef):
		return nil
	case x.types[i.TypeRef] == nil:
		return []diag.Finding{diag.Say("cannot tell whether %s is a storage backend: its Type %s is not in the package", i, i.TypeRef).
			Do("add the Type, with " + hubStorage + " in its additionalRefs").IfUnseen(diag.ItExists)}
	}
	return []diag.Finding{diag.Say("%s is not a storage backend: its Type %s does not have %s in its additionalRefs", i, i.TypeRef, hubStorage).
		Do("name the TypeInstance of a storage backend")}
}
