package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// allFunctions is the program that holds the other functions, and has no examples of its own.
const allFunctions = "packfn"

// Packfn runs an example with packfn render, twice, and says all that is not as expected. It is for examples that some
// versions of kpt cannot render.
func (r Runner) Packfn(example *Example) error {
	temporary, pkg, err := copyOf(example)
	defer os.RemoveAll(temporary)
	if err != nil {
		return err
	}
	git, err := watch(pkg, filepath.Join(temporary, "git"))
	if err != nil {
		return err
	}
	want, err := messagesOf(example.expected[resultsFile])
	if err != nil {
		return err
	}
	var problems []error
	for i := range 2 {
		done, err := execute(temporary, nil, filepath.Join(r.Bin, allFunctions), "render", example.Name, "--format", "json")
		if err != nil {
			return err
		}
		var report struct {
			Findings []struct{ Severity, Message, Rule string }
		}
		if err := json.Unmarshal([]byte(done.stdout), &report); err != nil {
			return fmt.Errorf("%s: %w\n%s", done.command, err, done.stderr)
		}
		var got []string
		for _, f := range report.Findings {
			got = append(got, fmt.Sprintf("%s: %s [%s]", f.Severity, f.Message, f.Rule))
		}
		if slices.Sort(got); done.exit != example.Config.ExitCode || !slices.Equal(want, got) {
			problems = append(problems, fmt.Errorf("run %d: exit code %d, expected %d, with\n%s\nexpected\n%s", i+1, done.exit, example.Config.ExitCode,
				indent(strings.Join(got, "\n")), indent(strings.Join(want, "\n"))))
		}
		patch, err := git.patch()
		if err != nil {
			return err
		}
		if !samePatch(example.expected[diffFile], patch) {
			problems = append(problems, fmt.Errorf("run %d: the package changes by\n%s\nexpected\n%s", i+1, indent(patch), indent(example.expected[diffFile])))
		}
	}
	return errors.Join(problems...)
}

// messagesOf returns the results in kpt's form as sorted lines, without those that packfn leaves out.
func messagesOf(results string) ([]string, error) {
	var list struct {
		Items []struct {
			Results []struct {
				Severity, Message string
				Tags              map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(results), &list); err != nil {
		return nil, fmt.Errorf("%s: %w", resultsFile, err)
	}
	var lines []string
	for _, item := range list.Items {
		for _, one := range item.Results {
			if one.Tags["rule"] != "nothing-to-do" {
				lines = append(lines, one.Severity+": "+one.Message)
			}
		}
	}
	slices.Sort(lines)
	return lines, nil
}
