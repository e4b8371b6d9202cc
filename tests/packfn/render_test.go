package packfn

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/tests/e2e"
	"github.com/krm-packs/functions/tests/packfn/shuffle"
)

// kpts are the pinned kpt, and the one on PATH when it is another one. path has the
// folders with the functions for them.
var kpts = sync.OnceValues(func() (found struct {
	clients []e2e.Client
	path    string
}, err error) {
	tools, err := e2e.BuildTools(root)
	if err != nil {
		return found, err
	}
	if found.clients, err = e2e.Clients("kpt", tools); err != nil {
		return found, err
	}
	shuffle, err := e2e.Build(root, "shuffle", root, "./tests/packfn/shuffle/shuffle")
	found.path = strings.Join([]string{filepath.Dir(program), shuffle, os.Getenv("PATH")}, string(os.PathListSeparator))
	return found, err
})

// renderer renders the package in a folder, and returns its exit code and the results.
type renderer func(t *testing.T, dir string) (exit int, results kptResults)

// kptRenderer renders by kpt.
func kptRenderer(client e2e.Client) renderer {
	return func(t *testing.T, dir string) (int, kptResults) { return kptRender(t, client, dir) }
}

// byExpectations makes of an example what tests/e2e expects of kpt.
func byExpectations(example *e2e.Example) renderer {
	return func(t *testing.T, dir string) (exit int, results kptResults) {
		expected := filepath.Join(example.Dir, ".expected")
		text, err := os.ReadFile(filepath.Join(expected, "results.yaml"))
		if err == nil {
			err = yaml.Unmarshal(text, &results)
		}
		if err != nil {
			t.Fatal(err)
		}
		patch := filepath.Join(expected, "diff.patch")
		if _, err := os.Stat(patch); err == nil {
			apply := exec.Command("git", "apply", "--whitespace=nowarn", patch)
			apply.Dir, apply.Env = dir, append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
			if out, err := apply.CombinedOutput(); err != nil {
				t.Fatalf("git apply: %v\n%s", err, out)
			}
		}
		return example.Config.ExitCode, results
	}
}

// kptRender renders a package by kpt, and returns its exit code and the results.
func kptRender(t *testing.T, client e2e.Client, dir string) (exit int, results kptResults) {
	t.Helper()
	found, err := kpts()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cmd := exec.Command(client.Path, "fn", "render", dir, "--allow-exec", "--results-dir", folder)
	cmd.Env = append(os.Environ(), "PATH="+found.path)
	output, err := cmd.CombinedOutput()
	if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "results.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &results)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if testing.Verbose() && cmd.ProcessState.ExitCode() != 0 {
		t.Logf("%s", output)
	}
	return cmd.ProcessState.ExitCode(), results
}

type kptResults struct {
	Items []kptRun
}

type kptRun struct {
	Image, Exec string
	ExitCode    int `yaml:"exitCode"`
	Results     []any
}

// packfnRender renders a package in this process, and writes it as the command does.
func packfnRender(t *testing.T, dir string) (*packfntest.Rendered, error) {
	t.Helper()
	return renderWith(t, dir, packfntest.RenderOptions{Functions: append(suite.All(), shuffle.Function())})
}

// renderPrograms is [packfnRender] with all functions as programs, as if the suite had none.
func renderPrograms(t *testing.T, dir string) (*packfntest.Rendered, error) {
	t.Helper()
	found, err := kpts()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", found.path)
	return renderWith(t, dir, packfntest.RenderOptions{Programs: &packfntest.Programs{Allowed: true}})
}

func renderWith(t *testing.T, dir string, options packfntest.RenderOptions) (*packfntest.Rendered, error) {
	t.Helper()
	tree, err := packfntest.Load(dir)
	if err != nil {
		return nil, err
	}
	result, err := tree.Render(options)
	if err != nil || result.Failed {
		return result, err
	}
	var area packfntest.Area
	return result, area.Write(t.Context(), tree.Changes(result.Items))
}

// runsOf returns what ran, in the form of kpt's results, up to the first failure: kpt
// does not run the validators after it.
func runsOf(t *testing.T, result *packfntest.Rendered) []kptRun {
	t.Helper()
	var runs []kptRun
	for _, r := range result.Runs {
		if r.Field == "" {
			continue // it checks the Kptfile, which kpt does not
		}
		run := kptRun{Image: r.Entry.Image, Exec: r.Entry.Exec}
		text, err := yaml.Marshal(r.Results())
		if err == nil {
			err = yaml.Unmarshal(text, &run.Results)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(run.Results) == 0 {
			run.Results = nil
		}
		for _, one := range run.Results {
			// The pinned kpt gives a validator its functionConfig without the file; kpt 1.0 takes
			// that from among the resources.
			if fields, ok := one.(map[string]any); ok && !r.Mutator && r.Entry.ConfigPath != "" {
				if file, ok := fields["file"].(map[string]any); ok && file["path"] == r.Entry.ConfigPath {
					delete(fields, "file")
				}
			}
		}
		if r.Failed {
			run.ExitCode = 1
			return append(runs, run)
		}
		runs = append(runs, run)
	}
	return runs
}

// compareRenders renders copies of a package by kpt and by packfn, and compares results
// and files. A second render is to change nothing.
func compareRenders(t *testing.T, kpt renderer, source string) {
	t.Helper()
	byPackfn, after := compareOnce(t, kpt, source)
	if after == nil || after["Kptfile"] != tree(t, source)["Kptfile"] {
		return // the next render runs what was added
	}
	if _, err := packfnRender(t, byPackfn); err != nil {
		t.Errorf("the second render: %v", err)
	}
	if diff := cmp.Diff(after, tree(t, byPackfn)); diff != "" {
		t.Errorf("the second render changes\n%s", diff)
	}
}

// compareOnce compares one render of a package by kpt and by packfn. It returns the folder
// that packfn rendered with its files, nil when the render fails.
func compareOnce(t *testing.T, kpt renderer, source string) (dir string, files map[string]string) {
	t.Helper()
	byKpt, byPackfn := filepath.Join(t.TempDir(), "pkg"), filepath.Join(t.TempDir(), "pkg")
	for _, dir := range []string{byKpt, byPackfn} {
		if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
			t.Fatal(err)
		}
	}
	exit, results := kpt(t, byKpt)
	comparePrograms(t, source, byKpt, exit)
	result, err := packfnRender(t, byPackfn)
	if (exit != 0) != (err != nil || result.Failed) {
		t.Fatalf("kpt exits with %d; packfn: error %v, %+v", exit, err, result)
	}
	before, after := tree(t, source), tree(t, byPackfn)
	if exit != 0 {
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("packfn writes although it fails:\n%s", diff)
		}
	}
	if err != nil {
		if last := len(results.Items) - 1; last >= 0 && len(results.Items[last].Results) > 0 && results.Items[last].ExitCode != 0 {
			t.Errorf("kpt runs a function that fails: %+v; packfn says %v", results.Items, err)
		}
		return byPackfn, nil
	}
	if diff := cmp.Diff(results.Items, runsOf(t, result)); diff != "" {
		t.Errorf("results (-kpt +packfn):\n%s", diff)
	}
	if exit != 0 {
		return byPackfn, nil
	}
	compareRendered(t, byKpt, byPackfn)
	return byPackfn, after
}

// comparePrograms renders a copy of a package that kpt has rendered with the functions as programs, and
// compares the files.
func comparePrograms(t *testing.T, source, byKpt string, exit int) {
	t.Helper()
	byPrograms := filepath.Join(t.TempDir(), "pkg")
	if err := os.CopyFS(byPrograms, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	result, err := renderPrograms(t, byPrograms)
	if (exit != 0) != (err != nil || result.Failed) {
		t.Errorf("programs: kpt exits with %d; packfn: error %v, %+v", exit, err, result)
	} else if exit == 0 {
		compareRendered(t, byKpt, byPrograms)
	}
}

// compareRendered compares the files that kpt and packfn have rendered.
func compareRendered(t *testing.T, byKpt, byPackfn string) {
	t.Helper()
	want, after := tree(t, byKpt), tree(t, byPackfn)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(after))); diff != "" {
		t.Errorf("files (-kpt +packfn):\n%s", diff)
	}
	for name, text := range after {
		if wanted, got := documents(t, name, want[name]), documents(t, name, text); !cmp.Equal(wanted, got) {
			t.Errorf("%s (-kpt +packfn):\n%s", name, cmp.Diff(wanted, got))
		}
	}
}

// documents returns the content of a file.
func documents(t *testing.T, name, text string) []any {
	t.Helper()
	if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" && ext != ".json" && filepath.Base(name) != "Kptfile" {
		return []any{text}
	}
	var all []any
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var one any
		if err := decoder.Decode(&one); err != nil {
			return all
		}
		if one != nil {
			all = append(all, one)
		}
	}
}

// Each example comes out as kpt renders it: by default as tests/e2e expects of kpt, with
// TEST_ALL by kpt.
func TestRenderExamples(t *testing.T) {
	examples, err := e2e.Examples(filepath.Join(root, "examples"))
	if err != nil {
		t.Fatal(err)
	}
	for _, example := range examples {
		if err := example.Load(false); err != nil {
			t.Fatal(err)
		}
		if field := example.Config.KptField; field != "" {
			t.Logf("%s: tests/e2e renders it, because the pinned kpt may not know the field %s", example.Name, field)
			continue
		}
		if !e2e.All() && example.Config.TestType == "render" {
			t.Run(example.Name, func(t *testing.T) { compareRenders(t, byExpectations(&example), example.Dir) })
			continue
		}
		found, err := kpts()
		if err != nil {
			t.Fatal(err)
		}
		t.Run(example.Name, func(t *testing.T) { compareRenders(t, kptRenderer(found.clients[0]), example.Dir) })
	}
}

const (
	kptfileHead = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: x
`
	large = `apiVersion: fn.kpt.dev/v1alpha1
kind: ApplyPreset
metadata:
  name: large
spec:
  presets:
  - {pack: %s, name: large}
`
)

// packOf returns a pack with a value that presets and macros change.
func packOf(name, labels string) string {
	return `# the pack ` + name + `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name:   ` + name + `   # kept as it is
  labels: {` + labels + `}
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  version:    1.0.0

  values: |
    replicas: 1   # how many
    host: "{{ .spectro.system.cluster.name }}.example.com"
  schema: |
    replicas:
      schema: '{{ required | format "${number:[1-5]}" }}'
  presets:
  - {name: large, add: "replicas: 5\n"}
  - {name: huge, add: "replicas: 9\n"}
`
}

const clusterContext = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {system: {cluster: {name: %s}}}
`

// Packages with all that a pipeline may have come out as kpt renders them.
func TestRenderPipelines(t *testing.T) {
	pipeline := func(text string) string { return kptfileHead + "pipeline:\n" + text }
	context := func(name string) string { return strings.ReplaceAll(clusterContext, "%s", name) }
	nested := map[string]string{
		"Kptfile": pipeline(`  mutators:
  - exec: apply-preset
    configMap: {a: large, b: large, c: large}
  validators:
  - exec: validate-pack-values
`),
		"a.yaml": packOf("a", ""),
		"sub/Kptfile": pipeline(`  mutators:
  - exec: apply-preset
    configMap: {b: huge}
`),
		"sub/b.yaml": packOf("b", "") + "---\n# only a comment\n---\n" + context("sub"),
		"sub/deep/Kptfile": pipeline(`  mutators:
  - exec: resolve-macros
    configMap: {system.cluster.name: deep}
  validators:
  - exec: validate-pack-values
`),
		"sub/deep/c.yaml": packOf("c", ""),
		"sub-2/Kptfile": pipeline(`  mutators:
  - exec: resolve-macros
    configMap: {system.cluster.name: two}
`),
		"sub-2/d.yaml": packOf("d", ""),
		"plain/e.yaml": packOf("e", ""),
	}
	failing := maps.Clone(nested)
	failing["sub/Kptfile"] = pipeline(`  mutators:
  - exec: apply-preset
    configMap: {b: huge}
  validators:
  - exec: validate-pack-values
`)
	two := func(first, second string) map[string]string {
		return map[string]string{
			"Kptfile": pipeline("  mutators:\n" + first + second),
			"a.yaml":  packOf("a", "tier: front") + "---\n" + packOf("b", "tier: back"),
			"c.yaml":  context("x"),
		}
	}
	mutated := map[string]string{
		"Kptfile": pipeline(`  mutators:
  - exec: inject-config
    configPath: inject.yaml
  - exec: apply-preset
    configPath: preset.yaml
`),
		"inject.yaml": `apiVersion: fn.kpt.dev/v1alpha1
kind: InjectConfig
metadata:
  name: i
spec:
  packageVariant:
    metadata: {name: v}
    spec:
      upstream: {repo: a, package: b, revision: v1}
      downstream: {repo: a, package: c}
      injectors:
      - {kind: ConfigMap, name: sizes}
  objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: sizes}, data: {a: large}}
`,
		"preset.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: preset
  annotations:
    kpt.dev/config-injection: required
data:
  a: nothing
`,
		"a.yaml": packOf("a", ""),
	}
	ignored := map[string]string{
		"Kptfile": pipeline(`  mutators:
  - exec: resolve-macros
    configMap: {system.cluster.name: x}
`),
		".krmignore":         "*.skip.yaml\n/docs\n",
		"a.yaml":             packOf("a", ""),
		"b.skip.yaml":        packOf("b", ""),
		"docs/c.yaml":        packOf("c", ""),
		"kustomization.yaml": "resources: [a.yaml]\n",
		"c.json":             `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "j"}}`,
		"notes.txt":          "x",
	}
	ignoredPackage := map[string]string{
		"Kptfile": pipeline(`  mutators:
  - exec: resolve-macros
    configMap: {system.cluster.name: x}
`),
		".krmignore":     "sub\n",
		"a.yaml":         packOf("a", ""),
		"sub/Kptfile":    kptfileHead,
		"sub/b.yaml":     packOf("b", ""),
		"sub/.krmignore": "c.yaml\n",
		"sub/c.yaml":     packOf("c", ""),
	}
	for name, files := range map[string]map[string]string{
		"an ignored subpackage": ignoredPackage,
		"nested":                nested,
		"a subpackage fails":    failing,
		"selectors by name": two(`  - exec: resolve-macros
    configMap: {system.cluster.name: x}
    selectors:
    - {kind: Pack, name: b}
`, ""),
		"selectors by label": two(`  - exec: resolve-macros
    configMap: {system.cluster.name: x}
    selectors:
    - {labels: {tier: front}}
    - {apiVersion: v1}
`, ""),
		"exclude": two(`  - exec: resolve-macros
    configMap: {system.cluster.name: x}
    exclude:
    - {name: a}
    - {}
`, ""),
		"exclude by annotation": two(`  - exec: resolve-macros
    configMap: {system.cluster.name: x}
    exclude:
    - {kind: Pack, annotations: {config.kubernetes.io/local-config: "true"}}
`, ""),
		"two selectors": two(`  - exec: resolve-macros
    selectors:
    - {name: a}
    - {kind: Pack}
`, ""),
		"packfn and its function": two(`  - exec: packfn resolve-macros
    configMap: {system.cluster.name: y}
`, `  - exec: "'apply-preset'"
    configMap: {a: large}
`),
		"packfn alone": {
			"Kptfile": pipeline(`  mutators:
  - {exec: packfn, configPath: large.yaml}
`),
			"large.yaml": strings.ReplaceAll(large, "%s", "a"),
			"a.yaml":     packOf("a", ""),
		},
		"two new resources of a file": two(`  - exec: shuffle
    configMap: {add: new, path: new.yaml}
`, `  - exec: shuffle
    configMap: {add: other, path: new.yaml}
`),
		"a path out of the package": two(`  - exec: shuffle
    configMap: {add: new, path: ../new.yaml}
`, ""),
		"numbers in a configMap": two(`  - exec: resolve-macros
    configMap: {system.cluster.name: 7, missing: keep}
`, ""),
		"a functionConfig is mutated": mutated,
		"ignored files":               ignored,
		"a functionConfig is not there": two(`  - exec: resolve-macros
    configPath: absent.yaml
`, ""),
		"a functionConfig of two": two(`  - exec: resolve-macros
    configPath: a.yaml
`, ""),
		"a functionConfig in a folder": {
			"Kptfile": pipeline(`  mutators:
  - {exec: apply-preset, configPath: ./fn/large.yaml}
`),
			"fn/large.yaml": strings.ReplaceAll(large, "%s", "a"),
			"a.yaml":        packOf("a", ""),
		},
		"a resource without a name": {
			"Kptfile": pipeline(`  validators:
  - exec: validate-pack-values
`),
			"a.yaml": `apiVersion: v1
kind: ConfigMap
`,
		},
		"that a selector hides": {
			"Kptfile": pipeline(`  validators:
  - exec: validate-pack-values
    selectors: [{kind: Pack}]
`),
			"a.yaml": `apiVersion: v1
kind: ConfigMap
`,
			"b.yaml": packOf("b", ""),
		},
		"without a pipeline": {"Kptfile": kptfileHead, "a.yaml": packOf("a", "")},
		"without a pipeline and a name": {
			"Kptfile": kptfileHead,
			"a.yaml": `apiVersion: v1
kind: ConfigMap
`,
		},
		"severity of an error is lowered": {
			"Kptfile": pipeline(`  mutators:
  - exec: resolve-macros
    configMap: {system.cluster.name: x}
  - exec: apply-preset
    configMap: {a: larg, severity: preset/unknown=warning}
`),
			"a.yaml": packOf("a", ""),
		},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := kpts()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for file, text := range files {
				write(t, filepath.Join(dir, file), text)
			}
			for i, client := range found.clients {
				if i > 0 && !e2e.All() {
					break
				}
				compareRenders(t, kptRenderer(client), dir)
			}
		})
	}
}
