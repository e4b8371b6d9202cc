package packfn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/krm-packs/functions/build"
	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/packfn/reporttest"
	"github.com/krm-packs/functions/tests/e2e"
)

var (
	root    string
	program string
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if root, err = filepath.Abs("../.."); err == nil {
			err = e2e.Watch(root)
		}
		var bin string
		if err == nil {
			bin, _, err = e2e.BuildFunctions(root)
		}
		program = filepath.Join(bin, "packfn")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return functiontest.Main(m, "packfn")
	}())
}

// outcome is what a run of a program left.
type outcome struct {
	stdout, stderr string
	exit           int
}

// packfn runs a command of packfn in a folder: in this process, which is cheaper than a
// process for each of hundreds of runs. Functions and --version are what main does itself.
func packfn(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	if isOfMain := func(f function.Function) bool { return f.Name == args[0] }; args[0] == "--version" || slices.ContainsFunc(suite.All(), isOfMain) {
		return run(t, dir, "", program, args...)
	}
	return runIn(t, dir, args...)
}

// mainOf runs a command of packfn in the working directory.
func mainOf(stdout, stderr io.Writer, args ...string) int {
	return cli.Main(suiteProgram(), args, strings.NewReader(""), stdout, stderr)
}

// suiteProgram is what main gives to packfn.
func suiteProgram() cli.Program {
	return cli.Program{Functions: suite.All(), Docs: functions.Docs, Schemas: build.Schemas(), Self: []string{program}}
}

// runIn runs a command of packfn in a folder, in this process.
func runIn(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	before, err := os.Getwd()
	if err == nil && dir != "" {
		err = os.Chdir(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := os.Chdir(before); err != nil {
			t.Fatal(err)
		}
	}()
	var stdout, stderr bytes.Buffer
	exit := mainOf(&stdout, &stderr, args...)
	if slices.Contains(args, "sarif") && strings.HasPrefix(stdout.String(), "{") {
		reporttest.SARIF(t, strings.Join(args, " "), stdout.String())
	}
	return outcome{stdout.String(), stderr.String(), exit}
}

func run(t *testing.T, dir, input, name string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// want fails the test unless a run ended with an exit code and printed words to
// standard error.
func (o outcome) want(t *testing.T, exit int, words ...string) outcome {
	t.Helper()
	if o.exit != exit {
		t.Errorf("exit code %d, want %d\n%s%s", o.exit, exit, o.stdout, o.stderr)
	}
	for _, word := range words {
		if !strings.Contains(o.stderr, word) {
			t.Errorf("standard error does not have %q:\n%s", word, o.stderr)
		}
	}
	return o
}

// tree is the files of a folder with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// testPack returns the path of a pack in testdata.
func testPack(name string) string { return filepath.Join(root, "tests/packfn/testdata/packs", name) }

// packs returns the pack directories at hand: those of testdata, and some of the public ones, or all with TEST_ALL.
func packs(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(testPack("*"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no packs in testdata: %v", err)
	}
	corpus := os.Getenv("PACK_CORPUS")
	if corpus == "" {
		t.Log("PACK_CORPUS is not set: only the packs in testdata are used")
		return found
	}
	public, err := filepath.Glob(filepath.Join(corpus, "packs/*/pack.json"))
	if err == nil && len(public) == 0 {
		public, err = filepath.Glob(filepath.Join(corpus, "*/pack.json"))
	}
	if err != nil || len(public) == 0 {
		t.Fatalf("PACK_CORPUS names %s, which has no packs: %v", corpus, err)
	}
	const every = 3
	for i, path := range public {
		if e2e.All() || i%every == 0 {
			found = append(found, filepath.Dir(path))
		}
	}
	return found
}

// kpt returns the kpt on PATH, or else the pinned one.
var kpt = sync.OnceValues(func() (string, error) {
	if path, err := exec.LookPath("kpt"); err == nil {
		return path, nil
	}
	bin, err := e2e.BuildTools(root)
	return filepath.Join(bin, "kpt"), err
})

// kptCat runs the function that changes nothing, by kpt.
func kptCat(t *testing.T, dir string) {
	t.Helper()
	path, err := kpt()
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, "", path, "fn", "eval", ".", "--exec", "cat").want(t, 0)
}
