package porch

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge3"
	"sigs.k8s.io/kustomize/kyaml/yaml/walk"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// Upgrade merges what changes from an upstream to a newer one into a package: resource by
// resource, with the merge of kyaml that kpt and Porch use. What changed on both sides
// becomes the newer upstream's, without a conflict.
//
// It does not read CustomResourceDefinitions in the packages: lists whose keys only these
// define are merged as a whole.
type Upgrade struct {
	// Old and New are the packages of the upstream.
	Old, New *workspace.Package
	// Upstream is the place of the newer one.
	Upstream Git
}

// upgradeName is the name in findings for the upgrade that changed a resource.
const upgradeName = "upgrade"

// Apply returns the package after the upgrade. It returns an error if Porch cannot merge the
// packages.
func (u Upgrade) Apply(local *workspace.Package) (*workspace.Package, error) {
	m := &merge{packages: map[string]bool{}}
	for at, tree := range []*workspace.Package{u.Old, u.New, local} {
		if err := m.add(at, tree.Items()); err != nil {
			return nil, err
		}
	}
	items, err := m.items()
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if isKptfile(item) && workspace.PackageOf(item) == "." {
			if err := edit(item, u.Upstream.set); err != nil {
				return nil, err
			}
		}
	}
	if err := Identify(items); err != nil {
		return nil, err
	}
	return local.With(items, upgradeName)
}

// The sides of a merge.
const (
	old = iota
	updated
	dest
	sides
)

// merge has the resources of the packages.
type merge struct {
	// tuples are the resources in their order.
	tuples []*tuple
	// packages are the packages by their paths. Those that come from other upstreams are
	// false: they are not merged.
	packages map[string]bool
}

// tuple is a resource on the three sides, nil where it does not exist.
type tuple struct {
	// key identifies the resource, and item has it on each side.
	key  string
	item [sides]*list.Item
}

// any returns a side that exists.
func (t *tuple) any() *list.Item {
	for _, item := range t.item {
		if item != nil {
			return item
		}
	}
	return nil
}

// add adds the resources of a side.
func (m *merge) add(side int, items []*list.Item) error {
	index := map[string]*tuple{}
	for _, t := range m.tuples {
		index[t.key] = t
	}
	for _, item := range items {
		d, err := item.Document()
		if err != nil {
			return fmt.Errorf("%s: %w", workspace.PathOf(item), err)
		}
		if isKptfile(item) {
			isLocal := values.Field(d.Root(), "upstream") == nil || workspace.PackageOf(item) == "."
			known, ok := m.packages[workspace.PackageOf(item)]
			m.packages[workspace.PackageOf(item)] = isLocal && (!ok || known)
		}
		key := keyOf(item, d)
		t := index[key]
		if t == nil {
			t = &tuple{key: key}
			index[key], m.tuples = t, append(m.tuples, t)
		}
		if t.item[side] != nil {
			return fmt.Errorf("%s has %s twice, which Porch does not merge", workspace.PathOf(item), item.Resource())
		}
		t.item[side] = item
	}
	return nil
}

// keyOf identifies a resource: by its file, its kind, and the name that it has in the
// upstream.
func keyOf(item *list.Item, d *values.Document) string {
	at := workspace.PathOf(item)
	if isKptfile(item) {
		return at
	}
	_, origin := withComment(d.Text(), item.Namespace()+"/"+item.Name())
	group, _, ok := strings.Cut(item.APIVersion(), "/")
	if !ok {
		group = ""
	}
	return strings.Join([]string{at, group, item.Kind(), origin}, "\x00")
}

// items returns the resources after the merge.
func (m *merge) items() ([]*list.Item, error) {
	exists := func(side int, pkg string) bool {
		return slices.ContainsFunc(m.tuples, func(t *tuple) bool {
			item := t.item[side]
			return item != nil && isKptfile(item) && workspace.PackageOf(item) == pkg
		})
	}
	var gone []string // packages
	for _, pkg := range slices.Sorted(maps.Keys(m.packages)) {
		isMerged := m.packages[pkg]
		switch was, is, there := exists(old, pkg), exists(updated, pkg), exists(dest, pkg); {
		case !isMerged || pkg == ".":
		case !was && is && there:
			return nil, fmt.Errorf("the subpackage %s was added upstream and in the package, which Porch does not merge", pkg)
		case was && !is && there && m.isUnchanged(pkg):
			gone = append(gone, pkg)
		}
	}
	next := map[string]int{} // the first free index of each file
	for _, t := range m.tuples {
		if item := t.item[dest]; item != nil {
			next[workspace.PathOf(item)] = max(next[workspace.PathOf(item)], item.Resource().Index+1)
		}
	}
	var items []*list.Item
	for _, t := range m.tuples {
		pkg := workspace.PackageOf(t.any())
		was, is, there := exists(old, pkg), exists(updated, pkg), exists(dest, pkg)
		merged := t.item[dest]
		switch {
		case slices.Contains(gone, pkg):
			continue
		case !m.packages[pkg] || there && !is || was && !there:
			// as it is in the package
		case !was && !there:
			merged = t.item[updated]
		default:
			var err error
			if merged, err = t.merge(); err != nil {
				return nil, fmt.Errorf("%s: %w", workspace.PathOf(t.any()), err)
			}
		}
		if merged == nil {
			continue
		}
		if t.item[dest] == nil {
			at := workspace.PathOf(merged)
			merged = list.FileItem(merged.Text(), merged.Resource().File, next[at]).InPackage(path.Join("/", pkg))
			next[at]++
		}
		items = append(items, merged)
	}
	return items, nil
}

// isUnchanged reports whether a subpackage is as the old upstream had it.
func (m *merge) isUnchanged(pkg string) bool {
	return !slices.ContainsFunc(m.tuples, func(t *tuple) bool {
		return workspace.PackageOf(t.any()) == pkg && !isEqual(t.item[old], t.item[dest])
	})
}

// isEqual reports whether two resources are equal in Porch's print.
func isEqual(a, b *list.Item) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, err := kyaml.Parse(string(a.Text()))
	y, otherErr := kyaml.Parse(string(b.Text()))
	return err == nil && otherErr == nil && x.MustString() == y.MustString()
}

// merge returns the resource after the merge, or nil if it is removed.
func (t *tuple) merge() (*list.Item, error) {
	was, is, there := t.item[old], t.item[updated], t.item[dest]
	switch {
	case was == nil && is == nil:
		return there, nil
	case was == nil && there == nil:
		return is, nil
	case there == nil:
		return nil, nil // it was deleted from the package, or on both sides
	case is == nil:
		if isEqual(was, there) {
			return nil, nil
		}
		return there, nil
	case isKptfile(there):
		return there, mergeKptfile(was, is, there)
	case path.Ext(there.Resource().File) == ".json":
		if isEqual(was, there) {
			there.ReplaceText(string(is.Text()))
		}
		return there, nil
	}
	var sources []*kyaml.RNode
	for _, item := range []*list.Item{there, was, is} {
		if item == nil {
			sources = append(sources, nil)
			continue
		}
		n, err := kyaml.Parse(string(item.Text()))
		if err != nil {
			return nil, err
		}
		sources = append(sources, n)
	}
	merged, err := walk.Walker{Visitor: merge3.Visitor{}, VisitKeysAsScalars: true, Sources: sources}.Walk()
	if err != nil || merged == nil {
		return nil, err
	}
	text, err := merged.String()
	if err != nil {
		return nil, err
	}
	return there, replace(there, text)
}

// replace sets the text of an item, unless the content is equal.
func replace(item *list.Item, text string) error {
	merged, err := values.Parse(text)
	if err != nil {
		return err
	}
	before, err := item.Document()
	if err != nil {
		return err
	}
	if !values.Equal(before.Root(), merged.Root()) {
		item.ReplaceText(text)
	}
	return nil
}
