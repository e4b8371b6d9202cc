package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
)

// Index finds what is in a hub. It is made once for many selections.
type Index struct {
	// Hub is what it finds things in.
	Hub Hub

	interfaces map[string][]*Interface
	// implementing are the Implementations by the paths of the Interfaces that
	// they implement, the preferred ones first.
	implementing map[string][]*Implementation
	types        map[Ref]*Type
	instances    map[string]*TypeInstance
	available    map[Ref]bool
}

// NewIndex makes the index of a hub. The assumed Types are taken for available
// without a TypeInstance. It returns what stands more than once: a warning, unless
// one id is that of TypeInstances of several Types.
func NewIndex(hub Hub, assumed []Ref) (*Index, []function.Finding) {
	x := &Index{
		Hub:          hub,
		interfaces:   map[string][]*Interface{},
		implementing: map[string][]*Implementation{},
		types:        map[Ref]*Type{},
		instances:    map[string]*TypeInstance{},
		available:    map[Ref]bool{},
	}
	var findings []function.Finding
	slices.SortStableFunc(hub.Interfaces, func(a, b *Interface) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), -compareRevisions(a.Revision, b.Revision), compareNames(a.Resource, b.Resource))
	})
	for _, i := range hub.Interfaces {
		same := x.interfaces[i.Path]
		if len(same) > 0 && same[len(same)-1].Ref == i.Ref {
			findings = append(findings, duplicate(i.Resource, same[len(same)-1].Resource, i.Ref, "that one counts"))
			continue
		}
		x.interfaces[i.Path] = append(same, i)
	}
	slices.SortStableFunc(hub.Implementations, preferred)
	for n, i := range hub.Implementations {
		if n > 0 && hub.Implementations[n-1].Ref == i.Ref {
			findings = append(findings, duplicate(i.Resource, hub.Implementations[n-1].Resource, i.Ref, "both are candidates"))
		}
		paths := map[string]bool{}
		for _, ref := range i.Implements {
			if !paths[ref.Path] {
				paths[ref.Path] = true
				x.implementing[ref.Path] = append(x.implementing[ref.Path], i)
			}
		}
	}
	slices.SortStableFunc(hub.Types, func(a, b *Type) int { return compareNames(a.Resource, b.Resource) })
	for _, t := range hub.Types {
		if first := x.types[t.Ref]; first != nil {
			findings = append(findings, duplicate(t.Resource, first.Resource, t.Ref, "that one counts"))
			continue
		}
		x.types[t.Ref] = t
	}
	slices.SortStableFunc(hub.TypeInstances, func(a, b *TypeInstance) int { return compareNames(a.Resource, b.Resource) })
	for _, t := range hub.TypeInstances {
		x.available[t.TypeRef] = true
		if first := x.instances[t.ID]; first != nil {
			if first.TypeRef == t.TypeRef {
				findings = append(findings, function.Finding{
					Rule: RuleDuplicate, Resource: t.Resource, Field: "spec.id",
					Message: fmt.Sprintf("spec.id: the id %q is that of %s too; remove one of them", t.ID, describe(first.Resource)),
				})
				continue
			}
			findings = append(findings, invalid(t.Resource, "spec.id", "the id %q is that of %s already, which is of another Type; give each TypeInstance an id of its own", t.ID, describe(first.Resource)))
			continue
		}
		x.instances[t.ID] = t
	}
	for _, ref := range assumed {
		x.available[ref] = true
	}
	return x, findings
}

// preferred orders Implementations by path, the highest revision first, and then
// by the names of their resources.
func preferred(a, b *Implementation) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), -compareRevisions(a.Revision, b.Revision), compareNames(a.Resource, b.Resource))
}

func compareNames(a, b function.Resource) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.File, b.File), cmp.Compare(a.Index, b.Index))
}

// describe names a resource so that two of one name can be told apart.
func describe(r function.Resource) string {
	if r.File == "" {
		return r.String()
	}
	return r.String() + " (" + r.File + ")"
}

func duplicate(resource, first function.Resource, ref Ref, counts string) function.Finding {
	return function.Finding{
		Rule: RuleDuplicate, Resource: resource, Field: "spec.path",
		Message: fmt.Sprintf("spec.path: %s stands in %s too, and %s; give one of them another path or revision", ref, describe(first), counts),
	}
}

// Interface returns the Interface of a path and revision, without a revision the
// highest one; nil when there is none.
func (x *Index) Interface(m RefMatch) *Interface {
	for _, i := range x.interfaces[m.Path] {
		if m.Revision == "" || i.Revision == m.Revision {
			return i
		}
	}
	return nil
}

// Interfaces returns all Interfaces, each revision once, in the order of their
// paths.
func (x *Index) Interfaces() []*Interface {
	var all []*Interface
	for _, i := range x.Hub.Interfaces {
		if x.Interface(RefMatch(i.Ref)) == i {
			all = append(all, i)
		}
	}
	return all
}

// unknownInterface says that there is no such Interface, and what comes near.
func (x *Index) unknownInterface(m RefMatch) string {
	if known := x.interfaces[m.Path]; len(known) > 0 {
		return fmt.Sprintf("the Interface %s is in the list in %s only", m.Path, revisionsOf(known))
	}
	var paths []string
	for _, i := range x.Hub.Interfaces {
		paths = append(paths, i.Path)
	}
	return fmt.Sprintf("no Interface in the list has the path %q%s; %s", m.Path, pathHint(m.Path, paths), mayHide)
}

func revisionsOf(known []*Interface) string {
	text := "revision "
	for n, i := range known {
		if n > 0 {
			text += ", "
		}
		text += i.Revision
	}
	return text
}

const hubStorage = "cap.core.type.hub.storage"

// storage says what is wrong with a Type as one of storage backends, "" when
// nothing is.
func (x *Index) storage(ref Ref) string {
	below := Pattern{prefix: hubStorage, below: true}
	if ref.Path == hubStorage || below.Matches(ref.Path) {
		return ""
	}
	t := x.types[ref]
	switch {
	case t == nil:
		return fmt.Sprintf("is of the Type %s, which is not in the list: it has to have %s in its additionalRefs; %s", ref, hubStorage, mayHide)
	case !slices.Contains(t.AdditionalRefs, hubStorage):
		return fmt.Sprintf("is of the Type %s, which is no storage backend: its additionalRefs lack %s", ref, hubStorage)
	}
	return ""
}
