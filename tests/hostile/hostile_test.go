package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// counted are the packages whose statements are counted. In others, only memory is.
const counted = "github.com/krm-packs/functions/pkg/...,github.com/krm-packs/functions/tests/hostile,k8s.io/apimachinery/pkg/labels,encoding/json,regexp,regexp/syntax,go.yaml.in/yaml/v3,github.com/agext/levenshtein,github.com/santhosh-tekuri/jsonschema/v6/..."

// What is linear doubles from size to size, and what is quadratic becomes four times as much.
const (
	// mostSteps compares differences between sizes: the cost of a start is in all counts.
	mostSteps = 2.3
	// mostBytes compares the last size with the first one: lists that grow do so in jumps.
	mostBytes = 6
)

// The steps and the memory that a call takes grow with its input, and no faster.
func TestGrowth(t *testing.T) {
	names, counts, most := counts(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			fault := judgeCounts(counts[name], most[name])
			t.Logf("%+v", counts[name])
			if isKnown := name == knownQuadratic || name == knownQuadraticBytes; isKnown != (fault != "") {
				t.Errorf("%+v: %s", counts[name], fault)
			}
		})
	}
	if len(names) < len(inputs)+len(products)+len(works) {
		t.Errorf("got the counts of %d works", len(names))
	}
}

func judgeCounts(c []count, most int64) string {
	if most > 0 {
		if c[0].steps > most {
			return fmt.Sprintf("got %d steps, want at most %d", c[0].steps, most)
		}
		return ""
	}
	// A thousand steps and a megabyte more or less are not growth.
	const steps, pages = 1000, 1 << 20
	if from, to := c[1].steps-c[0].steps, c[2].steps-c[1].steps; float64(to) > mostSteps*float64(max(from, 0))+steps {
		return fmt.Sprintf("the steps grow by %d and by %d", from, to)
	}
	if from, to := c[0].bytes, c[2].bytes; to > mostBytes*from+pages {
		return fmt.Sprintf("the allocated bytes grow from %d to %d", from, to)
	}
	return ""
}

// counts builds the program with counters and runs it.
func counts(t *testing.T) (names []string, counts map[string][]count, most map[string]int64) {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "hostile")
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := exec.Command(program, commandCount)
	var stderr bytes.Buffer
	command.Env, command.Stderr = append(os.Environ(), "GOCOVERDIR="+dir), &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	counts, most = map[string][]count{}, map[string]int64{}
	for line := range strings.Lines(string(out)) {
		var size, limit int64
		var c count
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 5)
		if _, err := fmt.Sscan(strings.Join(fields[:4], " "), &size, &c.steps, &c.bytes, &limit); err != nil || len(fields) != 5 {
			t.Fatalf("%v: %q", err, line)
		}
		name := fields[4]
		if counts[name] == nil {
			names = append(names, name)
		}
		counts[name], most[name] = append(counts[name], c), limit
	}
	return names, counts, most
}

// The commands of packfn end as they should within the limit of addresses.
func TestCommands(t *testing.T) {
	program := filepath.Join(t.TempDir(), "hostile")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range commands {
		t.Run(c.name, func(t *testing.T) {
			s, err := c.run(program, t.TempDir(), 2*c.size) // make limits also tries the smaller one
			if t.Log(s); err != nil {
				t.Error(err)
			}
		})
	}
}
