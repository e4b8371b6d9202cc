package helm

import (
	"cmp"
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

// OutOfMemory is what a process writes to standard error before it ends because of
// [MaxMemory].
const OutOfMemory = "packfn: the limit of memory is reached"

// Renderer renders charts, one at a time. The zero Renderer is ready to use.
type Renderer struct {
	// Program are the words of the command that is run; none are this program with
	// [Command].
	Program []string
	// Timeout is for each chart; 0 is [DefaultTimeout].
	Timeout time.Duration
	// Context ends the rendering of a chart with its error; nil for none.
	Context context.Context

	mu      sync.Mutex
	process *process
}

// process is a program that renders.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	encoder *gob.Encoder
	decoder *gob.Decoder
	errors  tail
}

// Render renders a chart. An error says that the process could not be started.
func (r *Renderer) Render(job *Job) (*Result, error) {
	return (&Pack{Renderer: r}).Render(job)
}

// Pack renders the charts and manifests of one pack, which together have [PackTimeouts] times
// the time of a chart.
type Pack struct {
	*Renderer
	spent time.Duration
}

// Render renders a chart of the pack.
func (k *Pack) Render(job *Job) (*Result, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	timeout := cmp.Or(k.Timeout, DefaultTimeout)
	left := PackTimeouts*timeout - k.spent
	if left <= 0 {
		return ended("it was not rendered, because the charts and manifests of the pack before it took %s (%d times --timeout); a template of them may never end", PackTimeouts*timeout, PackTimeouts), nil
	}
	begin := time.Now()
	defer func() { k.spent += time.Since(begin) }()
	return k.render(job, min(timeout, left))
}

func (r *Renderer) render(job *Job, timeout time.Duration) (*Result, error) {
	if r.process == nil {
		p, err := r.start()
		if err != nil {
			return nil, fmt.Errorf("the process that renders charts: %w", err)
		}
		r.process = p
	}
	p := r.process
	result, done := &Result{}, make(chan error, 1)
	go func() {
		err := p.encoder.Encode(job)
		if err == nil {
			err = p.decoder.Decode(result)
		}
		done <- err
	}()
	ctx := r.Context
	if ctx == nil {
		ctx = context.Background()
	}
	select {
	case <-ctx.Done():
		r.end()
		<-done
		return nil, ctx.Err()
	case err := <-done:
		if err == nil {
			return result, nil
		}
		r.end()
		return p.died(err), nil
	case <-time.After(timeout):
		r.end()
		<-done
		return ended("it was not rendered within %s (--timeout); a template of it may never end", timeout), nil
	}
}

// Close ends the process.
func (r *Renderer) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
}

func (r *Renderer) start() (*process, error) {
	program := r.Program
	if len(program) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		program = []string{self, Command}
	}
	p := &process{command: exec.Command(program[0], program[1:]...)}
	// Templates must not see the environment, and nothing else needs it.
	p.command.Env, p.command.Stderr = []string{"TZ=UTC"}, &p.errors
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	p.in, p.encoder, p.decoder = in, gob.NewEncoder(in), gob.NewDecoder(out)
	return p, nil
}

// end ends the process, if there is one.
func (r *Renderer) end() {
	if r.process == nil {
		return
	}
	p := r.process
	r.process = nil
	p.in.Close()
	p.command.Process.Kill()
	p.command.Wait()
}

// died says why a process that was ended has died before.
func (p *process) died(err error) *Result {
	text := string(p.errors)
	switch {
	case strings.Contains(text, OutOfMemory), strings.Contains(text, "out of memory"), strings.Contains(text, "cannot allocate memory"), strings.Contains(text, "pthread_create failed"):
		return ended("rendering it takes more than %d MiB of memory", MaxMemory>>20)
	case strings.Contains(text, "stack overflow"):
		return ended("its templates are nested too deeply")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the process has ended")
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); strings.HasPrefix(line, "fatal error: ") { // a panic may show a value
		err = fmt.Errorf("%w: %s", err, line)
	}
	return ended("rendering it failed: %v", err)
}

// tail is the start of what a process writes to standard error.
type tail []byte

const maxTail = 64 << 10

func (t *tail) Write(text []byte) (int, error) {
	*t = append(*t, text[:min(len(text), maxTail-len(*t))]...)
	return len(text), nil
}
