package transfer_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// What a chart reads becomes a ConfigMap, which a second import leaves as it is. What is no such ConfigMap is
// replaced only if the user says so.
func TestImportCharts(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("web/Chart.yaml", `name: web
version: 1.0.0
`)
	write("web/templates/a.yaml", "{{ .Values.port }}")
	write("again/Chart.yaml", `name: web
version: 2.0.0
`)
	write("spaced/Chart.yaml", `name: a b
version: 2.0.0
`)
	to, web := filepath.Join(dir, "package"), filepath.Join(dir, "web")
	plan, err := transfer.ImportCharts(to, []string{web}, false)
	if err != nil || len(plan.Changes) != 1 {
		t.Fatalf("%+v, %v", plan, err)
	}
	text := string(plan.Changes[0].Text)
	for _, part := range []string{"kind: ConfigMap\n", "  name: web-chart-facts\n", "local-config: \"true\"\n", `  chart-facts.yaml: |
    charts:
      web:
`, "          port: '*'\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("the resource has no %q:\n%s", part, text)
		}
	}
	write("package/web-chart-facts.yaml", text)
	if plan, err = transfer.ImportCharts(to, []string{web}, false); err != nil || len(plan.Changes) != 0 {
		t.Errorf("a second import changes %+v, %v", plan, err)
	}
	write("package/web-chart-facts.yaml", "kind: Other\n")
	for want, one := range map[string]struct {
		to    string
		paths []string
	}{
		"has something else than what a chart reads; --force replaces it": {to, []string{web}},
		"are both the chart web":                   {dir, []string{web, filepath.Join(dir, "again")}},
		"cannot be the name of a resource":         {to, []string{filepath.Join(dir, "spaced")}},
		"is no chart that can be read":             {to, []string{filepath.Join(dir, "package")}},
		"no such file or directory":                {to, []string{filepath.Join(dir, "gone")}},
		"--to is missing: name the folder of the ": {"", []string{web}},
	} {
		if _, err := transfer.ImportCharts(one.to, one.paths, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if plan, err = transfer.ImportCharts(to, []string{web}, true); err != nil || len(plan.Changes) != 1 {
		t.Errorf("a forced import changes %+v, %v", plan, err)
	}
}
