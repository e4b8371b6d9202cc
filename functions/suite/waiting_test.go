package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// point is an injection point: its head, and its content before and after the injection.
type point struct{ apiVersion, kind, name, annotations, placeholder, truth string }

// text is the point with some content, and what Porch writes about its injection.
func (p point) text(content, injected string) string {
	return "apiVersion: " + p.apiVersion + `
kind: ` + p.kind + `
metadata:
  name: ` + p.name + `
  annotations: {kpt.dev/config-injection: required` + p.annotations + injected + "}\n" + content
}

func (p point) waiting() string  { return p.text(p.placeholder, "") }
func (p point) injected() string { return p.text(p.truth, ", kpt.dev/injected-resource: truth") }

// kptfile returns a Kptfile with the condition of the point, or without conditions if condition is "".
func (p point) kptfile(condition string) string {
	text := `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`
	if condition == "" {
		return text
	}
	return text + `status:
  conditions:
  - {type: config.injection.` + p.kind + "." + p.name + `, status: "` + condition + `"}
`
}

const (
	packsVersion = "packs.kpt.dev/v1alpha1"
	olmVersion   = "operators.coreos.com/v1alpha1"
	vault        = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  version: 1.0.0
  values: {replicas: x, host: '', size: 1}
  schema: {replicas: {schema: '{{ format "${number}" }}'}, host: {schema: '{{ required }}'}, port: {schema: '{{ required }}'}, sise: {schema: '{{ hints "h" }}'}, cpu: {schema: '{{ hints "h" }}'}, size: {schema: '{{ hints "h" }}'}}
  presets: [{name: large, add: {size: 5}}]
  constraints: {resources: [{type: cpu, components: [{resourceRequestParamRef: cpu, scheduleType: worker}, {resourceRequestParamRef: size, scheduleType: worker}]}]}
`
	redis = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: redis}
spec:
  version: 1.0.0
  values: {host: '{{ .spectro.pack.vault.host | default "d" }}'}
  constraints: {dependencies: [{packName: vault, type: required, minVersion: '2.0'}]}
`
	pools = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
spec: {machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 100}}]}
`
	vaultTruth = `spec:
  name: vault
  version: 2.1.0
  values: {replicas: 1, host: h, port: 1, cpu: 1, size: 2}
  schema: {replicas: {schema: '{{ format "${number}" }}'}}
  presets: [{name: large, add: {size: 5}}]
  constraints: {resources: [{type: cpu, components: [{resourceRequestParamRef: cpu, scheduleType: worker}]}]}
`
	needsVault = `apiVersion: v1
kind: ConfigMap
metadata: {name: needs}
data:
  bundle.yaml: |
    schema: olm.bundle
    name: needs.v1.0.0
    properties:
    - {type: olm.package.required, value: {packageName: blue, versionRange: '>=1.0.0'}}
`
	blue       = "    - {type: olm.package, value: {packageName: blue, version: 1.4.0}}\n"
	variantSet = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: s}
`
)

// points are the kinds of resources that functions take facts from.
var points = map[string]point{
	"ClusterContext": {packsVersion, "ClusterContext", "c", "",
		"spec: {system: {kubernetes: {version: 1.1.0}}, variables: {A: example}, machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1m}}]}\n",
		"spec: {system: {kubernetes: {version: 1.30.0}}, variables: {A: truth}, machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 4}}]}\n"},
	"Pack":                 {packsVersion, "Pack", "vault", "", "spec: {version: 0.1.0, values: {host: example, replicas: x}, schema: {replicas: {schema: '{{ required | format \"${number}\" }}'}}}\n", vaultTruth},
	"Pack of another name": {packsVersion, "Pack", "backend", "", "spec: {}\n", vaultTruth},
	"pack.json": {
		"v1", "ConfigMap", "vault", "",
		`data:
  pack.json: '{"name": "vault", "version": "x", "constraints": {"resources": [{"type": "cpu", "minLimit": -1}]}}'
  values.yaml: 'host: example'
  schema.yaml: 'host: {schema: "{{ format }}"}'
`,
		`data:
  pack.json: '{"name": "vault", "version": "2.1.0"}'
  values.yaml: 'host: h'
  presets.yaml: '[{name: large, add: {size: 5}}]'
`,
	},
	"PackValues": {packsVersion, "PackValues", "site", "", "spec: {packRef: {name: vault}, values: {host: example}}\n",
		"spec: {packRef: {name: vault}, values: {replicas: 1, host: h, port: 1, sise: 1, size: 1, cpu: 1}}\n"},
	"PackValues for any pack": {packsVersion, "PackValues", "site", "", "spec: {}\n", "spec: {packRef: {name: vault}, values: {replicas: 1, host: h, port: 1, sise: 1, size: 1, cpu: 1}}\n"},
	"PackValues for no pack":  {packsVersion, "PackValues", "site", "", "spec: {packRef: {name: example}, values: {}}\n", "spec: {packRef: {name: vault}, values: {replicas: 1, host: h, port: 1, sise: 1, size: 1, cpu: 1}}\n"},
	"PackValues that replace": {packsVersion, "PackValues", "site", "", "spec: {packRef: {name: vault}, strategy: replace, values: {replicas: y, size: example}}\n",
		"spec: {packRef: {name: vault}, strategy: replace, values: {replicas: 1, host: h, port: 1, sise: 1, size: 1, cpu: 1}}\n"},
	"values-of": {
		"v1", "ConfigMap", "site", ", packs.kpt.dev/values-of: vault",
		`data:
  values.yaml: 'replicas: y'
`,
		`data:
  values.yaml: '{replicas: 1, host: h, port: 1, sise: 1, cpu: 1}'
`,
	},
	"bundle": {
		"v1", "ConfigMap", "blue", "",
		`data:
  bundle.yaml: |
    schema: olm.bundle
    name: example
    properties:
    - {type: olm.gvk.required, value: {group: g, version: v1, kind: K}}
`,
		`data:
  bundle.yaml: |
    schema: olm.bundle
    name: blue
    properties:
` + blue,
	},
	"metadata folder": {
		"v1", "ConfigMap", "blue", "",
		`data:
  properties.yaml: |
    properties:
    - {type: olm.gvk.required, value: {group: g, version: v1, kind: K}}
`,
		`data:
  properties.yaml: |
    properties:
` + blue,
	},
	"ClusterServiceVersion": {olmVersion, "ClusterServiceVersion", "blue.v1.4.0", "", "spec: {version: 0.0.1, minKubeVersion: '9.9', customresourcedefinitions: {required: [{name: ks.g, version: v1, kind: K}]}}\n",
		"spec: {version: 1.4.0}\n"},
	"Constraint": {"operators.coreos.com/v1", "Constraint", "limits", "", "spec: {constraints: example}\n", "spec: {properties: '[{\"type\": \"olm.package\", \"value\": {\"packageName\": \"blue\", \"version\": \"1.4.0\"}}]'}\n"},
	"Policy":     {"ocf.capact.io/v1alpha1", "Policy", "global", "", "spec: {scope: example}\n", "spec: {scope: GLOBAL, interface: {rules: [{interface: {path: cap.*}, oneOf: [{}]}]}}\n"},
	"PackageVariantSet": {
		"config.porch.kpt.dev/v1alpha2", "PackageVariantSet", "s", "", "spec: {upstream: {repo: example}}\n",
		`spec:
  upstream: {repo: a, package: b, workspaceName: v1}
  targets:
  - repositories: [{name: r}]
`,
	},
	"PackageRevision": {"porch.kpt.dev/v1alpha1", "PackageRevision", "a.b.v1", "", "spec: {repository: example, packageName: example, workspaceName: v9}\n", "spec: {repository: a, packageName: b, workspaceName: v1}\n"},
	"a resource":      {"apps/v1", "Deployment", "d", "", "spec: {replicas: x, host: '{{ .spectro.var.A }}'}\n", "spec: {replicas: 1, host: '{{ .spectro.var.A }}'}\n"},
}

// waits are functions and the kinds that they take facts from. The rest of a package makes
// a placeholder that is taken for the truth show: an error, or another result.
var waits = []struct{ function, point, config, rest string }{
	{"validate-pack-values", "Pack", "", ""},
	{"validate-pack-values", "pack.json", "", ""},
	{"validate-pack-values", "PackValues", "", vault},
	{"validate-pack-values", "PackValues", "{unknownKeys: error}", vault},
	{"validate-pack-values", "PackValues for any pack", "", vault},
	{"validate-pack-values", "PackValues for no pack", "", vault},
	{"validate-pack-values", "PackValues that replace", "", vault},
	{"validate-pack-values", "values-of", "", vault},
	{"validate-pack-values", "a resource", "{targets: [{selector: {kind: Deployment}, path: spec, schema: {replicas: {schema: '{{ format \"${number}\" }}'}}}]}", ""},
	{"check-dependencies", "ClusterContext", "", strings.Replace(redis, "packName: vault, type: required, minVersion: '2.0'", "packName: kubernetes, type: required, minVersion: '1.28'", 1)},
	{"check-dependencies", "Pack", "", redis},
	{"check-dependencies", "Pack of another name", "", redis},
	{"check-dependencies", "pack.json", "", redis},
	{"check-dependencies", "bundle", "", needsVault},
	{"check-dependencies", "metadata folder", "", needsVault},
	{"check-dependencies", "ClusterServiceVersion", "", needsVault + "---\n" + strings.Replace(pools, "machinePools", "system: {kubernetes: {version: '1.30'}}, machinePools", 1)},
	{"check-dependencies", "Constraint", "", needsVault},
	{"check-resources", "ClusterContext", "", strings.Replace(vault, "size: 1", "cpu: 1, size: 1", 1)},
	{"check-resources", "Pack", "{packs: [vault]}", pools},
	{"check-resources", "pack.json", "{packs: [vault]}", pools},
	{"check-resources", "PackValues", "", vault + "---\n" + pools},
	{"check-resources", "PackValues for any pack", "", vault + "---\n" + pools},
	{"check-resources", "PackValues that replace", "", vault + "---\n" + pools},
	{"check-resources", "values-of", "", vault + "---\n" + pools},
	{"apply-preset", "Pack", "{presets: [{pack: vault, name: large}]}", ""},
	{"apply-preset", "Pack of another name", "{presets: [{pack: vault, name: large}]}", ""},
	{"apply-preset", "pack.json", "{presets: [{pack: vault, name: large}]}", ""},
	{"apply-preset", "PackValues that replace", "{presets: [{pack: vault, name: large}]}", vault},
	{"apply-preset", "PackValues", "{presets: [{pack: vault, name: large, into: site}]}", vault},
	{"apply-preset", "PackValues for any pack", "{presets: [{pack: vault, name: large, into: site}]}", vault},
	{"resolve-macros", "ClusterContext", "", strings.Replace(redis, ".pack.vault.host", ".var.A", 1)},
	{"resolve-macros", "Pack", "", redis},
	{"resolve-macros", "Pack of another name", "", redis},
	{"resolve-macros", "pack.json", "", redis},
	{"resolve-macros", "PackValues", "", vault + "---\n" + redis},
	{"resolve-macros", "PackValues for any pack", "", vault + "---\n" + redis},
	{"resolve-macros", "PackValues that replace", "", vault + "---\n" + redis},
	{"resolve-macros", "values-of", "", vault + "---\n" + redis},
	{"resolve-macros", "a resource", "{resources: [{kind: Deployment}], variables: {A: a}}", ""},
	{"select-implementations", "Policy", "", ""},
	{"expand-variant-set", "PackageVariantSet", "", ""},
	{"expand-variant-set", "PackageRevision", "", variantSet + points["PackageVariantSet"].truth},
}

// The content of a resource that waits for injection is a placeholder: no function uses or
// checks it, and each reports that it is pending. Two renders, before and after the injection, make
// what one with the truth makes. When nothing was found to inject, the placeholder is checked.
func TestWaiting(t *testing.T) {
	for _, test := range waits {
		t.Run(test.function+"/"+test.point+test.config, func(t *testing.T) {
			p, f := points[test.point], named(t, test.function)
			if test.config != "" {
				test.config = `apiVersion: fn.kpt.dev/v1alpha1
kind: ` + f.Kind + `
metadata: {name: config}
spec: ` + test.config + "\n"
			}
			run := func(kptfile, point, rest string) (string, []string, function.Outcome) {
				documents := kptfile + "---\n" + point
				if rest != "" {
					documents += "---\n" + rest
				}
				output, outcome := functiontest.Evaluate(t, f, functiontest.List(test.config, documents))
				isLost := func(fact string) bool { return strings.Contains(fact, " macro/empty ") } // said once
				return functiontest.Documents(output), slices.DeleteFunc(functiontest.Facts(outcome.Findings), isLost), outcome
			}
			first, facts, outcome := run(p.kptfile(""), p.waiting(), test.rest)
			place := p.kind + "/" + p.name + " metadata.annotations[kpt.dev/config-injection]"
			if want := "info " + f.Waiting.ID + " " + place; outcome.Failed || !slices.Contains(facts, want) {
				t.Errorf("before the injection, want %s and no error:\n%s", want, strings.Join(facts, "\n"))
			}
			last, isSame := strings.CutPrefix(first, p.kptfile("")+"---\n"+p.waiting())
			if !isSame {
				t.Fatalf("the placeholder has changed:\n%s", first)
			}
			once, factsOnce, outcome := run(p.kptfile("True"), p.injected(), test.rest)
			if outcome.Failed {
				t.Errorf("the truth is faulty: %v", functiontest.Messages(outcome))
			}
			twice, factsTwice, _ := run(p.kptfile("True"), p.injected(), strings.TrimPrefix(last, "---\n"))
			if diff := cmp.Diff(once, twice) + cmp.Diff(factsOnce, factsTwice); diff != "" {
				t.Errorf("-once +twice:\n%s", diff)
			}
			asTruth, tried, _ := run(p.kptfile("False"), p.waiting(), test.rest)
			isWaiting := func(fact string) bool { return strings.Contains(fact, "/waiting") }
			if slices.ContainsFunc(tried, isWaiting) || slices.Equal(tried, factsOnce) && strings.HasSuffix(asTruth, p.waiting()+last) {
				t.Errorf("the placeholder is not checked: when nothing was found to inject, %s must find or do something else with the first content of points[%q] "+
					"than with the second. Add a point with such contents to points, and name it in waits. It did:\n%s\n%s", f.Name, test.point, strings.Join(tried, "\n"), asTruth)
			}
		})
	}
}

// Each function takes facts from something that may wait, but inject-config, which injects. It has a
// rule that says so: tools leave out nothing-to-do.
func TestWaitsIsComplete(t *testing.T) {
	for _, f := range All() {
		hasRow := slices.ContainsFunc(waits, func(w struct{ function, point, config, rest string }) bool { return w.function == f.Name })
		switch isInjector := f.Name == rule.InjectConfig; {
		case hasRow == isInjector:
			t.Errorf("%s has rows in waits: %v. Add one for each kind that a function takes facts from", f.Name, hasRow)
		case !isInjector && !slices.Contains(f.Rules, f.Waiting):
			t.Errorf("Function() of %s names no rule of its own in Waiting, so packfn does not say what is pending. Add the row FAMILY/waiting to pkg/rule "+
				"with IsPending, report it with injection.Report, and name it in Waiting", f.Name)
		}
	}
}

// named returns the function of a name.
func named(t *testing.T, name string) function.Function {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no function %s", name)
	return function.Function{}
}

// A functionConfig that waits says nothing either: the function does nothing, and says so.
func TestConfigWaits(t *testing.T) {
	for _, f := range All() {
		for _, p := range []point{
			{"fn.kpt.dev/v1alpha1", f.Kind, "config", "", "spec: {example: x}\n", ""},
			{"v1", "ConfigMap", "config", "", "data: {severity: example}\n", ""},
		} {
			documents := vault + "---\n" + redis + "---\n" + variantSet + points["PackageVariantSet"].truth
			run := func(kptfile string) ([]string, string, function.Outcome) {
				output, outcome := functiontest.Evaluate(t, f, functiontest.List(p.waiting(), kptfile+"---\n"+p.waiting()+"---\n"+documents))
				return functiontest.Facts(outcome.Findings), functiontest.Documents(output), outcome
			}
			waiting := f.Waiting
			if waiting == (diag.Rule{}) {
				waiting = rule.NothingToDo
			}
			facts, output, _ := run(p.kptfile(""))
			want := []string{"info " + waiting.ID + " " + p.kind + "/config metadata.annotations[kpt.dev/config-injection]"}
			if diff := cmp.Diff(want, facts); diff != "" || !strings.HasSuffix(output, documents) {
				t.Errorf("%s with a %s: -want +got:\n%s\n%s", f.Name, p.kind, diff, output)
			}
			if facts, _, outcome := run(p.kptfile("False")); !outcome.Failed {
				t.Errorf("%s with a %s, when nothing was found to inject: %v", f.Name, p.kind, facts)
			}
		}
	}
}

// A run is kept by what its function wants. All must want the Kptfile, because its conditions tell which
// resources are pending. kpt takes one without a name, which is an error only for the function that writes into
// it.
func TestKptfileIsWanted(t *testing.T) {
	kptfile := func(metadata string) *list.Item {
		return list.FileItems([]byte(`apiVersion: kpt.dev/v1
kind: Kptfile
`+metadata), "Kptfile")[0]
	}
	for _, f := range All() {
		processor := f.New()
		processor.Config()
		if !processor.Wants(kptfile("metadata: {name: p}\n")) {
			t.Errorf("%s does not want Kptfiles", f.Name)
		}
		if isWriter := f.Name == rule.InjectConfig; processor.Wants(kptfile("")) != isWriter {
			t.Errorf("%s wants a Kptfile without a name: %t", f.Name, !isWriter)
		}
	}
}
