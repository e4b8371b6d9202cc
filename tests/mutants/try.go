package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	killed    = "killed"
	survived  = "survived"
	unreached = "no test"
)

// testBinary is the tests of a package.
type testBinary struct {
	path, dir, name string
	tests           []test
}

type test struct {
	// script is one of those that the test runs, "" if it runs none.
	name, script string
	cost         time.Duration
}

// buildTests builds the tests of the packages that patterns name.
func (c tree) buildTests(patterns string) ([]*testBinary, error) {
	packages, err := list(c.dir, strings.Fields(patterns)...)
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(filepath.Dir(c.dir), "bin")
	if err = os.MkdirAll(bin, 0o755); err != nil {
		return nil, err
	}
	var all []*testBinary
	for _, p := range packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || strings.HasSuffix(p.ImportPath, "/tests/bench") {
			continue
		}
		b := &testBinary{path: p.ImportPath, dir: p.Dir, name: filepath.Join(bin, strings.ReplaceAll(p.ImportPath, "/", "_")+".test")}
		command := exec.Command("go", "test", "-c", "-ldflags=-s -w", "-o", b.name, b.path)
		command.Dir = c.dir
		if out, err := command.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build the tests of %s: %w\n%s", b.path, err, out)
		}
		all = append(all, b)
	}
	return all, nil
}

// start runs tests of a package with additional environment variables, and returns how they
// failed, or "".
func (b *testBinary) start(tests string, limit time.Duration, environment ...string) (failure string, took time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// A change can make a program ask for memory without end.
	command := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 12000000; exec "$0" "$@"`, b.name, "-test.run="+tests, "-test.failfast", "-test.count=1")
	command.Dir = b.dir
	command.Env = append(os.Environ(), environment...)
	command.WaitDelay = time.Second
	begin := time.Now()
	err := command.Run()
	switch took = time.Since(begin); {
	case ctx.Err() != nil:
		failure = "no end after " + limit.Round(time.Second).String()
	case err != nil:
		failure = err.Error()
	}
	return failure, took
}

// record runs each test once, and notes which changes it reaches. Tests that fail without a change are left out.
func (c tree) record(binaries []*testBinary, mutants []*mutant, jobs int) error {
	byID := map[int]*mutant{}
	for _, m := range mutants {
		byID[m.ID], m.reached = m, map[*testBinary][]int{}
	}
	type job struct {
		b *testBinary
		i int
	}
	var all []job
	for _, b := range binaries {
		command := exec.Command(b.name, "-test.list=^(Test|Example|Fuzz)")
		command.Dir = b.dir
		out, err := command.Output()
		if err != nil {
			return fmt.Errorf("list the tests of %s: %w", b.path, err)
		}
		for _, name := range strings.Fields(string(out)) {
			for _, script := range b.scripts(name) {
				b.tests = append(b.tests, test{name: name, script: script})
				all = append(all, job{b, len(b.tests) - 1})
			}
		}
	}
	var mu sync.Mutex
	return inParallel(all, jobs, func(j job) error {
		hits, err := os.CreateTemp("", "mutants")
		if err != nil {
			return err
		}
		defer os.Remove(hits.Name())
		defer hits.Close()
		t := &j.b.tests[j.i]
		failure, took := j.b.start(t.pattern(), 20*time.Minute, "MUTANT_RECORD="+hits.Name())
		t.cost = took
		if failure != "" {
			fmt.Printf("left out, since it fails without a change: %s %s: %s\n", j.b.path, t.pattern(), failure)
			return nil
		}
		content, err := os.ReadFile(hits.Name())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		for ; len(content) >= 4; content = content[4:] {
			if m := byID[int(binary.LittleEndian.Uint32(content))]; m != nil && !slices.Contains(m.reached[j.b], j.i) {
				m.reached[j.b] = append(m.reached[j.b], j.i)
			}
		}
		return nil
	})
}

// scripts are the scripts that a test runs, each a test of its own: together they take longer than a change may.
// A test without scripts has one, which is "".
func (b *testBinary) scripts(test string) []string {
	names, _ := filepath.Glob(filepath.Join(b.dir, "testdata/script/*.txtar"))
	if test != "TestScript" || len(names) == 0 {
		return []string{""}
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(filepath.Base(name), ".txtar")
	}
	return names
}

// pattern is what -test.run takes for the test.
func (t test) pattern() string {
	if t.script == "" {
		return "^" + t.name + "$"
	}
	return "^" + t.name + "$/^" + t.script + "$"
}

func inParallel[T any](all []T, jobs int, do func(T) error) error {
	var wg sync.WaitGroup
	work := make(chan T)
	failed := make(chan error, len(all))
	for range jobs {
		wg.Go(func() {
			for t := range work {
				if err := do(t); err != nil {
					failed <- err
				}
			}
		})
	}
	for _, t := range all {
		work <- t
	}
	close(work)
	wg.Wait()
	close(failed)
	return <-failed
}

// check tries the chosen changes, and prints what survived and the counts.
func (c tree) check(binaries []*testBinary, chosen []*mutant, o options) error {
	var out *os.File
	if o.out != "" {
		var err error
		if out, err = os.Create(o.out); err != nil {
			return err
		}
		defer out.Close()
	}
	var mu sync.Mutex
	err := inParallel(chosen, o.jobs, func(m *mutant) error {
		m.try(binaries, o.budget)
		mu.Lock()
		defer mu.Unlock()
		if m.Outcome != killed {
			fmt.Printf("%s: %s\n\t%s\n", m.Outcome, m, m.Source)
		}
		if out != nil {
			return json.NewEncoder(out).Encode(m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	type count struct{ all, killed int }
	counts := map[string]*count{}
	for _, m := range chosen {
		for _, name := range []string{m.pkg.path, "total"} {
			if counts[name] == nil {
				counts[name] = &count{}
			}
			counts[name].all++
			if m.Outcome == killed {
				counts[name].killed++
			}
		}
	}
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		n := counts[name]
		fmt.Printf("%-60s %5d of %5d killed, %5.1f %%\n", name, n.killed, n.all, 100*float64(n.killed)/float64(n.all))
	}
	return nil
}

// try tries the tests that reach a change.
func (m *mutant) try(binaries []*testBinary, budget time.Duration) {
	type run struct {
		b     *testBinary
		tests string
		cost  time.Duration
	}
	var runs []run
	for _, b := range binaries {
		var names []string
		var cost time.Duration
		for _, i := range m.reached[b] {
			switch t := b.tests[i]; {
			case b.path != m.pkg.path && t.cost > budget:
			case t.script != "":
				runs = append(runs, run{b, t.pattern(), t.cost})
			default:
				names = append(names, t.name)
				cost += t.cost
			}
		}
		if len(names) > 0 {
			runs = append(runs, run{b, "^(" + strings.Join(names, "|") + ")$", cost})
		}
	}
	slices.SortStableFunc(runs, func(x, y run) int {
		if own := x.b.path == m.pkg.path; own != (y.b.path == m.pkg.path) {
			if own {
				return -1
			}
			return 1
		}
		return cmp.Compare(x.cost, y.cost)
	})
	m.Outcome = survived
	if len(runs) == 0 {
		m.Outcome = unreached
	}
	var spent time.Duration
	for _, r := range runs {
		if spent > budget && r.b.path != m.pkg.path {
			return
		}
		failure, took := r.b.start(r.tests, 4*r.cost+10*time.Second, "MUTANT="+strconv.Itoa(m.ID))
		if r.b.path != m.pkg.path {
			spent += took
		}
		if failure != "" {
			m.Outcome, m.KilledBy = killed, r.b.path+": "+failure
			return
		}
	}
}
