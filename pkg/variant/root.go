package variant

import (
	"path"
	"strings"
)

// Place is where a resource is stored, by what a client says of it.
type Place struct {
	// Package is the path of its package, empty when the client names none.
	Package string
	// File is the path of its file, in its package or in the root package.
	File string
}

// dir is the folder of the place, from the root of all.
func (p Place) dir() string { return path.Join("/", p.Package, path.Dir(p.File)) }

// within reports whether a folder is another one or lies in it.
func within(dir, outer string) bool {
	return dir == outer || strings.HasPrefix(dir, strings.TrimSuffix(outer, "/")+"/")
}

// Root returns which of the Kptfiles is that of the root package: the one whose
// folder holds all the others. It reports false if there is no such Kptfile.
func Root(kptfiles []Place) (int, bool) {
	for i, k := range kptfiles {
		all := true
		for j, other := range kptfiles {
			all = all && (i == j || k.dir() != other.dir() && within(other.dir(), k.dir()))
		}
		if all {
			return i, true
		}
	}
	return 0, false
}

// InRoot reports whether a resource belongs to the root package itself, and not
// to one of its subpackages.
func InRoot(p Place, kptfiles []Place, root int) bool {
	if p.File == "" {
		return true
	}
	if !within(p.dir(), kptfiles[root].dir()) {
		return false
	}
	for i, k := range kptfiles {
		if i != root && within(p.dir(), k.dir()) {
			return false
		}
	}
	return true
}
