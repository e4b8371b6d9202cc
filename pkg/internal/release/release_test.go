package release

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// A path of --set ends before an index of a list.
func TestSteps(t *testing.T) {
	for text, want := range map[string][]string{
		"a": {"a"}, "a.b": {"a", "b"}, `a\.b.c`: {"a.b", "c"}, "a[0].b": {"a"}, "a.b[1]": {"a", "b"}, "[0]": nil, `a\`: {`a\`}, "a..b": {"a", "", "b"}, "": {""},
	} {
		if got := steps(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"metadata: {name: web, namespace: apps}\n": "web", `  name: 'web'
  namespace:
`: "web", `{"name": "web"}`: "web", "name:\n  web\n": "web", "name": "", "rename": "", "name:": "", "names: [a]": "", `name: a
name: b`: "a b",
	} {
		var got []string
		Names(text, func(name string) { got = append(got, name) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestIsSame(t *testing.T) {
	for _, url := range []string{"https://github.com/example/platform", "https://user:token@GitHub.com/example/platform.git", "ssh://git@github.com:22/example/platform.git", "git@github.com:example/platform.git", "github.com:example/platform/"} {
		if !IsSame(url, "https://github.com/example/platform.git") {
			t.Errorf("%s is another repository", url)
		}
	}
	for _, url := range []string{"https://github.com/example/other", "https://gitlab.com/example/platform", "git@github.com:platform", "", "%zz"} {
		if IsSame(url, "https://github.com/example/platform.git") {
			t.Errorf("%s is the same repository", url)
		}
	}
}

// A version that is equal as text is found, or else the newest version that a range allows.
func TestNewest(t *testing.T) {
	all := []string{"1.0.0", "v1.2.0", "1.10.0", "2.0.0-rc.1", "latest", "1.0.0+build"}
	for wanted, want := range map[string]string{
		"1.0.0": "1.0.0", "v1.2.0": "v1.2.0", "1.2.0": "v1.2.0", "": "1.10.0", "1.x": "1.10.0", "~1.0": "1.0.0, 1.0.0+build", ">=2.0.0-0": "2.0.0-rc.1", "3.x": "", "latest": "latest", "main": "", "1.0.0_build": "1.0.0+build",
	} {
		if got := strings.Join(Newest(all, wanted, func(version string) string { return version }), ", "); got != want {
			t.Errorf("%q: got %s, want %s", wanted, got, want)
		}
	}
}

func TestPatchIsFor(t *testing.T) {
	for text, want := range map[string]bool{
		"{target: {kind: HelmRelease}}": true, "{target: {kind: Helm.*, name: w.b}}": true, "{target: {name: '('}}": true, "{target: {kind: ConfigMap}}": false, "{target: {name: we}}": false,
		"{patch: '{kind: HelmRelease, metadata: {name: web}}'}": true, "{patch: '{kind: ConfigMap, metadata: {name: web}}'}": false, "{patch: '[]'}": true, "{}": true,
	} {
		document, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if p := patchOf(document.Root()); p.isFor("HelmRelease", "web") != want {
			t.Errorf("%s: %+v", text, p)
		}
	}
}

// files are files in memory, in one repository.
type files map[string]string

func (f files) Values(name string) (*yaml.Node, *diag.Origin, error) {
	text, ok := f[strings.TrimPrefix(name, "/repo/")]
	if !ok {
		return nil, nil, os.ErrNotExist
	}
	document, err := values.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	return document.Root(), &diag.Origin{Resource: diag.Resource{File: name}, Field: "data", Embedded: true}, nil
}

func (f files) Root(url string) (string, bool) { return "/repo", url != "https://elsewhere" }

func (f files) ChartFile(_ *Chart, name string) (*yaml.Node, error) {
	root, _, err := f.Values("chart/" + name)
	return root, err
}

func (f files) OnDisk(r diag.Resource) string { return filepath.Join("/repo", r.File) }

func load(text string, f files) []*Release {
	l := &Loader{Files: f, Items: list.FileItems([]byte(text), "a.yaml"), Kustomizations: map[string]*Kustomization{}}
	if document, err := values.Parse(f["kustomization.yaml"]); err == nil {
		l.Kustomizations["/repo"] = ReadKustomization("/repo/kustomization.yaml", document)
	}
	return l.Load()
}

// A release has its name in Helm, its namespace and its chart.
func TestLoad(t *testing.T) {
	const flux = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec: `
	const argo = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: `
	for text, want := range map[string]string{
		flux + "{chart: {spec: {chart: web, version: 1.x}}}":                                                                           "web apps web 1.x",
		flux + "{releaseName: r, targetNamespace: n, chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: r}}}}": "r n charts/web",
		flux + "{targetNamespace: n, chart: {spec: {chart: web}}}":                                                                     "n-web n web",
		flux + "{chart: {spec: {chart: '${chart}'}}}":                                                                                  "web apps ${chart}: Flux replaces a part of the chart's name or version later",
		flux + "{}": "web apps : it names no chart, and no HelmRelease that it patches is among the files",
		argo + "{destination: {namespace: n}, source: {chart: web, targetRevision: 1.0.0, helm: {releaseName: r}}}": "r n web 1.0.0",
		argo + "{source: {path: web, repoURL: 'https://elsewhere'}}":                                                "",
		argo + "{source: {path: web}}":                                          "web  web",
		argo + "{source: {path: manifests}}":                                    "",
		argo + "{source: {chart: old}, sources: [{chart: web}, {ref: values}]}": "web  web",
	} {
		var got []string
		for _, r := range load(text, files{"web/Chart.yaml": "name: web"}) {
			line := r.As + " " + r.Namespace + " " + r.Chart.String()
			if r.Chart.Why != "" {
				line += ": " + r.Chart.Why
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// Any text is read without a panic, and a release has a place and layers that are maps.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		`apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web}
spec: {chart: {spec: {chart: web, valuesFiles: [a]}}, valuesFrom: [{kind: Secret, name: s, targetPath: a.b}], values: {a: 1}}
---
kind: Secret
metadata: {name: s}
data: {values.yaml: YTogMQ==}`,
		`apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
spec: {template: {spec: {sources: [{chart: web, helm: {valueFiles: [$a/b], parameters: [{name: a, value: b}], values: 'a: b', valuesObject: {a: b}}}, {ref: a}]}}}`,
		`apiVersion: builtin
kind: HelmChartInflationGenerator
name: web
valuesInline: {a: b}
`,
		`apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
spec: {path: ./, patches: [{patch: a}]}`,
	} {
		f.Add(seed, `helmCharts: [{name: web, valuesFile: a, valuesInline: {a: b}, additionalValuesFiles: [b]}]
patches: [{path: a}, {patch: b}]
resources: [a.yaml, .]
configMapGenerator: [{name: c, files: [a=b]}]`, "a: 1")
	}
	f.Fuzz(func(t *testing.T, text, kustomization, file string) {
		for _, r := range load(text, files{"kustomization.yaml": kustomization, "a": file, "chart/a": file, "chart/values.yaml": file}) {
			if r.Where.Origin == nil || r.Kind == "" {
				t.Errorf("%+v has no place", r)
			}
			for _, layer := range r.Layers {
				if layer.Root == nil || layer.Root.Kind != yaml.MappingNode || layer.Origin == nil {
					t.Errorf("%s has the layer %+v", r, layer)
				}
			}
		}
	})
}

// Paths and URLs of any text are read without a panic, and a URL is the same as itself.
func FuzzPath(f *testing.F) {
	f.Add(`a.b\.c[0].d`, "git@github.com:a/b.git")
	f.Fuzz(func(t *testing.T, path, url string) {
		steps(path)
		if !IsSame(url, url) {
			t.Errorf("%q is not the same repository as itself", url)
		}
	})
}
