// Package packfn tests the built program packfn: what its commands write, print and
// return, and that kpt agrees.
//
// PACK_CORPUS names a folder with public packs, in itself or in its folder packs. Without
// it the packs in testdata are used alone.
package packfn
