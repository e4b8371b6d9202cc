package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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
	path, err := filepath.Abs(r.program.file(dir))
	if err != nil {
		return sample{}, err
	}
	command := exec.Command(path)
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
	return measured(dir, command, r.String())
}

// measured runs a command, and returns what it spent: what cannot be measured is an error. The
// program measure is among the programs.
func measured(programs string, command *exec.Cmd, name string) (s sample, err error) {
	measure, err := filepath.Abs(measureProgram.file(programs))
	if err != nil {
		return sample{}, err
	}
	usage, out, err := os.Pipe()
	if err != nil {
		return sample{}, err
	}
	defer usage.Close()
	command.Args = append([]string{measure, command.Path}, command.Args[1:]...)
	command.Path, command.ExtraFiles = measure, []*os.File{out}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	err = command.Run()
	out.Close()
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", name, err, stderr.Bytes())
	}
	if _, err := fmt.Fscan(usage, &s.cpu, &s.peak); err != nil || s.peak <= 0 {
		return sample{}, fmt.Errorf("%s: this system does not say what a process used", name)
	}
	return s, nil
}
