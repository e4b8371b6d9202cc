package engine

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
)

// maxStack is far more than templates need: include alone is limited to 1,000 levels.
const maxStack = 256 << 20

// Main renders the jobs of standard input until it ends, and returns the exit code. The
// process can use little more memory than [helm.MaxMemory].
func Main(in io.Reader, out io.Writer) int {
	time.Local = time.UTC                          // sprig reads the time zone
	slog.SetDefault(slog.New(slog.DiscardHandler)) // Helm logs values
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(helm.MaxMemory / 4 * 3)
	debug.SetTraceback("none")
	limitMemory(helm.MaxMemory)
	go watchMemory(helm.MaxMemory)
	jobs, ended := make(chan *helm.Job), make(chan error, 1)
	go func() { // a caller that has ended is seen while a job runs
		decoder := gob.NewDecoder(bufio.NewReader(in))
		for {
			job := &helm.Job{}
			if err := decoder.Decode(job); err != nil {
				ended <- err
				return
			}
			jobs <- job
		}
	}()
	results := make(chan *helm.Result)
	encoder := gob.NewEncoder(out)
	for {
		select {
		case job := <-jobs:
			go func() { results <- renderJob(job) }()
		case result := <-results:
			if err := encoder.Encode(result); err != nil {
				return 2
			}
		case err := <-ended:
			if errors.Is(err, io.EOF) {
				return 0
			}
			return 2
		}
	}
}

// watchMemory ends the process when it uses too much memory, where the system does not.
func watchMemory(most uint64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(20 * time.Millisecond) {
		if metrics.Read(samples); samples[0].Value.Uint64()-samples[1].Value.Uint64() > most {
			os.Stderr.WriteString(helm.OutOfMemory + "\n")
			os.Exit(2)
		}
	}
}
