// Package pack reads packs, their overrides, and what is known of a cluster out
// of a list of resources.
//
// A pack travels inside KRM in one of two forms: the files of its directory as
// keys of a ConfigMap, or the kind Pack. Both become a [Pack], so that no
// feature has to know which form its user chose. The terms are those of the
// pack constraints document; the resources are described in the README of the
// functions.
//
//	set := pack.Load(run, pack.Choice{})
//	for _, p := range set.Packs {
//		effective, faults := p.Effective()
//		…
//	}
package pack
