// Program report runs `go test` over packages and reports it in a form that is short when all is well: one line for each
// package, the lines that tests mark with "note: ", what failed in full, what was skipped and why, and at the end the
// counts. It fails when anything failed, when something did not build, and when no test ran.
//
//	go run ./tests/report ./...
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	if !run(".", os.Stdout, os.Stderr, os.Args[1:]...) {
		os.Exit(1)
	}
}

// run runs `go test` in a folder with these packages and flags, and says whether all is well. What go test itself has to
// say goes to stderr.
func run(dir string, out, stderr io.Writer, args ...string) bool {
	command := exec.Command("go", append([]string{"test", "-json", "-count=1"}, args...)...)
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
