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
//
// # The data
//
// This is a pack as a Pack. In a ConfigMap, values.yaml, schema.yaml and presets.yaml are entries of
// data, and the other fields are in the entry pack.json.
//
//	apiVersion: packs.kpt.dev/v1alpha1
//	kind: Pack
//	metadata: {name: vault}
//	spec:
//	  version: 0.6.0
//	  values: {server: {replicas: 3}}
//	  schema: {server.replicas: {schema: '{{ required | format "${number:[1-9]}" }}'}}
//
// # The files
//
// load.go and waiting.go find the packs of a run. typed.go reads a Pack, and configmap.go the other
// form. metadata.go reads pack.json, preset.go presets.yaml, and cluster.go the ClusterContext.
// source.go finds a document in its resource and writes
// edits of it back, imported.go reads the record of an import, and kinds.go declares the kinds as
// users write them.
package pack
