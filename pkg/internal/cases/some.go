package cases

import "os"

// All reports whether a test tries all of its inputs, because TEST_ALL is set. Otherwise it leaves out what takes long:
// `make test` has some of the inputs, and `make verify` has all of them, for the packages that SWEEPS of the Makefile lists.
func All() bool { return os.Getenv("TEST_ALL") != "" }

// Some returns every n-th input, and all of them if [All].
func Some[T any](inputs []T, n int) []T {
	if All() {
		return inputs
	}
	var some []T
	for i := 0; i < len(inputs); i += n {
		some = append(some, inputs[i])
	}
	return some
}
