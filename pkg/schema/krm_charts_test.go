package schema

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// What the charts of a pack read travels with it, and values are judged by it at the
// override's line.
func TestChartFacts(t *testing.T) {
	const head = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec:\n  version: 1.0.0\n  values: {charts: {web: {port: 1, host: a}}}\n"
	const facts = "  chartFacts:\n    charts:\n      web: {name: web, version: 1.0.0, reads: {port: , host: , global: }, schema: {properties: {port: {type: integer}}}}\n"
	override := func(values string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: site}\nspec:\n  packRef: {name: web}\n  values: {" + values + "}\n"
	}
	for name, tc := range map[string]struct {
		pack, override string
		want           []string
	}{
		"a key that the chart does not read": {head + facts, override("charts: {web: {prot: 2}}"), []string{"warning values/inert PackValues/site spec.values.charts.web.prot"}},
		"without facts":                      {head, override("charts: {web: {prot: 2}}"), []string{"warning values/near-key PackValues/site spec.values.charts.web.prot"}},
		"another key than those of charts":   {head + facts, override("cahrts: {}"), []string{"warning values/near-key PackValues/site spec.values.cahrts"}},
		"the schema":                         {head + facts, override("charts: {web: {port: x}}"), []string{"error values/chart-schema PackValues/site spec.values.charts.web.port", "warning values/type-changed PackValues/site spec.values.charts.web.port"}},
		"a macro reads it":                   {head + facts, override("charts: {web: {x: 2, host: '{{ .spectro.pack.web.charts.web.x }}'}}"), nil},
		"facts that are no facts":            {head + "  chartFacts: {charts: [a]}\n", override("charts: {web: {prot: 2}}"), []string{"error input/invalid Pack/web spec.chartFacts pack=web", "warning values/near-key PackValues/site spec.values.charts.web.prot"}},
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
