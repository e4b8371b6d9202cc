// Program report runs `go test` over packages and reports it in a form that is short when all is well: one line for each
// package, the lines that tests mark with "note: ", what failed in full, what was skipped and why, and at the end the
// counts. It fails when anything failed, when something did not build, and when no test ran.
//
//	go run ./tests/report ./...
//	go run ./tests/report -C tests/olm ./...
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	dir, args := ".", os.Args[1:]
	if len(args) > 1 && args[0] == "-C" { // the folder of another module
		dir, args = args[1], args[2:]
	}
	if !run(dir, os.Stdout, os.Stderr, args...) {
		os.Exit(1)
	}
}

// run runs `go test` in a folder with these packages and flags, and reports whether all tests
// passed. The output of go test itself goes to stderr.
func run(dir string, out, stderr io.Writer, args ...string) bool {
	// go test ends a package after 10 minutes unless told otherwise, which a busy machine can take.
	command := exec.Command("go", append([]string{"test", "-json", "-count=1", "-timeout=3h", "-ldflags=-s -w"}, args...)...)
	command.Dir = dir
	command.Stderr = stderr
	events, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return false
	}
	report := newReport(out)
	readErr := report.read(events)
	if readErr != nil {
		fmt.Fprintln(stderr, "the events of go test:", readErr)
		// Let go test write to its end, so that it can exit.
		_, _ = io.Copy(io.Discard, events)
	}
	testErr := command.Wait()
	if testErr != nil {
		fmt.Fprintln(stderr, "go test:", testErr)
	}
	return report.finish() && readErr == nil && testErr == nil
}
