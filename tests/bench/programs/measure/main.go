// Command measure runs the program that its arguments name, and writes the resources that the
// program used to file descriptor 3: its CPU time in nanoseconds, and its peak memory in bytes.
//
// On Linux, the peak memory of a process starts at the peak of its parent process. A benchmark
// that has read and written much would pass its own peak to all programs that it measures. This
// program is as small as the empty one.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func main() {
	out := os.NewFile(3, "usage")
	command := exec.Command(os.Args[1], os.Args[2:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(127)
	}
	state := command.ProcessState
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		peak := int64(usage.Maxrss)
		if runtime.GOOS != "darwin" { // in KiB
			peak <<= 10
		}
		fmt.Fprintln(out, (state.UserTime() + state.SystemTime()).Nanoseconds(), peak)
	}
	os.Exit(max(state.ExitCode(), 0))
}
