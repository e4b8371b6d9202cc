package deploy

import (
	"regexp"
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// A chart is rendered with and without the suffix of the version, and a difference is at the line
// that makes it.
func TestSuffixes(t *testing.T) {
	const (
		version = ".Capabilities.KubeVersion.Version"
		branch  = "kind: A\n# {{ semverCompare \">=1.20-0\" " + version + " }}\na: {{ if semverCompare \">=1.22\" " + version + " }}b{{ end }}\n"
		helper  = "{{- define \"new\" }}\n{{- semverCompare `>=1.22` " + version + " }}{{ end }}\n"
		uses    = "kind: A\na: {{ include \"new\" . }}\n"
	)
	place := regexp.MustCompile(`\S+$`)
	for _, tc := range []struct {
		name, kubernetes string
		files            []string
		want             []string
	}{
		{"a template", "1.33.1-eks-1", []string{"a.yaml", branch}, []string{"templates/a.yaml:3"}},
		{"a version without a suffix", "1.33.1", []string{"a.yaml", branch}, nil},
		{"no version", "", []string{"a.yaml", branch}, nil},
		{"a suffix that is no pre-release", "1.33.1+k3s1", []string{"a.yaml", branch}, nil},
		{"a helper of two templates", "v1.33.1-gke.100", []string{"_a.tpl", helper, "a.yaml", uses, "b.yaml", uses}, []string{"templates/_a.tpl:2"}},
		{"a helper of a subchart", "1.33.1-eks-1", []string{"../charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n", "../charts/db/templates/_a.tpl", helper, "a.yaml", uses}, []string{"charts/db/templates/_a.tpl:2"}},
		{"a template of a subchart", "1.33.1-eks-1", []string{"../charts/db/Chart.yaml", "apiVersion: v2\nname: db\nversion: 1.0.0\n", "../charts/db/templates/a.yaml", branch}, []string{"charts/db/templates/a.yaml:3"}},
		{"two templates", "1.33.1-eks-1", []string{"a.yaml", branch, "b.yaml", branch}, []string{"templates/a.yaml:3", "templates/b.yaml:3"}},
		{"another kind of branch", "1.33.1+k3s1", []string{"a.yaml", "kind: A\na: {{ contains \"k3s\" " + version + " }}\n"}, []string{"templates/a.yaml"}},
		{"a resource that is not there", "1.33.1-eks-1", []string{"a.yaml", "{{ if semverCompare \"<1.22\" " + version + " }}{{ else if semverCompare \">=1.22\" " + version + " }}kind: A\n{{ end }}"}, []string{"templates/a.yaml:1"}},
		{"the version as text", "1.33.1-eks-1", []string{"a.yaml", "kind: A\na: {{ " + version + " }}\n"}, nil},
		{"such a version with a v", "v1.33.1-eks-1", []string{"a.yaml", "kind: A\na: {{ " + version + " }}\n"}, nil},
		{"a constraint that cannot be read", "1.33.1-eks-1", []string{"a.yaml", branch, "b.yaml", "kind: A\n# {{/* semverCompare \"x\" */}}\n"}, []string{"templates/a.yaml:3"}},
		{"a chart that fails without the suffix", "1.33.1-eks-1", []string{"a.yaml", branch, "b.yaml", "kind: A\na: {{ if semverCompare \">=1.22\" " + version + " }}{{ fail \"no\" }}{{ end }}\n"}, nil},
	} {
		var files []string
		for i := 0; i < len(tc.files); i += 2 {
			files = append(files, "charts/web/templates/"+tc.files[i], tc.files[i+1])
		}
		var got []string
		for _, f := range render(t, Cluster{Kubernetes: tc.kubernetes}, files...).Findings {
			functiontest.Note(f.Rule.ID, f.Message())
			if f.Rule != rule.ValuesChartSuffix {
				t.Errorf("%s: %s", tc.name, f.Message())
				continue
			}
			got = append(got, place.FindString(f.Found))
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}
