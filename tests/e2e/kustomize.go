package e2e

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Kustomize builds an example with kustomize and says all that is not as expected. With All it builds twice: kustomize
// writes no package, so that both builds have the same input.
func (r Runner) Kustomize(kustomize Client, example *Example) error {
	temporary, pkg, err := copyOf(example)
	defer os.RemoveAll(temporary)
	if err != nil {
		return err
	}
	before, err := readTree(pkg)
	if err != nil {
		return err
	}
	var runs [2]execution
	for i := range runs {
		if i > 0 && !r.Update && !All() {
			runs[i] = runs[0]
			break
		}
		runs[i], err = execute(temporary, r.path(), kustomize.Path,
			"build", "--enable-alpha-plugins", "--enable-exec", example.Name)
		if err != nil {
			return err
		}
	}
	after, err := readTree(pkg)
	if err != nil {
		return err
	}

	var problems []error
	if changes := before.changes(after); changes != "" {
		problems = append(problems, fmt.Errorf("the build changes the package:\n%s", indent(changes)))
	}
	if runs[0] != runs[1] {
		problems = append(problems, fmt.Errorf("two builds differ: first\n%s%s\nthen\n%s%s",
			indent(runs[0].stdout), indent(runs[0].stderr), indent(runs[1].stdout), indent(runs[1].stderr)))
	}
	if r.Update {
		return errors.Join(append(problems, updateKustomize(example, runs[0]))...)
	}
	return errors.Join(append(problems, compareKustomize(example, runs[0]))...)
}

// functionLines returns the lines that functions print to stderr in a failing build: all lines
// except the error of kustomize itself about the function that failed.
func functionLines(stderr string) string {
	var lines []string
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "Error: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func compareKustomize(example *Example, run execution) error {
	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	same := func(file, got string) {
		if want := example.expected[file]; want != got {
			fail("not what %s/%s says: expected\n%s\ngot\n%s", expectedDir, file, indent(want), indent(got))
		}
	}
	if example.has(kustomizeStderrFile) {
		if run.exit != 1 {
			fail("kustomize exits %d, expected 1 as there is %s/%s", run.exit, expectedDir, kustomizeStderrFile)
		}
		same(kustomizeStderrFile, functionLines(run.stderr))
		if run.stdout != "" {
			fail("kustomize fails and prints\n%s", indent(run.stdout))
		}
		return errors.Join(problems...)
	}
	if run.exit != 0 {
		fail("kustomize exits %d, expected 0 as there is %s/%s\n%s", run.exit, expectedDir, kustomizeFile, indent(run.stderr))
	}
	same(kustomizeFile, run.stdout)
	if run.stderr != "" {
		fail("kustomize succeeds, but functions print\n%s", indent(run.stderr))
	}
	return errors.Join(problems...)
}

func updateKustomize(example *Example, run execution) error {
	if run.exit == 0 {
		return errors.Join(example.update(kustomizeFile, run.stdout), example.update(kustomizeStderrFile, ""))
	}
	lines := functionLines(run.stderr)
	if lines == "" {
		return fmt.Errorf("kustomize fails, and no function says why:\n%s", indent(run.stderr))
	}
	return errors.Join(example.update(kustomizeFile, ""), example.update(kustomizeStderrFile, lines))
}
