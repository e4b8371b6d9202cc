package main

import (
	"errors"
	"slices"
)

// bench is one run of the benchmark.
type bench struct {
	// dir holds the programs and the inputs.
	dir string
	// runs is how many runs count, at least.
	runs  int
	quick bool
}

// table measures the rows and returns the cells of those that could be.
func (b *bench) table(rows []row) ([][]string, error) {
	if err := build(b.dir, !b.quick, programsOf(rows)); err != nil {
		return nil, err
	}
	measured := map[run]measurements{}
	var failures []error
	for _, runs := range series(rows) {
		m, err := b.measureInTurn(runs)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		measured[runs[0]] = m
	}
	out := [][]string{head()}
	for _, r := range rows {
		var m measurements
		if len(r.runs) > 0 {
			if m = measured[r.runs[0]]; m == nil {
				continue // has failed
			}
		}
		f, err := r.figures(b, m)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		out = append(out, r.cells(f))
	}
	return out, errors.Join(failures...)
}

// series are the runs of the rows, those with one baseline together.
func series(rows []row) [][]run {
	var all [][]run
	for _, r := range rows {
		if len(r.runs) == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(runs []run) bool { return runs[0] == r.runs[0] })
		if at < 0 {
			at, all = len(all), append(all, nil)
		}
		for _, one := range r.runs {
			if !slices.Contains(all[at], one) {
				all[at] = append(all[at], one)
			}
		}
	}
	return all
}

// programsOf are the programs that rows need.
func programsOf(rows []row) []program {
	programs := []program{measureProgram}
	for _, r := range rows {
		programs = append(programs, r.programs...)
		for _, one := range r.runs {
			programs = append(programs, one.program)
		}
	}
	slices.Sort(programs)
	return slices.Compact(programs)
}
