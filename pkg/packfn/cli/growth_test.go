package cli

import (
	"runtime/debug"
	"testing"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/internal/heap"
)

// The garbage collector is set while a command or its subcommand runs.
func TestWithGrowth(t *testing.T) {
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	percent := func() int { now := debug.SetGCPercent(100); debug.SetGCPercent(now); return now }
	got := 0
	observe := func(*cobra.Command, []string) error { got = percent(); return nil }
	command, sub := &cobra.Command{Use: "a", RunE: observe}, &cobra.Command{Use: "b", RunE: observe}
	command.AddCommand(sub)
	withGrowth(command)
	for _, args := range [][]string{nil, {"b"}} {
		got = 0
		command.SetArgs(args)
		if err := command.Execute(); err != nil || got < heap.Check.Least || got == 100 || percent() != 100 {
			t.Errorf("%q: got %d %% and then %d %%, %v", args, got, percent(), err)
		}
	}
}
