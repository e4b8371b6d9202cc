package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// The limits of a run at twice the size. What is linear doubles.
const (
	mostGrowth = 2.3
	// mostTries is how often both sizes are measured before too much growth is reported:
	// other programs disturb a measurement, and each try can only improve it.
	mostTries = 5
	// mostOfFindings is the memory of values with very many findings, compared with as many
	// values without any: findings beyond the limits of a run are counted, not kept.
	mostOfFindings = 2.2
)

// checkLimits measures each input at two sizes, prints a line for each, and returns the exit
// code: 1 if CPU time or memory grow faster than the input.
func checkLimits() int {
	dir, err := os.MkdirTemp("", "hostile")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	program, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	m, code := measurer{program, dir}, 0
	report := func(name, text, fault string, err error) {
		switch {
		case err != nil:
			code = 2
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		case fault != "":
			code = max(code, 1)
			fmt.Printf("FAIL %s: %s: %s\n", name, text, fault)
		default:
			fmt.Printf("ok   %s: %s\n", name, text)
		}
	}
	for _, in := range slices.Concat(inputs, waiting, products) {
		text, fault, err := m.growth(in)
		report(in.name, text, fault, err)
	}
	for _, in := range manyFindings {
		text, fault, err := m.findings(in)
		report(in.name, text, fault, err)
	}
	for _, c := range commands {
		text, fault, err := c.limits(program)
		report(c.name, text, fault, err)
	}
	return code
}

// measurer runs a program over inputs that it writes to a folder.
type measurer struct{ program, dir string }

// growth compares an input at two sizes. The time of a run with nothing to do does not grow.
func (m measurer) growth(in input) (text, fault string, err error) {
	nothing, err := m.write("nothing", 0)
	if err != nil {
		return "", "", err
	}
	small, err := m.write(in.name, in.size)
	if err != nil {
		return "", "", err
	}
	large, err := m.write(in.name, in.next(in.size))
	if err != nil {
		return "", "", err
	}
	var start, one, two sample
	for range mostTries {
		if err := errors.Join(m.better(&start, in.function, nothing), m.better(&one, in.function, small), m.better(&two, in.function, large)); err != nil {
			return "", "", err
		}
		if fault = two.grew(one, start); fault == "" {
			break
		}
	}
	return fmt.Sprintf("start %v, size %d %v, size %d %v", start, in.size, one, in.next(in.size), two), fault, nil
}

// findings compares the memory of values with and without findings.
func (m measurer) findings(in input) (text, fault string, err error) {
	right, err := m.write(noFindings.name, noFindings.size)
	if err != nil {
		return "", "", err
	}
	faulty, err := m.write(in.name, in.size)
	if err != nil {
		return "", "", err
	}
	var with, without sample
	for range mostTries {
		if err := errors.Join(m.better(&with, in.function, faulty), m.better(&without, noFindings.function, right)); err != nil {
			return "", "", err
		}
		fault = ""
		if float64(with.peak) <= mostOfFindings*float64(without.peak) {
			break
		}
		fault = fmt.Sprintf("want at most %v times the memory without findings", mostOfFindings)
	}
	return fmt.Sprintf("with findings %v, without %v", with, without), fault, nil
}

// sample is what a finished process spent.
type sample struct {
	cpu  time.Duration
	peak int64 // bytes
}

func (s sample) String() string { return fmt.Sprintf("%.2f s, %d MB", s.cpu.Seconds(), s.peak>>20) }

// grew describes which resources of a run at twice the size grew too much, or returns "" if none
// did.
func (s sample) grew(from, start sample) string {
	// A clock tick and a garbage collection more or less are not growth.
	const tick, collection = 50 * time.Millisecond, 8 << 20
	if most := time.Duration(float64(max(from.cpu-start.cpu, 0))*mostGrowth) + start.cpu + tick; s.cpu > most {
		return fmt.Sprintf("CPU time grew from %v to %v, want at most %v", from.cpu, s.cpu, most)
	}
	if most := int64(float64(from.peak)*mostGrowth) + collection; s.peak > most {
		return fmt.Sprintf("memory grew from %d to %d MB, want at most %d", from.peak>>20, s.peak>>20, most>>20)
	}
	return ""
}

// write writes an input of a size to a file. A process of its own does so: Linux counts the
// memory of a process from what its parent had.
func (m measurer) write(name string, size int) (file string, err error) {
	file = filepath.Join(m.dir, strconv.Itoa(size)+" "+name)
	out, err := os.Create(file)
	if err != nil {
		return "", err
	}
	command := exec.Command(m.program, commandPrint, name, strconv.Itoa(size))
	command.Stdout, command.Stderr = out, os.Stderr
	return file, errors.Join(command.Run(), out.Close())
}

// printInput prints an input, or a list with nothing to do for the name `nothing`, and
// returns the exit code.
func printInput(name, size string) int {
	text := list("", `apiVersion: v1
kind: A
metadata:
  name: a
`)
	for _, in := range slices.Concat(inputs, waiting, products, manyFindings, []input{noFindings}) {
		if in.name == name {
			n, err := strconv.Atoi(size)
			if err != nil {
				return 2
			}
			text = in.text(n)
		}
	}
	if _, err := os.Stdout.WriteString(text); err != nil {
		return 2
	}
	return 0
}

// better runs a function over a list, and keeps what is smaller in each respect.
func (m measurer) better(s *sample, name, file string) error {
	stdin, err := os.Open(file)
	if err != nil {
		return err
	}
	defer stdin.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, m.program, commandRun, name)
	command.Stdin = stdin
	if err := command.Run(); err != nil && command.ProcessState.ExitCode() != 1 {
		return fmt.Errorf("%s: %w", name, err)
	}
	got, err := sampleOf(command.ProcessState)
	if err != nil {
		return err
	}
	if *s != (sample{}) {
		got = sample{min(s.cpu, got.cpu), min(s.peak, got.peak)}
	}
	*s = got
	return nil
}

func sampleOf(state *os.ProcessState) (sample, error) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, errors.New("this system does not report what a process used")
	}
	peak := int64(usage.Maxrss)
	if runtime.GOOS != "darwin" {
		peak <<= 10
	}
	return sample{state.UserTime() + state.SystemTime(), peak}, nil
}
