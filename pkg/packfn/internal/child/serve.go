package child

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// maxStack is far more than jobs need: include of templates alone is limited to 1,000 levels.
const maxStack = 256 << 20

// Serve runs the jobs of in until it ends, and returns the exit code. The process can use little
// more memory than [MaxMemory].
func Serve[Job, Result any](in io.Reader, out io.Writer, run func(*Job) *Result) int {
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(MaxMemory / 4 * 3)
	debug.SetTraceback("none")
	limitMemory(MaxMemory)
	go watchMemory(MaxMemory)
	jobs, ended := make(chan *Job), make(chan error, 1)
	go func() { // a caller that has ended is seen while a job runs
		decoder := gob.NewDecoder(bufio.NewReader(in))
		for {
			job := new(Job)
			if err := decoder.Decode(job); err != nil {
				ended <- err
				return
			}
			jobs <- job
		}
	}()
	results := make(chan *Result)
	encoder := gob.NewEncoder(out)
	for {
		select {
		case job := <-jobs:
			go func() { results <- run(job) }()
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
			os.Stderr.WriteString(outOfMemory + "\n")
			os.Exit(2)
		}
	}
}
