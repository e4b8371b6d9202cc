package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files is a folder as a table: contents by path. An empty content removes the file.
type files map[string]string

func (f files) write(t *testing.T, dir string) {
	t.Helper()
	for name, content := range f {
		path := filepath.Join(dir, name)
		if content == "" {
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// painting is an example that holds: the fake function paints a resource blue.
var painting = files{
	".krmignore": ".expected\n",
	"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: painting
pipeline:
  mutators:
    - exec: fake
`,
	"config-map.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: wall
data:
  paint: red
`,
	"kustomization.yaml": `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- config-map.yaml
transformers:
- |-
  apiVersion: fn.kpt.dev/v1alpha1
  kind: Fake
  metadata:
    name: fake
    annotations:
      config.kubernetes.io/function: |
        exec:
          path: fake
`,
	".expected/results.yaml": `# The order of keys and comments do not count.
kind: FunctionResultList
apiVersion: kpt.dev/v1
metadata: {name: fnresults}
exitCode: 0
items:
- exec: fake
  exitCode: 0
  results:
  - severity: info
    message: painted
`,
	".expected/results-again.yaml": `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 0
items:
  - exec: fake
    exitCode: 0
`,
	".expected/diff.patch": `diff --git a/config-map.yaml b/config-map.yaml
index 0c0f31c..b7034d9 100644
--- a/config-map.yaml
+++ b/config-map.yaml
@@ -3,4 +3,4 @@ kind: ConfigMap
 metadata:
   name: wall
 data:
-  paint: red
+  paint: blue
`,
	".expected/kustomize.yaml": `apiVersion: v1
data:
  paint: blue
kind: ConfigMap
metadata:
  name: wall
`,
}

// forbidding makes painting an example that fails.
var forbidding = files{
	"config-map.yaml": strings.Replace(painting["config-map.yaml"], "paint: red", "forbidden: true", 1),
	".expected/config.yaml": `exitCode: 1
stdErr: "[error]: this is forbidden [fake/forbidden]"
`,
	".expected/results.yaml": `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 1
items:
  - exec: fake
    stderr: |
      this is forbidden [fake/forbidden]
    exitCode: 1
    results:
      - message: this is forbidden [fake/forbidden]
        severity: error
`,
	".expected/results-again.yaml": "",
	".expected/diff.patch":         "",
	".expected/kustomize.yaml":     "",
	".expected/kustomize.stderr":   "this is forbidden [fake/forbidden]\n",
}

// TestRunner checks that the runner passes what holds and fails what does not.
func TestRunner(t *testing.T) {
	// change replaces a text in one of painting's files.
	change := func(file, from, to string) files {
		if !strings.Contains(painting[file], from) {
			t.Fatalf("%s has no %q", file, from)
		}
		return files{file: strings.Replace(painting[file], from, to, 1)}
	}
	tests := map[string]struct {
		change []files
		want   string // a text in the problem; empty when there is none
	}{
		"as expected":       {},
		"fails as expected": {change: []files{forbidding}},
		"eval as expected": {change: []files{{".expected/config.yaml": `testType: eval
exec: fake
args: {b: '2', a: '1'}
flags: [--match-kind=ConfigMap]
`}}},
		"no expectations": {[]files{{".expected": ""}}, "an example needs a folder .expected"},
		"no results":      {[]files{{".expected/results.yaml": ""}}, "results.yaml is missing"},
		"wrong result":    {[]files{change(".expected/results.yaml", "painted", "sprayed")}, "the results of the first run are not those"},
		"a result too many": {
			[]files{change(".expected/results.yaml", "painted\n", `painted
  - {message: dried, severity: info}
`)},
			"the results of the first run are not those",
		},
		"results are not YAML":    {[]files{change(".expected/results.yaml", "severity: info", "\tseverity")}, "are not YAML"},
		"wrong second result":     {[]files{{".expected/results-again.yaml": ""}}, "the results of the second run are not those"},
		"change not expected":     {[]files{{".expected/diff.patch": ""}}, "the package does not change as"},
		"another change expected": {[]files{change(".expected/diff.patch", "+  paint: blue", "+  paint: green")}, "the package does not change as"},
		"empty patch":             {[]files{{".expected/diff.patch": "\n"}}, "diff.patch is empty"},
		"failure not expected":    {[]files{forbidding, {".expected/config.yaml": ""}}, "exit code 1, expected 0"},
		"success not expected":    {[]files{{".expected/config.yaml": "exitCode: 1\n"}}, "exit code 0, expected 1"},
		"not the text on the console": {
			[]files{
				forbidding,
				{".expected/config.yaml": `exitCode: 1
stdErr: this is allowed
`},
			},
			`does not print "this is allowed"`,
		},
		"second run changes":            {[]files{change("config-map.yaml", "paint: red", "grow: x")}, "the second run is not without effect"},
		"unknown field":                 {[]files{{".expected/config.yaml": "exitcode: 1\n"}}, "field exitcode not found"},
		"unknown test type":             {[]files{{".expected/config.yaml": "testType: apply\n"}}, "neither render nor eval"},
		"eval of nothing":               {[]files{{".expected/config.yaml": "testType: eval\n"}}, "needs exec"},
		"exec with render":              {[]files{{".expected/config.yaml": "exec: fake\n"}}, "are for testType eval"},
		"impossible exit code":          {[]files{{".expected/config.yaml": "exitCode: 2\n"}}, "kpt exits 0 or 1"},
		"unknown file":                  {[]files{{".expected/result.yaml": "a: b\n"}}, "result.yaml: unknown file"},
		"expectations are resources":    {[]files{{".krmignore": ""}}, ".krmignore does not list .expected"},
		"no such function":              {[]files{change("Kptfile", "exec: fake", "exec: no-such-function")}, "exit code 1, expected 0"},
		"no Kptfile":                    {[]files{{"Kptfile": ""}}, "kpt left no results"},
		"nothing expected of kustomize": {[]files{{".expected/kustomize.yaml": ""}}, "neither kustomize.yaml nor kustomize.stderr"},
		"both expected of kustomize":    {[]files{{".expected/kustomize.stderr": "boom\n"}}, "cannot succeed and fail"},
		"no kustomization":              {[]files{{"kustomization.yaml": ""}}, "has no kustomization: remove"},
		"wrong build":                   {[]files{change(".expected/kustomize.yaml", "blue", "green")}, "not what .expected/kustomize.yaml says"},
		"build fails":                   {[]files{forbidding, {".expected/kustomize.stderr": "", ".expected/kustomize.yaml": "a: b\n"}}, "kustomize exits 1, expected 0"},
		"build does not fail":           {[]files{{".expected/kustomize.yaml": "", ".expected/kustomize.stderr": "boom\n"}}, "kustomize exits 0, expected 1"},
		"build fails otherwise":         {[]files{forbidding, {".expected/kustomize.stderr": "that is forbidden\n"}}, "not what .expected/kustomize.stderr says"},
	}
	bin, err := fake()
	if err != nil {
		t.Fatal(err)
	}
	kpt, kustomize := pinned(t)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			example := Example{Name: "fake-painting", Dir: filepath.Join(t.TempDir(), "fake-painting")}
			painting.write(t, example.Dir)
			for _, change := range test.change {
				change.write(t, example.Dir)
			}
			before, err := readTree(example.Dir)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := check(Runner{Bin: bin}, kpt, kustomize, &example); err != nil {
				got = err.Error()
			}
			if test.want == "" && got != "" {
				t.Errorf("unexpected: %s", got)
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("want a problem with %q, got %q", test.want, got)
			}
			after, err := readTree(example.Dir)
			if err != nil {
				t.Fatal(err)
			}
			if changes := before.changes(after); changes != "" {
				t.Errorf("the run has changed the example itself:\n%s", changes)
			}
		})
	}
}

// check does what TestExamples does with one example.
func check(runner Runner, kpt, kustomize Client, example *Example) error {
	if err := example.Load(runner.Update); err != nil {
		return err
	}
	if err := runner.Kpt(kpt, example); err != nil {
		return err
	}
	if !example.Kustomization {
		return nil
	}
	return runner.Kustomize(kustomize, example)
}

// TestUpdate checks that the expectations that an update writes hold, and are those that a person would write.
func TestUpdate(t *testing.T) {
	bin, err := fake()
	if err != nil {
		t.Fatal(err)
	}
	kpt, kustomize := pinned(t)
	tests := map[string][]files{
		"from nothing":           {{".expected": ""}},
		"from stale ones":        {{".expected/diff.patch": "stale\n", ".expected/kustomize.stderr": "stale\n", ".expected/results.yaml": "a: b\n"}},
		"from those that hold":   {},
		"from those of success":  {forbidding, {".expected/diff.patch": "stale\n", ".expected/kustomize.yaml": "stale\n"}},
		"without results at all": {forbidding, {".expected/results.yaml": "", ".expected/kustomize.stderr": ""}},
	}
	for name, changes := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			example := Example{Name: "fake-painting", Dir: filepath.Join(t.TempDir(), "fake-painting")}
			painting.write(t, example.Dir)
			for _, change := range changes {
				change.write(t, example.Dir)
			}
			if err := check(Runner{Bin: bin, Update: true}, kpt, kustomize, &example); err != nil {
				t.Fatalf("update: %v", err)
			}
			if err := check(Runner{Bin: bin}, kpt, kustomize, &example); err != nil {
				t.Errorf("after the update: %v", err)
			}
		})
	}
}

// TestNothingToRun checks that a run over nothing is not a success.
func TestNothingToRun(t *testing.T) {
	if examples, err := Examples(t.TempDir()); err == nil {
		t.Errorf("no error for a folder without examples, but %v", examples)
	}
	if _, err := Examples(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("no error for a folder that does not exist")
	}
	if names, err := Functions(t.TempDir()); err == nil {
		t.Errorf("no error for a repository without functions, but %v", names)
	}
}
