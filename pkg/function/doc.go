// Package function is the harness that turns a plain Go API into a KRM
// function: it reads a ResourceList from standard input, hands a [Processor]
// the items it asks for, and writes the list back with the results.
//
// # The story of a run
//
//	bytes → List (items, by their text) → Processor → findings and edits → bytes
//
// [Read] splits the list by its text and parses nothing that nobody asks for:
// almost all the time of an ordinary function goes into parsing and printing
// resources that it does not look at. What a processor does not change leaves
// byte for byte as it came. A list that is JSON is split in the same way. Where
// the text is neither that nor in the block form that kpt, kustomize and Porch
// send, the SDK's parser reads the list, with the same result: items in flow
// style then still leave as they came, those in block style are printed.
//
// A program is a few lines:
//
//	func main() {
//		os.Exit(function.Main(schema.Function(), functions.Docs("validate-pack-values")))
//	}
//
// # What the harness promises to clients
//
// The exit code is 1 exactly when there is a result of severity error. The
// complete list is always written, also on failure, so that no client deletes
// what it did not receive. Each error stands on a line of standard error on
// failure, because kustomize and Porch show nothing else; on success nothing is
// printed there. A panic becomes a result that names the resource. Input that
// is empty or not a ResourceList is refused.
package function
