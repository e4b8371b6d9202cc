// Package child runs jobs in a child process, because what others wrote cannot always be stopped
// from within: a template of Helm or an expression of Terraform can run for hours, or ask for all
// memory.
//
// The child is this program with an argument. [Process] is the side that starts it, limits its
// time and ends it; [Serve] is the child, which limits its own memory.
//
// Both sides exchange values of encoding/gob over the standard streams of the child: a job, and then
// its result. A child that took too long, or was ended by its limit of memory, is not used again.
package child

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// The limits of a child.
const (
	// MaxMemory is what it may use.
	MaxMemory = 1 << 30
	// maxResult is the length of a result.
	maxResult = 128 << 20
)

// outOfMemory is what a child writes to standard error before it ends because of [MaxMemory].
const outOfMemory = "packfn: the limit of memory is reached"

// Process is a child that runs jobs, one at a time. It is started for the first job, and again
// after it was ended.
type Process struct {
	// Program are the words that start the program; none are this program.
	Program []string
	// Argument tells the program to be a child, and for which jobs.
	Argument string
	// Context ends a job with its error when it is cancelled. It may be nil.
	Context context.Context

	// mu makes jobs run one at a time, and running is the child, or nil.
	mu      sync.Mutex
	running *running
}

// running is a child that has been started.
type running struct {
	// command is the process, in its standard input, and encoder writes jobs to it.
	command *exec.Cmd
	in      io.WriteCloser
	encoder *gob.Encoder
	// out is its standard output, whose size is limited for each job, and decoder reads results.
	out     *io.LimitedReader
	decoder *gob.Decoder
	// errors is the beginning of its standard error.
	errors tail
}

// Reason is the reason why a job has no result.
type Reason int

// The reasons.
const (
	Failed Reason = iota
	OutOfTime
	OutOfMemory
	OutOfStack
	TooLarge // the result
)

// Ended is returned if a child was ended before a job had its result.
type Ended struct {
	// Reason tells which limit was exceeded.
	Reason Reason
	// Err is the error if the reason is Failed.
	Err error
}

// Error completes a sentence about the job, such as `it takes too long`.
func (e *Ended) Error() string {
	switch e.Reason {
	case OutOfTime:
		return "it takes too long"
	case OutOfMemory:
		return fmt.Sprintf("it takes more than %d MiB of memory", MaxMemory>>20)
	case OutOfStack:
		return "it is nested too deeply"
	case TooLarge:
		return fmt.Sprintf("its result has more than %d MiB", maxResult>>20)
	}
	return e.Err.Error()
}

// Do runs a job, and reads its result. It returns an [Ended], the error of the context, or an
// error if the child could not be started.
func (p *Process) Do(job, result any, timeout time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		started, err := p.start()
		if err != nil {
			return err
		}
		p.running = started
	}
	r, done := p.running, make(chan error, 1)
	go func() {
		err := r.encoder.Encode(job)
		if err == nil {
			r.out.N = maxResult
			err = r.decoder.Decode(result)
		}
		done <- err
	}()
	ctx := p.Context
	if ctx == nil {
		ctx = context.Background()
	}
	select {
	case <-ctx.Done():
		p.end()
		<-done
		return ctx.Err()
	case err := <-done:
		if err == nil {
			return nil
		}
		p.end()
		return r.died(err)
	case <-time.After(timeout):
		p.end()
		<-done
		return &Ended{Reason: OutOfTime}
	}
}

// Close ends the child.
func (p *Process) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

// start starts a child. It gets no environment but a time zone.
func (p *Process) start() (*running, error) {
	program := p.Program
	if len(program) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		program = []string{self}
	}
	r := &running{command: exec.Command(program[0], append(program[1:len(program):len(program)], p.Argument)...)}
	// What runs there must not see the environment.
	r.command.Env, r.command.Stderr = []string{"TZ=UTC"}, &r.errors
	in, err := r.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := r.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := r.command.Start(); err != nil {
		return nil, err
	}
	r.in, r.encoder, r.out = in, gob.NewEncoder(in), &io.LimitedReader{R: out}
	r.decoder = gob.NewDecoder(r.out)
	return r, nil
}

// end ends the child, if there is one.
func (p *Process) end() {
	if p.running == nil {
		return
	}
	r := p.running
	p.running = nil
	r.in.Close()
	r.command.Process.Kill()
	r.command.Wait()
}

// died returns the reason why a child died.
func (r *running) died(err error) *Ended {
	text := string(r.errors)
	switch {
	case strings.Contains(text, outOfMemory), strings.Contains(text, "out of memory"), strings.Contains(text, "cannot allocate memory"), strings.Contains(text, "pthread_create failed"):
		return &Ended{Reason: OutOfMemory}
	case strings.Contains(text, "stack overflow"):
		return &Ended{Reason: OutOfStack}
	case r.out.N <= 0:
		return &Ended{Reason: TooLarge}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the process has ended")
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); strings.HasPrefix(line, "fatal error: ") { // a panic may show a value
		err = fmt.Errorf("%w: %s", err, line)
	}
	return &Ended{Err: err}
}

// tail is the start of what a process writes to standard error.
type tail []byte

const maxTail = 64 << 10

// Write keeps the beginning of what the child prints on standard error, and drops the rest.
func (t *tail) Write(text []byte) (int, error) {
	*t = append(*t, text[:min(len(text), maxTail-len(*t))]...)
	return len(text), nil
}
