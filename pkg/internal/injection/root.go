package injection

import (
	"path"
	"strings"

	"github.com/krm-packs/functions/pkg/list"
)

// Place is the place where a resource is stored, according to the client.
type Place struct {
	// Package is the path of its package, empty when the client names none.
	Package string
	// File is the path of its file, in its package or in the root package.
	File string
}

// PlaceOf returns the place of an item.
func PlaceOf(item *list.Item) Place {
	return Place{Package: item.Annotation(list.PackagePathAnnotation), File: item.Resource().File}
}

// Dir is the folder of the place, from the root of all.
func (p Place) Dir() string { return path.Join("/", p.Package, path.Dir(p.File)) }

// Within reports whether a folder is another one or lies in it.
func Within(dir, outer string) bool {
	return dir == outer || strings.HasPrefix(dir, strings.TrimSuffix(outer, "/")+"/")
}

// Root returns the index of the Kptfile of the root package, whose directory contains the
// directories of all others. It returns false if there is no such Kptfile.
func Root(kptfiles []Place) (int, bool) {
	if len(kptfiles) == 0 {
		return 0, false
	}
	root, dir := 0, kptfiles[0].Dir()
	for i, k := range kptfiles {
		if other := k.Dir(); len(other) < len(dir) {
			root, dir = i, other
		}
	}
	for i, k := range kptfiles {
		if other := k.Dir(); i != root && (other == dir || !Within(other, dir)) {
			return 0, false
		}
	}
	return root, true
}

// InRoot reports whether a resource belongs to the root package itself, and not
// to one of its subpackages.
func InRoot(p Place, kptfiles []Place, root int) bool {
	if p.File == "" {
		return true
	}
	if !Within(p.Dir(), kptfiles[root].Dir()) {
		return false
	}
	for i, k := range kptfiles {
		if i != root && Within(p.Dir(), k.Dir()) {
			return false
		}
	}
	return true
}
