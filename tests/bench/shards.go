package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// packfnProgram is the suite as one program.
const packfnProgram program = "functions/packfn"

// shards is a fleet that is computed in shards, one after another, and merged.
type shards struct {
	clusters, of int
	once         sync.Once
	// shard and merge are what the largest shard and the merge spent, and cpu what all did.
	shard, merge sample
	cpu          float64
	err          error
}

// row compares a figure of the one run of all shards with a limit.
func (s *shards) row(what string, bar float64, unit string, of func() float64) row {
	name := fmt.Sprintf("limit: %s, %d clusters in %d shards, once", what, s.clusters, s.of)
	return row{name: name, bar: bar, shown: fmt.Sprintf("%g %s", bar, unit), programs: []program{packfnProgram, empty}, figures: func(b *bench, _ measurements) (figures, error) {
		least, err := run{program: empty}.measure(b.dir)
		if err != nil {
			return figures{}, err
		}
		s.once.Do(func() { s.err = s.run(b.dir) })
		f := figures{measured: megabytes(of()), baseline: megabytes(float64(least.peak) / 1e6), ratio: of(), unit: unit}
		if unit != "MB" {
			f.measured, f.baseline = seconds(of()), seconds(least.cpu.Seconds())
		}
		return f, s.err
	}}
}

// rows are the figures of the run.
func (s *shards) rows() []row {
	return []row{
		s.row("memory of a shard of packfn fleet", 500, "MB", func() float64 { return float64(s.shard.peak) / 1e6 }),
		s.row("memory of packfn report --merge", 1000, "MB", func() float64 { return float64(s.merge.peak) / 1e6 }),
		s.row("CPU of packfn fleet --shard and the merge", 1000, "s", func() float64 { return s.cpu }),
	}
}

// run writes the fleet, computes its shards, and merges them to JSON.
func (s *shards) run(dir string) error {
	at := filepath.Join(dir, "shards")
	if err := s.write(at); err != nil {
		return err
	}
	merge := []string{"report", "--merge", "--format", "json", "--output", "fleet.json"}
	for i := range s.of {
		blob := fmt.Sprintf("%d.blob", i+1)
		one, err := packfn(dir, at, "fleet", "--set", "set", "--upstream", "upstream", "--shard", fmt.Sprintf("%d/%d", i+1, s.of), "--output", blob)
		if err != nil {
			return err
		}
		s.shard.peak, s.cpu = max(s.shard.peak, one.peak), s.cpu+one.cpu.Seconds()
		merge = append(merge, blob)
	}
	var err error
	s.merge, err = packfn(dir, at, merge...)
	s.cpu += s.merge.cpu.Seconds()
	return err
}

// mostInFile bounds the clusters in a file: packfn refuses files above 32 MiB.
const mostInFile = 10_000

// write writes the files of the fleet.
func (s *shards) write(dir string) error {
	name := ""
	for part := range strings.SplitSeq("\n"+fleetFixed, "\n-- ") {
		var content string
		if name, content, _ = strings.Cut(part, " --\n"); name == "" {
			continue
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content+"\n"), 0o644); err != nil {
			return err
		}
	}
	for from := 0; from < s.clusters; from += mostInFile {
		file, err := os.Create(filepath.Join(dir, "set", fmt.Sprintf("clusters-%d.yaml", from)))
		if err != nil {
			return err
		}
		out := bufio.NewWriter(file)
		for n := from; n < min(from+mostInFile, s.clusters); n++ {
			fmt.Fprintf(out, fleetCluster, n, []string{"small", "large"}[n%2])
		}
		if err := out.Flush(); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// packfn runs the program in a folder, and measures it.
func packfn(programs, dir string, args ...string) (sample, error) {
	path, err := filepath.Abs(packfnProgram.file(programs))
	if err != nil {
		return sample{}, err
	}
	command := exec.Command(path, args...)
	command.Dir, command.Env = dir, []string{}
	return measured(programs, command, "packfn "+strings.Join(args, " "))
}
