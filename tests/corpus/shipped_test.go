package corpus

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/schema"
)

// failing are the packs that fail by their own schema: they ship "" where the
// user is to fill in something.
var failing = map[string][]finding{
	"crowdstrike-falcon-agent-1.0.0": {
		{"values/required", "manifests.install-falcon.agentPackageUrl"},
		{"values/required", "manifests.install-falcon.customerId"},
	},
	"external-snapshotter-4.0.1": {{"values/required", "manifests.vsclass.driver"}},
	"karpenter-1.0.5":            {{"values/required", "awsAccountNumber"}},
	"karpenter-1.5.1":            {{"values/required", "awsAccountNumber"}},
}

func TestPacksAsShipped(t *testing.T) {
	for _, p := range packs(t) {
		t.Run(p.name, func(t *testing.T) {
			got := check(t, listOf(t, p.configMap()), "error")
			if diff := cmp.Diff(failing[p.name], got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// One list of all packs comes back byte for byte, with the same errors.
func TestPacksComeBack(t *testing.T) {
	var items []any
	var want []finding
	all := packs(t)
	if all == nil {
		return
	}
	for _, p := range all {
		items = append(items, p.configMap())
		want = append(want, failing[p.name]...)
	}
	input := listOf(t, items...)
	resources, err := list.Read(input)
	if err != nil {
		t.Fatal(err)
	}
	outcome := function.Evaluate(schema.Function(), resources)
	var output bytes.Buffer
	if err := resources.Write(&output, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimRight(input, "\n"), bytes.TrimRight(output.Bytes(), "\n")) {
		t.Error("the list did not come back byte for byte")
	}
	var got []finding
	for _, r := range outcome.Results() {
		if r.Severity == "error" {
			got = append(got, finding{r.Tags["rule"], r.Tags["key"]})
			// The results of a list are in the order of its files.
			if r.File == nil || failing[strings.TrimSuffix(r.File.Path, ".yaml")] == nil {
				t.Errorf("%s is reported of another file", r.Message)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The forms of a pack give the same findings.
func TestFormsAgree(t *testing.T) {
	for _, p := range withSchema(packs(t)) {
		t.Run(p.name, func(t *testing.T) {
			typed := func(structured bool) []byte {
				spec := map[string]any{"name": p.packName(t)}
				for file, field := range map[string]string{"values.yaml": "values", "schema.yaml": "schema", "presets.yaml": "presets"} {
					text, ok := p.files[file]
					if !ok {
						continue
					}
					spec[field] = text
					var node yaml.Node
					if !structured || field == "presets" || yaml.Unmarshal([]byte(text), &node) != nil || len(node.Content) == 0 {
						continue
					}
					if node.Content[0].Kind == yaml.MappingNode {
						spec[field] = node.Content[0]
					}
				}
				return listOf(t, map[string]any{
					"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "Pack",
					"metadata": map[string]any{"name": p.objectName()}, "spec": spec,
				})
			}
			for _, severity := range []string{"error", "warning", "info"} {
				want := sorted(check(t, listOf(t, p.configMap()), severity))
				for name, input := range map[string][]byte{"text": typed(false), "mappings": typed(true)} {
					if diff := cmp.Diff(want, sorted(check(t, input, severity))); diff != "" {
						t.Errorf("%ss of a Pack of %s: -ConfigMap +Pack:\n%s", severity, name, diff)
					}
				}
			}
		})
	}
}

// sorted makes findings comparable whose order depends on lines.
func sorted(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int { return strings.Compare(a.Rule+" "+a.Key, b.Rule+" "+b.Key) })
	return found
}
