// Package registry gets archives of packs from OCI registries, as `oras push` and Palette
// store them: an image with one layer, NAME-VERSION.tar.gz.
//
// It opens the only connections of the program, to the host that a reference names and to
// where that redirects. What it returns is verified by its digest, and kept by it.
package registry
