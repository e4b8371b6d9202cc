package packfn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeShop writes the pack directory shop-VERSION with a chart, a manifest and a macro.
func writeShop(t *testing.T, dir, version string) string {
	t.Helper()
	name := "shop-" + version
	write(t, filepath.Join(dir, name, "pack.json"), `{"name": "shop", "version": "`+version+`", "charts": ["charts/web"], "kubeManifests": ["manifests/vip.yaml"]}`)
	write(t, filepath.Join(dir, name, "values.yaml"), "pack:\n  namespace: shop\n  content:\n    images:\n    - image: example.com/web:0.9\ncharts:\n  web:\n    host: web.example.com\n    token: ''\n    replicas: 1\nmanifests:\n  vip:\n    cluster: '{{ .spectro.system.cluster.name }}'\n")
	write(t, filepath.Join(dir, name, "presets.yaml"), "presets:\n- name: large\n  displayName: Large\n  group: size\n  add: |\n    charts:\n      web:\n        replicas: 5\n")
	write(t, filepath.Join(dir, name, "charts/web/Chart.yaml"), "apiVersion: v2\nname: web\nversion: "+version+"\n")
	write(t, filepath.Join(dir, name, "charts/web/templates/a.yaml"), `kind: Deployment
metadata: {name: web, namespace: {{ .Release.Namespace }}}
spec:
  replicas: {{ .Values.replicas }}
  host: {{ required "set the host" .Values.host }}
  kubernetes: {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.APIVersions.Has "x.io/v1/A" }}
  template: {spec: {containers: [{name: web, image: "example.com/web:`+version+`", env: [{name: TOKEN, value: "{{ .Values.token }}"}]}]}}
`)
	write(t, filepath.Join(dir, name, "manifests/vip.yaml"), "kind: ConfigMap\nmetadata: {name: vip}\ndata: {cluster: {{ .Values.cluster | quote }}}\n")
	return name
}

// writePlatform imports the pack into a package with a cluster, overrides and a pipeline.
func writePlatform(t *testing.T, dir, pack string) {
	t.Helper()
	packfn(t, dir, "import", pack, "--to", "p").want(t, 0)
	write(t, filepath.Join(dir, "p/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"+local+"pipeline:\n  mutators:\n  - exec: apply-preset\n    configPath: preset.yaml\n  - exec: resolve-macros\n")
	write(t, filepath.Join(dir, "p/preset.yaml"), "apiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyPreset\nmetadata:\n  name: preset\n"+local+"spec:\n  presets:\n  - pack: shop\n    name: size:large\n")
	write(t, filepath.Join(dir, "p/cluster.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\n"+local+"spec:\n  system:\n    cluster: {name: eu-1}\n    kubernetes: {version: 1.31.4}\n  properties:\n  - {type: olm.gvk, value: {group: x.io, version: v1, kind: A}}\n")
	write(t, filepath.Join(dir, "p/override.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: o\n"+local+"spec:\n  packRef: {name: shop}\n  values: |\n    charts:\n      web:\n        host: eu.example.com\n        token: tok-very-private\n")
}

const rendered = `---
# Source: shop/web/templates/a.yaml
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 5
  host: eu.example.com
  kubernetes: v1.31.4 true
  template: {spec: {containers: [{name: web, image: "example.com/web:1.0.0", env: [{name: TOKEN, value: "tok-very-private"}]}]}}
---
# Source: shop/manifests/vip.yaml
kind: ConfigMap
metadata: {name: vip}
data: {cluster: "eu-1"}
`

// A package is rendered with its presets, overrides, macros and cluster.
func TestTemplate(t *testing.T) {
	dir := t.TempDir()
	pack := writeShop(t, dir, "1.0.0")
	writePlatform(t, dir, pack)
	got := packfn(t, dir, "template", "p", "--charts", pack)
	got.want(t, 0)
	if diff := cmp.Diff(rendered, got.stdout); diff != "" {
		t.Errorf("%s\n%s", diff, got.stderr)
	}
	// The sources of the configuration have charts, too.
	write(t, filepath.Join(dir, "conf.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nsources: ["+pack+"]\n")
	for _, args := range [][]string{{"template", "p", "--config", "conf.yaml"}, {"template", "p", "--source", pack}} {
		if got := packfn(t, dir, args...); got.want(t, 0).stdout != rendered {
			t.Errorf("%v: %s", args, got.stdout)
		}
	}
	got = packfn(t, dir, "template", "p", "--charts", pack, "--kube-version", "1.20.0", "--pack", "shop")
	if got.want(t, 0); !strings.Contains(got.stdout, "kubernetes: 1.20.0 true") && !strings.Contains(got.stdout, "kubernetes: v1.20.0 true") {
		t.Errorf("--kube-version: %s", got.stdout)
	}

	// A published pack: its own values, and macros as they are.
	got = packfn(t, dir, "template", pack, "--api-versions", "x.io/v1/A")
	got.want(t, 0, "shop: 1 value with a macro")
	for _, part := range []string{"host: web.example.com", "replicas: 1\n", " true\n", "{{ .spectro.system.cluster.name }}"} {
		if !strings.Contains(got.stdout, part) {
			t.Errorf("%q is missing: %s", part, got.stdout)
		}
	}

	packfn(t, dir, "template", "p", "--charts", pack, "--to", "out/tree").want(t, 0, "2 files")
	text, err := os.ReadFile(filepath.Join(dir, "out/tree/shop/manifests/vip.yaml"))
	if err != nil || !strings.HasSuffix(rendered, string(text)) {
		t.Errorf("--to: %v %s", err, text)
	}
	packfn(t, dir, "template", "p", "--charts", pack, "--to", "out/tree").want(t, 2, "is not empty")
}

// What cannot be rendered is said, and the rest is rendered.
func TestTemplateBad(t *testing.T) {
	dir := t.TempDir()
	pack := writeShop(t, dir, "1.0.0")
	writePlatform(t, dir, pack)
	override := filepath.Join(dir, "p/override.yaml")
	text, err := os.ReadFile(override)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, old, new string
		args           []string
		exit           int
		want           []string
	}{
		{"no charts", "", "", []string{"template", "p"}, 1, []string{"its charts are unknown; name the directory of shop 1.0.0 with --charts"}},
		{"an empty host", "eu.example.com", "''", []string{"template", "p", "--charts", pack}, 1, []string{"p/override.yaml", "11:9: error:", "fails in templates/a.yaml:5: set the host", "Set charts.web.host", "values/chart-fails"}},
		{"values that are not YAML", "web:", "web: [", []string{"template", "p", "--charts", pack}, 1, []string{"p/override.yaml"}},
		{"an unknown pack", "", "", []string{"template", "p", "--pack", "shep"}, 2, []string{`--pack: no pack named "shep"`}},
		{"no such path", "", "", []string{"template", "q"}, 2, []string{"q: "}},
		{"a version", "", "", []string{"template", "p", "--kube-version", "latest"}, 2, []string{`, got "latest"`}},
		{"a time", "", "", []string{"template", "p", "--timeout", "-1s"}, 2, []string{"--timeout"}},
		{"no argument", "", "", []string{"template"}, 2, []string{"PACKAGE|PACK-DIR…"}},
		{"a format", "", "", []string{"images", "p", "--format", "xml"}, 2, []string{`got "xml"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			write(t, override, strings.Replace(string(text), tc.old, tc.new, 1))
			got := packfn(t, dir, tc.args...)
			got.want(t, tc.exit, tc.want...)
			if strings.Contains(got.stderr, "tok-very-private") {
				t.Errorf("a secret is shown: %s", got.stderr)
			}
		})
	}
	write(t, override, string(text))

	// A chart that fails leaves the manifests and the other packs.
	write(t, filepath.Join(dir, pack, "charts/web/templates/b.yaml"), `{{ range until 100000 }}{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}{{ end }}`)
	other := writeShop(t, filepath.Join(dir, "other"), "2.0.0")
	got := packfn(t, dir, "template", pack, filepath.Join("other", other), "--timeout", "1s")
	got.want(t, 1, "the chart web 1.0.0 cannot be rendered: it was not rendered within 1s (--timeout)", "values/chart-fails")
	if strings.Count(got.stdout, "# Source: ") != 3 || !strings.Contains(got.stdout, "example.com/web:2.0.0") {
		t.Errorf("got %s", got.stdout)
	}

	// Helm refuses values that the schema of a chart does not allow.
	third := writeShop(t, filepath.Join(dir, "third"), "3.0.0")
	write(t, filepath.Join(dir, "third", third, "charts/web/values.schema.json"), `{"properties": {"replicas": {"type": "string"}}}`)
	packfn(t, dir, "template", filepath.Join("third", third)).want(t, 1, "values/chart-schema", "third/shop-3.0.0/values.yaml", "10:15: error:")

	// A pipeline of others, or one that fails: the values are unknown.
	kptfile, err := os.ReadFile(filepath.Join(dir, "p/Kptfile"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "p/Kptfile"), strings.Replace(string(kptfile), "apply-preset", "my-function", 1))
	packfn(t, dir, "template", "p", "--charts", pack).want(t, 1, "my-function", "nothing of the package is rendered")
	write(t, filepath.Join(dir, "p/Kptfile"), string(kptfile))
	write(t, filepath.Join(dir, "p/cluster.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\n"+local+"spec:\n  system: {}\n")
	packfn(t, dir, "template", "p", "--charts", pack).want(t, 1, "macro/unset", "nothing of the package is rendered")
}

func TestImages(t *testing.T) {
	dir := t.TempDir()
	pack := writeShop(t, dir, "1.0.0")
	got := packfn(t, dir, "images", pack)
	if got.want(t, 0); strings.Join(strings.Fields(got.stdout), " ") != "example.com/web:1.0.0 shop Deployment/web" {
		t.Errorf("got %s", got.stdout)
	}
	got = packfn(t, dir, "images", pack, "--format", "json")
	var images []struct{ Image, Pack, Version, Kind, Name, Namespace, Container, Source string }
	if err := json.Unmarshal([]byte(got.stdout), &images); err != nil || len(images) != 1 || images[0].Namespace != "shop" || images[0].Container != "web" || images[0].Source != "web/templates/a.yaml" {
		t.Errorf("%v %s", err, got.stdout)
	}
	write(t, filepath.Join(dir, pack, "charts/web/templates/image.yaml"), "kind: Pod\nmetadata: {name: b}\nspec: {containers: [{image: \"example.com/b:@sha256:1\"}]}\n")
	packfn(t, dir, "images", pack).want(t, 0, "example.com/b:@sha256:1", "pack/images", "0 errors, 1 warning")
	write(t, filepath.Join(dir, "none/pack.json"), `{"name": "none", "version": "1.0.0"}`)
	if got := packfn(t, dir, "images", "none", "--format", "json"); got.exit != 0 || got.stdout != "[]\n" {
		t.Errorf("no images: %+v", got)
	}
}

// check --template reports charts that fail and images that are not listed; without it
// neither, and a note says how.
func TestCheckTemplate(t *testing.T) {
	dir := t.TempDir()
	pack := writeShop(t, dir, "1.0.0")
	only := []string{"--only", "values/chart-fails,pack/images"}
	if got := facts(findings(t, dir, 0, append(only, pack, "--template")...)); !slices.Equal(got, []string{"warning pack/images shop-1.0.0/values.yaml:5:14"}) {
		t.Errorf("an image: %v", got)
	}
	if got := facts(findings(t, dir, 0, append(only, pack)...)); len(got) > 0 {
		t.Errorf("without --template: %v", got)
	}
	packfn(t, dir, append([]string{"check", pack}, only...)...).want(t, 0, "values/chart-fails: nothing that ran reports this rule; add --template")

	values := filepath.Join(dir, pack, "values.yaml")
	text, err := os.ReadFile(values)
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Replace(string(text), "web:0.9", "web:1.0.0", 1)
	write(t, values, listed)
	if got := facts(findings(t, dir, 0, append(only, pack, "--template")...)); len(got) > 0 {
		t.Errorf("the image is listed: %v", got)
	}
	write(t, values, strings.Replace(listed, "example.com/web", "example.com/other", 1))
	if got := facts(findings(t, dir, 0, append(only, pack, "--template")...)); !slices.Equal(got, []string{"warning pack/images shop-1.0.0/values.yaml:5:5"}) {
		t.Errorf("another image is listed: %v", got)
	}
	empty := strings.Replace(listed, "host: web.example.com", "host: ''", 1)
	write(t, values, empty)
	// Its macro is in a manifest, so the chart does not wait for it.
	if got := facts(findings(t, dir, 0, append(only, pack, "--template")...)); !slices.Equal(got, []string{"warning values/chart-fails shop-1.0.0/values.yaml:8:5"}) {
		t.Errorf("a published pack: %v", got)
	}
	if got := facts(findings(t, dir, 1, append(only, pack, "--template", "--as-deployed")...)); !slices.Equal(got, []string{"error values/chart-fails shop-1.0.0/values.yaml:8:5"}) {
		t.Errorf("--as-deployed: %v", got)
	}
	write(t, values, strings.Replace(empty, "token: ''", "token: '{{ .spectro.var.TOKEN }}'", 1))
	if got := facts(findings(t, dir, 0, append(only, pack, "--template")...)); !slices.Equal(got, []string{"info values/chart-fails shop-1.0.0/values.yaml:8:5"}) {
		t.Errorf("a macro: %v", got)
	}
	write(t, values, string(text))

	writePlatform(t, dir, pack)
	if got := facts(findings(t, dir, 0, append(only, "p", "--template", "--charts", pack)...)); len(got) > 0 {
		t.Errorf("a package: %v", got)
	}
	override := filepath.Join(dir, "p/override.yaml")
	written, err := os.ReadFile(override)
	if err != nil {
		t.Fatal(err)
	}
	write(t, override, strings.Replace(string(written), "eu.example.com", "''", 1))
	if got := facts(findings(t, dir, 1, append(only, "p", "--template", "--charts", pack)...)); !slices.Equal(got, []string{"error values/chart-fails p/override.yaml:11:9"}) {
		t.Errorf("an override: %v", got)
	}
	write(t, override, strings.Replace(strings.Replace(string(written), "eu.example.com", "''", 1), local, "  annotations:\n    config.kubernetes.io/local-config: 'true'\n    packs.kpt.dev/accept: 'values/chart-fails charts.web.host: set by an operator'\n", 1))
	if got := facts(findings(t, dir, 0, "p", "--template", "--charts", pack)); !slices.Contains(got, "info accepted p/override.yaml:13:9") {
		t.Errorf("accepted: %v", got)
	}
}

// An upgrade shows what changes in the manifests, by kind and name, without secrets.
func TestUpgradeTemplate(t *testing.T) {
	dir := t.TempDir()
	old, next := writeShop(t, dir, "1.0.0"), writeShop(t, dir, "1.1.0")
	writePlatform(t, dir, old)
	got := packfn(t, dir, "upgrade", "p", next, "--from", old, "--template")
	if got.exit != 0 {
		t.Fatalf("%+v", got)
	}
	_, diff, _ := strings.Cut(got.stdout, "Deployment/shop/web: changed\n")
	if !strings.Contains(diff, `env: [{name: TOKEN, value: •••}]`) || strings.Contains(got.stdout, "tok-very-private") || strings.Contains(diff, "ConfigMap") || !strings.Contains(diff, "1 change in") {
		t.Errorf("got %s", got.stdout)
	}
	if got := packfn(t, dir, "upgrade", "p", next, "--from", old, "--template", "--show-values"); got.exit != 0 || !strings.Contains(got.stdout, `+  template: {spec: {containers: [{name: web, image: "example.com/web:1.1.0", env: [{name: TOKEN, value: "tok-very-private"}]}]}}`) {
		t.Errorf("--show-values: %+v", got)
	}
	packfn(t, dir, "upgrade", "p", next, "--template").want(t, 2, "by --from, --charts or --source")
	packfn(t, dir, "upgrade", "p", next, "--from", old, "--template", "--format", "json").want(t, 2, "--template")
	write(t, filepath.Join(dir, next, "charts/web/templates/b.yaml"), `{{ required "set the size" .Values.size }}`)
	got = packfn(t, dir, "upgrade", "p", next, "--from", old, "--template")
	got.want(t, 1, "set the size", "Set charts.web.size")
	if text, err := os.ReadFile(filepath.Join(dir, "p/shop.yaml")); err != nil || strings.Contains(string(text), "1.1.0") {
		t.Errorf("something was written: %v", err)
	}
}
