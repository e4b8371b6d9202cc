// Package language answers queries about a position in a file: completion, hover, definition and
// references, and the hints of a file.
//
// An answer needs three things. A [Snapshot] is the parsed state of the package that contains the file. A
// site is the document around the position with the path in it, which package cursor finds while the
// text is being typed. [Language] has the forms of kinds, the functions, and the charts. For example, at
// the number in
//
//	kind: ConfigMap
//	data:
//	  values.yaml: |
//	    server:
//	      replicas: 3
//
// the document is values.yaml, the path is server.replicas, and hover shows the values that the snapshot has of
// the pack at this path.
//
// Nothing here knows of the connection, or of runs of the checks.
package language
