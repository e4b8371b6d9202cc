package dependency

import "testing"

// A pack says for which clouds it is: that of the cluster must be among them.
func TestCloud(t *testing.T) {
	of := func(name, clouds string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\nspec: {version: 1.0.0, cloudTypes: " + clouds + "}\n---\n"
	}
	on := func(cloud string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {system: {cloud: {type: " + cloud + "}}}\n"
	}
	const at = "warning pack/cloud ClusterContext/c spec.system.cloud.type"
	for _, tc := range []krmCase{
		{"another cloud", "", of("a", "[eks]") + on("vsphere"), []string{at + " pack=a"}},
		{"packs of one list, and of two", "", of("a", "[eks, aks]") + of("b", "[gke]") + of("c", "[aks, eks]") + on("vsphere"), []string{at + " pack=b", at}},
		{"one of the clouds", "", of("a", "[vsphere, eks]") + on("vsphere"), nil},
		{"all clouds", "", of("a", "[eks, all]") + on("vsphere"), nil},
		{"both names of edge", "", of("a", "[edge]") + of("b", "[edge-native]") + on("edge") + "---\n", nil},
		{"no list", "", of("a", "[]") + of("b", "eks") + vault + on("vsphere"), nil},
		{"a cloud that is not known", "", of("a", "[eks]") + on("hetzner"), []string{at + " pack=a"}},
		{"a misspelt cloud", "", of("a", "[eks]") + of("b", "[all]") + on("awss"), []string{at + ` got="\"awss\"" want="aws, aks, eks, maas, azure and 13 more" near=aws`}},
		{"a cloud of no known name that a pack has", "", of("a", "[vshpere]") + on("vshpere"), []string{at + ` got="\"vshpere\"" want="vsphere, azure, eks, gcp, gke and 13 more" near=vsphere`}},
		{"no cloud", "", of("a", "[eks]") + on("''"), nil},
		{"packs that are not chosen", spec("packs: [b]"), of("a", "[eks]") + of("b", "[vsphere]") + on("vsphere"), nil},
		{"facts that are not injected", "", of("a", "[eks]") + "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c, annotations: {kpt.dev/config-injection: required}}\nspec: {system: {cloud: {type: vsphere}}}\n",
			[]string{"info dependency/waiting ClusterContext/c metadata.annotations[kpt.dev/config-injection]"}},
	} {
		tc.run(t)
	}
}
