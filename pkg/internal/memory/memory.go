// Package memory ends a program in good order when its memory is used up.
//
// A shell and a service manager can limit the memory of a program:
//
//	$ ulimit -v 500000; packfn check .
package memory

import "fmt"

// exitOutOfMemory is the exit code of a program that has no memory left, which Go uses too.
const exitOutOfMemory = 2

// limit is a limit of the memory of this process.
type limit struct {
	bytes uint64
	// option is the option of ulimit that sets it.
	option string
}

func (l limit) message() string {
	return fmt.Sprintf("out of memory: this process may use %d MiB (ulimit %s). Raise the limit, or work on fewer files at once", l.bytes>>20, l.option)
}
