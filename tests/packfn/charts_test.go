package packfn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeCharts writes the pack directory web, whose chart reads replicaCount alone.
func writeCharts(t *testing.T, dir string) {
	t.Helper()
	write(t, filepath.Join(dir, "web/pack.json"), "{\"name\": \"web\", \"version\": \"1.0.0\",\n\"charts\": [\"charts/web\",\n\"charts/absent.tgz\"]}\n")
	write(t, filepath.Join(dir, "web/values.yaml"), "charts:\n  web:\n    replicaCuont: 3\n    replicaCount: many\n")
	write(t, filepath.Join(dir, "web/charts/web/Chart.yaml"), "name: web\nversion: 1.0.0\n")
	write(t, filepath.Join(dir, "web/charts/web/values.schema.json"), `{"properties": {"replicaCount": {"type": "integer"}}}`)
	write(t, filepath.Join(dir, "web/charts/web/templates/a.yaml"), "replicas: {{ .Values.replicaCount }}\n")
}

// The charts of a pack directory check its values, and with --charts those of a package
// with the same pack.
func TestCheckCharts(t *testing.T) {
	dir := t.TempDir()
	writeCharts(t, dir)
	want := []string{
		"info pack/catalogue web/pack.json:1:1",
		"error pack/missing-file web/pack.json:3:1",
		"warning values/inert web/values.yaml:3:5",
		"error values/chart-schema web/values.yaml:4:19",
	}
	if diff := cmp.Diff(want, facts(findings(t, dir, 1, "web"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := findings(t, dir, 0, "web", "--severity", "values/chart-schema=off", "--only", "values/inert"); len(got) != 1 || got[0].Rule != "values/inert" {
		t.Errorf("--severity and --only: %v", facts(got))
	}

	packfn(t, dir, "import", "web", "--to", "p", "--no-charts").want(t, 0)
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "p/override.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: o\n"+local+"spec:\n  packRef: {name: web}\n  values: |\n    charts:\n      web:\n        replicaCount: 2\n        host: x\n")
	if got := facts(findings(t, dir, 0, "p")); !slices.Equal(got, []string{"warning values/type-changed p/override.yaml:11:23"}) {
		t.Errorf("without --charts: %v", got)
	}
	want = []string{"warning values/type-changed p/override.yaml:11:23", "warning values/inert p/override.yaml:", "warning values/chart-missing p/web.yaml:", "warning values/inert p/web.yaml:"}
	got := facts(findings(t, dir, 0, "p", "--charts", "web"))
	for i := range got {
		if i > 0 { // the layout of the import is another test's
			head, _, _ := strings.Cut(got[i], ".yaml:")
			got[i] = head + ".yaml:"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("--charts: (-want +got):\n%s", diff)
	}

	// The owner of the package accepts a key.
	override := filepath.Join(dir, "p/override.yaml")
	text, err := os.ReadFile(override)
	if err != nil {
		t.Fatal(err)
	}
	write(t, override, strings.Replace(string(text), local, "  annotations:\n    config.kubernetes.io/local-config: 'true'\n    packs.kpt.dev/accept: 'values/inert charts.web.host: read by an operator'\n", 1))
	if got := facts(findings(t, dir, 0, "p/", "--charts", "web")); len(got) != 4 || got[1] != "info accepted p/override.yaml:14:9" {
		t.Errorf("accepted: %v", got)
	}

	// While the override waits for injection, its placeholder is not checked.
	write(t, override, strings.Replace(string(text), local, strings.Replace(local, "{", "{kpt.dev/config-injection: required, ", 1), 1))
	if got := facts(findings(t, dir, 0, "p", "--charts", "web")); len(got) != 1 || got[0] != "info values/deferred p/override.yaml:5:17" {
		t.Errorf("an override that waits: %v", got)
	}
	write(t, override, string(text))

	// The charts of another version say nothing.
	write(t, filepath.Join(dir, "web/pack.json"), `{"name": "web", "version": "2.0.0"}`)
	packfn(t, dir, "check", "p", "--charts", "web").want(t, 0, "the charts of web 2.0.0 are not those of version 1.0.0")
	packfn(t, dir, "check", "p", "--charts", "absent").want(t, 2, "absent")
}

// check, render, fix and upgrade check an imported pack by its charts.
func TestChartsEverywhere(t *testing.T) {
	dir := t.TempDir()
	for name, version := range map[string]string{"old": "1.0.0", "new": "2.0.0"} {
		write(t, filepath.Join(dir, name, "pack.json"), `{"name": "web", "version": "`+version+`", "charts": ["charts/web"]}`)
		write(t, filepath.Join(dir, name, "values.yaml"), "charts:\n  web:\n    port: 1\n")
		write(t, filepath.Join(dir, name, "charts/web/Chart.yaml"), "name: web\nversion: "+version+"\nkubeVersion: '>="+version+"-0'\n")
		write(t, filepath.Join(dir, name, "charts/web/templates/a.yaml"), "{{ .Values.port }}{{ .Values.host }}")
	}
	packfn(t, dir, "import", "old", "--to", "p", "--kptfile", "--exec").want(t, 0)
	write(t, filepath.Join(dir, "p/cluster.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: prod\n"+local+"spec:\n  system: {kubernetes.version: 1.30.2}\n")
	override := "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: o\n" + local + "spec:\n  packRef: {name: web}\n  values:\n    host: a\n    charts:\n      webb: {port: 2}\n"
	write(t, filepath.Join(dir, "p/o.yaml"), override)
	want := []string{"warning values/misplaced p/o.yaml:9:5", "warning values/misplaced p/o.yaml:11:7"}
	if diff := cmp.Diff(want, facts(findings(t, dir, 0, "p"))); diff != "" {
		t.Errorf("check: (-want +got):\n%s", diff)
	}
	says := func(exit int, rule string, args ...string) {
		t.Helper()
		if got := packfn(t, dir, args...); got.exit != exit || !strings.Contains(got.stdout, rule) {
			t.Errorf("%q: exit %d, without %s:\n%s%s", args, got.exit, rule, got.stdout, got.stderr)
		}
	}
	says(0, "values/misplaced", "render", "p")
	packfn(t, dir, "fix", "p").want(t, 0, "fixed 1 finding")
	if got := facts(findings(t, dir, 0, "p")); !slices.Equal(got, want[:1]) {
		t.Errorf("after fix: %v", got)
	}
	says(1, "(values/chart-version) [upgrade/requirement]", "upgrade", "p", "new")
	// A chart that the cluster was too old for before hides none that comes with the upgrade.
	other := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: other\n" + local + "spec: {version: 1.0.0, values: {}, chartFacts: {charts: {other: {name: other, version: 1.0.0, kubeVersion: '>=2'}}}}\n"
	write(t, filepath.Join(dir, "p/other.yaml"), other)
	says(1, `pack "web" (chart web 2.0.0: >=2.0.0-0). Correct`, "upgrade", "p", "new")
	if err := os.Remove(filepath.Join(dir, "p/other.yaml")); err != nil {
		t.Fatal(err)
	}
	packfn(t, dir, "import", "new", "--to", "p", "--force").want(t, 0)
	says(1, "values/chart-version", "render", "p")
	// The charts that --charts names repeat nothing of what the facts say.
	got := packfn(t, dir, "check", "p", "--charts", "new")
	if count := strings.Count(got.stdout, "[values/chart-version]"); count != 1 {
		t.Errorf("values/chart-version %d times:\n%s", count, got.stdout)
	}
}
