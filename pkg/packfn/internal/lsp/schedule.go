package lsp

import (
	"context"
	"sync"

	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// schedule is the work that waits for the two workers.
type schedule struct {
	// dirty are the units to check; the value is true to check everything in the folder. saved are the
	// units with saved files, whose charts are rendered. This has a worker of its own, because it takes
	// long.
	dirty, saved queue
	// idle is signalled when busy, which is true during a run, becomes false. Its lock is the lock of the
	// server.
	idle *sync.Cond
	busy bool
	// ended is true once no more runs will happen.
	ended bool
}

// newSchedule returns a schedule that the lock of the server protects.
func newSchedule(mu *sync.Mutex) *schedule {
	return &schedule{dirty: newQueue(), saved: newQueue(), idle: sync.NewCond(mu)}
}

// begin returns the units to check, and clears them.
func (s *schedule) begin() map[string]bool {
	s.idle.L.Lock()
	defer s.idle.L.Unlock()
	s.busy = true
	return s.dirty.take()
}

// pause ends a run over the units of begin.
func (s *schedule) pause() {
	s.idle.L.Lock()
	defer s.idle.L.Unlock()
	s.busy = false
	s.idle.Broadcast()
}

// end notes that no more runs will happen.
func (s *schedule) end() {
	s.idle.L.Lock()
	defer s.idle.L.Unlock()
	s.ended = true
	s.idle.Broadcast()
}

// settled waits until all changes have been checked, or the request is cancelled. The caller
// holds the lock.
func (s *schedule) settled(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		s.idle.L.Lock()
		defer s.idle.L.Unlock()
		s.idle.Broadcast()
	})()
	for !s.ended && (s.busy || len(s.dirty.units) > 0) {
		if ctx.Err() != nil {
			return protocol.ErrCancelled
		}
		s.idle.Wait()
	}
	return nil
}

// queue is units that wait for a worker. The lock of the server protects the units.
type queue struct {
	units map[string]bool
	// wake wakes the worker.
	wake chan struct{}
}

func newQueue() queue { return queue{map[string]bool{}, make(chan struct{}, 1)} }

// add adds units and wakes the worker. If all is true, the units are folders, and everything in them is
// checked.
func (q *queue) add(all bool, units ...string) {
	for _, unit := range units {
		q.units[unit] = q.units[unit] || all
	}
	select {
	case q.wake <- struct{}{}:
	default: // it is awake already
	}
}

// take returns the units, and clears them.
func (q *queue) take() map[string]bool {
	units := q.units
	q.units = map[string]bool{}
	return units
}
