package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build events, in place of Package
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// report counts tests and prints what a reader wants to know of them. Tests with subtests count like any other.
type report struct {
	out                     io.Writer
	passed, failed, skipped int
	broken                  int // packages that failed other than by a test: they did not build, or their process died

	output  map[string][]string // by package and test, until its end
	running map[string]event    // tests that have begun and not ended, likewise
	fails   map[string]bool     // packages in which a test has failed
	skips   map[string][]string // packages and tests that were skipped, by the reason
}

func newReport(out io.Writer) *report {
	return &report{out: out, output: map[string][]string{}, running: map[string]event{}, fails: map[string]bool{}, skips: map[string][]string{}}
}

// read takes the events until their end.
func (r *report) read(events io.Reader) error {
	decoder := json.NewDecoder(events)
	for {
		var e event
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.take(e)
	}
}

func (r *report) take(e event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "run":
		r.running[key] = e
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		if line, ok := strings.CutPrefix(e.Output, "note: "); ok {
			fmt.Fprint(r.out, "note: ", line)
		}
		r.output[key] = append(r.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(e, r.output[key])
		} else {
			r.endTest(e, r.output[key])
		}
		delete(r.output, key)
		delete(r.running, key)
	}
}

func (r *report) endTest(e event, output []string) {
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		r.fails[e.Package] = true
		fmt.Fprintf(r.out, "FAIL %s %s\n%s", e.Package, e.Test, said(output))
	case "skip":
		r.skipped++
		reason := sourcePlace.ReplaceAllString(said(output), "")
		r.skips[reason] = append(r.skips[reason], e.Package+" "+e.Test)
	}
}

func (r *report) endPackage(e event, output []string) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(r.out, "ok   %s %.1fs\n", e.Package, e.Elapsed)
	case "skip":
		fmt.Fprintf(r.out, "-    %s (no test files)\n", e.Package)
	case "fail":
		r.endUnfinished(e.Package)
		if !r.fails[e.Package] {
			r.broken++
			fmt.Fprint(r.out, said(output))
		}
		fmt.Fprintf(r.out, "FAIL %s %.1fs\n", e.Package, e.Elapsed)
	}
}

// endUnfinished fails the tests of a package that have not come to their end, as when the process dies in one.
func (r *report) endUnfinished(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(r.running)) {
		if e := r.running[key]; e.Package == pkg {
			e.Action = "fail"
			r.take(e)
		}
	}
}

// sourcePlace is what go test puts before the reason of a skipped test.
var sourcePlace = regexp.MustCompile(`(?m)^\s*\S+\.go:\d+: `)

// said is the output of a test without the lines that go test adds to frame it.
func said(output []string) string {
	var lines []string
	for _, line := range output {
		text := strings.TrimSpace(line)
		framed := strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- ") || text == "PASS" || text == "FAIL"
		if text != "" && !framed && !strings.HasPrefix(line, "note: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// finish prints each reason for skipping once, and the counts, and reports whether all tests
// passed.
func (r *report) finish() bool {
	for _, reason := range slices.Sorted(maps.Keys(r.skips)) {
		tests := r.skips[reason]
		if len(tests) == 1 {
			fmt.Fprintf(r.out, "skip %s\n%s", tests[0], reason)
		} else {
			fmt.Fprintf(r.out, "skip %d tests, %s and others\n%s", len(tests), tests[0], reason)
		}
	}
	if r.broken > 0 {
		fmt.Fprintf(r.out, "%d packages failed outside of their tests\n", r.broken)
	}
	if r.passed+r.failed+r.skipped == 0 {
		fmt.Fprintln(r.out, "no test ran")
	}
	fmt.Fprintf(r.out, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
	return r.passed > 0 && r.failed == 0 && r.broken == 0
}
