package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// run is one way to start a program: what it reads, and how.
type run struct {
	program program
	input   *input // nothing to read when nil
	pipe    bool   // the input comes through a pipe instead of from a file
}

func (r run) String() string {
	name := string(r.program)
	if r.input != nil {
		name += " < " + r.input.name
	}
	return name
}

// sample is what one finished process spent.
type sample struct {
	cpu  time.Duration // user and system
	peak int64         // bytes of memory
}

// measure runs a program once. Its output goes to the null device, and its
// environment is empty, so that no setting of the Go runtime gets in.
func (r run) measure(dir string) (sample, error) {
	command := exec.Command(r.program.file(dir))
	command.Env = []string{}
	if r.input != nil {
		path, err := r.input.make(dir)
		if err != nil {
			return sample{}, err
		}
		file, err := os.Open(path)
		if err != nil {
			return sample{}, err
		}
		defer file.Close()
		command.Stdin = file
		if r.pipe {
			command.Stdin = io.MultiReader(file) // no *os.File, so os/exec makes a pipe
		}
	}
	return measured(command, r.String())
}

// measured runs a command, and returns what it spent.
func measured(command *exec.Cmd, name string) (sample, error) {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Run(); err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", name, err, stderr.Bytes())
	}
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, fmt.Errorf("%s: this system does not say what a process used", name)
	}
	cpu := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return sample{cpu: cpu, peak: peak(usage)}, nil
}

// peak is the memory of a process at its peak. Linux counts from what the
// parent had at its own peak, so it is never less than that: this program
// writes its inputs piece by piece to stay below all that it measures.
func peak(usage *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}
