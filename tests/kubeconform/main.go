package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/tests/bench/generate"

	// The program that is compared.
	_ "github.com/yannh/kubeconform/pkg/validator"
)

func main() {
	packs := flag.Int("packs", 1000, "the number of packs")
	runs := flag.Int("runs", 5, "counted runs of each program; the figures are medians")
	flag.Parse()
	if err := compare(*packs, *runs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// subject is what is measured: programs that run one after another.
type subject struct {
	name     string
	commands [][]string
	// stdin is a file that each program reads from standard input, or "" if there is none.
	stdin string
}

func compare(packs, runs int) error {
	dir, err := os.MkdirTemp("", "kubeconform-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir); err != nil {
		return err
	}
	in, err := writeInput(dir, packs, generate.Values)
	if err != nil {
		return err
	}
	functions := subject{name: "the four functions, one after another", stdin: in.list}
	for _, name := range check.Names(suite.All()) {
		functions.commands = append(functions.commands, []string{filepath.Join(dir, name)})
	}
	subjects := []subject{
		{name: "packfn check", commands: [][]string{{filepath.Join(dir, "packfn"), "check", in.pkg}}},
		functions,
		{name: "kubeconform", commands: [][]string{kubeconform(dir, in)}},
	}
	times := make([][]time.Duration, len(subjects))
	for round := range runs + 1 {
		for i, s := range subjects {
			cpu, err := s.measure()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if round > 0 { // the first one warms up
				times[i] = append(times[i], cpu)
			}
		}
	}
	fmt.Printf("%d packs of 200 values and 50 rules; CPU (user and system), median of %d runs\n\n", packs, runs)
	for i, s := range subjects {
		slices.Sort(times[i])
		slices.Sort(times[0])
		own, first := times[i][runs/2], times[0][runs/2]
		fmt.Printf("%-40s %8s   %.2f\n", s.name, own.Round(time.Millisecond), float64(own)/float64(first))
	}
	return nil
}

// build builds packfn, the functions that check, and kubeconform.
func build(dir string) error {
	ours := []string{"./functions/packfn"}
	for _, name := range check.Names(suite.All()) {
		ours = append(ours, "./functions/"+name)
	}
	for folder, programs := range map[string][]string{".": {"github.com/yannh/kubeconform/cmd/kubeconform"}, "../..": ours} {
		command := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", dir + string(filepath.Separator)}, programs...)...)
		command.Dir, command.Stderr = folder, os.Stderr
		if err := command.Run(); err != nil {
			return err
		}
	}
	return nil
}

// kubeconform is the command that validates the values of an input. It opens no
// connection: the schemas are files.
func kubeconform(dir string, in paths) []string {
	return []string{filepath.Join(dir, "kubeconform"), "-output", "json", "-schema-location", filepath.Join(in.schemas, "{{ .ResourceKind }}.json"), in.values}
}

// measure returns the CPU time of the programs. An exit code other than 0 is an error:
// the packs have no findings.
func (s *subject) measure() (time.Duration, error) {
	var total time.Duration
	for _, words := range s.commands {
		command := exec.Command(words[0], words[1:]...)
		var output bytes.Buffer
		command.Stdout, command.Stderr = nil, &output
		if s.stdin != "" {
			file, err := os.Open(s.stdin)
			if err != nil {
				return 0, err
			}
			defer file.Close()
			command.Stdin = file
		}
		if err := command.Run(); err != nil {
			return 0, errors.Join(err, errors.New(output.String()))
		}
		total += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	}
	return total, nil
}
