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
// A list in the block style that clients send is split by its text, and only the
// items that are asked for are parsed: almost all the time of an ordinary function
// goes into parsing and printing resources that it does not look at. What is not
// changed leaves byte for byte as it came.
//
// The text reader takes only what it recognizes with certainty. All other YAML and
// JSON goes to the parser, and leaves with the same content. A differential test
// compares both readers with that of the SDK.
package list
