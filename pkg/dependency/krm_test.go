package dependency

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/krm-functions-sdk/go/fn"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// evaluate runs the function over YAML documents.
func evaluate(t testing.TB, config, documents string) function.Outcome {
	t.Helper()
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, documents))
	return outcome
}

// spec is a functionConfig of the function's own kind.
func spec(fields string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: CheckDependencies, metadata: {name: config}, spec: {" + fields + "}}"
}

// data is a functionConfig in a ConfigMap.
func data(fields string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {" + fields + "}}"
}

// described is results in full, one line each: severity, resource, file, field,
// values, tags but for the rule, which ends the message.
func described(results fn.Results) []string {
	var all []string
	for _, r := range results {
		parts := []string{string(r.Severity)}
		if r.ResourceRef != nil {
			parts = append(parts, r.ResourceRef.Kind+"/"+r.ResourceRef.Name)
		}
		if r.Field != nil {
			parts = append(parts, r.Field.Path)
			if r.Field.CurrentValue != nil {
				parts = append(parts, fmt.Sprintf("(now %v)", r.Field.CurrentValue))
			}
			if r.Field.ProposedValue != nil {
				parts = append(parts, fmt.Sprintf("(to be %v)", r.Field.ProposedValue))
			}
		}
		for _, tag := range slices.Sorted(maps.Keys(r.Tags)) {
			if tag != "rule" {
				parts = append(parts, tag+"="+r.Tags[tag])
			}
		}
		all = append(all, strings.Join(parts, " ")+": "+r.Message)
	}
	return all
}

// krmCase is a list and what the function says of it. A line of want is what the
// line has to begin and end with when it holds " … ".
type krmCase struct {
	name, config, items string
	want                []string
}

func (tc krmCase) run(t *testing.T) {
	t.Run(tc.name, func(t *testing.T) {
		outcome := evaluate(t, tc.config, tc.items)
		got := described(outcome.Results)
		for i := range got {
			if i < len(tc.want) {
				if head, tail, cut := strings.Cut(tc.want[i], " … "); cut && strings.HasPrefix(got[i], head) && strings.HasSuffix(got[i], tail) {
					got[i] = tc.want[i]
				}
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		failed := slices.ContainsFunc(outcome.Results, func(r *fn.Result) bool { return r.Severity == fn.Error })
		if outcome.Failed != failed {
			t.Errorf("failed is %v", outcome.Failed)
		}
	})
}

const (
	stack = `
apiVersion: v1
kind: ConfigMap
metadata: {name: stack}
data:
  pack.json: |
    {"name": "elastic-stack", "version": "0.19.0", "layer": "addon",
     "constraints": {"dependencies": [
       {"packName": "elastic-operator", "minVersion": "3.3.2", "maxVersion": "", "layer": "addon", "type": "required"}
     ]}}
---
`
	operator = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: elastic-operator, annotations: {config.kubernetes.io/path: operator.yaml}}
spec: {version: 3.0.0, constraints: {dependencies: [{packName: vault, minVersion: 1.2, type: required}]}}
---
`
	vault = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {version: 1.2.0}
---
`
	cluster = `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: cluster-01}
spec: {system: {kubernetes: {version: v1.26.3-eks-1}}}
---
`
	needsKubernetes = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: thanos}
spec: {constraints: {dependencies: [{packName: kubernetes, layer: k8s, minVersion: "1.29", type: required}]}}
---
`
)

func TestPacks(t *testing.T) {
	join := func(documents ...string) string {
		return strings.ReplaceAll(strings.Join(documents, ""), "---\n\n", "---\n")
	}
	for _, tc := range []krmCase{
		{"both forms", "", join(stack, operator), []string{
			`error ConfigMap/stack data[pack.json] (now 3.0.0) column=51 key=constraints.dependencies[0].minVersion line=3 pack=elastic-stack: pack "elastic-stack" (ConfigMap stack) requires "elastic-operator" 3.3.2 or newer (pack.json line 3), and finds 3.0.0 in operator.yaml: take 3.3.2 or newer [dependency/below-min]`,
			`error Pack/elastic-operator spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName pack=elastic-operator: pack "elastic-operator" (operator.yaml) requires "vault" 1.2 or newer, and no pack is named "vault": add the pack; if it is in the package, a selector of the function may hide it [dependency/missing]`,
		}},
		{"chosen packs", spec("packs: [elastic-stack]"), join(stack, operator), []string{
			`error ConfigMap/stack data[pack.json] (now 3.0.0) … [dependency/below-min]`,
		}},
		{"chosen packs in a ConfigMap", data(`packs: "elastic-operator,valt"`), join(operator, vault), []string{
			`error ConfigMap/config data.packs: data.packs: no pack is named "valt" (did you mean "vault"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`,
		}},
		{"all is well", "", join(operator, vault), nil},
		{"a catalog", data(`catalog: '{"name": "elastic-operator", "version": "3.4.0", "layer": "addon"}'`), join(stack, operator, vault), []string{
			`error ConfigMap/stack data[pack.json] (now 3.0.0) (to be 3.4.0) … take 3.4.0, the newest in the catalog that suits all who need it [dependency/below-min]`,
		}},
		{"bundles in the catalog", data(`catalog: "schema: olm.bundle\nname: elastic-operator.v3.3.1\n---\nschema: olm.bundle\nname: elastic-operator.v3.5.0\npackage: elastic-operator\n---\nschema: olm.channel\n---\nschema: olm.bundle\nname: b\nproperties: [{type: olm.package, value: {packageName: elastic-operator, version: 3.4.1}}]\n"`), join(stack, operator, vault), []string{
			`error ConfigMap/stack data[pack.json] (now 3.0.0) (to be 3.5.0) … take 3.5.0, the newest in the catalog that suits all who need it [dependency/below-min]`,
		}},
		{"faults of a catalog", data(`catalog: "name: elastic-operator\n---\na: [\n---\nschema: olm.bundel\n---\n- 1\n---\n# nothing\n---\nname: elastic-operator\nversion: 3.4.0\n---\nschema: olm.bundle\n"`), join(stack, operator, vault), []string{
			`error ConfigMap/config data.catalog: data.catalog: the bundle at line 14 names no package: give it a property olm.package with packageName and version [config/invalid]`,
			`error ConfigMap/config data.catalog: data.catalog: the document at line 1 has no schema (olm.bundle), and no name and version as in pack.json [config/invalid]`,
			`error ConfigMap/config data.catalog: data.catalog: the document at line 3 can not be read: line 3: did not find expected node content [config/invalid]`,
			`error ConfigMap/config data.catalog: data.catalog: the document at line 5 has the schema "olm.bundel" (did you mean "olm.bundle"?) [config/invalid]`,
			`error ConfigMap/config data.catalog: data.catalog: the document at line 7 is no mapping; want an olm.bundle, or the content of a pack.json [config/invalid]`,
			`error ConfigMap/stack data[pack.json] (now 3.0.0) (to be 3.4.0) … [dependency/below-min]`,
		}},
		{"what is installed", spec(`installed: [{name: vault, version: 1.0.0, layer: addon, constraints: {dependencies: [{packName: vault, maxVersion: "1.1", type: upgrade}, {packName: consul, type: required}]}}]`), vault, []string{
			`error Pack/vault spec.version (now 1.2.0) key=version pack=vault: pack "vault" (Pack vault) is to be 1.2.0, but the installed "vault" 1.0.0 can be upgraded to 1.1 or older only: take 1.1 or older [dependency/upgrade]`,
		}},
		{"faults of what is installed", spec(`installed: [5, {name: vault}, null, {name: vault, version: [1], constraints: {dependencies: [{packName: a, type: upgrad}]}}, {name: a, name: b, version: 1}]`), vault, []string{
			`error CheckDependencies/config spec.installed[0]: spec.installed[0]: got a number, want the content of a pack.json: name, version, constraints [config/invalid]`,
			`error CheckDependencies/config spec.installed[1].version: spec.installed[1].version: is required [config/invalid]`,
			`error CheckDependencies/config spec.installed[2]: spec.installed[2]: got nothing, want the content of a pack.json: name, version, constraints [config/invalid]`,
			`error CheckDependencies/config spec.installed[3].constraints.dependencies[0].type: spec.installed[3].constraints.dependencies[0].type: got "upgrad", want required, optional, notSupported or upgrade (did you mean "upgrade"?) [config/invalid]`,
			`error CheckDependencies/config spec.installed[3].version: spec.installed[3].version: got a list, want text [config/invalid]`,
			`error CheckDependencies/config spec.installed[4].name: spec.installed[4].name: the key is given twice; remove one [config/invalid]`,
		}},
		{"the cluster's Kubernetes", "", join(cluster, needsKubernetes), []string{
			`error Pack/thanos spec.constraints.dependencies[0].minVersion (now v1.26.3-eks-1) key=constraints.dependencies[0].minVersion pack=thanos: pack "thanos" (Pack thanos) requires "kubernetes" 1.29 or newer, and finds v1.26.3-eks-1 in ClusterContext cluster-01: take 1.29 or newer [dependency/below-min]`,
		}},
		{"two clusters", "", join(cluster, strings.Replace(cluster, "cluster-01", "cluster-02", 1), needsKubernetes), []string{
			`error spec.clusterContext: the list holds 2 ClusterContexts (cluster-01, cluster-02); name the one that counts in spec.clusterContext [config/invalid]`,
		}},
		{"one of two clusters", spec("clusterContext: cluster-02"), join(cluster, strings.Replace(cluster, "cluster-01", "cluster-02", 1), needsKubernetes), []string{
			`error Pack/thanos … finds v1.26.3-eks-1 in ClusterContext cluster-02: take 1.29 or newer [dependency/below-min]`,
		}},
		{"severity", spec("severity: {dependency/below-min: warning, dependency/missing: 'off'}"), join(stack, operator), []string{
			`warning ConfigMap/stack data[pack.json] … [dependency/below-min]`,
		}},
		{"scope", spec("scope: bundel"), vault, []string{
			`error CheckDependencies/config spec.scope: spec.scope: got "bundel", want set or bundle (did you mean "bundle"?) [config/invalid]`,
		}},
		{"a pack that can not be read hides nothing", "", join(strings.Replace(vault, "version: 1.2.0", "version: [1]", 1), operator, stack), []string{
			`error Pack/vault spec.version: spec.version: got a list, want text [input/invalid]`,
			`error ConfigMap/stack data[pack.json] … [dependency/below-min]`,
			`error Pack/elastic-operator … add the pack; it may be the one that can not be read [dependency/missing]`,
		}},
	} {
		tc.run(t)
	}
}

func TestNothingToDo(t *testing.T) {
	krmCase{"no packs", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", []string{
		`info: the list holds no packs and no bundles: … [nothing-to-do]`,
	}}.run(t)
}
