// Package pack reads packs, their overrides and the facts of a cluster from
// resources.
//
// A pack has one of two forms in KRM: a ConfigMap with the files of its directory as
// keys, or the kind Pack. Both become a [Pack], so features do not depend on the form
// that the user chose. The terms are those of the
// pack constraints document; the resources are described in the README of the
// functions.
//
//	set := pack.Load(run, pack.Choice{})
//	for _, p := range set.Packs {
//		effective, faults := p.Effective()
//		…
//	}
package pack
