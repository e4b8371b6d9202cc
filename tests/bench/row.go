package main

import (
	"fmt"
	"os"
	"slices"
)

// row is one bar of the table.
type row struct {
	// name describes the measurement and the size of its input.
	name string
	// bar is what the ratio has to stay below, and shown is how it is written
	// when it is more than a factor.
	bar   float64
	shown string
	// runs are measured in turn, the baseline first. Rows with one baseline share
	// their rounds.
	runs []run
	// programs must be built, in addition to the programs of the runs.
	programs []program
	// figures computes the results from the measurements of the runs.
	figures func(*bench, measurements) (figures, error)
}

// figures are the cells of a row of the table.
type figures struct {
	measured, baseline string
	ratio              float64
	unit               string // of the ratio, when it is not a factor
	pipe               string // the figure through a pipe, where there is one
}

// cpuRow compares the CPU time of two runs.
func cpuRow(name string, bar float64, subject, baseline run) row {
	runs := []run{baseline, subject}
	piped := subject
	if piped.pipe = subject.input != nil; piped.pipe {
		runs = append(runs, piped)
	}
	return row{name: name, bar: bar, runs: runs, figures: func(_ *bench, m measurements) (figures, error) {
		f := figures{measured: seconds(m.cpu(subject)), baseline: seconds(m.cpu(baseline)), ratio: m.cpu(subject) / m.cpu(baseline)}
		if piped.pipe {
			f.pipe = seconds(m.cpu(piped))
		}
		return f, nil
	}}
}

// sumRow compares the CPU time of a run with the total CPU time of several runs.
func sumRow(name string, bar float64, subject run, baselines ...run) row {
	piped := subject
	piped.pipe = true
	return row{name: name, bar: bar, runs: append(slices.Clone(baselines), subject, piped), figures: func(_ *bench, m measurements) (figures, error) {
		sum := 0.0
		for _, baseline := range baselines {
			sum += m.cpu(baseline)
		}
		return figures{measured: seconds(m.cpu(subject)), baseline: seconds(sum), ratio: m.cpu(subject) / sum, pipe: seconds(m.cpu(piped))}, nil
	}}
}

// memoryRow compares the peak memory of a run, less what it may take at any
// rate, with the size of its input. beside is a run that is measured anyway.
func memoryRow(name string, bar, free float64, subject, beside run) row {
	r := row{name: name, bar: bar, runs: []run{beside, subject}}
	if free > 0 {
		r.shown = fmt.Sprintf("%g × + %g MB", bar, free)
	}
	r.figures = func(_ *bench, m measurements) (figures, error) {
		in, peak := float64(subject.input.size)/1e6, m.peak(subject)
		return figures{measured: megabytes(peak), baseline: megabytes(in), ratio: max(0, peak-free) / in}, nil
	}
	return r
}

// growthRow compares the cost of an item in a large list with its cost in a small list. The cost
// is the CPU time, minus the CPU time of a list of ten items, divided by the number of items.
func growthRow(name string, bar float64, p program, small, large, ten *input) row {
	if ten.items >= small.items || small.items >= large.items {
		panic(fmt.Sprintf("%s: the lists have %d, %d and %d items", name, ten.items, small.items, large.items))
	}
	start, less, more := run{program: p, input: ten}, run{program: p, input: small}, run{program: p, input: large}
	return row{name: name, bar: bar, runs: []run{less, start, more}, figures: func(b *bench, m measurements) (figures, error) {
		item := func(r run) float64 {
			cost := (m.cpu(r) - m.cpu(start)) / float64(r.input.items-ten.items)
			if b.runs == 1 {
				cost = max(cost, 1e-9) // of one run on a busy machine anything may come
			}
			return cost
		}
		f := figures{measured: seconds(item(more)) + "/item", baseline: seconds(item(less)) + "/item", ratio: item(more) / item(less)}
		if item(less) <= 0 {
			return f, fmt.Errorf("%s: %s takes no longer than %s", name, less, start)
		}
		return f, nil
	}}
}

// shareRow compares the cost of a variant in the preview of a fleet with the cost of rendering a
// package with kpt. The latter is the CPU time of kpt and of the functions that it runs, without
// the CPU time of the preview that makes the packages.
func shareRow(name string, bar float64, fleet, few *input) row {
	preview, byKpt, least := run{program: previewFleet, input: fleet}, run{program: renderByKpt, input: few}, run{program: previewFleet, input: few}
	functions := []program{applyPreset, resolveMacros, validatePackValues, checkDependencies, checkResources}
	return row{name: name, bar: bar, runs: []run{byKpt, least, preview}, programs: functions, figures: func(_ *bench, m measurements) (figures, error) {
		variant := m.cpu(preview) / float64(fleet.items)
		pkg := (m.cpu(byKpt) - m.cpu(least)) / float64(few.items)
		if pkg <= 0 {
			return figures{}, fmt.Errorf("%s: kpt takes no time", name)
		}
		return figures{measured: seconds(variant) + "/item", baseline: seconds(pkg) + "/item", ratio: variant / pkg}, nil
	}}
}

// limitRow compares a figure of a run, its CPU time in s or its peak memory in MB, with a
// limit. The baseline beside it is the empty program.
func limitRow(name string, bar float64, unit string, subject run) row {
	least := run{program: empty}
	return row{name: name, bar: bar, shown: fmt.Sprintf("%g %s", bar, unit), runs: []run{least, subject}, figures: func(_ *bench, m measurements) (figures, error) {
		if unit == "MB" {
			return figures{measured: megabytes(m.peak(subject)), baseline: megabytes(m.peak(least)), ratio: m.peak(subject), unit: unit}, nil
		}
		return figures{measured: seconds(m.cpu(subject)), baseline: seconds(m.cpu(least)), ratio: m.cpu(subject), unit: unit}, nil
	}}
}

// sizeRow compares the size of a program with a number of MB. The baseline
// beside it is the empty program.
func sizeRow(name string, bar float64, p program) row {
	return row{name: name, bar: bar, shown: fmt.Sprintf("%g MB", bar), programs: []program{p, empty}, figures: func(b *bench, _ measurements) (figures, error) {
		size := func(p program) float64 {
			info, err := os.Stat(p.file(b.dir))
			if err != nil {
				return 0
			}
			return float64(info.Size()) / 1e6
		}
		if size(p) == 0 || size(empty) == 0 {
			return figures{}, fmt.Errorf("%s: no program to measure", name)
		}
		return figures{measured: megabytes(size(p)), baseline: megabytes(size(empty)), ratio: size(p), unit: "MB"}, nil
	}}
}

// seconds writes a time with three digits.
func seconds(s float64) string {
	switch {
	case s < 1e-3:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 1:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.2f s", s)
}

func megabytes(mb float64) string { return fmt.Sprintf("%.1f MB", mb) }
