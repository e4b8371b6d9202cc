package rule_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/deploy"
	"github.com/krm-packs/functions/pkg/packfn/helm"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/rule"
)

// chartExamples are parts of pack.json and of the values of a pack directory with a chart;
// old becomes fixed.
var chartExamples = map[string]struct{ old, fixed string }{
	"pack/images":            {":latest", ":1.0.0"},
	"pack/settings":          {"namespaceLables:", "namespaceLabels:"},
	"pack/missing-file":      {"vault-1.0.0.tgz", "vault"},
	"values/chart-fails":     {"{}", "{host: a}"},
	"values/chart-missing":   {"damaged.tgz", "vault"},
	"values/chart-schema":    {"many", "3"},
	"values/chart-suffix":    {"1.33.1-eks-1", "1.33.1"},
	"values/inert":           {"replicaCuont", "replicaCount"},
	"values/no-chart-values": {"replicaCount: 3", "charts: {vault: {replicaCount: 4}}"},
}

// TestMain is also the process that renders charts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

func TestChartExamples(t *testing.T) {
	for id, tc := range chartExamples {
		example := rule.Of(id)
		if !strings.Contains(example.Breaks, tc.old) {
			t.Errorf("%s: %q is not in the example %q", id, tc.old, example.Breaks)
		}
		for _, text := range []string{example.Breaks, strings.Replace(example.Breaks, tc.old, tc.fixed, 1)} {
			text = with("<>", text)
			files := map[string]string{
				"pack.json": `{"name": "vault", "version": "1.0.0", "charts": ["charts/vault"]}`, "values.yaml": text,
				"charts/damaged.tgz":              "no archive",
				"charts/vault/Chart.yaml":         "name: vault\nversion: 1.0.0\n",
				"charts/vault/values.schema.json": `{"properties": {"replicas": {"type": "integer"}}}`,
				"charts/vault/templates/a.yaml":   "replicas: {{ .Values.replicas }}{{ .Values.replicaCount }}\n",
			}
			if strings.HasPrefix(text, `{"charts"`) {
				files["pack.json"], files["values.yaml"] = strings.Replace(text, "{", `{"name": "vault", "version": "1.0.0", `, 1), "a: 1\n"
			}
			dir := t.TempDir()
			write := func(name, content string) {
				path := filepath.Join(dir, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			for name, content := range files {
				write(name, content)
			}
			options := check.Options{Functions: suite.All()}
			if id == "values/chart-suffix" {
				write("charts/vault/templates/b.yaml", `a: {{ if semverCompare ">=1.22" .Capabilities.KubeVersion.Version }}new{{ end }}`)
				options.Template = &deploy.Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}, Cluster: deploy.Cluster{Kubernetes: regexp.MustCompile(`1\.33\S*`).FindString(text)}}
				defer options.Template.Renderer.Close()
			}
			if id == "values/chart-fails" {
				write("charts/vault/templates/host.yaml", `host: {{ required "set the host" .Values.host }}`)
				options.Template = &deploy.Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}}
				defer options.Template.Renderer.Close()
			}
			r, err := check.Run([]string{dir}, options)
			if err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, f := range r.Findings {
				rules = append(rules, f.Rule)
			}
			if breaks := strings.Contains(text, tc.old); slices.Contains(rules, id) != breaks {
				t.Errorf("%s: breaks is %v, but the findings are %v\n%s", id, breaks, rules, text)
			}
		}
	}
}
