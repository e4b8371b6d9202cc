package program

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"sync"
	"time"
)

// The limits of a run.
const (
	// DefaultTimeout is how long a program may run, as in kpt.
	DefaultTimeout = 5 * time.Minute
	// maxOutput is the size of what it may print.
	maxOutput = 32 << 20
	// mostErrors is how much is kept of what it writes to standard error.
	mostErrors = 64 << 10
	// mostKept is the size of what a [Runner] keeps of the programs' output for equal inputs.
	mostKept = 64 << 20
	// drained is how long a child of an ended program may hold the output open.
	drained = 2 * time.Second
)

// Program is a program that stands for a function.
type Program struct {
	// Name is the function as messages name it: set-namespace.
	Name string
	// Command are the program and its arguments.
	Command []string
	// named is the program as the user names it, which may be looked for on PATH.
	named string
}

// Runner runs programs. Equal inputs of a program run once.
type Runner struct {
	// Context ends what runs when it is cancelled. If it is nil, nothing does.
	Context context.Context
	// Timeout is how long a program may run; 0 means [DefaultTimeout].
	Timeout time.Duration

	// mu guards the other fields.
	mu sync.Mutex
	// known are the runs by the digest of their input, and kept is the size of their outputs.
	known map[[sha256.Size]byte]*ended
	kept  int
}

// ended is a run of a program. once makes it, so that others with an equal input wait for it.
type ended struct {
	// once is done when the program has ended.
	once sync.Once
	// output is what it printed, and errors the beginning of its standard error.
	output []byte
	errors string
	// exit is the exit code, and err why there is none.
	exit int
	err  error
}

// run runs a program over an input, unless it has run over an equal one.
func (r *Runner) run(p *Program, input []byte) *ended {
	digest := sha256.New()
	for _, word := range p.Command {
		fmt.Fprintf(digest, "%d %s\x00", len(word), word)
	}
	digest.Write(input)
	key := [sha256.Size]byte(digest.Sum(nil))
	r.mu.Lock()
	if r.known == nil {
		r.known = map[[sha256.Size]byte]*ended{}
	}
	one := r.known[key]
	if one == nil {
		one = &ended{}
		r.known[key] = one
	}
	r.mu.Unlock()
	one.once.Do(func() {
		r.start(p, input, one)
		r.mu.Lock()
		defer r.mu.Unlock()
		size := len(one.output) + len(one.errors)
		if r.kept+size > mostKept || one.err != nil {
			delete(r.known, key)
			return
		}
		r.kept += size
	})
	return one
}

// running is locked for reading while a program runs.
var running sync.RWMutex

// Wait returns when no program runs, and lets none start after that: what packfn does before it ends by a
// signal. The context of all programs has ended then.
func Wait() { running.Lock() }

// start runs a program.
func (r *Runner) start(p *Program, input []byte, one *ended) {
	ctx := r.Context
	if ctx == nil {
		ctx = context.Background()
	}
	timeout := r.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	command := exec.CommandContext(limited, p.Command[0], p.Command[1:]...)
	output, stderr := &bounded{most: maxOutput, full: cancel}, &bounded{most: mostErrors}
	command.Stdin, command.Stdout, command.Stderr, command.WaitDelay = bytes.NewReader(input), output, stderr, drained
	running.RLock()
	defer running.RUnlock()
	err := runGroup(command)
	one.output, one.errors = output.text.Bytes(), stderr.text.String()
	exited, isExit := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		one.err = ctx.Err()
	case output.isFull:
		one.err = fmt.Errorf("it prints more than %d MiB", maxOutput>>20)
	case limited.Err() != nil:
		one.err = fmt.Errorf("it did not end in %v; --exec-timeout allows more", timeout)
	case isExit && exited.ExitCode() >= 0:
		one.exit = exited.ExitCode()
	case isExit:
		one.err = fmt.Errorf("it was ended: %w", err)
	case errors.Is(err, exec.ErrWaitDelay):
		one.err = errors.New("a process that it started holds its output open")
	case err != nil:
		one.err = fmt.Errorf("it cannot be started: %w", reasonOf(err))
	}
}

// reasonOf returns why a program cannot be started, without its path, which the caller names.
func reasonOf(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	if failed, ok := errors.AsType[*exec.Error](err); ok {
		return failed.Err
	}
	return err
}

// bounded is a writer that keeps the first bytes that are written to it.
type bounded struct {
	// text is what was kept, and most its largest size.
	text   bytes.Buffer
	most   int
	isFull bool
	// full is called when there is more, if it is not nil.
	full func()
}

// Write keeps what fits, and never fails, so that the program can go on.
func (b *bounded) Write(text []byte) (int, error) {
	left := b.most - b.text.Len()
	b.text.Write(text[:min(len(text), left)])
	if len(text) > left && !b.isFull {
		b.isFull = true
		if b.full != nil {
			b.full()
		}
	}
	return len(text), nil
}
