package set

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
)

// lookups finds the resources that variants refer to, and remembers what could
// not be found.
type lookups struct {
	// set is the set, and inventory the resources that it may refer to.
	set       *Set
	inventory *Inventory
	// upstream is the PackageRevision. noUpstream reports whether a PackageRevision is required,
	// but does not exist.
	upstream   *Object
	noUpstream bool
	// namesUpstream reports whether an expression can read the name of the upstream.
	namesUpstream bool
	// verifies reports whether the inventory contains Repositories. If so, a Repository that is not
	// among them is a fault.
	verifies bool
	// standIns are the Repositories that could not be looked up, by name.
	standIns map[string]*Object
	// reported are the places and names of missing Repositories that were reported.
	reported map[[2]string]bool
}

// lookups finds the upstream of the set. If no PackageRevision is known at all, a stand-in with the
// name of the package takes its place, and a warning is added.
func (e *Expander) lookups(inventory *Inventory, f *findings) *lookups {
	l := &lookups{
		set: e.set, inventory: inventory, namesUpstream: e.namesUpstream,
		verifies: len(inventory.of(repositoryKind)) > 0,
		standIns: map[string]*Object{}, reported: map[[2]string]bool{},
	}
	u := &e.set.Upstream
	found := inventory.upstream(e.set.Namespace, u)
	switch {
	case found != nil:
		l.upstream = &found.Object
		return l
	case e.isFaulty("spec.upstream"):
		l.noUpstream = true // reported
	case len(inventory.revisions) > 0:
		l.noUpstream = true
		f.add(rule.VariantSetUpstreamNotFound, "spec.upstream", l.missingUpstream())
	}
	l.upstream = &Object{Kind: PackageRevisionKind, Name: u.Package, Namespace: e.set.Namespace, standsIn: true}
	return l
}

// missingUpstream reports a missing upstream, with the PackageRevisions that are most similar.
func (l *lookups) missingUpstream() diag.Finding {
	u, space := &l.set.Upstream, variant.NamespaceOr(l.set.Namespace)
	var spaces, revisions, packages []string
	for _, r := range l.inventory.revisions {
		switch {
		case r.is(u, r.Namespace):
			spaces = append(spaces, variant.NamespaceOr(r.Namespace))
		case r.isOfPackage(u, space):
			revision := string(r.Revision)
			if r.WorkspaceName != "" {
				revision = strings.TrimSpace(revision + " (workspace " + r.WorkspaceName + ")")
			}
			revisions = append(revisions, revision)
		case variant.NamespaceOr(r.Namespace) == space && r.Repository == u.Repo:
			packages = append(packages, r.PackageName)
		}
	}
	f := diag.NotFound(PackageRevisionKind, u.Package, sorted(packages))
	f.Found, f.Unseen = fmt.Sprintf("%s of %s in the namespace %s", PackageRevisionKind, describe(u), space), ""
	switch {
	case spaces != nil:
		f.Found += "; it is in the namespace " + diag.AllOf(sorted(spaces))
		f.Accepted, f.Nearest = "", ""
	case revisions != nil:
		f.Accepted, f.Nearest = diag.OneOf(sorted(revisions)), ""
	}
	return f
}

// describe names an upstream for messages.
func describe(u *Upstream) string {
	text := fmt.Sprintf("the package %q of the repository %q", u.Package, u.Repo)
	if u.Revision != "" {
		text += fmt.Sprintf(" in revision %q", u.Revision)
	}
	if u.WorkspaceName != "" {
		text += fmt.Sprintf(" in workspace %q", u.WorkspaceName)
	}
	return text
}

// sorted returns the names, each once, in order.
func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// repository looks up a downstream Repository that is named at a path. One that cannot be
// looked up has its name, the namespace of the set, and nothing else. It is not found if
// it should be there, which is reported.
func (l *lookups) repository(path, name string, f *findings) (repository *Object, found bool) {
	if o := l.inventory.repository(l.set.Namespace, name); o != nil {
		return o, true
	}
	if l.verifies {
		if at := [2]string{path, name}; !l.reported[at] {
			l.reported[at] = true
			f.add(rule.VariantSetRepositoryNotFound, path, l.missingRepository(name))
		}
	}
	return l.standIn(name), !l.verifies
}

// missingRepository returns the finding for a Repository that does not exist. It names the namespace
// that has one of this name.
func (l *lookups) missingRepository(name string) diag.Finding {
	space := variant.NamespaceOr(l.set.Namespace)
	f := diag.NotFound(RepositoryKind, name, l.inventory.names(repositoryKind, space))
	f.Found, f.Unseen = f.Found+" in the namespace "+space, ""
	var spaces []string
	for _, o := range l.inventory.of(repositoryKind) {
		if o.Name == name {
			spaces = append(spaces, variant.NamespaceOr(o.Namespace))
		}
	}
	if spaces != nil {
		f.Found += "; it is in the namespace " + diag.AllOf(sorted(spaces))
		f.Accepted, f.Nearest = "", ""
	}
	return f
}

// standIn returns the object that stands for a Repository that could not be looked up. It has a name
// and no labels.
func (l *lookups) standIn(name string) *Object {
	if l.standIns[name] == nil {
		l.standIns[name] = &Object{Kind: RepositoryKind, Name: name, Namespace: l.set.Namespace, standsIn: true}
	}
	return l.standIns[name]
}

// unverified reports once what could not be looked up, because nothing of its kind exists.
func (l *lookups) unverified(f *findings) {
	var what, kinds []string
	if len(l.inventory.revisions) == 0 {
		what, kinds = append(what, "the upstream"), append(kinds, "no "+PackageRevisionKind)
	}
	if names := slices.Sorted(maps.Keys(l.standIns)); len(names) > 0 && !l.verifies {
		text := "the repository " + names[0]
		if more := len(names) - 1; more > 0 {
			text = fmt.Sprintf("%d repositories such as %s", len(names), names[0])
		}
		what, kinds = append(what, text), append(kinds, "no "+RepositoryKind)
	}
	if what == nil {
		return
	}
	text := fmt.Sprintf("%s could not be looked up: the package has %s. Expressions see none of their labels and annotations", diag.AllOf(what), diag.AllOf(kinds))
	if l.upstream.standsIn && l.namesUpstream {
		text += ", and in upstream.name the name of the package, not of the " + PackageRevisionKind
	}
	f.add(rule.VariantSetUnverified, "spec", diag.Say("%s", text).Do("add these objects to the package"))
}
