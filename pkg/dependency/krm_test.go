package dependency

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "dependency")) }

// evaluate runs the function over YAML documents, which must come back as they were.
func evaluate(t testing.TB, config, documents string) function.Outcome {
	t.Helper()
	list := functiontest.List(config, documents)
	output, outcome := functiontest.Evaluate(t, Function(), list)
	if output != list {
		t.Errorf("the list was changed:\n%s", output)
	}
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

// krmCase is a list and the facts of what the function finds. Its messages are in the
// golden list.
type krmCase struct {
	name, config, items string
	want                []string
}

func (tc krmCase) run(t *testing.T) {
	t.Run(tc.name, func(t *testing.T) {
		functiontest.Run(t, Function(), tc.config, tc.items)
		outcome := evaluate(t, tc.config, tc.items)
		if diff := cmp.Diff(tc.want, functiontest.Facts(outcome.Findings)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		failed := slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Severity == diag.Error })
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
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
			`error dependency/missing Pack/elastic-operator operator.yaml#0 spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"vault\", 1.2 or newer" pack=elastic-operator`,
		}},
		{"chosen packs", spec("packs: [elastic-stack]"), join(stack, operator), []string{
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
		}},
		{"chosen packs in a ConfigMap", data(`packs: "elastic-operator,valt"`), join(operator, vault), []string{
			`error config/invalid ConfigMap/config data.packs no="pack named \"valt\"" want="elastic-operator or vault" near=vault`,
		}},
		{"all is well", "", join(operator, vault), nil},
		{"a catalog", data(`catalog: '{"name": "elastic-operator", "version": "3.4.0", "layer": "addon"}'`), join(stack, operator, vault), []string{
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 propose=3.4.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
		}},
		{"bundles in the catalog", data(`catalog: "schema: olm.bundle\nname: elastic-operator.v3.3.1\n---\nschema: olm.bundle\nname: elastic-operator.v3.5.0\npackage: elastic-operator\n---\nschema: olm.channel\n---\nschema: olm.bundle\nname: b\nproperties: [{type: olm.package, value: {packageName: elastic-operator, version: 3.4.1}}]\n"`), join(stack, operator, vault), []string{
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 propose=3.5.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
		}},
		{"a bundle of the catalog named by its property", data(`catalog: "{schema: olm.bundle, name: b.v9.0.0, package: b, properties: [{type: olm.other}, {type: olm.package, value: {packageName: elastic-operator, version: 3.4.1}}]}"`), join(stack, operator, vault), []string{
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 propose=3.4.1 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
		}},
		{"faults of a catalog", data(`catalog: "name: elastic-operator\n---\na: [\n---\nschema: olm.bundel\n---\n- 1\n---\n# nothing\n---\nname: elastic-operator\nversion: 3.4.0\n---\nschema: olm.bundle\n"`), join(stack, operator, vault), []string{
			`error config/invalid ConfigMap/config data.catalog`,
			`error config/invalid ConfigMap/config data.catalog got="a list at line 7" want="an olm.bundle, or the content of a pack.json"`,
			`error config/invalid ConfigMap/config data.catalog`,
			`error config/invalid ConfigMap/config data.catalog got="the document at line 1" want="the schema olm.bundle, or name and version as in a pack.json"`,
			`error config/invalid ConfigMap/config data.catalog got="the schema \"olm.bundel\" at line 5" want=olm.bundle near=olm.bundle`,
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 propose=3.4.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
		}},
		{"what is installed", spec(`installed: [{name: vault, version: 1.0.0, layer: addon, constraints: {dependencies: [{packName: vault, maxVersion: "1.1", type: upgrade}, {packName: consul, type: required}]}}]`), vault, []string{
			`error dependency/upgrade Pack/vault spec.version key=version got=1.2.0 want="1.1 or older, the only versions that the installed \"vault\" 1.0.0 can be upgraded to" now=1.2.0 pack=vault dependency=constraints.dependencies[0] requirer=vault`,
		}},
		{"what is installed, of a pack that is not chosen", spec(`packs: [elastic-operator], installed: [{name: vault, version: 1.0.0, constraints: {dependencies: [{packName: vault, maxVersion: "1.1", type: upgrade}]}}]`), join(operator, vault), nil},
		{"all faults of an entry", "", "{apiVersion: packs.kpt.dev/v1alpha1, kind: Pack, metadata: {name: a}, spec: {constraints: {dependencies: [{minVersion: x, maxVersion: '1.0', type: requird}, {minVersion: '2.0', maxVersion: '1.0', type: required}]}}}", []string{
			"error dependency/invalid Pack/a spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName missing= pack=a",
			`error dependency/invalid Pack/a spec.constraints.dependencies[0].minVersion key=constraints.dependencies[0].minVersion got="\"x\"" want="a version like 1.2.3, 1.2 or 1.2.3-rc.1" pack=a`,
			`error dependency/invalid Pack/a spec.constraints.dependencies[0].type key=constraints.dependencies[0].type got="\"requird\"" want="required, optional, notSupported or upgrade" near=required now=requird propose=required pack=a`,
			"error dependency/invalid Pack/a spec.constraints.dependencies[1].packName key=constraints.dependencies[1].packName missing= pack=a",
			"error dependency/invalid Pack/a spec.constraints.dependencies[1].minVersion key=constraints.dependencies[1].minVersion pack=a",
		}},
		{"two versions of a pack", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault-2}
spec: {name: vault, version: 2.0.0}
---
`[1:] + vault, []string{
			`error pack/duplicate Pack/vault-2 pack=vault`,
		}},
		{"two copies of a pack", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault-2}
spec: {name: vault, version: 1.2.0}
---
`[1:] + vault, []string{
			`warning pack/duplicate Pack/vault-2 pack=vault`,
		}},
		{"two copies of a pack that one profile has", "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault-2}
spec: {name: vault, version: 1.2.0}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterProfile
metadata: {name: edge}
spec: {packs: [{name: vault, packRef: {name: vault-2}}, {name: vault, packRef: {name: vault}}]}
---
`[1:] + vault, nil},
		{"a bundle of a pack's package", "", "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {bundle.yaml: '{schema: olm.bundle, name: b.v1.2.0, package: vault, properties: [{type: olm.package, value: {packageName: vault, version: 1.2.0}}]}'}}\n---\n" + vault, []string{
			`warning provider/duplicate ConfigMap/b bundle=b.v1.2.0`,
		}},
		{"faults of what is installed", spec(`installed: [5, {name: vault}, null, {name: vault, version: [1], constraints: {dependencies: [{packName: a, type: upgrad}, {packName: vault, maxVersion: "1.0", type: upgrade}]}}, {name: a, name: b, version: 1}]`), vault, []string{
			`error config/invalid CheckDependencies/config spec.installed[2] got=null want="the content of a pack.json (name, version, constraints)"`,
			`error config/invalid CheckDependencies/config spec.installed[0] got="a number" want="the content of a pack.json (name, version, constraints)"`,
			`error config/invalid CheckDependencies/config spec.installed[1].version missing=`,
			`error config/invalid CheckDependencies/config spec.installed[3].version got="a list" want="a string"`,
			`error config/invalid CheckDependencies/config spec.installed[3].constraints.dependencies[0].type got="\"upgrad\"" want="required, optional, notSupported or upgrade" near=upgrade now=upgrad propose=upgrade`,
			`error config/invalid CheckDependencies/config spec.installed[4].name duplicate-of=3:288`,
		}},
		{"the cluster's Kubernetes", "", join(cluster, needsKubernetes), []string{
			`error dependency/below-min ClusterContext/cluster-01 spec.system.kubernetes.version got=v1.26.3-eks-1 want="1.29 or newer, which pack \"thanos\" (Pack thanos) requires" now=v1.26.3-eks-1 dependency=constraints.dependencies[0].minVersion requirer=thanos`,
		}},
		{"two clusters", "", join(cluster, strings.Replace(cluster, "cluster-01", "cluster-02", 1), needsKubernetes), []string{
			`error config/invalid spec.clusterContext`,
		}},
		{"one of two clusters", spec("clusterContext: cluster-02"), join(cluster, strings.Replace(cluster, "cluster-01", "cluster-02", 1), needsKubernetes), []string{
			`error dependency/below-min ClusterContext/cluster-02 spec.system.kubernetes.version got=v1.26.3-eks-1 want="1.29 or newer, which pack \"thanos\" (Pack thanos) requires" now=v1.26.3-eks-1 dependency=constraints.dependencies[0].minVersion requirer=thanos`,
		}},
		{"severity", spec("severity: {dependency/below-min: warning, dependency/missing: 'off'}"), join(stack, operator), []string{
			`warning dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
		}},
		{"scope", spec("scope: bundel"), vault, []string{
			`error config/invalid CheckDependencies/config spec.scope got="\"bundel\"" want="set or bundle" near=bundle`,
		}},
		{"a pack that cannot be read hides nothing", "", join(strings.Replace(vault, "version: 1.2.0", "version: [1]", 1), operator, stack), []string{
			`error input/invalid Pack/vault spec.version got="a list" want="a string"`,
			`error dependency/below-min Pack/elastic-operator operator.yaml#0 spec.version key=version got=3.0.0 want="3.3.2 or newer, which pack \"elastic-stack\" (ConfigMap stack, pack.json line 3) requires" now=3.0.0 pack=elastic-operator dependency=constraints.dependencies[0].minVersion requirer=elastic-stack`,
			`error dependency/missing Pack/elastic-operator operator.yaml#0 spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"vault\", 1.2 or newer" pack=elastic-operator`,
		}},
	} {
		tc.run(t)
	}
}

func TestNothingToDo(t *testing.T) {
	krmCase{"no packs", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", []string{
		`info nothing-to-do`,
	}}.run(t)
}
