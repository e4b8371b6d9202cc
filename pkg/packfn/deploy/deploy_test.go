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

	"github.com/krm-packs/functions/pkg/packfn/chart"
	"github.com/krm-packs/functions/pkg/packfn/helm"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
	"github.com/krm-packs/functions/pkg/rule"
)

// TestMain is also the process that renders charts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
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
	item, err := read.Item()
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := transfer.Load(item.Text(), "pack.json")
	if err != nil {
		t.Fatal(err)
	}
	d := Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}, Charts: &chart.Run{}}
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
	for i, part := range []string{"pack/missing-file pack.json:3:1", "values/chart-fails values.yaml:4:3", "pack/missing-file pack.json:3:"} {
		if got := said(r); len(got) != 3 || !strings.HasPrefix(got[i], part) || strings.Contains(got[i], "topsecret") {
			t.Errorf("%q: %q", part, got)
		}
	}
}

func TestFailure(t *testing.T) {
	const values = "charts:\n  web:\n    host: ''\n    db:\n      user: x\n    password: hunter2secret\n    greeting: hello-everyone\n"
	for name, tc := range map[string]struct {
		template string
		want     []string
	}{
		"required":             {`{{ required "set the host" .Values.host }}`, []string{"values.yaml:3:5", "the chart web 1.2.3 fails in templates/a.yaml:1: set the host", "set charts.web.host"}},
		"required, by a pipe":  {"\n{{ .Values.host | required \"set the host\" }}", []string{"values.yaml:3:5", "templates/a.yaml:2: set the host"}},
		"in a helper":          {`{{ define "h" }}{{ required "set the port" .Values.db.port }}{{ end }}{{ include "h" . }}`, []string{"values.yaml:4:5 charts.web.db.port", "set charts.web.db.port"}},
		"fail in a condition":  {`{{ if not .Values.host }}{{ fail "no host" }}{{ end }}`, []string{"values.yaml:3:5", "no host", "set charts.web.host"}},
		"a nil pointer":        {`{{ .Values.tls.certificate.name }}`, []string{"values.yaml:2:3", "charts.web.tls", "nil pointer", "set charts.web.tls$"}},
		"a text as a mapping":  {`{{ .Values.greeting.x }}`, []string{"values.yaml:7:5", "charts.web.greeting"}},
		"a made message":       {`{{ fail (printf "bad: %s %s" .Values.greeting .Values.password) }}`, []string{"bad: ••• •••"}},
		"an encoded secret":    {`{{ fail (b64enc .Values.password) }}`, []string{"•••"}},
		"a named value":        {`{{ fail (printf "%s: set .Values.db.host" .Release.Name) }}`, []string{"values.yaml:4:5", "charts.web.db.host"}},
		"a long message":       {`{{ fail (repeat 1000000 "long ") }}`, []string{"long long", "…"}},
		"a template as a text": {`{{ tpl "{{ .Values.x.y }}" . }}`, []string{"nil pointer"}},
		"a wrong argument":     {"a: {{ .Values.missing | b64enc }}", []string{"values.yaml:2:3 charts.web.missing", "set charts.web.missing$"}},
		"not YAML":             {"a: [{{ .Values.password }}", []string{"fails in templates/a.yaml: it renders to what is not YAML"}},
		"not a template":       {"a: {{ if }}", []string{"templates/a.yaml"}},
	} {
		r := render(t, Cluster{}, "values.yaml", values, "charts/web/templates/a.yaml", tc.template)
		got := said(r)
		if len(got) != 1 || r.Findings[0].Rule != rule.ValuesChartFails || len(r.Manifests) > 0 {
			t.Errorf("%s: %q %+v", name, got, r.Manifests)
			continue
		}
		for _, part := range tc.want {
			if !strings.Contains(got[0]+"$", part) {
				t.Errorf("%s: got %q; want %q", name, got[0], part)
			}
		}
		if strings.Contains(got[0], "hunter2secret") || strings.Contains(got[0], "aHVudGVy") || strings.Contains(got[0], "hello-everyone") {
			t.Errorf("%s: a value is shown: %q", name, got[0])
		}
	}
}

// A value that is run as a template is not shown, not even a part of it.
func TestFailureOfAValue(t *testing.T) {
	for _, value := range []string{`{{ fail "myprivatetext" }}`, `{{ required "myprivatetext" .Values.x }}`, `{{ "myprivatetext" | int | div 1 }}`, `{{ myprivatetext }}`, `{{ if "myprivatetext" }}`} {
		r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    t: '"+value+"'\n", "charts/web/templates/a.yaml", "a: {{ tpl .Values.t . }}")
		if got := said(r); len(got) != 1 || strings.Contains(got[0], "private") {
			t.Errorf("%s: %q", value, got)
		}
	}
}

// Subcharts have their values below their alias.
func TestFailureInASubchart(t *testing.T) {
	r := render(t, Cluster{}, "values.yaml", "charts:\n  web:\n    store:\n      a: 1\n",
		"charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 1.2.3\ndependencies: [{name: db, alias: store, version: 1.0.0}]\n",
		"charts/web/charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n",
		"charts/web/charts/db/templates/a.yaml", `{{ required "set the user" .Values.user }}{{ .Values.a }}`)
	if got := said(r); len(got) != 1 || !strings.Contains(got[0], "values.yaml:3:5 charts.web.store.user: the chart web 1.2.3 fails in charts/store/templates/a.yaml:1: set the user") {
		t.Errorf("%q", got)
	}
}

// What a chart asks of a cluster, and values with macros, make a failure unsure.
func TestUnsure(t *testing.T) {
	for template, want := range map[string]bool{
		`{{ if not (lookup "v1" "Secret" "a" "b") }}{{ fail "no secret" }}{{ end }}`: true,
		`{{ fail "no secret" }}`: false,
	} {
		r := render(t, Cluster{}, "charts/web/templates/a.yaml", template)
		if got := len(r.Findings) == 1 && r.Findings[0].Tags[TagUnsure] != ""; got != want {
			t.Errorf("%s: %v %q", template, got, said(r))
		}
	}
	r := render(t, Cluster{}, "pack.json", `{"name": "a", "version": "1.0.0", "kubeManifests": ["m.yaml"]}`, "values.yaml", "manifests: {m: {a: 1}}", "m.yaml", "a: {{ .Spectro.cluster.name }}\n")
	if len(r.Findings) != 1 || r.Findings[0].Tags[TagUnsure] == "" {
		t.Errorf("a fact of the cluster: %q", said(r))
	}
	r = render(t, Cluster{}, "values.yaml", "charts: {web: {a: '{{ .spectro.var.A }}'}}", "charts/web/templates/a.yaml", `{{ fail "x" }}`)
	if len(r.Findings) != 1 || r.Findings[0].Tags[TagUnsure] == "" {
		t.Errorf("a macro: %q", said(r))
	}
}

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
spec: {image: "quay.io/prometheus/prometheus:v2", other: {image: ubuntu, x: [{image: "a/b"}]}}
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
`)
	var got []string
	for _, i := range r.Images() {
		got = append(got, strings.Join([]string{i.Image, i.Workload(), i.Container}, " "))
	}
	slices.Sort(got)
	want := []string{"alias:1 List/ ", "busybox Deployment/web init", "example.com/web:1.0 Deployment/web again", "example.com/web:1.0 Deployment/web web", "hook:1 Job/hook h", "job@sha256:abc CronJob/job j", "quay.io/prometheus/prometheus:v2 Prometheus/p "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%q", diff, said(r))
	}
}
