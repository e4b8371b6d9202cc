package porchcluster

import (
	"context"
	"fmt"
	"strings"
	"time"
)

const (
	// patience is how many looks without progress a wait takes before it gives up. It is a
	// number and not a time: on a busy machine each look takes longer, too.
	patience = 400
	// pause is the time between two looks.
	pause = 200 * time.Millisecond
)

// A Look is one look at what a wait is for. It returns whether it is done, and where it is:
// a state that was not there before is progress. An error ends the wait.
type Look func() (done bool, state string, err error)

// Wait looks until it is done. It fails when a program of the cluster has ended, and when
// there is no progress any more: then the error has the last state.
func (c *Cluster) Wait(ctx context.Context, what string, look Look) error {
	return wait(ctx, pause, what, func() (bool, string, error) {
		if err := c.Err(); err != nil {
			return false, "", err
		}
		return look()
	})
}

func wait(ctx context.Context, pause time.Duration, what string, look Look) error {
	seen := map[string]bool{}
	for looks := 0; ; looks++ {
		done, state, err := look()
		if done || err != nil {
			return err
		}
		if !seen[state] {
			looks, seen[state] = 0, true
		}
		if looks == patience {
			return fmt.Errorf("%s: there is no progress any more. The last state:\n  %s", what, strings.ReplaceAll(state, "\n", "\n  "))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, ctx.Err())
		case <-time.After(pause):
		}
	}
}
