//go:build unix

package macro

import (
	"syscall"
	"time"
)

// cpuTime returns the time that the process has computed for: unlike the time
// of day it does not depend on what else the machine does.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
