package memory

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"syscall"
	"time"
)

// interval is how often the guard looks. In this time a program can take less than [reserveOf] leaves.
const interval = 10 * time.Millisecond

// Guard ends the program with one line on standard error and the exit code 2 when it reaches a limit of its memory
// that a shell or a service manager set (ulimit -v, ulimit -d). Go itself cannot: it ends with the stacks of all
// goroutines when the system refuses more. Without such a limit Guard does nothing: the system then ends a program
// that uses too much, as it does in a container.
//
// Programs call it once at their start; later calls do nothing. It opens no file.
func Guard() { guard() }

var guard = sync.OnceFunc(func() {
	smallest, ok := smallestLimit()
	if !ok {
		return
	}
	reserve := reserveOf(smallest.bytes)
	for !isAvailable(reserve) {
		if reserve /= 2; reserve < 1<<20 {
			return // what is left is too small to watch
		}
	}
	collectBefore(smallest.bytes, reserve)
	go func() {
		for isQuiet := false; ; time.Sleep(interval) {
			if !isAvailable(reserve) {
				os.Stderr.WriteString(smallest.message() + "\n")
				os.Exit(exitOutOfMemory)
			}
			// A single request for more than what is left is not seen before. Then Go ends the program, without
			// the stacks.
			if !isQuiet && !isAvailable(smallest.bytes/2) {
				debug.SetTraceback("none")
				isQuiet = true
			}
		}
	}()
})

// reserveOf returns how much of a limit must be left.
func reserveOf(bytes uint64) uint64 { return max(bytes/16, 64<<20) }

// smallestLimit returns the lowest of the limits on the memory of this process: of its address space
// (ulimit -v) and of its data (ulimit -d). ok is false if there is none.
func smallestLimit() (smallest limit, ok bool) {
	smallest.bytes = math.MaxInt64
	for _, l := range []struct {
		resource int
		option   string
	}{{syscall.RLIMIT_AS, "-v"}, {syscall.RLIMIT_DATA, "-d"}} {
		var found syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &found); err == nil && found.Cur < smallest.bytes {
			smallest, ok = limit{found.Cur, l.option}, true
		}
	}
	return smallest, ok
}

// isAvailable reports whether the system would give this process a number of bytes. It asks for them, and gives
// them back untouched.
func isAvailable(bytes uint64) bool {
	found, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return false
	}
	syscall.Munmap(found)
	return true
}

// collectBefore lets Go collect garbage more often rather than use the reserve, unless the environment has another
// limit (GOMEMLIMIT).
func collectBefore(limit, reserve uint64) {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	least, most := reserve, limit // what is available is between them
	for most-least > 1<<20 {
		if middle := least + (most-least)/2; isAvailable(middle) {
			least = middle
		} else {
			most = middle
		}
	}
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	// Go exceeds its limit for a while when a program makes much garbage.
	debug.SetMemoryLimit(int64(sample[0].Value.Uint64() + least - min(3*reserve, least/2)))
}
