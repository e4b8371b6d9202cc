package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/coverage"
	"runtime/debug"
	"slices"
	"strings"
)

// count is what a piece of work took: executed statements of this project, of regular
// expressions and of YAML, in blocks, and the bytes that were allocated.
type count struct{ steps, bytes int64 }

// printCounts prints the counts of the works whose names contain a text, one line each: the
// sizes, the counts, the name.
func printCounts(part string) int {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	out := os.Stdout
	all := slices.Clone(works)
	for _, in := range slices.Concat(inputs, waiting, products, manyFindings) {
		all = append(all, in.work(dir))
	}
	for _, w := range all {
		if !strings.Contains(w.name, part) {
			continue
		}
		// What is done once in a program is not a step of the first size.
		w.prepare(w.sizes()[0])()
		for _, size := range w.sizes() {
			// A collection would empty the pools of the standard library.
			debug.SetGCPercent(-1)
			got, err := measure(w.prepare(size))
			debug.SetGCPercent(100)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", w.name, err)
				return 2
			}
			fmt.Fprintln(out, size, got.steps, got.bytes, w.most, w.name)
		}
	}
	return 0
}

// measure counts what a call takes. The program must be built with -cover.
func measure(call func()) (count, error) {
	var before, after runtime.MemStats
	if err := coverage.ClearCounters(); err != nil {
		return count{}, err
	}
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	var counters bytes.Buffer
	if err := coverage.WriteCounters(&counters); err != nil {
		return count{}, err
	}
	steps, err := sum(counters.Bytes())
	return count{steps, int64(after.TotalAlloc - before.TotalAlloc)}, err
}

var errFormat = errors.New("the counters of Go have another form than this program reads")

// sum adds up counters as Go writes them: a header, one segment with its functions, and a
// footer. Numbers are in the variable form of LEB128.
func sum(counters []byte) (steps int64, err error) {
	const header, segment, footer = 32, 16, 16
	const isVariable = 2 // at byte 24 of the header
	if len(counters) < header+segment+footer || !bytes.HasPrefix(counters, []byte("\x00cwm")) || counters[24] != isVariable {
		return 0, errFormat
	}
	at := counters[header:]
	functions := binary.LittleEndian.Uint64(at)
	skipped := header + segment + int(binary.LittleEndian.Uint32(at[8:])) + int(binary.LittleEndian.Uint32(at[12:]))
	skipped = (skipped + 3) / 4 * 4
	if skipped > len(counters)-footer {
		return 0, errFormat
	}
	rest := counters[skipped : len(counters)-footer]
	number := func() uint64 {
		n, length := binary.Uvarint(rest)
		if length <= 0 {
			err = errFormat
			return 0
		}
		rest = rest[length:]
		return n
	}
	for range functions {
		counters := number()
		number() // the package
		number() // the function
		for range counters {
			if err != nil {
				return 0, err
			}
			steps += int64(number())
		}
	}
	// What is left pads the segment.
	if err == nil && len(bytes.Trim(rest, "\x00")) > 0 {
		err = errFormat
	}
	return steps, err
}

// work makes a function of the suite run over an input, in this process.
func (in input) work(dir string) work {
	return work{name: in.name, size: in.counted, isExponent: in.isExponent, most: in.most, prepare: func(n int) func() {
		file := filepath.Join(dir, "list.yaml")
		if err := os.WriteFile(file, []byte(in.text(n)), 0o600); err != nil {
			panic(err)
		}
		return func() {
			stdin, err := os.Open(file)
			if err != nil {
				panic(err)
			}
			defer stdin.Close()
			null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
			if err != nil {
				panic(err)
			}
			defer null.Close()
			oldIn, oldOut, oldErr := os.Stdin, os.Stdout, os.Stderr
			os.Stdin, os.Stdout, os.Stderr = stdin, null, null
			defer func() { os.Stdin, os.Stdout, os.Stderr = oldIn, oldOut, oldErr }()
			runFunction(in.function)
		}
	}}
}
