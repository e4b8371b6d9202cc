package set

import (
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/krm-packs/functions/pkg/diag"
)

// candidate is one of the variants that a target makes.
type candidate struct {
	// target is the index of the target, and path where the candidate comes from.
	target int
	path   string
	// repo and pkg are the defaults of the downstream.
	repo, pkg string
	// object is the object that a selector found, or nil for a repository that is named.
	object *Object
}

// String names the candidate for messages.
func (c *candidate) String() string {
	kind := "repository"
	if c.object != nil {
		kind = c.object.Kind
	}
	return fmt.Sprintf("%s %q, package %q", kind, c.repo, c.pkg)
}

// has returns a finding about the variant.
func (c *candidate) has(f diag.Finding) diag.Finding {
	if f.Kind == diag.KindStatement {
		f.Found = c.String() + ": " + f.Found
	} else {
		f.Found += " for " + c.String()
	}
	f.Tags = map[string]string{"repository": c.repo, "package": c.pkg}
	return f
}

// criterion is a target with its selector compiled.
type criterion struct {
	*Target
	// selector is the compiled selector, or nil for a list of repositories.
	selector labels.Selector
}

// what returns the criterion of a target, and the kind of its objects.
func (s *criterion) what() (field string, kind gvk, name string) {
	switch {
	case s.RepositorySelector != nil:
		return "repositorySelector", repositoryKind, ""
	case s.ObjectSelector != nil:
		return "objectSelector", gvk{s.ObjectSelector.APIVersion, s.ObjectSelector.Kind}, s.ObjectSelector.Name
	}
	return "repositories", gvk{}, ""
}

// candidates returns the variants of the i-th target, at most limit of them.
func (e *Expander) candidates(i int, inventory *Inventory, limit int) []candidate {
	s := &e.criteria[i]
	field, kind, name := s.what()
	path := targetPath(i) + "." + field
	var all []candidate
	if s.selector == nil {
		for at, r := range s.Repositories {
			where := fmt.Sprintf("%s[%d]", path, at)
			if r.PackageNames == nil {
				all = append(all, candidate{target: i, path: where, repo: r.Name, pkg: e.set.Upstream.Package})
			}
			for n, pkg := range r.PackageNames {
				all = append(all, candidate{target: i, path: fmt.Sprintf("%s.packageNames[%d]", where, n), repo: r.Name, pkg: pkg})
			}
		}
		return all
	}
	packages := s.PackageNames
	if packages == nil {
		packages = []string{e.set.Upstream.Package}
	}
	for _, object := range inventory.selected(kind, e.set.Namespace, name, s.selector) {
		for _, pkg := range packages {
			if len(all) == limit {
				return all
			}
			all = append(all, candidate{target: i, path: path, repo: object.Name, pkg: pkg, object: object})
		}
	}
	return all
}
