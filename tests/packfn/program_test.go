package packfn

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
)

const emptyList = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
`

// Without arguments the kind of the functionConfig picks the function.
func TestByKind(t *testing.T) {
	for _, f := range suite.All() {
		input := emptyList + `functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ` + f.Kind + `
  metadata:
    name: x
`
		got, want := run(t, "", input, program), run(t, "", input, program, f.Name)
		if got != want {
			t.Errorf("%s: got %+v, want %+v", f.Name, got, want)
		}
	}
	set := emptyList + `functionConfig:
  apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata:
    name: x
`
	if got, want := run(t, "", set, program), run(t, "", set, program, "expand-variant-set"); got != want {
		t.Errorf("PackageVariantSet: got %+v, want %+v", got, want)
	}
	for name, tc := range map[string]struct {
		config string
		words  []string
	}{
		"none": {"", []string{"no functionConfig", "validate-pack-values"}},
		"ConfigMap": {`functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: x}
`, []string{"ConfigMap", "image", "resolve-macros"}},
		"misspelt": {
			`functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ResolveMacro
`,
			[]string{"ResolveMacro (fn.kpt.dev/v1alpha1)", `Did you mean "ResolveMacros"`},
		},
		"other kind": {`functionConfig:
  apiVersion: v1
  kind: Secret
`, []string{"Secret (v1)"}},
	} {
		got := run(t, "", emptyList+tc.config, program).want(t, 1, tc.words...)
		if got.stdout != emptyList+tc.config || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := run(t, "", "", program).want(t, 1, "standard input is empty"); got.stdout != "" {
		t.Errorf("empty input: %+v", got)
	}
}

// A link with the name of a function is the function.
func TestLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "resolve-macros")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, "", emptyList, link), run(t, "", emptyList, program, "resolve-macros"); got != want || got.exit != 0 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Every write error is one, also of what commands of the library print.
func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{
		{"--help"}, {"help", "check"}, {"check", "--help"}, {"--version"}, {"version"}, {"completion", "bash"}, {"list", "rules"}, {"explain", "values/format"},
		{"check", "../../examples/validate-pack-values-simple"}, {"check", "../../examples/validate-pack-values-failing"},
		{"apply-preset", "--help"}, {"apply-preset", "--version"}, {"apply-preset", "--doc"},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = full, &stderr
		if err := cmd.Run(); err == nil || !strings.Contains(stderr.String(), "no space left") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: got %v and %q", args, err, stderr.String())
		}
		full.Close()
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"help"}, {"version"}, {"completion", "bash"}, {"list", "rules"}} {
		if got := packfn(t, "", args...).want(t, 0); got.stdout == "" || got.stderr != "" {
			t.Errorf("%v: %+v", args, got)
		}
	}
	help := packfn(t, "", "--help").stdout
	for _, f := range suite.All() {
		if !strings.Contains(help, "  "+f.Name+" ") {
			t.Errorf("the help does not list %s", f.Name)
		}
	}
}

// Every rule of every function is listed. A test in functions/suite is about the
// meanings, which come from the READMEs.
func TestListRules(t *testing.T) {
	rows := map[string][]string{}
	for line := range strings.Lines(packfn(t, "", "list", "rules").stdout) {
		fields := strings.Fields(line)
		rows[fields[0]] = fields[1:]
	}
	for _, f := range suite.All() {
		for _, r := range f.Rules {
			row := rows[r.ID]
			if len(row) < 2 || row[0] != string(r.Severity) || !strings.Contains(row[1], f.Name) {
				t.Errorf("%s: got %v", r.ID, row)
			}
		}
	}
	if row := rows["config/invalid"]; len(row) < 3 || row[1] != "all" {
		t.Errorf("config/invalid: got %v", row)
	}
}
