package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/tests/e2e"
)

// rounds is how often each command runs. A choice of two things that a map makes is the same in
// all of them once in sixteen times.
const rounds = 5

// steady runs commands in a folder as it is at first, again and again: the outputs and the files
// have the same bytes.
func steady(t *testing.T, dir string, commands ...[]string) {
	t.Helper()
	before := tree(t, dir)
	for _, args := range commands {
		var first map[string]string
		for round := range rounds {
			got := packfn(t, dir, args...)
			after := tree(t, dir)
			after["(exit code)"], after["(standard output)"], after["(standard error)"] = fmt.Sprint(got.exit), got.stdout, got.stderr
			for name, text := range after { // of the table
				after[name] = duration.ReplaceAllString(text, "")
			}
			if strings.Contains(got.stderr, "report this") {
				t.Fatalf("%q: %s", args, got.stderr)
			}
			if round == 0 {
				first = after
			} else if diff := cmp.Diff(first, after); diff != "" {
				t.Errorf("%q, run %d (-first +this):\n%.3000s", args, round+1, diff)
			}
			reset(t, dir, before)
		}
	}
}

// reset makes a folder what it was.
func reset(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	now := tree(t, dir)
	for name := range now {
		if _, was := before[name]; !was {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			for above := filepath.Dir(name); above != "." && os.Remove(filepath.Join(dir, above)) == nil; {
				above = filepath.Dir(above)
			}
		}
	}
	for name, text := range before {
		if now[name] != text {
			write(t, filepath.Join(dir, name), text)
		}
	}
}

// Each command does the same each time, over the packages of the examples.
func TestSteadyPackages(t *testing.T) {
	kptfiles, err := filepath.Glob(filepath.Join(root, "examples/*/Kptfile"))
	if err != nil || len(kptfiles) < 30 {
		t.Fatalf("%d examples: %v", len(kptfiles), err)
	}
	commands := [][]string{
		{"render", "p"}, {"render", "p", "--to", "out", "--deployable"}, {"fix", "p"}, {"export", "p", "--to", "out"}, {"export", "p", "--to", "out", "--effective"}, {"template", "p"},
		{"list", "values", "p"}, {"list", "presets", "p"}, {"list", "macros", "p"}, {"list", "packs", "p"}, {"images", "p"}, {"schema", "vault", "p"},
	}
	for _, format := range packfntest.Formats {
		commands = append(commands, []string{"check", "p", "--format", format, "-o", "report"})
	}
	for i, kptfile := range kptfiles {
		if i%6 > 0 && !e2e.All() {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(kptfile)), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "p"), os.DirFS(filepath.Dir(kptfile))); err != nil {
				t.Fatal(err)
			}
			steady(t, dir, commands...)
		})
	}
}

// The same over packs, also the public ones, and over packages that are made of them.
func TestSteadyPacks(t *testing.T) {
	every := 10
	if e2e.All() {
		every = 1
	}
	for i, pack := range packs(t) {
		if i%every > 0 {
			continue
		}
		t.Run(filepath.Base(pack), func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "pack"), os.DirFS(pack)); err != nil {
				t.Fatal(err)
			}
			packfn(t, dir, "import", "pack", "--to", "p", "--kptfile")
			steady(t, dir,
				[]string{"import", "pack", "--to", "out", "--kptfile"}, []string{"check", "pack", "--format", "json"}, []string{"check", "pack", "p", "--charts", "pack", "--as-deployed"},
				[]string{"template", "pack"}, []string{"images", "pack"}, []string{"list", "values", "pack"}, []string{"list", "presets", "pack"}, []string{"list", "macros", "pack"},
				[]string{"upgrade", "p", "pack", "--write"}, []string{"fix", "p"}, []string{"render", "p"}, []string{"export", "p", "--to", "out", "--effective"})
		})
	}
}

// The same over a fleet, its shards and their report.
func TestSteadyFleet(t *testing.T) {
	dir, args := shardedFleet(t)
	shard := func(one string, more ...string) []string {
		return append(append(slices.Clone(args), "--shard", one), more...)
	}
	packfn(t, dir, shard("1/2", "-o", "1.blob")...).want(t, 0)
	packfn(t, dir, shard("2/2", "-o", "2.blob")...).want(t, 0)
	var commands [][]string
	formats := []string{"table", "html"}
	if e2e.All() {
		formats = packfntest.FleetFormats
	}
	for _, format := range formats {
		commands = append(commands, append(slices.Clone(args), "--format", format, "--to", "out"), []string{"report", "--merge", "2.blob", "1.blob", "--format", format})
	}
	steady(t, dir, append(commands, shard("1/2", "-o", "report"), []string{"check", "platform"}, []string{"explain"}, []string{"list", "rules"})...)
}

// Of several faults, the same one comes first.
func TestSteadyFaults(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pack/pack.json"), `{"name": "x", "version": "1.0.0", "values": 1, "schema": 1, "presets": 1, "properties": 1, "dependencies": 1}`)
	write(t, filepath.Join(dir, "pack/values.yaml"), "a: 1\n")
	named := []string{"import", "pack", "--to", "out"}
	for i := range 8 {
		sub := fmt.Sprintf("p/sub%d/", i)
		write(t, filepath.Join(dir, sub+"Kptfile"), kptfileHead+"pipline: {}\n")
		write(t, filepath.Join(dir, sub+"a.yaml"), packOf(fmt.Sprint("x", i), ""))
		named = append(named, "--name", fmt.Sprintf("n%d=d%[1]d", i))
	}
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead+`pipeline:
  mutators:
  - exec: resolve-macros
`)
	steady(t, dir, named, []string{"import", "pack", "--to", "out", "--as", "pack"}, []string{"check", "p"}, []string{"export", "p", "--to", "out", "--effective"}, []string{"render", "p"})
}
