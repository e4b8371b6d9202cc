package fleet

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// The garbage collector lets the heap of a preview grow to usualHeap before it collects often: of
// a small fleet almost all memory is short-lived, and of a large one what is kept of each package
// is most of it. A shard, whose machine may be small, reads the sets of the whole fleet.
const (
	usualHeap = 320 << 20
	shardHeap = 64 << 20
)

// The bounds of what the collector is set to.
const (
	leastPercent = 60
	mostPercent  = 800
)

// Collect sets the garbage collector for a preview, or for a shard of one, and returns what resets
// it.
func Collect(isShard bool) (reset func()) {
	heap := uint64(usualHeap)
	if isShard {
		heap = shardHeap
	}
	before := debug.SetGCPercent(100)
	var isDone atomic.Bool
	collectAgain(heap, &isDone)
	return func() {
		isDone.Store(true)
		debug.SetGCPercent(before)
	}
}

// collectAgain sets the garbage collector after each collection, by what is left.
func collectAgain(heap uint64, isDone *atomic.Bool) {
	type sentinel struct{ _ *int }
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		if isDone.Load() {
			return
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		left := max(live[0].Value.Uint64(), 1)
		percent := 100 * (max(heap, left) - left) / left
		debug.SetGCPercent(int(min(max(percent, leastPercent), mostPercent)))
		collectAgain(heap, isDone)
	})
}
