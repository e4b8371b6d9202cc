// Package docs runs the commands that the documents show, and compares what they print.
//
// A block ```console has commands after "$ ", each with its output, as a terminal shows
// them. All blocks of a document run in one bash, in a folder with copies of examples/,
// docs/packs/, docs/profiles/, docs/bundles/, docs/hub/ and docs/repository/, with the functions, kpt and kustomize on
// PATH. So later commands see the files of earlier ones. Words after the language change that:
//
//	```console dir=examples/NAME    runs the block in this folder
//	```yaml file=platform/a.yaml    writes the block to a file
//	```go from=pkg/a/b_test.go#Name is the source of a Go function
//
// A … matches any text in an output. Times such as "in 20ms" are not compared.
//
// UPDATE=1 go test -count=1 ./tests/docs writes outputs that differ. It replaces a … then.
package docs
