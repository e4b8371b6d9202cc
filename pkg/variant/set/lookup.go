package set

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

// lookups finds the resources that variants refer to, and remembers what could
// not be found.
type lookups struct {
	set       *Set
	inventory *Inventory
	// upstream is the PackageRevision, and noUpstream says that there should be
	// one and is none.
	upstream   *Object
	noUpstream bool
	// namesUpstream says that an expression may see the name of the upstream.
	namesUpstream bool
	// verifies says that the inventory holds Repositories: then one that is not
	// among them is a fault.
	verifies bool
	// standIns are the Repositories that could not be looked up, by name.
	standIns map[string]*Object
	// told are the places and names of missing Repositories that were told.
	told map[[2]string]bool
}

func (e *Expander) lookups(inventory *Inventory, f *faults) *lookups {
	l := &lookups{
		set: e.set, inventory: inventory, namesUpstream: e.namesUpstream,
		verifies: len(inventory.of(repositoryKind)) > 0,
		standIns: map[string]*Object{}, told: map[[2]string]bool{},
	}
	u := e.set.Upstream
	found := inventory.upstream(e.set.Namespace, u)
	switch {
	case found != nil:
		l.upstream = &found.Object
		return l
	case len(inventory.revisions) > 0:
		l.noUpstream = true
		f.add(RuleUpstreamNotFound, "spec.upstream", "%s", l.missingUpstream())
	}
	l.upstream = &Object{Kind: PackageRevisionKind, Name: u.Package, Namespace: e.set.Namespace, standsIn: true}
	return l
}

// missingUpstream says what there is instead of the upstream.
func (l *lookups) missingUpstream() string {
	u := l.set.Upstream
	var spaces, revisions, packages []string
	for _, r := range l.inventory.revisions {
		switch {
		case u.is(r.Namespace, r):
			spaces = append(spaces, namespace(r.Namespace))
		case u.ofPackage(l.set.Namespace, r):
			revision := r.Revision
			if r.WorkspaceName != "" {
				revision = strings.TrimSpace(revision + " (workspace " + r.WorkspaceName + ")")
			}
			revisions = append(revisions, revision)
		case namespace(r.Namespace) == namespace(l.set.Namespace) && r.Repository == u.Repo:
			packages = append(packages, r.PackageName)
		}
	}
	var hint, near string
	switch {
	case spaces != nil:
		hint = "it is in the namespace " + joined(spaces)
	case revisions != nil:
		hint = "there is " + joined(revisions)
	default:
		near = nearest.Hint(u.Package, packages)
		hint = "if there is one, a selector of the function may hide it"
	}
	return fmt.Sprintf("no PackageRevision in the namespace %s is %s%s; %s", namespace(l.set.Namespace), u, near, hint)
}

// String names an upstream for messages.
func (u *Upstream) String() string {
	text := fmt.Sprintf("the package %q of the repository %q", u.Package, u.Repo)
	if u.Revision != "" {
		text += fmt.Sprintf(" in revision %q", u.Revision)
	}
	if u.WorkspaceName != "" {
		text += fmt.Sprintf(" in workspace %q", u.WorkspaceName)
	}
	return text
}

// joined is the names, each once, in order.
func joined(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// repository looks up a downstream Repository that is named at a path. What
// can not be looked up has its name, the namespace of the set, and nothing
// else; it is not found when it should be there, which is told.
func (l *lookups) repository(path, name string, f *faults) (repository *Object, found bool) {
	if o := l.inventory.repository(l.set.Namespace, name); o != nil {
		return o, true
	}
	if l.verifies {
		if at := [2]string{path, name}; !l.told[at] {
			l.told[at] = true
			f.add(RuleRepositoryNotFound, path, "%s", l.missingRepository(name))
		}
	}
	return l.standIn(name), !l.verifies
}

func (l *lookups) missingRepository(name string) string {
	space := namespace(l.set.Namespace)
	known := l.inventory.names(repositoryKind, space)
	hint := nearest.Hint(name, known)
	var spaces []string
	for _, o := range l.inventory.of(repositoryKind) {
		if o.Name == name {
			spaces = append(spaces, namespace(o.Namespace))
		}
	}
	if spaces != nil {
		hint = "; there is one in the namespace " + joined(spaces)
	}
	return fmt.Sprintf("no Repository %q in the namespace %s%s; if there is one, a selector of the function may hide it", name, space, hint)
}

func (l *lookups) standIn(name string) *Object {
	if l.standIns[name] == nil {
		l.standIns[name] = &Object{Kind: RepositoryKind, Name: name, Namespace: l.set.Namespace, standsIn: true}
	}
	return l.standIns[name]
}

// unverified tells what there was nothing to look up in.
func (l *lookups) unverified(f *faults) {
	var what, kinds []string
	if len(l.inventory.revisions) == 0 {
		what, kinds = append(what, "the upstream"), append(kinds, PackageRevisionKind)
	}
	if names := slices.Sorted(maps.Keys(l.standIns)); len(names) > 0 && !l.verifies {
		some := names
		if len(names) > 5 {
			some = append(slices.Clone(names[:5]), "…")
		}
		text := "the repository " + names[0]
		if len(names) > 1 {
			text = fmt.Sprintf("%d repositories (%s)", len(names), strings.Join(some, ", "))
		}
		what, kinds = append(what, text), append(kinds, RepositoryKind)
	}
	names := ""
	if l.upstream.standsIn && l.namesUpstream {
		names = ", and the name of the package as upstream.name, where the cluster has that of the PackageRevision"
	}
	if what != nil {
		f.add(RuleUnverified, "spec", "%s could not be looked up: the list holds no %s (a selector of the function may hide it); expressions see no labels and annotations of them%s", strings.Join(what, " and "), strings.Join(kinds, " and no "), names)
	}
}
