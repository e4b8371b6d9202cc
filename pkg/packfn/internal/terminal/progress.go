package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Progress is a line on a terminal while a run is silent: a bar, or without a count the time. Without a terminal it is
// nil, and shows nothing.
type Progress struct {
	out io.Writer
	now func() time.Time
	// silent is the time of the last output, and start the time when the run started.
	silent, start time.Time
	mutex         sync.Mutex
	done, total   int
	// isShown is true if the progress line is visible. isInLine is true if the last output did
	// not end with a line break.
	isShown, isInLine bool
	stop              func()
}

// NewProgress returns the progress line of a run, or nil if notes do not go to a terminal.
func NewProgress(notes io.Writer) *Progress {
	if !Is(notes) {
		return nil
	}
	ticker, end := time.NewTicker(progressDelay), make(chan bool)
	p := &Progress{out: notes, now: time.Now, silent: time.Now(), start: time.Now(), stop: sync.OnceFunc(func() { close(end) })}
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.tick()
			case <-end:
				return
			}
		}
	}()
	return p
}

const (
	progressDelay = time.Second
	progressWidth = 30
)

// Set updates the amount of work that is done.
func (p *Progress) Set(done, total int) {
	if p == nil {
		return
	}
	p.mutex.Lock()
	p.done, p.total = done, total
	p.mutex.Unlock()
	p.tick()
}

// tick shows the line if nothing was printed for a second.
//
//	[##########                    ] 12 of 36
func (p *Progress) tick() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.isInLine || p.now().Sub(p.silent) < progressDelay {
		return
	}
	p.isShown = true
	if p.total == 0 {
		fmt.Fprintf(p.out, "\rworking for %s", p.now().Sub(p.start).Truncate(time.Second))
		return
	}
	full := progressWidth * p.done / p.total
	fmt.Fprintf(p.out, "\r[%s%s] %d of %d", strings.Repeat("#", full), strings.Repeat(" ", progressWidth-full), p.done, p.total)
}

// Clear removes the line before a text is printed.
func (p *Progress) Clear(text []byte) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.isShown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
	p.isShown, p.silent = false, p.now()
	if len(text) > 0 {
		p.isInLine = text[len(text)-1] != '\n'
	}
}

// End removes the line for good.
func (p *Progress) End() {
	if p != nil {
		p.stop()
		p.Clear([]byte{' '}) // as if a line had begun
	}
}

// Over returns a writer that removes the line before it writes.
func (p *Progress) Over(out io.Writer) io.Writer {
	if p == nil {
		return out
	}
	return &overProgress{out, p}
}

// overProgress is a stream whose writes clear the line of the progress before.
type overProgress struct {
	io.Writer
	progress *Progress
}

// Write clears the line of the progress, and writes.
func (o *overProgress) Write(text []byte) (int, error) {
	o.progress.Clear(text)
	return o.Writer.Write(text)
}
