package check

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/schema"
)

const (
	clusterNamed = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: %s}
spec: {system: {kubernetes: {version: 1.31.0}}}
`
	foreignKptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
  validators:
  - image: ghcr.io/kptdev/krm-functions-catalog/kubeconform:v0.1.1
`
	requesting = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: web, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  version: 1.0.0
  constraints: {resources: [{type: cpu, minLimit: 500}]}
  values: {a: 1}
`
)

// Each way of not checking something is recorded with its reason, its place and a way out.
func TestSkipped(t *testing.T) {
	for name, tc := range map[string]struct {
		files   map[string]string
		options Options
		want    []string
	}{
		"functions of other suites": {
			map[string]string{"Kptfile": foreignKptfile, "web.yaml": packNamed("web")}, Options{Rendered: true},
			[]string{
				"function Kptfile:6 : pipeline.mutators[0]: set-namespace does not run here: what it changes is checked as it is without it",
				"function Kptfile:8 : pipeline.validators[0]: kubeconform does not run here: what it finds is not known",
			},
		},
		"a kustomization that changes packs": {
			map[string]string{"kustomization.yaml": `resources: [web.yaml]
namePrefix: dev-
`, "web.yaml": packNamed("web")}, Options{},
			[]string{"function kustomization.yaml:0 : not applied: namePrefix"},
		},
		"a base that was not given": {
			map[string]string{"kustomization.yaml": "resources: [../base, web.yaml, https://example.com/a.yaml]\n", "web.yaml": packNamed("web")}, Options{},
			[]string{"outside kustomization.yaml:0 : not read: ../base, which is outside of ", "outside kustomization.yaml:0 : not read: https://example.com/a.yaml, which is an address"},
		},
		"content that is injected later": {
			map[string]string{"Kptfile": kptfileHead, "cluster.yaml": strings.Replace(strings.Replace(fmt.Sprintf(clusterNamed, "c"), "{name: c}", `{name: c, annotations: {kpt.dev/config-injection: required}}`, 1), "spec: {system: {kubernetes: {version: 1.31.0}}}\n", "", 1), "web.yaml": requesting}, Options{},
			[]string{"waiting cluster.yaml:3 ClusterContext c: is pending"},
		},
		"no ClusterContext": {
			map[string]string{"web.yaml": requesting}, Options{},
			[]string{"facts web.yaml:1 Pack web: no ClusterContext is among the files of web"},
		},
		"several ClusterContexts": {
			map[string]string{"a.yaml": fmt.Sprintf(clusterNamed, "a"), "b.yaml": fmt.Sprintf(clusterNamed, "b"), "web.yaml": packNamed("web")}, Options{},
			[]string{"facts .:0 : 2 ClusterContexts are outside of packages here"},
		},
		"a package that kpt refuses": {
			map[string]string{"Kptfile": kptfileHead + "pipeline: {mutators: [{image: example.com/resolve-macros:v1}]}\n", "web.yaml": packNamed("web"), "broken.yaml": "a: 1\n"}, Options{Rendered: true},
			[]string{"mutator Kptfile:0 : the mutators do not run: "},
		},
		"policies without Interfaces": {
			map[string]string{"p.yaml": `interface:
  rules:
  - interface: {path: cap.interface.queue.install}
    oneOf: [{implementationConstraints: {}}]
`}, Options{},
			[]string{"outside p.yaml:1 Policy"},
		},
		"packs of a profile": {
			map[string]string{"profile.json": `{"metadata": {"name": "p"}, "spec": {"version": "1.0.0", "template": {"type": "add-on", "packs": [{"name": "a", "tag": "1.0.0", "values": "port: 1"}]}}}`}, Options{},
			[]string{"outside profile.json:0 : no source has a 1.0.0"},
		},
		"nothing": {map[string]string{"web.yaml": packNamed("web")}, Options{}, nil},
	} {
		dir := folderOf(t, tc.files)
		tc.options.Root = dir
		tc.options.Functions = []function.Function{schema.Function(), dependency.Function(), capacity.Function(), macro.Function(), policy.Function()}
		r, err := Run([]string{dir}, tc.options)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := skippedIn(r)
		if len(got) != len(tc.want) {
			t.Errorf("%s: got\n%s", name, strings.Join(got, "\n"))
			continue
		}
		for i, want := range tc.want {
			if !strings.HasPrefix(got[i], want) {
				t.Errorf("%s: got %s, want %s", name, got[i], want)
			}
		}
	}
}

// What belongs to files that were not read is no error about the files that were.
func TestPartial(t *testing.T) {
	const override = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
spec: {packRef: {name: web}, values: {a: 1}}
`
	for _, resource := range []string{"../base", "https://example.com/base"} {
		dir := folderOf(t, map[string]string{"kustomization.yaml": "resources: [" + resource + ", o.yaml]\n", "o.yaml": override})
		r, err := Run([]string{dir}, Options{Functions: []function.Function{schema.Function()}, Root: dir})
		if err != nil || r.Failed() || len(r.Skipped) != 1 || r.Skipped[0].Reason != report.Outside {
			t.Errorf("%s: got %v, %+v, %v", resource, r.Findings, r.Skipped, err)
		}
	}
	dir := folderOf(t, map[string]string{"kustomization.yaml": "resources: [o.yaml]\n", "o.yaml": override})
	if r, err := Run([]string{dir}, Options{Functions: []function.Function{schema.Function()}, Root: dir}); err != nil || !r.Failed() {
		t.Errorf("a whole kustomization: got %v, %v", r.Findings, err)
	}
}

// The report counts what was checked in each unit, or contains the reason why nothing was.
func TestCoverage(t *testing.T) {
	override := `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
spec: {packRef: {name: web}, values: {a: 1}}
`
	for name, tc := range map[string]struct {
		files map[string]string
		paths []string
		want  string
	}{
		"a package and a file":     {map[string]string{"p/Kptfile": kptfileHead, "p/a.yaml": packNamed("web"), "p/o.yaml": override, "c.yaml": fmt.Sprintf(clusterNamed, "c")}, nil, "Checked 1 pack, 1 override and 1 cluster in .; p: 1 pack and 1 override; .: 1 cluster"},
		"several paths":            {map[string]string{"a.yaml": packNamed("a"), "b.yaml": packNamed("b")}, []string{"a.yaml", "b.yaml"}, "Checked 2 packs; .: 2 packs"},
		"shared files count once":  {map[string]string{"a.yaml": packNamed("web"), "x/o.yaml": override, "y/o.yaml": override}, nil, "Checked 1 pack and 2 overrides in .; x: 1 pack and 1 override; y: 1 override"},
		"shared charts count once": {map[string]string{"web/pack.json": `{"name": "web", "version": "1.0.0", "layer": "addon", "charts": ["charts/web.tgz"]}`, "web/values.yaml": "a: 1\n", "x/o.yaml": override, "y/o.yaml": override}, nil, "Checked 1 pack, 2 overrides and 1 chart in .; web: 1 pack and 1 chart; x: 1 override; y: 1 override"},
		"a bundle directory": {map[string]string{"b/manifests/a.yaml": `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: a.v1.0.0}
spec: {version: 1.0.0}
`, "b/metadata/annotations.yaml": "annotations: {operators.operatorframework.io.bundle.package.v1: a}\n"}, nil, "Checked 1 bundle in .; b: 1 bundle"},
		"a catalog": {map[string]string{"c.yaml": bundleNamed("red", "") + bundleNamed("blue", "")}, nil, "Checked 2 bundles in .; c.yaml: 2 bundles"},
		"nothing that a check has": {map[string]string{"d.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
`}, []string{"d.yaml"}, "Checked nothing: no check reads the kind Deployment"},
		"a package without packs": {map[string]string{"Kptfile": kptfileHead, "d.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
`}, nil, "Checked nothing: no check reads the kind Deployment"},
		"a folder named twice": {map[string]string{"x/e.json": "[]"}, []string{"x", "../%DIR%/x"}, "Checked nothing: 1 file outside of packages without a resource that packfn reads; --verbose lists them"},
		"files without resources": {map[string]string{"d.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
`, "e.json": "[]"}, nil, "Checked nothing: 2 files outside of packages without a resource that packfn reads; --verbose lists them"},
	} {
		dir := folderOf(t, tc.files)
		t.Chdir(dir)
		paths := tc.paths
		if paths == nil {
			paths = []string{"."}
		}
		for i := range paths {
			paths[i] = strings.ReplaceAll(paths[i], "%DIR%", filepath.Base(dir))
		}
		r, err := Run(paths, Options{Functions: []function.Function{schema.Function(), dependency.Function()}, Root: dir})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, _, _ := strings.Cut(r.Coverage(), ". Not checked")
		for _, u := range r.Units {
			got += "; " + u.Path + ": " + u.Checked.String()
		}
		if got != tc.want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// A file that no check reads, and a setting without effect, are infos. With Verbose that is each file.
func TestInputs(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"p/Kptfile": kptfileHead, "p/web.yaml": packNamed("web"), "presets.yaml": "presets: [{name: a, group: g}]\n",
		"d.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
`,
	})
	for _, isVerbose := range []bool{false, true} {
		options := Options{Functions: []function.Function{schema.Function()}, Root: dir, Files: Files{Verbose: isVerbose}}
		options.Excluded = func(name string, isDir bool) bool { return strings.HasSuffix(name, "web.yaml") }
		r, err := Run([]string{dir}, options)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range r.Findings {
			if f.Rule == rule.InputNotRead.ID || f.Rule == rule.ConfigNoEffect.ID {
				got = append(got, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule, f.File, f.Message))
			}
		}
		want := []string{
			"info config/no-effect p/web.yaml: the file is not excluded, because kpt reads it. Add it to the .krmignore of its package",
			"info input/not-read presets.yaml: no check reads this file, which is the presets.yaml of a pack. Name the directory of the pack, or add the pack to a package with packfn import DIRECTORY --to PACKAGE",
		}
		if isVerbose {
			want = slices.Insert(want, 0, "info input/not-read d.yaml: not checked: it has no resource that packfn reads")
		}
		if !slices.Equal(got, want) {
			t.Errorf("verbose %t: got\n%s", isVerbose, strings.Join(got, "\n"))
		}
	}
}

// The annotations of a resource outside of packages say nothing about its file.
func TestPlaceOfAnnotated(t *testing.T) {
	dir := folderOf(t, map[string]string{"a.yaml": `# moved
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: a
  annotations: {internal.config.kubernetes.io/package-path: package, internal.config.kubernetes.io/path: b.yaml}
spec: {version: 1.0.0, values: {a: 1}, schema: {a: {schema: '{{ format "${number:[2-3]}" }}'}}}
`})
	r, err := Run([]string{dir}, Options{Functions: []function.Function{schema.Function()}, Root: dir})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].File != "a.yaml" || r.Findings[0].Line != 7 {
		t.Errorf("got %+v, %v", r.Findings, err)
	}
}
