package porchcluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// preview is what `packfn fleet` says.
type preview struct {
	Packages []struct {
		Repo, Package, Outcome string
		Findings               []int
	}
	Findings []struct {
		Finding struct{ Rule, Severity string }
	}
	Sets []struct{ Rule string } // what is found about the sets
	dir  string
}

// says reports whether there is a finding of a rule about the sets.
func (p preview) says(rule string) bool {
	return slices.ContainsFunc(p.Sets, func(f struct{ Rule string }) bool { return f.Rule == rule })
}

// outcome is the outcome for a repository, and the rules of its errors, sorted.
func (p preview) outcome(repository string) (outcome string, rules []string) {
	for _, made := range p.Packages {
		if made.Repo != repository {
			continue
		}
		outcome = made.Outcome
		for _, i := range made.Findings {
			if f := p.Findings[i].Finding; f.Severity == "error" {
				rules = append(rules, f.Rule)
			}
		}
	}
	slices.Sort(rules)
	return outcome, slices.Compact(rules)
}

// deployable is the outcome of a package without errors.
const deployable = "can be deployed"

// files are the files that packfn makes for a package of a repository.
func (p preview) files(t *testing.T, repository, name string) map[string]string {
	t.Helper()
	files, err := ReadFolder(filepath.Join(p.dir, repository, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// preview runs `packfn fleet` over the files of the scenario, with all versions of the
// upstream package.
func (s *scenario) preview(flags ...string) preview {
	s.Helper()
	out := filepath.Join(s.TempDir(), "out")
	arguments := append([]string{"fleet", "--set", s.set, "--like", "porch", "--format", "json", "--to", out}, flags...)
	for version, dir := range s.upstreams {
		arguments = append(arguments, "--upstream", Blueprints+"/platform@"+version+"="+dir)
	}
	command := exec.Command(filepath.Join(functions(s.T), "packfn"), arguments...)
	var said bytes.Buffer
	command.Stderr = &said
	text, err := command.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		s.Fatalf("packfn %s: %v\n%s", strings.Join(arguments, " "), err, said.String())
	}
	p := preview{dir: out}
	if err := json.Unmarshal(text, &p); err != nil {
		s.Fatalf("packfn %s: %v\n%s%s", strings.Join(arguments, " "), err, text, said.String())
	}
	return p
}
