package main

import (
	"slices"
	"time"
)

// shortest is how long a series goes on at least, so that processes of a few
// milliseconds are run often; longest ends one that would go on too long.
const (
	shortest   = 3 * time.Second
	mostRounds = 100
)

// measurements are the samples of runs that were measured in turn.
type measurements map[run][]sample

// measureInTurn measures runs in turn, A B A B, so that a change of the
// machine's pace meets all of them. A round before warms up, unless the figures
// say nothing anyway.
func (b *bench) measureInTurn(runs []run) (measurements, error) {
	m := measurements{}
	var start time.Time
	first := -1
	if b.quick {
		first = 0
	}
	for round := first; round < b.runs || !b.quick && time.Since(start) < shortest && round < mostRounds; round++ {
		if round == 0 {
			start = time.Now()
		}
		for _, r := range runs {
			s, err := r.measure(b.dir)
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				m[r] = append(m[r], s)
			}
		}
	}
	return m, nil
}

// cpu is the median CPU time of a run in seconds.
func (m measurements) cpu(r run) float64 {
	return m.median(r, func(s sample) float64 { return s.cpu.Seconds() })
}

// peak is the median peak memory of a run in MB.
func (m measurements) peak(r run) float64 {
	return m.median(r, func(s sample) float64 { return float64(s.peak) / 1e6 })
}

func (m measurements) median(r run, of func(sample) float64) float64 {
	var all []float64
	for _, s := range m[r] {
		all = append(all, of(s))
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}
