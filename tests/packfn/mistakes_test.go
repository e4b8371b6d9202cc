package packfn

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// firstWeek is a package without a mistake.
var firstWeek = map[string]string{
	"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: shop, annotations: {config.kubernetes.io/local-config: "true"}}
pipeline:
  mutators:
  - exec: apply-preset
    configMap: {web: "size:ha"}
  - exec: resolve-macros
  validators:
  - exec: validate-pack-values
  - exec: check-dependencies
  - exec: check-resources
`,
	"web.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  annotations: {config.kubernetes.io/local-config: "true"}
data:
  pack.json: |
    {"name": "web", "version": "1.0.0", "cloudTypes": ["aws", "vsphere"], "constraints": {
      "dependencies": [
        {"packName": "dns", "minVersion": "1.0", "maxVersion": "", "type": "required"},
        {"packName": "kubernetes", "minVersion": "1.28", "maxVersion": "", "type": "required"}
      ],
      "resources": [{"type": "memory", "components": [{"resourceRequestParamRef": "memory", "replicaCountParamRef": "replicas", "scheduleType": "worker"}]}]
    }}
  values.yaml: |
    port: 5001
    mode: tcp
    host: shop.example.com
    release: "1.30"
    replicas: 2
    limit: 10
    enabled: true
    memory: 256Mi
    url: '{{ .spectro.system.cluster.name }}.example.com'
    charts:
      web:
        replica-count: 2
        server: {name: a}
  schema.yaml: |
    port: {schema: '{{ format "${number:[5000-5005]}" }}'}
    mode: {schema: '{{ format "${list:[tcp,udp]}" }}'}
    host: {schema: '{{ required | format "${string}" }}'}
    enabled: {schema: '{{ format "${boolean}" }}'}
  presets.yaml: |
    presets:
    - {name: ha, displayName: HA, group: size, add: "replicas: 2"}
  chart-facts.yaml: |
    charts:
      web: {name: web, version: 1.0.0, kubeVersion: ">=1.28.0-0", reads: {replica-count: null, server: {name: null}}}
`,
	"dns.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: dns
  annotations: {config.kubernetes.io/local-config: "true"}
spec: {version: 1.2.0, values: {ttl: 5}}
`,
	"ours.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: ours
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  packRef: {name: web}
  values: |
    limit: 20
    charts:
      web:
        server: {name: b}
`,
	"cluster.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: one
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  system:
    cluster: {name: one}
    cloud: {type: aws}
    kubernetes: {version: 1.30.2}
  variables: {TEAM: shop}
  machinePools:
  - {name: workers, role: worker, size: 2, capacity: {cpu: "2", memory: 1Gi}}
`,
}

// The mistakes of a first week are told at their lines, with what helps.
func TestMistakes(t *testing.T) {
	for _, tc := range []struct {
		name, file, old, new string
		// want is severity, rule, file and line of a finding, and says is in its message.
		want, says string
	}{
		{"text for a number, with a schema", "ours.yaml", "limit: 20", "port: x", "error values/format ours.yaml:9", "from 5000 to 5005"},
		{"text for a number, without a schema", "ours.yaml", "limit: 20", "limit: many", "warning values/type-changed ours.yaml:9", "number"},
		{"a block below the key before it", "ours.yaml", "    charts:\n      web:\n        server: {name: b}", "      charts:\n        web:\n          server: {name: b}", "error values/invalid-yaml ours.yaml:10", "indent this line"},
		{"a misspelt key", "ours.yaml", "limit: 20", "repilcas: 3", "warning values/near-key ours.yaml:9", `"replicas"`},
		{"a key of the chart without its dash", "ours.yaml", "server: {name: b}", "replicacount: 3", "warning values/inert ours.yaml:12", `"replica-count"`},
		{"an option in upper case", "ours.yaml", "limit: 20", "mode: TCP", "error values/format ours.yaml:9", `"tcp"`},
		{"an old Kubernetes", "cluster.yaml", "1.30.2", "1.27.1", "error dependency/below-min cluster.yaml:10", "1.28"},
		{"a pool that is too small", "cluster.yaml", "memory: 1Gi", "memory: 128Mi", "error resources/insufficient cluster.yaml:13", "256Mi short"},
		{"a macro of an unknown name", "web.yaml", "cluster.name }}", "cluster.nmae }}", "error macro/unknown web.yaml:24", `"cluster.name"`},
		{"a variable that is not supplied", "web.yaml", ".spectro.system.cluster.name", ".spectro.var.TAEM", "error macro/unset web.yaml:24", "TEAM"},
		{"a preset that is misspelt", "Kptfile", "size:ha", "size:hA", "error preset/unknown Kptfile:7", "size:ha"},
		{"a preset of a misspelt pack", "Kptfile", "{web: ", "{wbe: ", "error config/invalid Kptfile:7", `"web"`},
		{"a misspelt cloud", "cluster.yaml", "type: aws", "type: awss", "warning pack/cloud cluster.yaml:9", `"aws"`},
		{"a pack for another cloud", "cluster.yaml", "type: aws", "type: gcp", "warning pack/cloud cluster.yaml:9", "vsphere"},
		{"a key that no template reads", "ours.yaml", "server: {name: b}", "sidecar: true", "warning values/inert ours.yaml:12", "web 1.0.0"},
		{"a key twice", "ours.yaml", "limit: 20", "limit: 20\n    limit: 30", "error values/duplicate-key ours.yaml:10", "9 and 10"},
		{"a tab", "ours.yaml", "    limit: 20", "    \tlimit: 20", "error input/invalid ours.yaml:", "tab"},
		{"yes for a boolean", "ours.yaml", "limit: 20", "enabled: yes", "error values/format ours.yaml:9", "true"},
		{"packRef one letter off", "ours.yaml", "{name: web}", "{name: wbe}", "error input/invalid ours.yaml:7", `"web"`},
		{"a kind one letter off", "ours.yaml", "PackValues", "PackValue", "error input/invalid ours.yaml:2", `"PackValues"`},
		{"a required value that is empty", "ours.yaml", "limit: 20", "host: ''", "error values/required ours.yaml:9", "empty"},
		{"a unit that is none", "ours.yaml", "limit: 20", "memory: 200MB", "error resources/invalid ours.yaml:9", "MB"},
		{"a function one letter off", "Kptfile", "check-resources", "check-resource", "error pipeline/function Kptfile:12", "check-resources"},
		{"a version that is a number", "ours.yaml", "limit: 20", "release: 1.30", "warning values/type-changed ours.yaml:9", "quotes"},
		{"two colons", "ours.yaml", "limit: 20", "limit: ui: web", "error values/invalid-yaml ours.yaml:9", "colon"},
		{"another apiVersion", "ours.yaml", "v1alpha1", "v1", "error input/invalid ours.yaml:1", "packs.kpt.dev/v1alpha1"},
		{"an override without local-config", "ours.yaml", "  annotations: {config.kubernetes.io/local-config: \"true\"}\n", "", "warning resource/not-local ours.yaml:3", "local-config"},
		{"a role that is none", "cluster.yaml", "role: worker,", "role: workers,", "error input/invalid cluster.yaml:13", `"worker"`},
		{"typographic quotes", "web.yaml", "'{{ .spectro.system.cluster.name }}.example.com'", "“{{ .spectro.system.cluster.name }}”", "warning macro/suspicious web.yaml:24", "straight"},
		{"a macro without quotes", "web.yaml", "'{{ .spectro.system.cluster.name }}.example.com'", "{{ .spectro.system.cluster.name }}", "error values/invalid-yaml web.yaml:24", "quotes"},
		{"a key that the newer chart no longer has", "web.yaml", "reads: {replica-count: null, server: {name: null}}", "reads: {replica-count: null}", "warning values/inert ours.yaml:12", "server"},
		{"a chart that the cluster is too old for", "web.yaml", ">=1.28.0-0", ">=1.31.0-0", "error values/chart-version cluster.yaml:10", `pack "web" (chart web 1.0.0: >=1.31.0-0)`},
		{"a placeholder", "ours.yaml", "limit: 20", "host: REPLACE_ME", "warning values/placeholder ours.yaml:9", "placeholder"},
		{"annotations that are misspelt", "ours.yaml", "  annotations:", "  annotaions:", "error input/invalid ours.yaml:5", `"annotations"`},
		{"a list for a map", "ours.yaml", "server: {name: b}", "server: [b]", "warning values/type-changed ours.yaml:12", "map"},
	} {
		files := maps.Clone(firstWeek)
		if files[tc.file] = strings.Replace(files[tc.file], tc.old, tc.new, 1); files[tc.file] == firstWeek[tc.file] {
			t.Fatalf("%s: nothing is replaced", tc.name)
		}
		isIt := func(told string) bool { return strings.HasPrefix(told, tc.want) && strings.Contains(told, tc.says) }
		if told := toldOf(t, files); !slices.ContainsFunc(told, isIt) {
			t.Errorf("%s: want %s with %s, got %q", tc.name, tc.want, tc.says, told)
		}
	}
	misspelt := maps.Clone(firstWeek)
	misspelt["ours.yaml"] = strings.Replace(misspelt["ours.yaml"], "  annotations:", "  annotaions:", 1)
	if told := toldOf(t, misspelt); len(told) != 1 {
		t.Errorf("what follows from misspelt annotations is told, too: %q", told)
	}
	misspelt["ours.yaml"] = strings.Replace(firstWeek["ours.yaml"], "  annotations: {config.kubernetes.io/local-config: \"true\"}", "  lables: {a: b}", 1)
	if told := toldOf(t, misspelt); len(told) != 2 {
		t.Errorf("misspelt labels do not hide a missing local-config: %q", told)
	}
	for name, tc := range map[string]struct{ file, want string }{
		"the file of a required pack": {"dns.yaml", "error dependency/missing web.yaml:10"},
	} {
		files := maps.Clone(firstWeek)
		delete(files, tc.file)
		if told := toldOf(t, files); !slices.ContainsFunc(told, func(told string) bool { return strings.HasPrefix(told, tc.want) }) {
			t.Errorf("%s is deleted: got %q", name, told)
		}
	}
	unresolved := maps.Clone(firstWeek)
	unresolved["Kptfile"] = strings.Replace(unresolved["Kptfile"], "  - exec: resolve-macros\n", "", 1)
	unresolved["web.yaml"] = strings.Replace(unresolved["web.yaml"], ".spectro.system.cluster.name", ".spectro.var.TAEM", 1)
	if told := toldOf(t, unresolved); !slices.ContainsFunc(told, func(told string) bool { return strings.HasPrefix(told, "warning macro/unset web.yaml:24") }) {
		t.Errorf("no step resolves macros: got %q", told)
	}
	if told := toldOf(t, firstWeek); len(told) > 0 {
		t.Errorf("the package without a mistake: %q", told)
	}
}

// fleetWeek is a set of one cluster, an object to inject, and the package.
var fleetWeek = map[string]string{
	"up/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: shop}\n",
	"up/db.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: database\n  annotations: {kpt.dev/config-injection: required}\ndata: {host: localhost}\n",
	"sets/set.yaml": `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: shop, namespace: default}
spec:
  upstream: {repo: blueprints, package: shop, workspaceName: v1}
  targets:
  - repositorySelector:
      matchLabels: {env: prod}
    template:
      downstream: {package: shop}
      injectors:
      - {kind: ConfigMap, name: east}
`,
	"sets/rest.yaml": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: east, namespace: default, labels: {env: prod}}
spec: {type: git}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: east
  namespace: default
  annotations: {config.kubernetes.io/local-config: "true", packs.kpt.dev/source: cluster}
data: {host: db.east}
`,
}

// Mistakes of sets of variants are told at their lines, too.
func TestMistakesOfSets(t *testing.T) {
	for _, tc := range []struct{ name, file, old, new, want string }{
		{"no mistake", "sets/set.yaml", "", "", ""},
		{"a label that no Repository has", "sets/set.yaml", "{env: prod}", "{env: prdo}", "error variant-set/unmatched sets/set.yaml:7 env=prod"},
		{"a kind one letter off", "sets/set.yaml", "kind: ConfigMap", "kind: ConfigMpa", `warning inject/unmatched sets/set.yaml:11 did you mean "ConfigMap"?`},
		{"an object in another namespace", "sets/rest.yaml", "namespace: default\n  annotations", "namespace: platform\n  annotations", "warning inject/unmatched sets/set.yaml:11 in namespace platform"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range fleetWeek {
				if name == tc.file {
					text = strings.Replace(text, tc.old, tc.new, 1)
				}
				write(t, filepath.Join(dir, name), text)
			}
			file := readFleet(t, packfn(t, dir, "fleet", "--set", "sets", "--upstream", "up", "--format", "json"))
			found := file.Sets
			for _, group := range file.Findings {
				found = append(found, group.Finding)
			}
			var all []string
			isTold := false
			for _, f := range found {
				if f.Severity == "info" {
					continue
				}
				all = append(all, fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.Rule, f.File, f.Line, f.Message))
				prefix := fmt.Sprintf("%s %s %s:%d ", f.Severity, f.Rule, f.File, f.Line)
				isTold = isTold || strings.HasPrefix(tc.want, prefix) && strings.Contains(f.Message, strings.TrimPrefix(tc.want, prefix))
			}
			if isTold != (tc.want != "") || tc.want == "" && len(all) > 0 {
				t.Errorf("want %q, got %q", tc.want, all)
			}
		})
	}
}

// toldOf checks a package, and returns its errors and warnings with their messages.
func toldOf(t *testing.T, files map[string]string) (told []string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range readFindings(t, packfn(t, dir, "check", "--format", "json", ".")) {
		if f.Severity != "info" {
			told = append(told, fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.Rule, f.File, f.Line, f.Message))
		}
	}
	return told
}
