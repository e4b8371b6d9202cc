// Package list reads and writes ResourceLists, the lists of resources that kpt,
// kustomize and Porch exchange with functions.
//
//	l, err := list.Read(input)
//	for _, item := range l.Items {
//		if item.Is("v1", "ConfigMap") {
//			document, err := item.Document() // parsed here
//			…
//			item.Replace(edited)
//		}
//	}
//	err = l.Write(os.Stdout, results)
//
// A list in the block style that clients send is split by its text, and only the items that a
// function asks for are parsed, because an ordinary function would spend almost all its time on
// parsing and printing resources that it does not look at. Unchanged items are written byte for
// byte as they were read.
//
//	apiVersion: config.kubernetes.io/v1   # copied
//	kind: ResourceList
//	items:
//	- apiVersion: v1                      # an item, up to the next dash
//	  kind: ConfigMap
//
// The text reader accepts only the text that it recognizes with certainty. All other YAML and JSON
// is read by the parser, and written with the same content. A differential test compares both
// readers with the reader of the SDK.
//
// # The files
//
// split.go finds the parts of a list: its top-level keys, and the items. line.go classifies a single
// line, and head.go notes apiVersion, kind, name and the annotations of the current item. Both stop at
// the first line that they do not recognize with certainty, and then the list is parsed as a whole.
// file.go does the same for a file with documents. item.go holds the text of an item and its edits,
// and print.go and write.go print what was changed or added.
package list
