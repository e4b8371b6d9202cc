// Program mutants changes the code in small ways, one at a time, and reports the changes that no
// test notices. Such a change shows code that can be removed, or a test that is missing:
//
//	go run ./tests/mutants ./pkg/capacity
//	go run ./tests/mutants -sample 100 -seed 7 ./pkg/...
//
// All changes are compiled into the programs at once and switched on by an environment variable.
// A first run of each test records the places that it reaches. A change is then tried with the
// tests that reach its place: first the tests of its own package, then the others, the quickest
// first.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"
)

type options struct {
	tests    string
	all      bool
	sample   int
	seed     uint64
	budget   time.Duration
	jobs     int
	work     string
	out      string
	again    string
	packages []string
}

func main() {
	var o options
	flag.StringVar(&o.tests, "tests", "./pkg/... ./functions/... ./tests/...", "the packages whose tests are tried")
	flag.BoolVar(&o.all, "all", false, "also remove each condition, assignment, case and jump: what is then not noticed is often not needed")
	flag.IntVar(&o.sample, "sample", 0, "try that many changes, chosen at random; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "what -sample chooses by")
	flag.DurationVar(&o.budget, "budget", 30*time.Second, "how long the tests of other packages may take for one change")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "how many changes are tried at the same time")
	flag.StringVar(&o.work, "work", ".cache/mutants", "a folder for the changed copy of the project and its programs")
	flag.StringVar(&o.out, "o", "", "a file to write one JSON object for each change to")
	flag.StringVar(&o.again, "again", "", "such a file: only what survived then is tried")
	flag.Parse()
	o.packages = flag.Args()
	if len(o.packages) == 0 {
		o.packages = []string{"./pkg/..."}
	}
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	c, err := copyTree(o.work)
	if err != nil {
		return err
	}
	defer os.RemoveAll(c.dir)
	packages, err := load(c.dir, o.packages)
	if err != nil {
		return err
	}
	var mutants []*mutant
	for _, p := range packages {
		mutants = append(mutants, p.find(o.all)...)
	}
	for i, m := range mutants {
		m.ID = i + 1
	}
	if mutants, err = c.write(packages, mutants); err != nil {
		return err
	}
	fmt.Printf("%d changes in %d packages\n", len(mutants), len(packages))
	chosen, err := choose(mutants, o)
	if err != nil {
		return err
	}
	binaries, err := c.buildTests(o.tests)
	if err != nil {
		return err
	}
	if err = c.record(binaries, mutants, o.jobs); err != nil {
		return err
	}
	return c.check(binaries, chosen, o)
}
