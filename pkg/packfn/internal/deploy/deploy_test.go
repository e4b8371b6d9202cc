package deploy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// TestMain is also the process that renders charts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	os.Exit(functiontest.Main(m, "packfn/deploy"))
}

// write writes files, each after its name, into a folder.
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(files[i+1]), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// render renders a pack directory with the chart web, which the files make.
func render(t *testing.T, cluster Cluster, files ...string) *Rendered {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "pack.json", `{"name": "shop", "version": "1.0.0", "charts": ["charts/web"]}`, "values.yaml", "", "charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n")
	write(t, dir, files...)
	return renderDir(t, dir, cluster)
}

func renderDir(t *testing.T, dir string, cluster Cluster) *Rendered {
	t.Helper()
	read, err := packdir.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := transfer.Load(read.Item().Text(), "pack.json")
	if err != nil {
		t.Fatal(err)
	}
	d := Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}, Charts: &chart.Run{}, Suffixes: true}
	defer d.Renderer.Close()
	out, err := d.Render(p, dir, cluster)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// said are the findings in short.
func said(r *Rendered) (all []string) {
	for i := range r.Findings {
		f := &r.Findings[i]
		functiontest.Note(f.Rule.ID, f.Message())
		all = append(all, fmt.Sprintf("%s %s:%d:%d %s", f.Rule.ID, f.Origin.Name, f.Position.Line, f.Position.Column, f.Message()))
	}
	return all
}

func TestRender(t *testing.T) {
	r := render(t, Cluster{Kubernetes: "1.24.3", APIs: []string{"x.io/v1", "x.io/v1/A"}},
		"values.yaml", "pack: {namespace: shop-system, releaseNameOverride: {web: front}}\nbase: &base {a: yes, b: 010}\ncharts:\n  web:\n    <<: *base\n    c: \"yes\"\n    none: null\n    list: [1, {x: '{{ .spectro.var.HOST }}'}]\n",
		"charts/web/values.yaml", "none: 1\nd: 2\n",
		"charts/web/.helmignore", "# comment\nignored.yaml\n", "charts/web/templates/ignored.yaml", "{{ fail \"ignored\" }}", "charts/web/templates/.hidden.yaml", "{{ fail \"hidden\" }}",
		"charts/web/templates/a.yaml", "kind: A\nvalues: {{ .Values | toJson }}\nrelease: {{ .Release.Name }}/{{ .Release.Namespace }}\nhas: {{ .Capabilities.APIVersions.Has \"x.io/v1/A\" }} {{ .Capabilities.KubeVersion.Version }}\n")
	want := []Manifest{{Source: "web/templates/a.yaml", Text: `kind: A
values: {"a":true,"b":8,"c":"yes","d":2,"list":[1,{"x":"{{ .spectro.var.HOST }}"}]}
release: front/shop-system
has: true v1.24.3
`}}
	if diff := cmp.Diff(want, r.Manifests); diff != "" {
		t.Error(diff)
	}
	if got := said(r); len(got) > 0 || r.Macros != 1 {
		t.Errorf("%d macros, %v", r.Macros, got)
	}
}

// A manifest with values below manifests.NAME is a template, another one is taken as it is,
// and one that is absent or fails does not hide the others.
func TestManifests(t *testing.T) {
	r := render(t, Cluster{},
		"pack.json", "{\"name\": \"shop\", \"version\": \"1.0.0\", \"kubeManifests\": [\n\"manifests/vip.yaml\",\n\"manifests/absent.yaml\", \"manifests/plain.yaml\", \"manifests/bad.yaml\", \"../out.yaml\"]}",
		"values.yaml", "manifests:\n  vip:\n    namespace: vips\n  bad:\n    a: topsecret-text\n",
		"manifests/vip.yaml", "kind: A\nmetadata: {namespace: {{ .Values.namespace }}}\n---\nkind: B\n",
		"manifests/plain.yaml", "kind: C\ntext: '{{ `x` }} {{ valueOrDefault .X }}'\n",
		"manifests/bad.yaml", "kind: D\n{{ fail .Values.a }}\n")
	var got []string
	for _, m := range r.Manifests {
		got = append(got, m.Source+" "+m.Text)
	}
	want := []string{"manifests/vip.yaml kind: A\nmetadata: {namespace: vips}\n", "manifests/vip.yaml kind: B\n", "manifests/plain.yaml kind: C\ntext: '{{ `x` }} {{ valueOrDefault .X }}'\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for i, part := range []string{"pack/missing-file pack.json:3:1", "values/chart-fails values.yaml:5:5 manifests.bad.a", "pack/missing-file pack.json:3:"} {
		if got := said(r); len(got) != 3 || !strings.HasPrefix(got[i], part) || strings.Contains(got[i], "topsecret") {
			t.Errorf("%q: %q", part, got)
		}
	}
}

// A value that many templates ask for is reported once, and other failures each.
// What the charts or the directory have is published, and all else may be a secret.
// A value that is run as a template is not shown, not even a part of it.
// Subcharts have their values below their alias.
// What a chart asks of a cluster, and values with macros, make a failure unsure.
func TestVersion(t *testing.T) {
	files := []string{"charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\nkubeVersion: '>=1.30.0-0'\n", "charts/web/templates/a.yaml", "kind: A\n"}
	if r := render(t, Cluster{Kubernetes: "1.29.9"}, files...); len(r.Findings) != 1 || r.Findings[0].Rule != rule.ValuesChartVersion {
		t.Errorf("%q", said(r))
	}
	for _, kubernetes := range []string{"", "1.30.2-eks.1"} {
		if r := render(t, Cluster{Kubernetes: kubernetes}, files...); len(r.Findings) > 0 || len(r.Manifests) != 1 {
			t.Errorf("%q: %q", kubernetes, said(r))
		}
	}
}

func TestImages(t *testing.T) {
	r := render(t, Cluster{}, "charts/web/templates/a.yaml", `
kind: Deployment
metadata: {name: web, namespace: n}
spec: {template: {spec: {
  initContainers: [{name: init, image: busybox}],
  containers: [{name: web, image: "example.com/web:1.0"}, {name: again, image: "example.com/web:1.0"}, {name: none}]}}}
---
kind: CronJob
metadata: {name: job}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: j, image: job@sha256:abc}]}}}}}
---
kind: Prometheus
metadata: {name: p}
spec: {image: "quay.io/prometheus/prometheus:v2", other: {image: ubuntu, a.image: "a.io/b:1", x: [{image: "a/b"}]}}
---
kind: ConfigMap
metadata: {name: c}
data: {image: "a.io/b:1"}
---
kind: Pod
metadata: {name: test, annotations: {helm.sh/hook: test}}
spec: {containers: [{name: t, image: "test:1"}]}
---
kind: Job
metadata: {name: hook, annotations: {helm.sh/hook: pre-install}}
spec: {template: {spec: {containers: [{name: h, image: "hook:1"}]}}}
---
kind: List
items: &all [{containers: [{image: "alias:1"}]}]
---
kind: Pod
metadata: {name: shared}
spec: {containers: &c [{name: s, image: shared}], initContainers: *c, ephemeralContainers: [{name: e, image: debug}], other: [[{image: "a/b:1"}, {image: "http://a/b:1"}, {image: "a/b:1 c"}, {image: "a/b"}]], containers2: [{image: c}]}
`)
	var got []string
	for _, i := range r.Images() {
		got = append(got, strings.Join([]string{i.Image, i.Workload(), i.Container + i.Setting}, " "))
	}
	slices.Sort(got)
	want := []string{"a/b:1 Pod/shared ", "alias:1 List/ ", "busybox Deployment/web init", "debug Pod/shared e", "example.com/web:1.0 Deployment/web again", "example.com/web:1.0 Deployment/web web", "hook:1 Job/hook h", "job@sha256:abc CronJob/job j", "quay.io/prometheus/prometheus:v2 Prometheus/p ", "shared Pod/shared s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%q", diff, said(r))
	}
}

// A failure has the place of the value in the layer that has it, not in layers that are
// replaced, and that of the chart if no layer has it.
// Texts that may be secrets are hidden as they are, encoded, quoted, and line by line.
// brief keeps the first 1,000 characters of a message, on one line.
func (noRun) Items() []*list.Item { return nil }

// What packs and the cluster bring along is known to charts.
func TestAPIs(t *testing.T) {
	var c Cluster
	document, err := values.Parse("- {type: olm.gvk, value: {group: a.io, version: v1, kind: A}}\n- {type: olm.gvk, value: {version: v2, kind: B}}\n- {type: olm.gvk, value: {group: c.io, version: v3}}\n- {type: olm.gvk, value: {group: d.io, kind: D}}\n- {type: other, value: {group: e.io, version: v1, kind: E}}\n")
	if err != nil {
		t.Fatal(err)
	}
	c.addAPIs(document.Root().Content)
	if diff := cmp.Diff([]string{"a.io/v1", "a.io/v1/A", "v2", "v2/B", "c.io/v3"}, c.APIs); diff != "" {
		t.Error(diff)
	}
	property := "{type: olm.gvk, value: {group: a.io, version: v1, kind: A}}"
	for name, tc := range map[string]struct {
		texts []string
		want  []string
	}{
		"a list":      {[]string{"[" + property + "]"}, []string{"a.io/v1", "a.io/v1/A"}},
		"a field":     {[]string{"properties: [" + property + "]"}, []string{"a.io/v1", "a.io/v1/A"}},
		"twice":       {[]string{"[{type: olm.gvk, value: {version: z}}]", "[" + property + ", " + property + "]", "[" + property + "]"}, []string{"a.io/v1", "a.io/v1/A", "z"}},
		"no list":     {[]string{"properties: {a: 1}", "1", ""}, nil},
		"no YAML":     {[]string{"[", "[" + property + "]"}, []string{"a.io/v1", "a.io/v1/A"}},
		"no property": {nil, nil},
	} {
		packs := []*pack.Pack{{}}
		for _, text := range tc.texts {
			packs = append(packs, &pack.Pack{Properties: pack.File("properties.yaml", text)})
		}
		if diff := cmp.Diff(tc.want, ClusterOf(noRun{}, packs).APIs); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Values that are unknown are not values to render charts with.
func TestUnknownValues(t *testing.T) {
	bad := &pack.Pack{Values: pack.File("values.yaml", "a: [")}
	_, err := (&Deployer{Charts: &chart.Run{}}).Render(bad, t.TempDir(), Cluster{})
	if fault, ok := errors.AsType[*ValuesError](err); !ok || !strings.Contains(fault.Error(), "line 1") {
		t.Errorf("no YAML: got %v", err)
	}
	p := &pack.Pack{Values: pack.File("values.yaml", "a: 1")}
	if _, err := (&Deployer{Charts: &chart.Run{}}).Render(p, filepath.Join(t.TempDir(), "absent"), Cluster{}); err == nil {
		t.Error("no directory: got no error")
	}
}

// Without a namespace and a name of its own, a release has those of Helm. Aliases in values are
// their content.
func TestRelease(t *testing.T) {
	const template = "kind: A\nrelease: {{ .Release.Name }}/{{ .Release.Namespace }}\nvalues: {{ .Values | toJson }}\n"
	for values, want := range map[string]string{
		"":                                      "web/default\nvalues: {}",
		"pack: {namespace: n}":                  "web/n\nvalues: {}",
		"pack: {releaseNameOverride: {web: r}}": "r/default\nvalues: {}",
		"x: &x [1, &y 2]\ncharts: {web: {a: *x, b: [*y], c: '1', d: {e: *y}}}": `web/default` + "\n" + `values: {"a":[1,2],"b":[2],"c":"1","d":{"e":2}}`,
	} {
		r := render(t, Cluster{}, "values.yaml", values, "charts/web/templates/a.yaml", template)
		if len(r.Manifests) != 1 || r.Manifests[0].Text != "kind: A\nrelease: "+want+"\n" {
			t.Errorf("%q: got %+v, %q", values, r.Manifests, said(r))
		}
	}
	if r := render(t, Cluster{}, "pack.json", `{"name": "shop", "version": "1.0.0", "charts": ["charts/web", "charts/absent"]}`); len(r.Findings) != 1 || r.Findings[0].Rule != rule.ValuesChartMissing {
		t.Errorf("a chart that is absent: %q", said(r))
	}
}

// A chart or a manifest that pack.json names twice is rendered once.
func TestTwice(t *testing.T) {
	r := render(t, Cluster{}, "pack.json", `{"name": "shop", "version": "1.0.0", "charts": ["charts/web", "./charts/web", "charts/copy", "charts/web/"], "kubeManifests": ["m.yaml", "./m.yaml"]}`,
		"m.yaml", "kind: M\n", "charts/web/templates/a.yaml", "kind: A\n", "charts/copy/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\n", "charts/copy/templates/a.yaml", "kind: A\n")
	if len(r.Manifests) != 2 || len(r.Findings) > 0 {
		t.Errorf("got %+v %q", r.Manifests, said(r))
	}
}
