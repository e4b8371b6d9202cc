package helm

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/krm-packs/functions/pkg/packfn/internal/child"
)

// Renderer renders charts in a child process, one at a time. The zero Renderer is ready to use.
type Renderer struct {
	child.Process
	// Timeout is for each chart; 0 is [DefaultTimeout].
	Timeout time.Duration
}

// Render renders a chart. It returns an error if the process could not be started.
func (r *Renderer) Render(job *Job) (*Result, error) {
	return (&Pack{Renderer: r}).Render(job)
}

// Pack renders the charts and manifests of one pack, which together have [PackTimeouts] times
// the time of a chart.
type Pack struct {
	*Renderer
	// spent is the time that its charts have taken.
	spent time.Duration
}

// Render renders a chart of the pack.
func (k *Pack) Render(job *Job) (*Result, error) {
	timeout := cmp.Or(k.Timeout, DefaultTimeout)
	left := PackTimeouts*timeout - k.spent
	if left <= 0 {
		return ended("it was not rendered, because the charts and manifests of the pack before it took %s (%d times --timeout); a template of them may never end", PackTimeouts*timeout, PackTimeouts), nil
	}
	begin := time.Now()
	defer func() { k.spent += time.Since(begin) }()
	return k.render(job, min(timeout, left))
}

// render renders a chart in the child. What ended the child becomes a Failure.
func (r *Renderer) render(job *Job, timeout time.Duration) (*Result, error) {
	r.Argument = Command
	result := &Result{}
	err := r.Do(job, result, timeout)
	died, ok := errors.AsType[*child.Ended](err)
	switch {
	case err == nil:
		return result, nil
	case !ok:
		return nil, fmt.Errorf("the process that renders charts: %w", err)
	}
	switch died.Reason {
	case child.OutOfTime:
		return ended("it was not rendered within %s (--timeout); a template of it may never end", timeout), nil
	case child.OutOfMemory:
		return ended("rendering it takes more than %d MiB of memory", child.MaxMemory>>20), nil
	case child.OutOfStack:
		return ended("its templates are nested too deeply"), nil
	}
	return ended("rendering it failed: %v", died), nil
}
