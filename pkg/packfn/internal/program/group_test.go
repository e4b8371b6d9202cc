//go:build unix

package program

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// What a program has started ends with it.
func TestNoProcessIsLeft(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	one := new(Runner).run(&Program{Command: []string{self, standIn, "leaves a child"}}, []byte("a: 1\n"))
	pid, err := strconv.Atoi(one.errors)
	if err != nil || one.err != nil {
		t.Fatalf("%v: %+v", err, one)
	}
	for isThere := true; isThere; time.Sleep(time.Millisecond) { // the system ends it some time after the signal
		isThere = syscall.Kill(pid, 0) == nil && !isZombie(pid)
	}
}

// isZombie reports whether a process has ended, and nobody has asked for its exit code, as the line of Linux about
// it has it: 12 (sh) Z 1 …
func isZombie(pid int) bool {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return bytes.Contains(text, []byte(") Z "))
}
