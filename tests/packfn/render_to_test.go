package packfn

import (
	"bytes"
	"encoding/json"
	"os"
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
		"Kptfile":            kptfileText + "pipeline:\n  mutators:\n  - exec: resolve-macros\n    configPath: macros.yaml\n",
		"macros.yaml":        "apiVersion: fn.kpt.dev/v1alpha1\nkind: ResolveMacros\nmetadata: {name: m, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {resources: [{kind: Deployment}]}\n",
		".krmignore":         "hidden.yaml\n",
		"hidden.yaml":        "a: [\n",
		"README.md":          "# p\n",
		"kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [b.yaml]\n",
		"comment.yaml":       "# nothing\n",
		"cluster.yaml":       "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\n  annotations: {config.kubernetes.io/local-config: \"true\"}\nspec:\n  variables: {A: x}\n",
		"b.yaml":             "# the first\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b}\nspec: {a: \"{{ .spectro.var.A }}\"}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: local, annotations: {config.kubernetes.io/local-config: \"true\"}}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: not-local, annotations: {config.kubernetes.io/local-config: \"false\"}}",
		"a.json":             `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}`,
		"sub/Kptfile":        kptfileText,
		"sub/z.yaml":         "apiVersion: v1\nkind: Namespace\nmetadata: {name: z}\n",
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

// A package goes elsewhere, as files or as a stream, and stays as it is.
func TestRenderTo(t *testing.T) {
	dir := deployed(t)
	before := tree(t, dir)
	deployable := []string{"v1 ConfigMap a", "apps/v1 Deployment b x", "v1 ConfigMap not-local", "v1 Namespace z"}

	got := packfn(t, filepath.Dir(dir), "render", "p", "--to", "-", "--deployable").want(t, 0, "0 errors, 0 warnings")
	if diff := cmp.Diff(deployable, namesOf(t, got.stdout)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(got.stdout, "# the first\n") {
		t.Errorf("the comment is lost:\n%s", got.stdout)
	}
	got = packfn(t, filepath.Dir(dir), "render", "p", "--to", "-").want(t, 0)
	if all := namesOf(t, got.stdout); len(all) != 10 || !slices.Contains(all, "kpt.dev/v1 Kptfile p") || !slices.Contains(all, "v1 ConfigMap local") {
		t.Errorf("got %q", all)
	}
	packfn(t, filepath.Dir(dir), "render", "p", "--to", "-", "--output", "report.json", "--format", "json").want(t, 0)
	if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "report.json")); err != nil {
		t.Error(err)
	}

	got = packfn(t, filepath.Dir(dir), "render", "p", "--to", "out/deploy", "--deployable").want(t, 0, "out/deploy: 3 files written")
	written := tree(t, filepath.Join(filepath.Dir(dir), "out"))
	if !strings.Contains(got.stdout, "0 errors") || len(written) != 3 || !slices.Equal(namesOf(t, written["deploy/b.yaml"]), deployable[1:3]) {
		t.Errorf("got %v", written)
	}
	packfn(t, filepath.Dir(dir), "render", "p", "--to", "all").want(t, 0)
	rendered := tree(t, filepath.Join(filepath.Dir(dir), "all"))
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the package has changed: %s", diff)
	}
	packfn(t, filepath.Dir(dir), "render", "p").want(t, 0)
	for name, text := range tree(t, dir) {
		isRead := name != "README.md" && name != ".krmignore" && name != "hidden.yaml"
		if other, ok := rendered[name]; ok != isRead || isRead && other != text {
			t.Errorf("%s is %q, want %q", name, other, text)
		}
	}
}

// If functions find errors, or a flag is wrong, nothing is printed or written.
func TestRenderToFails(t *testing.T) {
	dir := deployed(t)
	above := filepath.Dir(dir)
	write(t, filepath.Join(above, "full/x"), "")
	for _, tc := range []struct {
		args string
		word string
	}{
		{"p --deployable", "--deployable: want --to with a folder or -"},
		{"p p/sub --to -", "--to takes one package, got 2"},
		{"p --to p/out", "--to: p/out is in the package p"},
		{"p --to p", "--to: p is in the package p"},
		{"p --to full", "full is not empty"},
		{"p --to - --kpt", "--to is for packfn"},
		{"absent --to -", "absent"},
	} {
		if got := packfn(t, above, append([]string{"render"}, strings.Fields(tc.args)...)...).want(t, 2, tc.word); got.stdout != "" {
			t.Errorf("%s printed %s", tc.args, got.stdout)
		}
	}
	write(t, filepath.Join(dir, "b.yaml"), "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: b}\nspec: {a: \"{{ .spectro.var.B }}\"}\n")
	for _, to := range []string{"-", "out"} {
		got := packfn(t, above, "render", "p", "--to", to).want(t, 1, "p: nothing is written")
		if to == "-" && (got.stdout != "" || !strings.Contains(got.stderr, "[macro/unset]")) {
			t.Errorf("got %q and %q", got.stdout, got.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(above, "out")); err == nil {
		t.Error("the folder was written")
	}
	// A resource that a function does not read, and that cannot be read, is not deployed.
	write(t, filepath.Join(dir, "b.yaml"), "a: 1\n")
	write(t, filepath.Join(dir, "Kptfile"), strings.Replace(tree(t, dir)["Kptfile"], "configPath: macros.yaml\n", "configPath: macros.yaml\n    selectors: [{kind: ClusterContext}]\n", 1))
	if got := packfn(t, above, "render", "p", "--to", "-", "--deployable").want(t, 2, "b.yaml", "no apiVersion"); got.stdout != "" {
		t.Errorf("got %q", got.stdout)
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

// The report of a package that goes elsewhere has the fingerprints of its findings.
func TestRenderToReport(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n")
	write(t, filepath.Join(dir, "p/a.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  version: 1.0.0\n  values: |\n    port: 7\n  presets:\n  - {name: small, add: \"port: 5\\n\"}\n")
	got := packfn(t, dir, "render", "p", "--to", "out", "--format", "json").want(t, 0)
	var report struct {
		Findings []struct{ Rule, Fingerprint string }
	}
	if err := json.Unmarshal([]byte(got.stdout), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) != 1 || report.Findings[0].Fingerprint == "" {
		t.Errorf("got %+v", report.Findings)
	}
}
