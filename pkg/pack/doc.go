// Package pack reads packs, their overrides and the facts of a cluster from resources.
//
// A resource can contain a pack in two forms: a ConfigMap with the files of the pack directory as
// keys, or the kind Pack. Both become a [Pack], so features do not depend on the form that the user
// chose. The terms come from the pack constraints document; the READMEs of the functions describe
// the resources.
//
// [Load] returns the packs of a run, and reports packs and overrides that cannot be read.
// [Pack.Effective] returns the effective values of a pack: its own values with the overrides on top.
// [LoadCluster] returns the ClusterContext.
package pack
