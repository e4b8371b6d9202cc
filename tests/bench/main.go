// Command bench measures the functions as whole processes, and prints one row
// for each bar of their performance: what a run took, what its baseline took,
// and the ratio that the bar is about. It makes its inputs and builds its
// programs itself. A bar that is missed is a figure as any other; the exit code
// is 1 only when something could not be measured.
//
//	go run ./tests/bench              # all rows, some minutes
//	go run ./tests/bench -row start   # those whose name matches
//
// CPU time is user and system time of the finished process. Each figure is the
// median of the counted runs; runs that are compared are made in turn. Seconds
// tell machines apart, the ratios hardly.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command runs the benchmark with arguments and returns its exit code.
func command(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	runs := flags.Int("runs", 5, "counted runs of each program, at least; short ones are run more often")
	quick := flags.Bool("quick", false, "small inputs and one run, to see that everything works; the figures say nothing")
	pattern := flags.String("row", "", "measure only rows whose name matches the regular expression")
	dir := flags.String("dir", "", "keep inputs and programs in this folder, to run or profile them by hand")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 1
	}
	b := &bench{dir: *dir, runs: *runs, quick: *quick}
	if err := b.print(stdout, *pattern); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

// print measures the rows that match a pattern and prints the table.
func (b *bench) print(w io.Writer, pattern string) (err error) {
	selected, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-row: %w", err)
	}
	s := fullSizes
	if b.quick {
		s, b.runs = quickSizes, 1
	}
	if b.runs < 1 {
		return fmt.Errorf("-runs: got %d, want 1 or more", b.runs)
	}
	wanted := slices.DeleteFunc(rows(s), func(r row) bool { return !selected.MatchString(r.name) })
	if len(wanted) == 0 {
		return fmt.Errorf("-row: no row matches %s", pattern)
	}
	if b.dir == "" {
		if b.dir, err = os.MkdirTemp("", "bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.dir)
	} else if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	cells, err := b.table(wanted)
	if len(cells) > 1 {
		printTable(w, cells)
		fmt.Fprintf(w, "\n%s, %d CPUs; medians of %d runs or more after one to warm up; CPU is user + system time, stdin a file.\n", runtime.Version(), runtime.NumCPU(), b.runs)
	}
	return err
}
