// Package e2e runs the packages in examples/ with real clients: kpt and kustomize, at the versions that tests/tools pins
// and, when they differ, those on PATH.
//
// An example is a folder examples/<function>-<case>/ that a user can run as it is. Its pipeline names a function by
// its bare name, as in
//
//	pipeline:
//	  validators:
//	    - exec: validate-pack-values
//
// which kpt and kustomize look up on PATH. The expected output is in the example's folder .expected, which kpt does
// not read because the file .krmignore lists it:
//
//	config.yaml          how to run, and the exit code; without it, `kpt fn render` that exits 0
//	results.yaml         the results file of kpt, compared as data, not as text
//	results-again.yaml   the results of the second run, when they differ from the results of the first
//	diff.patch           what the run changes in the package, as git shows it; without it, nothing
//	kustomize.yaml       what `kustomize build` prints, when the example has a kustomization.yaml and it succeeds
//	kustomize.stderr     the lines the functions print, when `kustomize build` fails
//
// Everything else in .expected is an error, and so is a file that does not apply to the example. See [Config] for the
// fields of config.yaml.
//
// Each client runs each example twice. The second run starts from what the first one left, and must change nothing.
//
// UPDATE=1 go test -count=1 ./tests/e2e writes .expected again, as the pinned clients have it, and then compares the others with
// it. It leaves config.yaml alone: which exit code is right is for a person to say.
package e2e
