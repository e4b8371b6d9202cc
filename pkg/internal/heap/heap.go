// Package heap sets the garbage collector for functions and the commands of packfn.
//
// Go collects the heap when it has grown by a percentage, 100 by default. The programs set another
// one, which depends on the size of the heap: a small heap may grow more, because that costs little
// memory and saves most of the time for collections. GOGC in the environment wins.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Growth is the number of percent by which the heap may grow above its live bytes before it is collected.
// It grows by Most while little is left, because almost all memory of a small run
// is short-lived, and by Least once most of the heap is live.
type Growth struct{ Least, Most int }

// The growths of functions and commands. A shard of a fleet reads the sets of the whole fleet, and its machine may
// be small. Of a server the kept documents are most of the memory, and a collection after each
// change visits them all.
var (
	Check  = Growth{30, 200}
	Fleet  = Growth{165, 800}
	Shard  = Growth{30, 800}
	Server = Growth{150, 150}
)

// usual is the heap below which it may grow by more than Least, in bytes.
const usual = 80 << 20

// Set sets the garbage collector, unless the user does by GOGC, and returns what resets it.
func (g Growth) Set() (reset func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(g.of(0))
	var isDone atomic.Bool
	g.setAgain(&isDone)
	return func() {
		isDone.Store(true)
		debug.SetGCPercent(before)
	}
}

// setAgain sets the garbage collector after each collection.
func (g Growth) setAgain(isDone *atomic.Bool) {
	type sentinel struct{ _ *int }
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		if isDone.Load() {
			return
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(g.of(live[0].Value.Uint64()))
		g.setAgain(isDone)
	})
}

// of returns the percentage when so many bytes are left.
func (g Growth) of(left uint64) int {
	left = max(left, 1)
	return int(min(max(100*(max(usual, left)-left)/left, uint64(g.Least)), uint64(g.Most)))
}
