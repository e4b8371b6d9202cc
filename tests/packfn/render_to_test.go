package packfn

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// deployed is a package with resources for a cluster and others.
func deployed(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "p")
	for name, text := range map[string]string{
		"Kptfile": kptfileText + `pipeline:
  mutators:
  - exec: resolve-macros
    configPath: macros.yaml
`,
		"macros.yaml": `apiVersion: fn.kpt.dev/v1alpha1
kind: ResolveMacros
metadata: {name: m, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {resources: [{kind: Deployment}]}
`,
		".krmignore":  "hidden.yaml\n",
		"hidden.yaml": "a: [\n",
		"README.md":   "# p\n",
		"kustomization.yaml": `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [b.yaml]
`,
		"comment.yaml": "# nothing\n",
		"cluster.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  variables: {A: x}
`,
		"b.yaml": `# the first
apiVersion: apps/v1
kind: Deployment
metadata: {name: b}
spec: {a: "{{ .spectro.var.A }}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: local, annotations: {config.kubernetes.io/local-config: "true"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: not-local, annotations: {config.kubernetes.io/local-config: "false"}}`,
		"a.json":      `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}`,
		"sub/Kptfile": kptfileText,
		"sub/z.yaml": `apiVersion: v1
kind: Namespace
metadata: {name: z}
`,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// namesOf are the kinds and names of the documents of a stream.
func namesOf(t *testing.T, stream string) []string {
	t.Helper()
	names := []string{}
	for d := yaml.NewDecoder(strings.NewReader(stream)); ; {
		var one struct {
			APIVersion string `yaml:"apiVersion"`
			Kind       string
			Metadata   struct{ Name string }
			Spec       struct{ A string }
		}
		if err := d.Decode(&one); err != nil {
			if err.Error() != "EOF" {
				t.Errorf("%v in\n%s", err, stream)
			}
			return names
		}
		names = append(names, strings.TrimSpace(one.APIVersion+" "+one.Kind+" "+one.Metadata.Name+" "+one.Spec.A))
	}
}

// The plugin of docs/argocd.md keeps the contract of Argo CD's plugins: the command runs in
// the folder of the application, without input, with the variables of Argo CD and no others,
// in a copy of the repository without .git. Standard output is the manifests, and a failure is
// an exit code with its reason on standard error.
func TestArgoCDPlugin(t *testing.T) {
	_, text, _ := strings.Cut(string(readRoot(t, "docs/argocd.md")), "```yaml file=plugin.yaml\n")
	text, _, _ = strings.Cut(text, "```")
	var plugin struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       struct {
			Generate struct{ Command, Args []string }
			Discover struct {
				FileName string `yaml:"fileName"`
			}
		}
	}
	readYAML(t, []byte(text), &plugin)
	command := slices.Concat(plugin.Spec.Generate.Command, plugin.Spec.Generate.Args)
	if plugin.APIVersion != "argoproj.io/v1alpha1" || plugin.Kind != "ConfigManagementPlugin" || plugin.Metadata.Name == "" || len(command) == 0 || command[0] != filepath.Base(program) {
		t.Fatalf("got %+v", plugin)
	}
	dir := deployed(t)
	if found, err := filepath.Glob(filepath.Join(dir, plugin.Spec.Discover.FileName)); err != nil || len(found) != 1 {
		t.Errorf("the plugin does not discover the package: %v, %v", found, err)
	}
	if found, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), plugin.Spec.Discover.FileName)); len(found) != 0 {
		t.Errorf("the plugin discovers a folder without a Kptfile: %v", found)
	}
	generate := func() (stdout, stderr string, exit int) {
		var out, notes bytes.Buffer
		cmd := exec.Command(program, command[1:]...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &notes // no Stdin: the null device
		cmd.Env = []string{"ARGOCD_APP_NAME=p", "ARGOCD_APP_NAMESPACE=p", "ARGOCD_APP_SOURCE_PATH=p", "ARGOCD_ENV_FOO=bar", `ARGOCD_APP_PARAMETERS=[{"name": "a", "string": "b"}]`, "PARAM_A=b", "KUBE_VERSION=1.33.0"}
		cmd.Run()
		return out.String(), notes.String(), cmd.ProcessState.ExitCode()
	}
	before := tree(t, dir)
	stdout, stderr, exit := generate()
	if want := []string{"v1 ConfigMap a", "apps/v1 Deployment b x", "v1 ConfigMap not-local", "v1 Namespace z"}; exit != 0 || !slices.Equal(namesOf(t, stdout), want) {
		t.Errorf("exit code %d:\n%s%s", exit, stdout, stderr)
	}
	if again, _, _ := generate(); again != stdout {
		t.Error("the second run prints something else")
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the package has changed: %s", diff)
	}
	write(t, filepath.Join(dir, "b.yaml"), strings.Replace(before["b.yaml"], "var.A", "var.B", 1))
	if stdout, stderr, exit = generate(); exit != 1 || stdout != "" || !strings.Contains(stderr, "b.yaml") || !strings.Contains(stderr, "[macro/unset]") {
		t.Errorf("exit code %d:\n%s%s", exit, stdout, stderr)
	}
}
