package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// errUnknownField is returned if a version of kpt rejects the field of the Kptfile that an
// example is about.
var errUnknownField = errors.New("this kpt does not know the field")

// Runner runs examples and compares them with their expectations.
type Runner struct {
	Bin    string // the folder with the functions
	Update bool   // write the expectations in place of comparing with them
}

// path is the environment in which clients find the functions by their bare names.
func (r Runner) path() []string {
	return []string{"PATH=" + r.Bin + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// copyOf is a copy of the example to run in: the temporary folder, to be removed by the caller, and the package in it.
func copyOf(example *Example) (temporary, pkg string, err error) {
	if temporary, err = os.MkdirTemp("", "e2e-"); err != nil {
		return "", "", err
	}
	pkg = filepath.Join(temporary, example.Name)
	return temporary, pkg, os.CopyFS(pkg, os.DirFS(example.Dir))
}

// All reports whether the tests do everything: what a run by default leaves out, because something else shows it, too.
func All() bool { return os.Getenv("TEST_ALL") != "" }

// Kpt runs an example with kpt, twice, and says all that is not as expected. The second run is left out by default when
// the first one changes nothing: its input is the same.
func (r Runner) Kpt(kpt Client, example *Example) error {
	temporary, pkg, err := copyOf(example)
	defer os.RemoveAll(temporary)
	if err != nil {
		return err
	}
	git, err := watch(pkg, filepath.Join(temporary, "git"))
	if err != nil {
		return err
	}

	first, err := r.kptOnce(kpt, example, temporary, "results-1")
	if err != nil {
		return err
	}
	patch, err := git.patch()
	if err != nil {
		return err
	}
	between, err := readTree(pkg)
	if err != nil {
		return err
	}
	second := first
	if patch != "" || example.has(resultsAgainFile) || r.Update || All() {
		if second, err = r.kptOnce(kpt, example, temporary, "results-2"); err != nil {
			return err
		}
	}
	after, err := readTree(pkg)
	if err != nil {
		return err
	}

	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	for i, run := range []kptRun{first, second} {
		if run.exit != example.Config.ExitCode {
			fail("run %d: exit code %d, expected %d (exitCode in %s/%s)\n%s", i+1, run.exit, example.Config.ExitCode,
				expectedDir, configFile, indent(run.stderr))
		}
		if !strings.Contains(run.stderr, example.Config.StdErr) {
			fail("run %d: kpt does not print %q, but\n%s", i+1, example.Config.StdErr, indent(run.stderr))
		}
		if strings.Contains(run.results, temporary) {
			fail("run %d: the results show an absolute path of the machine\n%s", i+1, indent(run.results))
		}
	}
	if changes := between.changes(after); changes != "" {
		fail("the second run is not without effect:\n%s", indent(changes))
	}
	if r.Update {
		return errors.Join(append(problems, r.updateKpt(example, first.results, second.results, patch))...)
	}
	return errors.Join(append(problems, compareKpt(example, first.results, second.results, patch))...)
}

// kptRun is one run of kpt, with the content of the results file that it left.
type kptRun struct {
	execution
	results string
}

func (r Runner) kptOnce(kpt Client, example *Example, temporary, results string) (kptRun, error) {
	done, err := execute(temporary, r.path(), kpt.Path, example.Config.arguments(example.Name, results)...)
	if err != nil {
		return kptRun{}, err
	}
	content, err := os.ReadFile(filepath.Join(temporary, results, "results.yaml"))
	if field := example.Config.KptField; err != nil && field != "" && strings.Contains(done.stderr, "field "+field+" not found") {
		return kptRun{}, fmt.Errorf("%w: %s", errUnknownField, field)
	}
	if err != nil {
		return kptRun{}, fmt.Errorf("kpt left no results\n%s\nexit %d\n%s%s", done.command, done.exit, done.stdout, done.stderr)
	}
	return kptRun{done, string(content)}, nil
}

func compareKpt(example *Example, first, second, patch string) error {
	var problems []error
	results := []struct{ when, want, got, file string }{
		{"first", example.expected[resultsFile], first, resultsFile},
		{"second", example.expected[resultsFile], second, resultsFile},
	}
	if example.has(resultsAgainFile) {
		results[1].want, results[1].file = example.expected[resultsAgainFile], resultsAgainFile
	}
	for _, run := range results {
		different, err := differentResults(run.want, run.got)
		if err != nil {
			problems = append(problems, err)
		} else if different != "" {
			problems = append(problems, fmt.Errorf("the results of the %s run are not those of %s/%s (- expected, + got):\n%s",
				run.when, expectedDir, run.file, indent(different)))
		}
	}
	if !samePatch(example.expected[diffFile], patch) {
		problems = append(problems, fmt.Errorf("the package does not change as %s/%s says: expected\n%s\ngot\n%s",
			expectedDir, diffFile, indent(example.expected[diffFile]), indent(patch)))
	}
	return errors.Join(problems...)
}

// updateKpt writes the expectations for kpt. Those that hold stay as they are, with their comments.
func (r Runner) updateKpt(example *Example, first, second, patch string) error {
	var problems []error
	write := func(file, content string) { problems = append(problems, example.update(file, content)) }
	if different, err := differentResults(example.expected[resultsFile], first); err != nil || different != "" {
		write(resultsFile, first)
	}
	if different, err := differentResults(first, second); err != nil {
		problems = append(problems, err)
	} else if different == "" {
		write(resultsAgainFile, "")
	} else {
		write(resultsAgainFile, second)
	}
	write(diffFile, patch)
	return errors.Join(problems...)
}
