// Package parents walks up trees of folders. All such walks are here, because one that does not
// notice the root never ends.
//
//	Of("a/b")   // a/b, a, .
//	Of("/a/b")  // /a/b, /a, /
package parents

import (
	"iter"
	"path"
	"path/filepath"
)

// Of yields a folder and those above it: to the root of the file system, or to "." for a
// relative path.
func Of(dir string) iter.Seq[string] { return up(dir, filepath.Dir) }

// OfSlash is [Of] for paths with slashes on all systems, such as the paths of resources.
func OfSlash(dir string) iter.Seq[string] { return up(dir, path.Dir) }

// up yields a folder and those above it. above returns the folder above another one, which is itself
// at the root.
func up(dir string, above func(string) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) {
			next := above(dir)
			if next == dir {
				return
			}
			dir = next
		}
	}
}
