// Package function is the harness that turns a plain Go API into a KRM
// function: it reads a ResourceList from standard input, hands a [Processor]
// the items it asks for, and writes the list back with the results.
//
// # How a run works
//
//	bytes → list.List (items, by their text) → Processor → findings and edits → bytes
//
// Package list splits the list by its text and parses only the items that a processor asks for.
// Items that a processor does not change are written byte for byte as they were read. The
// functionConfig is read strictly, by package decode, into the struct that the processor names.
// Findings are values of package diag. The harness converts them to results, in one order, with the
// severity that the user chose.
//
//	# of a ResourceList
//	results:
//	- severity: error
//	  message: registry.port is required, but missing
//
// A program is a few lines:
//
//	func main() {
//		os.Exit(function.Main(schema.Function(), functions.Docs("validate-pack-values")))
//	}
//
// # What the harness promises to clients
//
// The exit code is 1 exactly when there is a result of severity error. The complete
// list is always written, also on failure, so that no client deletes what it did not
// receive. On failure each error is a line of standard error, because kustomize and
// Porch show nothing else; on success nothing is printed there. A panic becomes a
// result that names the resource. Input that is empty or not a ResourceList is
// refused.
package function
