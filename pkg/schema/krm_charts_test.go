package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// The message names the packs whose charts do not allow the version of the cluster, up to five,
// with what they allow.
func TestChartVersionMessages(t *testing.T) {
	const cluster = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: cluster, annotations: {config.kubernetes.io/path: cluster.yaml}}\nspec: {system: {kubernetes: {version: 1.22.0}}}\n"
	for names, want := range map[string]string{
		"web":           `outside the kubeVersion of pack "web" (chart web 1.0.0: >=1.24.0)`,
		"a b":           `pack "a" (chart a 1.0.0: >=1.24.0) and pack "b" (chart b 1.0.0: >=1.24.0)`,
		"a b c d e f g": `pack "d" (chart d 1.0.0: >=1.24.0), pack "e" (chart e 1.0.0: >=1.24.0) and 2 more`,
	} {
		documents := cluster
		for name := range strings.FieldsSeq(names) {
			documents += fmt.Sprintf("---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: %[1]s}\nspec: {version: 1.0.0, values: {}, chartFacts: {charts: {%[1]s: {name: %[1]s, version: 1.0.0, kubeVersion: '>=1.24.0'}}}}\n", name)
		}
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", documents))
		if len(outcome.Findings) != 1 || !strings.Contains(outcome.Findings[0].Message(), want) {
			t.Errorf("%s: got %q, want %s", names, functiontest.Messages(outcome), want)
		}
	}
}
