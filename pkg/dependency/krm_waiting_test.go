package dependency

import (
	"strings"
	"testing"
)

// waitingCluster is a package whose ClusterContext waits.
const (
	kptfile        = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
	waitingCluster = "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c, annotations: {kpt.dev/config-injection: optional}}\nspec: {}\n---\n"
)

// Requirements on facts that are still to be injected are not checked. All others are.
func TestWaiting(t *testing.T) {
	const (
		info = "info dependency/waiting ClusterContext/c metadata.annotations[kpt.dev/config-injection]"
		done = "status: {conditions: [{type: config.injection.ClusterContext.c, status: \"False\"}]}\n"
	)
	packOf := func(name, version, dependencies string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\nspec:\n  version: " + version + "\n  constraints: {dependencies: [" + dependencies + "]}\n---\n"
	}
	waiting := func(resource string) string {
		return strings.Replace(resource, "metadata: {", "metadata: {annotations: {kpt.dev/config-injection: required}, ", 1)
	}
	onKubernetes := packOf("a", "1.0.0", "{packName: kubernetes, minVersion: '1.28', type: required}")
	version := strings.Replace(waitingCluster, "spec: {}", "spec: {system: {kubernetes: {version: 1.27.0}}}", 1)
	properties := strings.Replace(waitingCluster, "spec: {}", "spec: {properties: [{type: olm.gvk, value: {group: g.example.com, version: v1, kind: Green}}]}", 1)
	for _, tc := range []krmCase{
		{"the version of Kubernetes", "", kptfile + waitingCluster + onKubernetes, []string{info}},
		{"the version of the placeholder", "", kptfile + version + onKubernetes, []string{info}},
		{"constraints of the placeholder", "", kptfile + strings.Replace(waitingCluster, "spec: {}", "spec: {constraints: [{type: olm.constraint, value: {failureMessage: no, gvk: {group: x, version: v1, kind: X}}}]}", 1) + onKubernetes, []string{info}},
		{"a pack", "", kptfile + waitingCluster + packOf("a", "1.0.0", "{packName: b, type: required}, {packName: c, minVersion: 2.0.0, type: required}") + packOf("c", "1.0.0", ""), []string{
			info,
			`error dependency/missing Pack/a spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"b\"" pack=a`,
			`error dependency/below-min Pack/c spec.version key=version got=1.0.0 want="2.0.0 or newer, which pack \"a\" (Pack a) requires" now=1.0.0 pack=c dependency=constraints.dependencies[1].minVersion requirer=a`,
		}},
		{"what properties of the cluster may satisfy", "", kptfile + waitingCluster + red + blue, []string{info}},
		{"the same of one bundle", spec("scope: bundle"), kptfile + waitingCluster + red + blue, []string{info}},
		{"what properties of the cluster cannot satisfy", "", kptfile + waitingCluster + green + strings.Replace(red, "- package: {packageName: blue, versionRange: '>=1.5.0 <2.0.0'}\n          - gvk: {group: g.example.com, version: v1, kind: Green}",
			"- gvk: {group: g.example.com, version: v1, kind: Red}\n          - not: {constraints: [{gvk: {group: g.example.com, version: v1, kind: Green}}]}", 1), []string{
			info,
			`error constraint/unsatisfied ConfigMap/bundles data[bundle.yaml] key=properties[0].value.all.constraints[0].gvk at=13:14 bundle=red.v1.0.0`,
		}},
		{"a property that is there", "", kptfile + properties + strings.Replace(red, "- package: {packageName: blue, versionRange: '>=1.5.0 <2.0.0'}\n", "", 1), []string{info}},
		{"nothing to check", "", kptfile + waitingCluster, []string{"info nothing-to-do"}},
		{"a pack that waits", "", kptfile + "---\n" + waiting(packOf("b", "0.1.0", "{packName: none, type: required}")) + packOf("a", "1.0.0", "{packName: b, minVersion: '1.0', type: required}, {packName: c, type: required}"), []string{
			"info dependency/waiting Pack/b metadata.annotations[kpt.dev/config-injection]",
		}},
		{"only a pack that waits", "", kptfile + "---\n" + waiting(packOf("b", "0.1.0", "")), []string{"info dependency/waiting Pack/b metadata.annotations[kpt.dev/config-injection]"}},
		{"a pack that waits, and one that is there", "", kptfile + "---\n" + waiting(packOf("b", "0.1.0", "")) + packOf("a", "1.0.0", "{packName: c, minVersion: '2.0', type: required}") + packOf("c", "1.0.0", ""), []string{
			"info dependency/waiting Pack/b metadata.annotations[kpt.dev/config-injection]",
			`error dependency/below-min Pack/c spec.version key=version got=1.0.0 want="2.0 or newer, which pack \"a\" (Pack a) requires" now=1.0.0 pack=c dependency=constraints.dependencies[0].minVersion requirer=a`,
		}},
		{"a bundle that waits", "", kptfile + "---" + waiting(blue) + red, []string{"info dependency/waiting ConfigMap/blue metadata.annotations[kpt.dev/config-injection]"}},
		{"a ClusterServiceVersion that waits, with its metadata folder", "", kptfile + "---" + waiting(green) + strings.NewReplacer("bundle.package.v1: blue", "bundle.package.v1: green", "{type: olm.package, value: {packageName: blue, version: 1.4.0}}", "{type: olm.gvk.required, value: {group: x, version: v1, kind: X}}").Replace(blue), []string{
			"info dependency/waiting ClusterServiceVersion/green.v0.1.0 metadata.annotations[kpt.dev/config-injection]",
		}},
		{"a metadata folder that waits, with its ClusterServiceVersion", "", kptfile + "---" + green + waiting(strings.NewReplacer("bundle.package.v1: blue", "bundle.package.v1: green", "{type: olm.package, value: {packageName: blue, version: 1.4.0}}", "{type: olm.gvk.required, value: {group: x, version: v1, kind: X}}").Replace(blue)), []string{
			"info dependency/waiting ConfigMap/blue metadata.annotations[kpt.dev/config-injection]",
		}},
		{"a Constraint that waits", "", kptfile + "---" + waiting(certified) + blue, []string{"info dependency/waiting Constraint/certified metadata.annotations[kpt.dev/config-injection]"}},
		{"nothing was injected", "", kptfile + done + waitingCluster + onKubernetes, []string{
			`error dependency/missing Pack/a spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"kubernetes\", 1.28 or newer" pack=a`,
		}},
		{"the Kptfile is hidden", "", waitingCluster + onKubernetes, []string{
			info,
			`error dependency/missing Pack/a spec.constraints.dependencies[0].packName key=constraints.dependencies[0].packName no="pack named \"kubernetes\", 1.28 or newer" pack=a`,
		}},
	} {
		tc.run(t)
	}
}
