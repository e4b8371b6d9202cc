// Package transfer imports pack directories into packages, and exports packs of packages to
// directories.
//
// A pack becomes a single resource in its own file, a ConfigMap or a Pack. It is written in the
// layout of kpt, so that the first render changes nothing. An annotation records the files that
// were imported, so that a second import can tell whether the directory has changed.
//
// # The data
//
// This is the resource of a pack, whose annotation has the hash of each file as it was read:
//
//	apiVersion: v1
//	kind: ConfigMap
//	metadata:
//	  name: vault
//	  annotations:
//	    packs.kpt.dev/imported: '{"version":"0.6.0","sha256":{"pack.json":"…","values.yaml":"…"}}'
//	data:
//	  pack.json: |
//	    {"name": "vault", "version": "0.6.0"}
//	  values.yaml: |
//	    server: {replicas: 1}
//
// # The files
//
// inputs.go sorts the paths that users name, and import.go plans an import: the result is a [Plan], which
// the caller writes. resource.go makes the resources, trim.go the texts that kpt keeps in block style,
// record.go the annotation, and kptfile.go the functions that the packs need. edited.go and existing.go
// keep what users changed after an earlier import, and comments.go names the comments that are lost.
// profile_import.go joins the packs of a cluster profile, which package palette reads, with their
// directories. bundle.go and capact.go import the content of OLM and of Capact. export.go, export_helm.go
// and effective.go write packs as directories, and profile_export.go a cluster profile.
package transfer
