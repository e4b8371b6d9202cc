package hostile

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
)

// The variables that make the test program one function, or a writer of an input of a
// size. The test itself makes no inputs: Linux counts the memory of a process from what
// its parent had.
const (
	functionVariable = "HOSTILE_FUNCTION"
	inputVariable    = "HOSTILE_INPUT"
	sizeVariable     = "HOSTILE_SIZE"
)

// printInput prints an input, or a list with nothing to do for the name `nothing`, and
// returns the exit code.
func printInput(name string) int {
	text := list("", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n")
	for _, in := range slices.Concat(inputs, manyFindings, []input{noFindings}) {
		if in.name == name {
			size, err := strconv.Atoi(os.Getenv(sizeVariable))
			if err != nil {
				return 3
			}
			text = in.text(size)
		}
	}
	if _, err := os.Stdout.WriteString(text); err != nil {
		return 3
	}
	return 0
}

func TestMain(m *testing.M) {
	if name := os.Getenv(inputVariable); name != "" {
		os.Exit(printInput(name))
	}
	if name := os.Getenv(functionVariable); name != "" {
		for _, f := range suite.All() {
			if f.Name == name {
				os.Args = os.Args[:1]
				os.Exit(function.Main(f, functions.Docs(name)))
			}
		}
		fmt.Fprintln(os.Stderr, "no function is named", name)
		os.Exit(3)
	}
	os.Exit(m.Run())
}

// The limits of a run at twice the size. What is linear doubles.
const (
	mostGrowth = 2.3
	// mostTries is how often both sizes are measured before too much growth fails the
	// test: other programs disturb a measurement, and each try can only get better.
	mostTries = 5
)

// CPU time and memory grow with a hostile input, and no faster.
func TestGrowth(t *testing.T) {
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			double := in.double
			if double == 0 {
				double = 2 * in.size
			}
			small, large := write(t, in.name, in.size), write(t, in.name, double)
			nothing := write(t, "nothing", 0)
			var start, one, two sample
			for range mostTries {
				start = start.best(run(t, in.function, nothing))
				one, two = one.best(run(t, in.function, small)), two.best(run(t, in.function, large))
				if two.grew(one, start) == "" {
					break
				}
			}
			t.Logf("start %v, size %d %v, size %d %v", start, in.size, one, double, two)
			if growth := two.grew(one, start); growth != "" {
				t.Errorf("%s", growth)
			}
		})
	}
}

// Findings beyond the limits of a run are counted and not kept: values with very many take
// little more memory than as many values without any.
func TestMemoryOfFindings(t *testing.T) {
	const most = 2.2
	right := write(t, noFindings.name, noFindings.size)
	for _, in := range manyFindings {
		t.Run(in.name, func(t *testing.T) {
			faulty := write(t, in.name, in.size)
			var with, without sample
			isBounded := func() bool { return float64(with.peak) <= most*float64(without.peak) }
			for range mostTries {
				with, without = with.best(run(t, in.function, faulty)), without.best(run(t, noFindings.function, right))
				if isBounded() {
					break
				}
			}
			t.Logf("with findings %v, without %v", with, without)
			if !isBounded() {
				t.Errorf("got %d MB, want at most %v times the %d MB without findings", with.peak>>20, most, without.peak>>20)
			}
		})
	}
}

// sample is what a finished process spent.
type sample struct {
	cpu  time.Duration
	peak int64 // bytes
}

func (s sample) String() string { return fmt.Sprintf("%.2f s, %d MB", s.cpu.Seconds(), s.peak>>20) }

// best is the smaller of both in each respect; a zero counts as not measured.
func (s sample) best(other sample) sample {
	if s == (sample{}) {
		return other
	}
	return sample{min(s.cpu, other.cpu), min(s.peak, other.peak)}
}

// grew says what of a run at twice the size is too much, "" for nothing. The time of a
// run of nothing does not grow.
func (s sample) grew(from, start sample) string {
	// A clock tick and a garbage collection more or less are no growth.
	const tick, collection = 50 * time.Millisecond, 8 << 20
	if most := time.Duration(float64(max(from.cpu-start.cpu, 0))*mostGrowth) + start.cpu + tick; s.cpu > most {
		return fmt.Sprintf("CPU time grew from %v to %v, want at most %v", from.cpu, s.cpu, most)
	}
	if most := int64(float64(from.peak)*mostGrowth) + collection; s.peak > most {
		return fmt.Sprintf("memory grew from %d to %d MB, want at most %d", from.peak>>20, s.peak>>20, most>>20)
	}
	return ""
}

// write writes an input of a size to a file.
func write(t *testing.T, name string, size int) (file string) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "list.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env, command.Stdout = []string{inputVariable + "=" + name, fmt.Sprintf("%s=%d", sizeVariable, size)}, out
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	return out.Name()
}

// run runs a function over a list and measures the process.
func run(t *testing.T, name, file string) sample {
	t.Helper()
	stdin, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env, command.Stdin = []string{functionVariable + "=" + name}, stdin
	if err := command.Run(); err != nil && command.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s: %v", name, err)
	}
	state := command.ProcessState
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("this system does not report what a process used")
	}
	peak := usage.Maxrss
	if runtime.GOOS != "darwin" {
		peak <<= 10
	}
	return sample{state.UserTime() + state.SystemTime(), peak}
}
