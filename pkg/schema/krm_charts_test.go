package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// A chart is compared with the release of the cluster, and with the whole version as Helm 3 does.
// The finding is at the version, one for all packs.
func TestChartVersion(t *testing.T) {
	web := func(name, allowed string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\nspec:\n  version: 1.0.0\n  values: {}\n  chartFacts: {charts: {" + name + ": {name: " + name + ", version: 1.0.0, kubeVersion: '" + allowed + "'}}}\n---\n"
	}
	cluster := func(name, version string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: " + name + "}\nspec: {system: {kubernetes: {version: '" + version + "'}}}\n---\n"
	}
	const fault, at = "values/chart-version", " ClusterContext/c spec.system.kubernetes.version"
	for name, tc := range map[string]struct {
		packs, clusters string
		want            []string
		says            string
	}{
		"a newer cluster":                     {web("web", ">=1.24.0-0"), cluster("c", "1.30.2"), nil, ""},
		"an older cluster":                    {web("web", ">=1.24.0-0"), cluster("c", "1.22.0"), []string{"error " + fault + at}, `Kubernetes 1.22.0 is outside the kubeVersion of pack "web" (chart web 1.0.0: >=1.24.0-0)`},
		"two packs":                           {web("a", ">=1.24.0-0") + web("b", ">=1.23.0-0") + web("c", ">=1.20.0-0"), cluster("c", "1.22.0"), []string{"error " + fault + at}, `pack "a" (chart a 1.0.0: >=1.24.0-0) and pack "b" (chart b 1.0.0: >=1.23.0-0)`},
		"more than five packs":                {web("a", ">1.24.0") + web("b", ">1.24.0") + web("c", ">1.24.0") + web("d", ">1.24.0") + web("e", ">1.24.0") + web("f", ">1.24.0") + web("g", ">1.24.0"), cluster("c", "1.22.0"), []string{"error " + fault + at}, "and 2 more"},
		"a v":                                 {web("web", ">=1.24.0"), cluster("c", "v1.30.2"), nil, ""},
		"two numbers":                         {web("web", ">=1.24"), cluster("c", "1.30"), nil, ""},
		"a suffix":                            {web("web", ">=1.24.0"), cluster("c", "1.30.2-eks.1"), []string{"warning " + fault + at}, "Helm 4"},
		"a suffix, and an older one":          {web("web", ">=1.24.0") + web("new", ">=1.32.0"), cluster("c", "1.30.2-eks.1"), []string{"warning " + fault + at, "error " + fault + at}, `pack "new"`},
		"a suffix that is allowed":            {web("web", ">=1.24.0-0"), cluster("c", "1.30.2-eks.1"), nil, ""},
		"a suffix of an older cluster":        {web("web", ">=1.24.0-0"), cluster("c", "1.22.0-eks.1"), []string{"error " + fault + at}, ""},
		"a build":                             {web("web", ">=1.24.0"), cluster("c", "1.30.2+k3s1"), nil, ""},
		"a range that cannot be read":         {web("web", "from 1.24"), cluster("c", "1.30.2"), []string{"error " + fault + " Pack/web spec.chartFacts.charts.web.kubeVersion"}, ""},
		"no range":                            {web("web", ""), cluster("c", "1.30.2"), nil, ""},
		"no cluster":                          {web("web", ">=1.24.0"), "", nil, ""},
		"a cluster of no version":             {web("web", ">=1.24.0"), cluster("c", ""), nil, ""},
		"a version that is none":              {web("web", ">=1.24.0"), cluster("c", "latest"), nil, ""},
		"two clusters":                        {web("web", ">=1.24.0"), cluster("c", "1.22.0") + cluster("d", "1.30.2"), nil, ""},
		"a ClusterContext of another version": {web("web", ">=1.24.0"), strings.Replace(cluster("c", "1.22.0"), "v1alpha1", "v1", 1), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			resources := strings.Split(strings.TrimSuffix(tc.packs+tc.clusters, "---\n"), "---\n")
			for i, text := range resources {
				resources[i] = strings.Replace(text, "metadata: {", fmt.Sprintf("metadata: {annotations: {internal.config.kubernetes.io/path: f%d.yaml}, ", i), 1)
			}
			var got []string
			says := tc.says == ""
			for _, f := range functiontest.Run(t, Function(), "", strings.Join(resources, "---\n")).Findings {
				got = append(got, fmt.Sprintf("%s %s %s/%s %s", f.Level(), f.Rule.ID, f.Origin.Resource.Kind, f.Origin.Resource.Name, f.Path()))
				says = says || strings.Contains(f.Message(), tc.says)
			}
			if !slices.Equal(got, tc.want) || !says {
				t.Errorf("got %q", got)
			}
		})
	}
}

// What the charts of a pack read travels with it, and values are checked by it at the
// override's line.
func TestChartFacts(t *testing.T) {
	const head = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec:\n  version: 1.0.0\n  values: {charts: {web: {port: 1, host: a}}}\n"
	const facts = "  chartFacts:\n    charts:\n      web: {name: web, version: 1.0.0, reads: {port: , host: , global: }, schema: {properties: {port: {type: integer}}}}\n"
	const open = "  chartFacts:\n    charts:\n      web: {name: web, version: 1.0.0, reads: {port: , pod: {host: }, '*': }}\n"
	const manifests = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec:\n  version: 1.0.0\n  values: {manifests: {vip: {port: 1, host: a}}}\n  chartFacts:\n    manifests: {vip: {port: '*', host: '*'}}\n"
	override := func(values string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site}\nspec:\n  packRef: {name: web}\n  values: {" + values + "}\n"
	}
	for name, tc := range map[string]struct {
		pack, override string
		want           []string
	}{
		"a key that the chart does not read": {head + facts, override("charts: {web: {prot: 2}}"), []string{"warning values/inert PackValues/site spec.values.charts.web.prot"}},
		"a chart that may read any key":      {head + open, override("charts: {web: {prot: 2}}"), []string{"warning values/near-key PackValues/site spec.values.charts.web.prot"}},
		"a key that such a chart reads":      {head + strings.Replace(open, "port: ,", "prot: ,", 1), override("charts: {web: {prot: 2}}"), nil},
		"a place that the chart reads as a whole": {strings.Replace(head, "host: a", "pod: {host: a}", 1) + strings.Replace(open, "{host: }", "'*'", 1), override("charts: {web: {pod: {hots: 2}}}"),
			[]string{"warning values/near-key PackValues/site spec.values.charts.web.pod.hots"}},
		"texts that may read all values": {head + strings.Replace(facts, "reads:", "tpl: [[]], reads:", 1), override("charts: {web: {prot: 2, host: '{{ include .x . }}'}}"),
			[]string{"warning values/near-key PackValues/site spec.values.charts.web.prot"}},
		"a key that the manifest does not read":            {manifests, override("manifests: {vip: {prot: 2}}"), []string{"warning values/inert PackValues/site spec.values.manifests.vip.prot"}},
		"a manifest that may read any key":                 {strings.Replace(manifests, "{port: '*', host: '*'}}", "'*'}", 1), override("manifests: {vip: {prot: 2}}"), []string{"warning values/near-key PackValues/site spec.values.manifests.vip.prot"}},
		"a manifest without facts":                         {strings.Replace(manifests, "{vip: {port: '*'", "{other: {port: '*'", 1), override("manifests: {vip: {prot: 2}}"), []string{"warning values/near-key PackValues/site spec.values.manifests.vip.prot"}},
		"a key that the manifest reads":                    {strings.Replace(manifests, "host: '*'", "prot: '*'", 1), override("manifests: {vip: {prot: 2}}"), []string{"warning values/inert Pack/web spec.values.manifests.vip.host"}},
		"a chart beside manifests alone":                   {manifests, override("charts: {x: {prot: 2}}"), nil},
		"without facts":                                    {head, override("charts: {web: {prot: 2}}"), []string{"warning values/near-key PackValues/site spec.values.charts.web.prot"}},
		"a key at the root":                                {head + facts, override("host: b"), []string{"warning values/misplaced PackValues/site spec.values.host"}},
		"a key at the root that only the chart has":        {head + strings.Replace(facts, "host: ,", "host: , debug: ,", 1), override("debug: b"), []string{"warning values/misplaced PackValues/site spec.values.debug"}},
		"a key at the root that two charts read":           {head + strings.Replace(facts, "      web: {", "      db: {name: db, version: 1.0.0, reads: {host: }}\n      web: {", 1), override("host: b"), []string{"warning values/misplaced PackValues/site spec.values.host"}},
		"a key at the root that the pack has in the chart": {head + facts, override("port: 2"), []string{"warning values/misplaced PackValues/site spec.values.port"}},
		"a key at the root that no chart has":              {head + facts, override("debug: b"), nil},
		"a key at the root that the pack has": {strings.Replace(head, "{charts", "{debug: a, charts", 1) + strings.Replace(facts, "host: ,", "host: , debug: ,", 1), override("debug: b"),
			[]string{"warning values/misplaced Pack/web spec.values.debug"}},
		"a key at the root and in the chart":   {strings.Replace(head, "{charts: {web: {", "{debug: a, charts: {web: {debug: b, ", 1) + strings.Replace(facts, "host: ,", "host: , debug: ,", 1), override("debug: b"), nil},
		"a key at the root that a macro reads": {strings.Replace(head, "{charts", "{debug: a, charts", 1) + strings.Replace(facts, "host: ,", "host: , debug: ,", 1), override("charts: {web: {host: '{{ .spectro.pack.web.debug }}'}}"), nil},
		"globals at the root":                  {head + facts, override("global: {a: 1}"), nil},
		"dots":                                 {head + facts, override("charts.web.port: 2"), []string{"warning values/misplaced PackValues/site spec.values.charts.web.port"}},
		"dots below a chart that the pack sets nothing of": {"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec:\n  version: 1.0.0\n  values: {a: 1}\n" + facts, override("charts.web.port: 2"),
			[]string{"warning values/misplaced PackValues/site spec.values.charts.web.port"}},
		"the key of the chart": {head + facts, override("charts: {wbe: {port: 2}}"), []string{"warning values/misplaced PackValues/site spec.values.charts.wbe"}},
		"another chart":        {head + facts, override("charts: {vault: {port: 2}}"), []string{"warning values/inert PackValues/site spec.values.charts.vault"}},
		"a chart without values": {strings.Replace(head, "{charts: {web: {port: 1, host: a}}}", "{port: 1, debug: 2, host: a}", 1) + facts, override("port: 2"),
			[]string{"warning values/no-chart-values Pack/web spec.values.port"}},
		"a chart without values that reads nothing else": {strings.Replace(head, "{charts: {web: {port: 1, host: a}}}", "{debug: 2}", 1) + facts, override("debug: 3"), nil},
		"another key than those of charts":               {head + facts, override("cahrts: {}"), []string{"warning values/near-key PackValues/site spec.values.cahrts"}},
		"the schema":                                     {head + facts, override("charts: {web: {port: x}}"), []string{"error values/chart-schema PackValues/site spec.values.charts.web.port", "warning values/type-changed PackValues/site spec.values.charts.web.port"}},
		"a schema that is none":                          {strings.Replace(head+facts, "{type: integer}", "{type: 7}", 1), override("charts: {web: {port: 3}}"), []string{"info values/chart-schema PackValues/site spec.values.charts.web"}},
		"a macro reads it":                               {head + facts, override("charts: {web: {x: 2, host: '{{ .spectro.pack.web.charts.web.x }}'}}"), nil},
		"facts that are not facts":                       {head + "  chartFacts: {charts: [a]}\n", override("charts: {web: {prot: 2}}"), []string{"error input/invalid Pack/web spec.chartFacts pack=web", "warning values/near-key PackValues/site spec.values.charts.web.prot"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, line := range functiontest.Facts(functiontest.Run(t, Function(), "", tc.pack+"---\n"+tc.override).Findings) {
				head, _, _ := strings.Cut(line, " key=")
				got = append(got, head)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
