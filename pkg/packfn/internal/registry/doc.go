// Package registry gets archives of packs from OCI registries, as `oras push` and Palette
// store them: an image with one layer, NAME-VERSION.tar.gz.
//
// It opens the only connections of the program, to the host that a reference names and to
// where that redirects. What it returns is verified by its digest, and kept by it.
//
//	oci://registry.example.com/base/vault:0.6.0
//
// [Client.Pull] resolves the tag to a digest, and takes the archive from the cache if it has that
// digest. Credentials come from Docker's configuration. The cache has two folders:
//
//	packfn/archives/sha256-…/vault-0.6.0.tar.gz
//	packfn/references/…                           # the digest of a reference when it was pulled
package registry
