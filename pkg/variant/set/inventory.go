package set

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/krm-packs/functions/pkg/variant"
)

// Object is what a set may know of a resource: its metadata.
type Object struct {
	// APIVersion, Kind, Namespace and Name identify the object. Namespace is "" if it is not given.
	APIVersion, Kind, Namespace, Name string
	// Labels and Annotations are what expressions and selectors read.
	Labels, Annotations map[string]string

	// view is the object as expressions see it, made when it is first needed.
	view any
	// standsIn reports whether the object could not be looked up.
	standsIn bool
}

// PackageRevision is a revision of a package in a repository.
type PackageRevision struct {
	Object
	// Repository, PackageName, Revision and WorkspaceName are fields of its spec.
	Repository, PackageName, WorkspaceName string
	Revision                               variant.Revision
}

type (
	// gvk identifies a kind, and key an object.
	gvk struct{ apiVersion, kind string }
	key struct {
		gvk
		namespace, name string
	}
)

var repositoryKind = gvk{RepositoryAPIVersion, RepositoryKind}

// Inventory contains the objects among which sets find their targets and upstreams. The zero value
// holds nothing.
type Inventory struct {
	// revisions are the PackageRevisions in the order in which they were added.
	revisions []*PackageRevision
	// objects are the objects by kind, and byName the same by kind, namespace and name.
	objects map[gvk][]*Object
	byName  map[key]*Object
	// labelled are the objects of a kind by their labels, made when they are first asked
	// for.
	labelled map[gvk]map[label][]*Object
}

// label is a label with its value.
type label struct{ key, value string }

// Add adds an object, or a Repository.
func (i *Inventory) Add(o *Object) {
	if i.objects == nil {
		i.objects, i.byName = map[gvk][]*Object{}, map[key]*Object{}
	}
	of := gvk{o.APIVersion, o.Kind}
	delete(i.labelled, of)
	i.objects[of] = append(i.objects[of], o)
	if at := (key{of, variant.NamespaceOr(o.Namespace), o.Name}); i.byName[at] == nil {
		i.byName[at] = o
	}
}

// AddRevision adds a PackageRevision.
func (i *Inventory) AddRevision(r *PackageRevision) { i.revisions = append(i.revisions, r) }

// count returns the number of objects.
func (i *Inventory) count() int {
	n := 0
	for _, objects := range i.objects {
		n += len(objects)
	}
	return n
}

// of returns the objects of a kind.
func (i *Inventory) of(kind gvk) []*Object { return i.objects[kind] }

func (i *Inventory) repository(space, name string) *Object {
	return i.byName[key{repositoryKind, variant.NamespaceOr(space), name}]
}

// has reports whether there is an object of a kind in a namespace.
func (i *Inventory) has(kind gvk, space string) bool {
	return slices.ContainsFunc(i.of(kind), func(o *Object) bool { return o.isIn(space) })
}

// near returns the objects of a kind among which a selector chooses: those with the rarest
// label that it asks for, so that many targets do not look at all objects each.
func (i *Inventory) near(kind gvk, selector labels.Selector) []*Object {
	objects := i.of(kind)
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		values := r.ValuesUnsorted()
		if op := r.Operator(); len(values) != 1 || op != selection.Equals && op != selection.DoubleEquals && op != selection.In {
			continue
		}
		if with := i.with(kind, label{r.Key(), values[0]}); len(with) < len(objects) {
			objects = with
		}
	}
	return objects
}

// with returns the objects of a kind that have a label.
func (i *Inventory) with(kind gvk, wanted label) []*Object {
	if i.labelled[kind] == nil {
		byLabel := map[label][]*Object{}
		for _, o := range i.of(kind) {
			for key, value := range o.Labels {
				byLabel[label{key, value}] = append(byLabel[label{key, value}], o)
			}
		}
		if i.labelled == nil {
			i.labelled = map[gvk]map[label][]*Object{}
		}
		i.labelled[kind] = byLabel
	}
	return i.labelled[kind][wanted]
}

// selected returns the objects of a kind in a namespace that a selector chooses, in the
// order of their names. An object without a namespace may be cluster-scoped, so it is of
// every namespace; a Repository is not.
func (i *Inventory) selected(kind gvk, space, name string, selector labels.Selector) []*Object {
	var found []*Object
	for _, o := range i.near(kind, selector) {
		if o.isIn(space) && (name == "" || o.Name == name) && selector.Matches(labels.Set(o.Labels)) {
			found = append(found, o)
		}
	}
	slices.SortStableFunc(found, func(a, b *Object) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// isIn reports whether an object may be in a namespace.
func (o *Object) isIn(space string) bool {
	return variant.NamespaceOr(o.Namespace) == variant.NamespaceOr(space) || o.mayBeClusterScoped()
}

// mayBeClusterScoped reports whether an object without a namespace may be one of a kind
// that has none.
func (o *Object) mayBeClusterScoped() bool {
	return o.Namespace == "" && (gvk{o.APIVersion, o.Kind}) != repositoryKind
}

// names returns the names of the objects of a kind in a namespace.
func (i *Inventory) names(kind gvk, space string) []string {
	var names []string
	for _, o := range i.of(kind) {
		if o.isIn(space) {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	return names
}

// upstream returns the PackageRevision that an upstream refers to, of several the first by name, or
// nil if there is none.
func (i *Inventory) upstream(space string, u *Upstream) *PackageRevision {
	var found *PackageRevision
	for _, r := range i.revisions {
		if r.is(u, space) && (found == nil || cmp.Less(r.Name, found.Name)) {
			found = r
		}
	}
	return found
}

// is reports whether an upstream in a namespace refers to the PackageRevision.
func (r *PackageRevision) is(u *Upstream, space string) bool {
	return r.isOfPackage(u, space) &&
		(!u.HasRevision() || revisionNumber(u.Revision) == revisionNumber(r.Revision)) &&
		(u.WorkspaceName == "" || u.WorkspaceName == r.WorkspaceName)
}

func (r *PackageRevision) isOfPackage(u *Upstream, space string) bool {
	return variant.NamespaceOr(r.Namespace) == variant.NamespaceOr(space) && r.Repository == u.Repo && r.PackageName == u.Package
}
