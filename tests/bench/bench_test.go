package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/tests/bench/generate"
)

// programs is a folder with links to all programs, which are built once for all tests.
var programs string

func TestMain(m *testing.M) { os.Exit(withPrograms(m)) }

func withPrograms(m *testing.M) int {
	var err error
	if programs, err = os.MkdirTemp("", "bench-test-"); err == nil {
		defer os.RemoveAll(programs)
		err = linkPrograms()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// linkPrograms builds the programs into a folder that stays: Go does not link a program
// again that is there and current.
func linkPrograms() error {
	cache, err := filepath.Abs("../../.cache/bench")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	if err := build(cache, false, programsOf(rows(quickSizes))); err != nil {
		return err
	}
	files, err := os.ReadDir(cache)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := os.Symlink(filepath.Join(cache, file.Name()), filepath.Join(programs, file.Name())); err != nil {
			return err
		}
	}
	return nil
}

// The whole benchmark works, and every row has figures that can be read.
func TestTable(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := command([]string{"-quick", "-dir", programs}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	table, _, _ := strings.Cut(stdout.String(), "\n\n")
	lines := strings.Split(table, "\n")
	want := rows(quickSizes)
	if got := len(lines) - 2; got != len(want) {
		t.Fatalf("got %d rows, want %d\n%s", got, len(want), table)
	}
	figure := regexp.MustCompile(`^(≤ )?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)? (s|ms|µs|MB|×)(/item| \+ [0-9]+ MB)?$`)
	for i, line := range lines[2:] {
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		if len(cells) != len(head()) || cells[0] != want[i].name {
			t.Fatalf("got the row %q, want one of %d cells for %q", line, len(head()), want[i].name)
		}
		for _, cell := range cells[1:5] {
			if !figure.MatchString(cell) {
				t.Errorf("%s: %q is not a figure", cells[0], cell)
			}
		}
		if cells[5] != "ok" && cells[5] != "over" {
			t.Errorf("%s: got the verdict %q", cells[0], cells[5])
		}
		if pipe := cells[6]; strings.HasPrefix(cells[0], "CPU") && !figure.MatchString(pipe) {
			t.Errorf("%s: %q is not a figure through a pipe", cells[0], pipe)
		}
	}
}

// What cannot be measured is reported, and fails.
func TestFailures(t *testing.T) {
	for _, args := range [][]string{{"-row", "no such row"}, {"-row", "("}, {"-runs", "0"}, {"-no-such-flag"}} {
		var stdout, stderr bytes.Buffer
		if code := command(args, &stdout, &stderr); code != 1 || stderr.Len() == 0 || stdout.Len() > 0 {
			t.Errorf("%s: got exit code %d, %q, %q", args, code, stdout.String(), stderr.String())
		}
	}
	b := &bench{dir: programs, runs: 1, quick: true}
	bad := &input{name: "bad", items: 1, write: packTexts(1)} // no ResourceList
	cells, err := b.table([]row{
		cpuRow("fails", 1, run{program: validatePackValues, input: bad}, run{program: empty}),
		sizeRow("size", 1, empty),
	})
	if err == nil || !strings.Contains(err.Error(), "validate-pack-values < bad") || len(cells) != 2 {
		t.Errorf("got %v, %q", err, cells)
	}
}

// The programs do what their rows say: without this a function that did nothing
// would look fast.
func TestWork(t *testing.T) {
	const items, deployments = 30, 10
	unfit := strings.NewReplacer("[1-9]", "[3-9]", "/^[a-z0-9-]+$/", "/^[A-Z]+$/")
	for _, tc := range []struct {
		name    string
		program program
		write   func(int, string) func(io.Writer) error
		config  string
		count   string // what is counted in the output
		want    int
	}{
		{"none", validatePackValues, blockList, noConfig, "rule: nothing-to-do", 1},
		{"third", validatePackValues, blockList, unfit.Replace(thirdConfig), "rule: values/format", deployments},
		{"third as JSON", validatePackValues, jsonList, unfit.Replace(thirdConfig), "rule: values/format", deployments},
		{"all", validatePackValues, blockList, unfit.Replace(allConfig), "rule: values/format", items},
		{"change", changeThird, blockList, noConfig, "replicas: 7 # one in each zone", deployments},
		{"a first render", resolveMacros, func(items int, _ string) func(io.Writer) error { return firstRender(items) }, noConfig, `: "CLUSTER-01-`, items * chains * chainLength},
		{"a second render", resolveMacros, func(items int, _ string) func(io.Writer) error { return secondRender(items) }, noConfig, `: "CLUSTER-01-`, items * chains * chainLength},
		{"variants", expandVariantSet, func(items int, _ string) func(io.Writer) error { return variantList(items) }, noConfig, "kind: PackageVariant\n", items},
	} {
		var in bytes.Buffer
		if err := tc.write(items, tc.config)(&in); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(tc.program.file(programs))
		command.Stdin = &in
		out, _ := command.Output() // fails where something is found
		if got := strings.Count(string(out), tc.count); got != tc.want {
			t.Errorf("%s: got %q %d times, want %d\n%.3000s", tc.name, tc.count, got, tc.want, out)
		}
	}
}

// The generated inputs are of the size that the bars are about, the same each
// time, and without faults.
func TestInputs(t *testing.T) {
	seen := map[*input]bool{nil: true}
	for _, s := range rows(quickSizes) {
		for _, r := range s.runs {
			if seen[r.input] {
				continue
			}
			seen[r.input] = true
			var first, second bytes.Buffer
			if err := r.input.write(&first); err != nil {
				t.Fatal(err)
			}
			if err := r.input.write(&second); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s: differs when made again", r.input.name)
			}
			if size := first.Len() / r.input.items; strings.HasPrefix(r.input.name, "usual") && (size < 950 || size > 1300) {
				t.Errorf("%s: %d bytes for an item, want about 1200", r.input.name, size)
			}
		}
	}
	texts := map[string]bool{}
	for n := range generate.Schemas {
		texts[generate.Schema(n)] = true
		if got := keys(t, generate.Schema(n)); got != 2*50 { // each constraint is a path and `schema`
			t.Errorf("schema %d: got %d keys, want 50 constraints", n, got/2)
		}
		if got := keys(t, generate.Values(n)); got != 200 {
			t.Errorf("values %d: got %d keys, want 200", n, got)
		}
	}
	if len(texts) != generate.Schemas {
		t.Errorf("got %d distinct schemas, want %d", len(texts), generate.Schemas)
	}
}

// keys counts the keys of all maps of a YAML text.
func keys(t *testing.T, text string) int {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	var count func(n *yaml.Node) int
	count = func(n *yaml.Node) int {
		sum := 0
		if n.Kind == yaml.MappingNode {
			sum = len(n.Content) / 2
		}
		for _, child := range n.Content {
			sum += count(child)
		}
		return sum
	}
	return count(&document)
}

// Packs pass their check: the row is about packs that are right.
func TestPacksPass(t *testing.T) {
	var in bytes.Buffer
	if err := packList(2 * generate.Schemas)(&in); err != nil {
		t.Fatal(err)
	}
	check := func(list string) (string, error) {
		command := exec.Command(validatePackValues.file(programs))
		command.Stdin = strings.NewReader(list)
		out, err := command.Output()
		return string(out), err
	}
	if out, err := check(in.String()); err != nil || out != in.String() {
		t.Errorf("got %v, and a list that differs by %d bytes, want a pass without results", err, len(out)-in.Len())
	}
	unfit := strings.ReplaceAll(in.String(), "tag: 2.8.", "tag: v")
	if out, err := check(unfit); err == nil || !strings.Contains(out, "rule: values/format") {
		t.Errorf("got %v for packs that are wrong, want findings", err)
	}
}

// Rows with one baseline share their rounds, and the baseline comes first.
func TestSeries(t *testing.T) {
	a, b, c := run{program: "a"}, run{program: "b"}, run{program: "c"}
	got := series([]row{{runs: []run{a, b}}, {runs: []run{c, a}}, {}, {runs: []run{a, c, b}}})
	want := [][]run{{a, b, c}, {c, a}}
	if !slices.EqualFunc(got, want, slices.Equal[[]run]) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The peak of a program is its own, however much memory the benchmark has: three rows once
// showed that of the benchmark.
func TestPeak(t *testing.T) {
	ballast := bytes.Repeat([]byte("memory"), 30<<20)
	s, err := run{program: empty}.measure(programs)
	if err != nil {
		t.Fatal(err)
	}
	if s.peak <= 0 || s.peak > int64(len(ballast))/2 {
		t.Errorf("an empty program has a peak of %d bytes, beside %d of the benchmark", s.peak, len(ballast))
	}
	if s.cpu <= 0 {
		t.Errorf("an empty program took %v", s.cpu)
	}
}
