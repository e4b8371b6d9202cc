package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress is a bar on a terminal, for work that takes longer than a second.
type progress struct {
	out   io.Writer
	now   func() time.Time
	start time.Time
	shown bool
}

// progress returns a bar, or nil when notes do not go to a terminal.
func (c *commands) progress() *progress {
	if !isTerminal(c.notes) {
		return nil
	}
	return &progress{out: c.notes, now: time.Now, start: time.Now()}
}

const (
	progressDelay = time.Second
	progressWidth = 30
)

// set shows how much is done.
func (p *progress) set(done, total int) {
	if p == nil || total == 0 || p.now().Sub(p.start) < progressDelay {
		return
	}
	p.shown = true
	full := progressWidth * done / total
	fmt.Fprintf(p.out, "\r[%s%s] %d of %d", strings.Repeat("#", full), strings.Repeat(" ", progressWidth-full), done, total)
}

// end removes the bar.
func (p *progress) end() {
	if p != nil && p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
