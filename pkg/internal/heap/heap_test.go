package heap

import (
	"runtime/debug"
	"testing"
)

// A small heap grows by much, a large one by little, and none by more or less than is allowed.
func TestOf(t *testing.T) {
	for left, want := range map[uint64]int{0: 200, 10 << 20: 200, 40 << 20: 100, 60 << 20: 33, usual: 30, 1 << 40: 30} {
		if got := Check.of(left); got != want {
			t.Errorf("%d bytes: got %d %%, want %d %%", left, got, want)
		}
	}
}

// The garbage collector is set for a command, unless the user has set it.
func TestSet(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	now := func() int { is := debug.SetGCPercent(100); debug.SetGCPercent(is); return is }
	for user, want := range map[string]int{"": Server.Most, "70": 100} {
		t.Setenv("GOGC", user)
		reset := Server.Set()
		if got := now(); got != want {
			t.Errorf("GOGC=%q: got %d", user, got)
		}
		if reset(); now() != 100 {
			t.Errorf("GOGC=%q: not reset", user)
		}
	}
}
