package suite

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// fault returns the rule and the place of a finding, without its message.
func fault(f diag.Finding) string {
	return fmt.Sprint(f.Rule.ID, " ", f.Resource().Kind, "/", f.Resource().Name, " ", f.Path(), " ", f.Key)
}

// with returns YAML documents in which a finding's field has the proposed value. It checks
// that the field has what the finding calls the current value.
func with(t *testing.T, documents []string, f diag.Finding) []string {
	t.Helper()
	changed := slices.Clone(documents)
	for i, document := range documents {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(document), &n); err != nil || n.Kind == 0 {
			continue
		}
		root, r := n.Content[0], f.Resource()
		if values.Text(values.Field(root, "kind")) != r.Kind || values.Text(values.Field(root, "metadata", "name")) != r.Name {
			continue
		}
		at := follow(t, &n, f.Path())
		if f.Origin.Embedded {
			var inner yaml.Node
			if err := yaml.Unmarshal([]byte(at.Value), &inner); err != nil {
				t.Fatal(err)
			}
			setTo(t, follow(t, &inner, f.Key), f)
			text, err := yaml.Marshal(&inner)
			if err != nil {
				t.Fatal(err)
			}
			if at.Value = string(text); strings.HasSuffix(f.Path(), ".json]") {
				at.Value, _ = values.JSON(inner.Content[0])
			}
		} else {
			setTo(t, at, f)
		}
		text, err := yaml.Marshal(&n)
		if err != nil {
			t.Fatal(err)
		}
		changed[i] = string(text)
		return changed
	}
	t.Fatalf("%s is not there", fault(f))
	return nil
}

// setTo sets the proposed value of a finding.
func setTo(t *testing.T, n *yaml.Node, f diag.Finding) {
	t.Helper()
	if f.Current != nil && n.Value != fmt.Sprint(f.Current) {
		t.Errorf("%s: the current value is %v, but the field has %q", fault(f), f.Current, n.Value)
	}
	var proposed yaml.Node
	if err := proposed.Encode(f.Proposed); err != nil {
		t.Fatal(err)
	}
	*n = proposed
}

var step = regexp.MustCompile(`\[[^\]]*\]|[^.\[\]]+`)

// follow returns the node at a path. It adds a key that is not there.
func follow(t *testing.T, n *yaml.Node, path string) *yaml.Node {
	t.Helper()
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	for _, s := range step.FindAllString(path, -1) {
		name := strings.Trim(s, "[]")
		if i, err := strconv.Atoi(name); err == nil && n.Kind == yaml.SequenceNode {
			n = n.Content[i]
			continue
		}
		child := values.Field(n, name)
		if child == nil {
			child = &yaml.Node{Kind: yaml.ScalarNode}
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, child)
		}
		n = child
	}
	return n
}

// checkProposals applies each proposed value of a run on its own, and runs again: the
// fault must be gone, and no error may be new.
func checkProposals(t *testing.T, f function.Function, config, items string) (proposals int) {
	t.Helper()
	documents := append(strings.Split(items, "\n---\n"), config)
	run := func(documents []string) []diag.Finding {
		last := len(documents) - 1
		_, outcome := functiontest.Evaluate(t, f, functiontest.List(documents[last], strings.Join(documents[:last], "\n---\n")))
		return outcome.Findings
	}
	before := run(documents)
	known := map[string]bool{}
	for _, found := range before {
		known[fault(found)] = true
	}
	for _, found := range before {
		if found.Proposed == nil {
			continue
		}
		proposals++
		for _, after := range run(with(t, documents, found)) {
			if fault(after) == fault(found) && fmt.Sprint(after.Current) == fmt.Sprint(found.Proposed) {
				t.Errorf("the proposal does not help: %s: %s", fault(found), after.Message())
			}
			// A resource that can be read now may have faults of its own.
			if after.Level() == diag.Error && !known[fault(after)] && !strings.HasSuffix(found.Rule.ID, "/invalid") {
				t.Errorf("the proposal %v for %s causes %s", found.Proposed, fault(found), after.Message())
			}
		}
	}
	return proposals
}

// What a function proposes can be written into the field that the finding names: then the
// fault is gone, and nothing else is broken.
func TestProposals(t *testing.T) {
	for name, tc := range map[string]struct {
		config, items string
		want          int
	}{
		"check-resources": {"", `
apiVersion: v1
kind: ConfigMap
metadata: {name: p}
data:
  pack.json: |
    {"name": "p", "version": "1.0.0", "constraints": {"resources": [{"type": "cpu", "minLimit": "2000m"}, {"type": "memory", "minLimit": 2},
      {"type": "memory", "components": [{"resourceRequestParamRef": "a.memory", "replicaCountParamRef": "a.replicas", "scheduleType": "Worker"}]}]}}
  values.yaml: |
    a: {memory: 512m, replicas: 3}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
spec:
  machinePools:
  - {name: workers, role: worker, size: 1, capacity: {cpu: "1", memory: 4GB}}
`[1:], 4},
		"validate-pack-values": {"", `
apiVersion: v1
kind: ConfigMap
metadata: {name: p}
data:
  pack.json: |
    {"name": "p", "version": "1.0.0"}
  values.yaml: |
    mode: Standard
    count: "5 "
    on: "True"
    version: v1.2.3
  schema.yaml: |
    mode: {schema: '{{ format "${list:[standard,ha]}" }}'}
    count: {schema: '{{ format "${number:[1-9]}" }}'}
    on: {schema: '{{ format "${bool}" }}'}
    version: {schema: '{{ format "${version}" }}'}
`[1:], 1},
		"apply-preset": {
			`apiVersion: fn.kpt.dev/v1alpha1
kind: ApplyPreset
metadata: {name: config}
spec: {presets: [{pack: p, name: High Availability}]}
`,
			`
apiVersion: v1
kind: ConfigMap
metadata: {name: p}
data:
  pack.json: |
    {"name": "p", "version": "1.0.0"}
  values.yaml: |
    replicas: 1
  presets.yaml: |
    presets:
    - {name: ha, displayName: High Availability, group: size, remove: [], add: 'replicas: 3'}
`[1:], 1,
		},
		"inject-config": {`
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: pv}
spec:
  upstream: {repo: a, package: b, revision: v3, workspaceName: v3}
  downstream: {repo: c, package: b}
  pipeline: {mutators: [{image: x, name: a.b}]}
`[1:], `
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: k}
---
apiVersion: x/v1
kind: T
metadata: {name: t, annotations: {kpt.dev/config-injection: Required}}
spec: {}
`[1:], 3},
		"expand-variant-set": {
			`apiVersion: fn.kpt.dev/v1alpha1
kind: ExpandVariantSet
metadata: {name: config}
spec: {outputPath: 'x//{name}.yaml'}
`,
			`
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: s}
spec:
  upstream: {repo: a, package: b, revision: v3}
  targets:
  - repositories: [{name: r, packageNames: [a//b]}]
    template: {downstream: {package: c//d}}
`[1:], 3,
		},
		"select-implementations": {"", `
apiVersion: ocf.capact.io/v1alpha2
kind: Interface
metadata: {name: i}
spec: {path: cap.interface.a.b, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: Implementaton
metadata: {name: m}
spec: {path: cap.implementation.a.b, revision: 0.1.0, implements: [{path: cap.interface.a.b, revision: 0.1.0}]}
---
apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata: {name: p}
spec: {scope: GLOBAL, interface: {rules: [{interface: {path: cap.*}, oneOf: [{}]}]}}
`[1:], 2},
		"check-dependencies": {
			`apiVersion: fn.kpt.dev/v1alpha1
kind: CheckDependencies
metadata: {name: config}
spec: {catalog: '{name: b, version: 2.1.0}'}
`,
			`
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec:
  version: 1.0.0
  constraints: {dependencies: [{packName: b, minVersion: '2.0', type: required}, {packName: c, minVersion: '1.0', type: Optional}]}
  dependencies: [{type: olm.constraint, value: {package: {packageName: b, versionRange: ^1.x}}}]
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: b}
spec: {version: 1.0.0}
`[1:], 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(All(), func(f function.Function) bool { return f.Name == name })
			if got := checkProposals(t, All()[at], tc.config, tc.items); got < tc.want {
				t.Errorf("%d proposals were applied, want %d", got, tc.want)
			}
		})
	}
}

// The same for the examples.
func TestProposalsOfExamples(t *testing.T) {
	all := map[string]int{}
	for _, f := range All() {
		for _, example := range examplesOf(t, f) {
			folder := root + "examples/" + example
			files, err := filepath.Glob(folder + "/*.yaml")
			if err != nil {
				t.Fatal(err)
			}
			config, documents := "", []string{}
			for _, file := range append(files, folder+"/Kptfile") {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				switch filepath.Base(file) {
				case "fn-config.yaml":
					config = string(text)
				case "kustomization.yaml":
				default:
					documents = append(documents, strings.TrimSpace(string(text)))
				}
			}
			all[f.Name] += checkProposals(t, f, config, strings.Join(documents, "\n---\n"))
		}
	}
	t.Log(all)
	if len(slices.Collect(maps.Keys(all))) != len(All()) || all["check-dependencies"] == 0 || all["check-resources"] == 0 {
		t.Errorf("proposals that were applied: %v", all)
	}
}
