package rule_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/rule"
)

// runnable is an example inside of the resources that it needs.
type runnable struct {
	function string
	// list has the resources, and a line <> in place of the example's text: the text has
	// the indentation of the line. For an example in words there is none.
	list string
	// old becomes fixed in the list, so that the rule has no finding.
	old, fixed string
}

const (
	vaultPack = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: vault
spec:
  version: 1.0.0
  values: {version: 1.0.0, replicas: 3, server: {memory: 256Mi}}
`
	pools = `---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c
spec:
  machinePools: [{name: workers, role: worker, size: 2, capacity: {cpu: "2", memory: 8Gi}}]
`
	// waiting is a package with an injection point.
	waiting   = "---\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n---\n" + packsKind + "\n<>\n"
	packsKind = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext"
	// twoDNS are two packs of one name.
	twoDNS = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {name: dns, version: 1.0.0}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {name: dns, version: 1.0.0}\n"
	// asks is a pack with an entry of constraints.resources.
	asks = `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
data:
  values.yaml: |
    server: {memory: 256Mi}
  pack.json: |
    {"name": "vault", "version": "1.0.0", "constraints": {"resources": [
    `
	// bundle is the head of a bundle with files of its metadata folder.
	bundle = `apiVersion: v1
kind: ConfigMap
metadata:
  name: red
data:
  annotations.yaml: |
    annotations: {operators.operatorframework.io.bundle.package.v1: red}
  properties.yaml: |
    properties:
    - {type: olm.package, value: {packageName: red, version: 1.0.0}}
  `
	// other is a bundle of a name, which begins after its version.
	other = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
data:
  bundle.yaml: |
    schema: olm.bundle
    name: other
    package: `
	cluster = `---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
`
	hub = `apiVersion: ocf.capact.io/v1alpha1
kind: Interface
metadata: {name: postgresql}
spec: {path: cap.interface.database.postgresql.install, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: Implementation
metadata: {name: cloudsql}
spec:
  path: cap.implementation.gcp.cloudsql.install
  revision: 0.1.0
  implements: [{path: cap.interface.database.postgresql.install, revision: 0.1.0}]
  requires:
    cap.type.gcp:
      oneOf: [{name: cap.type.gcp.auth, revision: 0.1.0}]
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata: {name: storage}
spec: {typeRef: {path: cap.type.helm.template.storage, revision: 0.1.0}}
---
`
	auth = `apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata: {name: auth}
spec: {typeRef: {path: cap.type.gcp.auth, revision: 0.1.0}}
---
`
	policyHead = `apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata: {name: global}
spec:
  scope: GLOBAL
  interface:
`
	presets = `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
data:
  pack.json: |
    {"name": "vault", "version": "0.7.0"}
  values.yaml: |
    replicas: 3
    host: a
  presets.yaml: |
    presets:
    - {name: ha, displayName: HA, group: size, add: "replicas: 5"}
    - {name: single, displayName: Single, group: size, add: "replicas: 1"}
    - {name: private, displayName: Private, group: network, add: "replicas: 2"}
`
	applyHead = `---
apiVersion: fn.kpt.dev/v1alpha1
metadata: {name: apply}
`
)

var runnables = map[string]runnable{
	"accept/unused": {"validate-pack-values", "apiVersion: v1\nkind: ConfigMap\n<>\n  name: vault\ndata:\n" +
		"  pack.json: |\n    {\"name\": \"vault\", \"version\": \"1\"}\n  values.yaml: |\n    registry: {port: 5000}\n  schema.yaml: |\n    registry.port: {schema: '{{ format \"${number:[5000-5005]}\" }}'}\n",
		"registry: {port: 5000}", "registry: {port: 1}"},
	"accepted": {"check-resources", strings.Replace(strings.Replace(asks, "metadata:\n", "<>\n", 1), "256Mi", "256m", 1) +
		"{\"type\": \"memory\", \"components\": [{\"resourceRequestParamRef\": \"server.memory\", \"scheduleType\": \"worker\"}]}\n    ]}}\n" + pools, "resources/suspicious-unit: ", "resources/invalid: "},
	"cluster-constraint/invalid":     {"check-dependencies", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: c}\n<>\n", "exist(", "exists("},
	"cluster-constraint/unsatisfied": {"check-dependencies", vaultPack + "  properties: [{type: tested, value: {}}]\n---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: c}\n<>\n", "type: tested", "type: certified"},
	"config/invalid":                 {"validate-pack-values", vaultPack + "---\napiVersion: fn.kpt.dev/v1alpha1\nmetadata: {name: x}\n<>\n", "unknownKey:", "unknownKeys:"},
	"constraint/invalid":             {"check-dependencies", bundle + "<>\n", "constraint: []", "constraints: [{gvk: {group: a, version: v1, kind: B}}]"},
	"constraint/prerelease":          {"check-dependencies", bundle + "<>\n" + other + "vault\n    properties: [{type: olm.package, value: {packageName: vault, version: 1.1.0-rc.1}}]\n", "1.1.0-rc.1}}]", "1.1.0}}]"},
	"constraint/scope-differs": {"check-dependencies", bundle + "dependencies.yaml: |\n    dependencies:\n    - {type: olm.constraint, value: {all: {constraints: [{gvk: {group: a, version: v1, kind: A}}, {gvk: {group: b, version: v1, kind: B}}]}}}\n" +
		other + "one\n    properties: [{type: olm.package, value: {packageName: one, version: 1.0.0}}, {type: olm.gvk, value: {group: a, version: v1, kind: A}}]\n" +
		strings.Replace(other, "other", "two", 2) + "two\n    properties: [{type: olm.package, value: {packageName: two, version: 1.0.0}}, {type: olm.gvk, value: {group: b, version: v1, kind: B}}]\n" +
		"---\napiVersion: fn.kpt.dev/v1alpha1\nmetadata: {name: x}\n<>\n", "two\n    properties: [", "two\n    properties: [{type: olm.gvk, value: {group: a, version: v1, kind: A}}, "},
	"constraint/unknown-property": {"check-dependencies", bundle + "<>\n", "olm.labels", "olm.label"},
	"constraint/top-level-not":    {"check-dependencies", bundle + "<>\n", "value: {not: {constraints: [{gvk: {group: a, version: v1, kind: B}}]}}", "value: {all: {constraints: [{not: {constraints: [{gvk: {group: a, version: v1, kind: B}}]}}]}}"},
	"constraint/unsatisfied":      {"check-dependencies", bundle + "<>\n" + other + "kubernetes\n    properties: [{type: olm.package, value: {packageName: kubernetes, version: 1.0.0}}, {type: olm.k9s, value: {}}]\n", "olm.k9s", "olm.k8s"},
	"pack/cloud":                  {"check-dependencies", vaultPack + "  cloudTypes: [eks]\n" + cluster + "<>\n", "type: vsphere", "type: eks"},
	"dependency/below-min": {"check-dependencies", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  pack.json: |\n    {\"name\": \"a\", \"version\": \"1.0.0\", \"constraints\": {\"dependencies\": [\n    <>\n    ]}}\n---\n" +
		"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: kubernetes}\nspec: {version: 1.27.4, layer: k8s}\n", "1.27.4", "1.28.0"},
	"dependency/upgrade":      {"check-dependencies", strings.Replace(vaultPack, "1.0.0", "0.8.0", 1) + "---\napiVersion: fn.kpt.dev/v1alpha1\nkind: CheckDependencies\nmetadata: {name: x}\nspec:\n  <>\n", "0.8.0", "0.6.1"},
	"input/invalid":           {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n", "packref", "packRef"},
	"nothing-to-do":           {"check-dependencies", strings.TrimPrefix(pools, "---\n"), pools[4:], vaultPack},
	"pack/duplicate":          {"check-dependencies", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: other}\nspec: {name: vault, version: 2.0.0}\n", "name: vault, version", "name: other, version"},
	"provider/duplicate":      {"check-dependencies", bundle[:len(bundle)-2] + other + "red\n    properties: [{type: olm.package, value: {packageName: red, version: 1.1.0}}]\n", "red\n    properties: [{type: olm.package, value: {packageName: red,", "blue\n    properties: [{type: olm.package, value: {packageName: blue,"},
	"requirement/unsatisfied": {"check-dependencies", bundle + "<>\n" + other + "etcd\n    properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}, {type: olm.gvk, value: {group: etcd.other, version: v1, kind: EtcdCluster}}]\n", "etcd.other", "etcd.database"},

	"resources/insufficient": {"check-resources", asks + "<>\n    ]}}\n" + pools, "size: 2", "size: 4"},
	"resources/invalid":      {"check-resources", asks + "<>\n    ]}}\n" + pools, `"ram"`, `"memory"`},
	"resources/no-pool":      {"check-resources", asks + "{\"type\": \"cpu\", \"minLimit\": 100}\n    ]}}\n" + cluster + "spec: {}\n", "spec: {}", "spec: {machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: \"2\", memory: 8Gi}}]}"},
	"resources/summary":      {"check-resources", asks + "{\"type\": \"cpu\", \"minLimit\": 100}\n    ]}}\n" + pools, "machinePools: [{name: workers, role: worker, size: 2, capacity: {cpu: \"2\", memory: 8Gi}}]", "machinePools: []"},
	"resources/suspicious-unit": {"check-resources", strings.Replace(asks, "server: {memory: 256Mi}", "<>", 1) +
		"{\"type\": \"memory\", \"components\": [{\"resourceRequestParamRef\": \"memory\", \"scheduleType\": \"worker\"}]}\n    ]}}\n" + pools, "256m", "256Mi"},
	"resources/unresolved-ref": {"check-resources", asks + "{\"type\": \"memory\", \"components\": [\n    <>\n    ]}]}}\n" + pools, "memroy", "memory"},

	"policy/denied":      {"select-implementations", hub + auth + policyHead + "    <>\n", "oneOf: []", "oneOf: [{implementationConstraints: {}}]"},
	"policy/no-rule":     {"select-implementations", hub + auth + policyHead + "    rules: [{interface: {path: cap.interface.other}, oneOf: [{implementationConstraints: {}}]}]\n", "cap.interface.other", "cap.*"},
	"resources/waiting":  {"check-resources", asks + "{\"type\": \"cpu\", \"minLimit\": 100}\n    ]}}\n" + waiting + "spec: {}\n", "kpt.dev/config-injection", "note"},
	"dependency/waiting": {"check-dependencies", vaultPack + waiting + "spec: {}\n", "kpt.dev/config-injection", "note"},
	"macro/waiting":      {"resolve-macros", strings.Replace(vaultPack, "replicas: 3", "replicas: '{{ .spectro.var.REPLICAS }}'", 1) + waiting + "spec: {}\n", "kpt.dev/config-injection", "note"},
	"preset/waiting":     {"apply-preset", presets + strings.Replace(waiting, packsKind, "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues", 1) + "spec: {packRef: {name: vault}, strategy: replace, values: {}}\n" + applyHead + "kind: ApplyPreset\nspec: {presets: [{pack: vault, name: ha}]}\n", "kpt.dev/config-injection", "note"},
	"policy/waiting":     {"select-implementations", hub + auth + strings.Replace(waiting, packsKind, "apiVersion: ocf.capact.io/v1alpha1\nkind: Policy", 1), "kpt.dev/config-injection", "note"},
	"policy/selected":    {"select-implementations", hub + auth + policyHead + "    rules: [{interface: {path: cap.*}, oneOf: [{implementationConstraints: {}}]}]\n", "oneOf: [{implementationConstraints: {}}]", "oneOf: []"},
	"policy/duplicate":   {"select-implementations", hub + auth + strings.Replace(hub[:strings.Index(hub, "---")], "name: postgresql", "name: again", 1) + "---\n" + policyHead + "    rules: [{interface: {path: cap.*}, oneOf: [{implementationConstraints: {}}]}]\n", "{name: again}\nspec: {path: cap.interface.database.postgresql.install", "{name: again}\nspec: {path: cap.interface.database.mysql.install"},
	"policy/deny-lost": {"select-implementations", hub + auth + policyHead + "    rules: [{interface: {path: cap.interface.database.postgresql.install}, oneOf: [{implementationConstraints: {}}]}]\n---\n" +
		strings.Replace(strings.Replace(policyHead, "GLOBAL", "ACTION", 1), "name: global", "name: action", 1) + "    rules: [{interface: {path: cap.interface.database.postgresql.install}, oneOf: []}]\n", "oneOf: [{implementationConstraints: {}}]", "oneOf: []"},
	"policy/ignored-field":    {"select-implementations", hub + auth + policyHead + "    <>\n", "      comment: for all", ""},
	"policy/invalid":          {"select-implementations", hub + auth + policyHead + "    rules:\n    - interface: {path: cap.*}\n      oneOf:\n      - implementationConstraints: {}\n        <>\n", "id: unknown", "id: auth"},
	"policy/unreachable-rule": {"select-implementations", hub + auth + policyHead + "    rules:\n    <>\n      oneOf: [{implementationConstraints: {}}]\n", "cap.interface.databse.*", "cap.*"},
	"policy/unsatisfied":      {"select-implementations", hub + policyHead + "    rules:\n    - interface: {path: cap.*}\n      <>\n", "cap.type.helm.template.storage", "cap.type.gcp.auth"},
	"policy/unused": {"select-implementations", strings.Replace(hub, "cap.type.helm.template.storage", "cap.type.gcp.auth", 1) + policyHead + "    rules: [{interface: {path: cap.*}, oneOf: [{implementationConstraints: {}}]}]\n---\n" +
		strings.Replace(strings.Replace(policyHead, "GLOBAL", "ACTION", 1), "name: global", "name: action", 1) + "    rules: []\n" +
		"---\napiVersion: fn.kpt.dev/v1alpha1\nkind: SelectImplementations\nmetadata: {name: x}\nspec: {policyOrder: [GLOBAL]}\n", "policyOrder: [GLOBAL]", "policyOrder: [GLOBAL, ACTION]"},

	"preset/applied":        {"apply-preset", presets + applyHead + "<>\n", "{pack: vault, name: \"size:ha\"}", ""},
	"preset/group-conflict": {"apply-preset", presets + applyHead + "kind: ApplyPreset\nspec:\n  <>\n", `, {pack: vault, name: "size:single"}`, ""},
	"preset/path-conflict":  {"apply-preset", presets + applyHead + "kind: ApplyPreset\nspec:\n  <>\n", `, {pack: vault, name: "network:private"}`, ""},
	"preset/unknown":        {"apply-preset", presets + applyHead + "kind: ApplyPreset\nspec:\n  <>\n", "name: hA", "name: ha"},
	"preset/invalid": {"apply-preset", presets[:strings.Index(presets, "    presets:")] + "    <>\n" + applyHead + "kind: ApplyPreset\nspec: {presets: [{pack: vault, name: ha}]}\n",
		`{nme: ha, add: "replicas: 3"}`, `{name: ha, displayName: HA, group: size, add: "replicas: 4"}`},
	"preset/overridden": {"apply-preset", presets + "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: mine}\nspec: {packRef: {name: vault}, values: {replicas: 9}}\n" +
		applyHead + "kind: ApplyPreset\nspec: {presets: [{pack: vault, name: ha}]}\n", "{replicas: 9}", "{host: b}"},
	"macro/kept": {"resolve-macros", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec:\n  version: 1.0.0\n  values:\n    <>\n" + cluster + "spec: {system: {cluster: {uid: a}}}\n",
		"uid: a", "name: a"},
	"macro/unrecorded": {"resolve-macros", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec:\n  version: 1.0.0\n  <>\n" + cluster + "spec: {system: {cluster: {name: a}}}\n",
		"values: '{\"name\": \"{{ .spectro.system.cluster.name }}\"}'", "values: 'name: {{ .spectro.system.cluster.name }}'"},
	"macro/defaulted": {"resolve-macros", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec:\n  version: 1.0.0\n  values:\n    <>\n" + cluster + "spec: {variables: {OTHER: a}}\n" +
		"---\napiVersion: fn.kpt.dev/v1alpha1\nkind: ResolveMacros\nmetadata: {name: x}\nspec: {explain: true}\n", "OTHER", "ZONE"},

	"profile/variable":    {"validate-pack-values", "apiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: edge}\n<>\n", "defaultValue: web", "defaultValue: '80'"},
	"profile/duplicate":   {"validate-pack-values", twoDNS + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: edge}\n<>\n", ", {name: dns, layer: addon, packRef: {name: b}}", ""},
	"profile/layer":       {"validate-pack-values", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: kubernetes}\nspec: {version: 1.33.1}\n---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: edge}\n<>\n", "type: infra", "type: add-on"},
	"values/no-baseline":  {"validate-pack-values", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: |\n    {\"name\": \"vault\", \"version\": \"1\"}\n  schema.yaml: |\n    <>\n  other.yaml: |\n    version: 1.0.0\n", "other.yaml", "values.yaml"},
	"values/readonly":     {"validate-pack-values", vaultPack + "  schema: {version: {schema: '{{ readonly }}'}}\n---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n", "version: 2.0.0", "replicas: 2"},
	"values/type-changed": {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n", "version: 2.20", "version: '2.20'"},
	"values/placeholder":  {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n", "CHANGE_ME", "1.0.1"},
	"values/near-key":     {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n", "replcas", "replicas"},
	"values/misplaced": {"validate-pack-values", strings.Replace(vaultPack, "replicas: 3", "charts: {vault: {host: a}}", 1) + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n",
		"values: {host: b}", "values: {charts: {vault: {host: b}}}"},
	"values/chart-version": {"validate-pack-values", vaultPack + "  chartFacts:\n    charts:\n      vault:\n        <>\n" + cluster + "spec: {system: {kubernetes: {version: 1.30.2}}}\n",
		">=1.31.0-0", ">=1.24.0-0"},
	"override/drops": {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n", "strategy: replace, ", ""},
	"override/duplicate": {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n" +
		"---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: yours}\nspec: {packRef: {name: vault}, values: {replicas: 7}}\n", "replicas: 5", "server: {memory: 1Gi}"},
	"values/unknown-key": {"validate-pack-values", vaultPack + "---\napiVersion: packs.kpt.dev/v1alpha1\nmetadata: {name: mine}\n<>\n" +
		"---\napiVersion: fn.kpt.dev/v1alpha1\nkind: ValidatePackValues\nmetadata: {name: x}\nspec: {unknownKeys: warning}\n", "replcas", "replicas"},
}

// with puts the text of an example into a list.
func with(list, text string) string {
	text = strings.TrimSpace(regexp.MustCompile(`(?m)\s+//.*$`).ReplaceAllString(text, ""))
	return regexp.MustCompile(`(?m)^( *)<>$`).ReplaceAllStringFunc(list, func(line string) string {
		indent := strings.TrimSuffix(line, "<>")
		return indent + strings.ReplaceAll(text, "\n", "\n"+indent)
	})
}

// elsewhere are the rules whose examples need two versions of a pack, or files. The tests of
// their packages and of packfn have them. internal/panic has no example.
var elsewhere = []string{
	"internal/panic", "override/elsewhere", "pack/catalogue", "pack/chart-name", "pack/file-name", "pack/version", "preset/comment", "preset/left", "requirement/elsewhere", "resource/not-local",
	"upgrade/added", "upgrade/changed-default", "upgrade/edited", "upgrade/format", "upgrade/newly-required", "upgrade/orphaned-value", "upgrade/preset", "upgrade/requirement",
}

func TestExamplesRun(t *testing.T) {
	for _, r := range rule.All() {
		id := r.ID
		_, inFile := fileExamples[id]
		_, inList := runnables[id]
		_, ofVariant := variantRunnables[id]
		_, ofChart := chartExamples[id]
		_, ofKptfile := kptfileExamples[id]
		if runs := ofKptfile || inFile || inList || ofVariant || ofChart || id == "preset/reapplied"; runs == slices.Contains(elsewhere, id) {
			t.Errorf("%s: an example runs: %v", id, runs)
		}
	}
}

// Examples break their rule in the resources around them, and no longer do when they are
// corrected.
func TestListExamples(t *testing.T) {
	all := maps.Clone(runnables)
	maps.Copy(all, variantRunnables)
	for id, r := range all {
		example := rule.Of(id)
		if inWords := !strings.ContainsAny(example.Breaks, ":{"); inWords == strings.Contains(r.list, "<>") {
			t.Errorf("%s: the list must hold the example unless that is in words: %q", id, example.Breaks)
		}
		list := with(r.list, example.Breaks)
		if strings.Count(list, r.old) == 0 {
			t.Errorf("%s: %q is not in\n%s", id, r.old, list)
			continue
		}
		if got := found(t, r.function, list); !slices.Contains(got, id) {
			t.Errorf("%s: the example has %v\n%s", id, got, list)
		}
		if got := found(t, r.function, strings.Replace(list, r.old, r.fixed, 1)); slices.Contains(got, id) {
			t.Errorf("%s: the corrected example has %v", id, got)
		}
	}
}

// A value that was edited after its preset was applied is set again.
func TestReappliedExample(t *testing.T) {
	const id = "preset/reapplied"
	example := rule.Of(id)
	edited := with("<>", example.Breaks)
	const config = applyHead + "kind: ApplyPreset\nspec: {presets: [{pack: vault, name: \"size:ha\"}]}\n"
	l := listOf(t, "apply-preset", presets+config)
	if got := rulesOf(t, "apply-preset", l); !slices.Contains(got, "preset/applied") {
		t.Fatalf("the preset is not applied: %v", got)
	}
	const applied = "    replicas: 5\n"
	text := string(l.Items[0].Text())
	if !strings.Contains(text, applied) {
		t.Fatalf("no %q in\n%s", applied, text)
	}
	for values, want := range map[string]bool{applied: false, "    " + edited + "\n": true} {
		if got := found(t, "apply-preset", strings.Replace(text, applied, values, 1)+config); slices.Contains(got, id) != want {
			t.Errorf("%s: got %v\n%s", values, got, text)
		}
	}
}
