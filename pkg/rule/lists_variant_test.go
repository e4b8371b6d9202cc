package rule_test

import "strings"

const (
	rootPackage = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: kptfile.kpt.dev}
data: {name: shop}
`
	variantHead = `---
apiVersion: config.porch.kpt.dev/v1alpha1
metadata: {name: shop-east, namespace: platform}
`
	// variantSpec continues the spec of an example with what a PackageVariant needs.
	variantSpec = `  upstream: {repo: catalog, package: shop, revision: 3}
  downstream: {repo: east, package: shop}
`
	injects = variantHead + "kind: PackageVariant\nspec:\n" + variantSpec + "  injectors: [{name: east}]\n"
	east    = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: east, namespace: platform, annotations: {packs.kpt.dev/source: cluster}}
data: {host: east.example.com}
`
	point = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}
data: {}
`
	setHead = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: shops, namespace: default}
`
	setUpstream = "  upstream: {repo: catalog, package: platform, revision: 1}\n"
	repository  = `---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: blue, namespace: default, labels: {region: eu}}
`
	revision = `---
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata: {name: catalog.platform.v1, namespace: default}
spec: {packageName: platform, repository: catalog, revision: 1, workspaceName: v1}
`
	blue = "  targets: [{repositories: [{name: blue}]}]\n"
)

// variantRunnables are the examples of inject-config and expand-variant-set.
var variantRunnables = map[string]runnable{
	"context/ambiguous": {"inject-config", rootPackage + rootPackage[strings.Index(rootPackage, "---"):] + variantHead + "kind: PackageVariant\nspec:\n" + variantSpec + "  packageContext: {data: {region: eu}}\n",
		"kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}", "kind: ConfigMap\nmetadata: {name: other}"},
	"context/missing":      {"inject-config", strings.Replace(rootPackage, "kptfile.kpt.dev", "other", 1) + variantHead + "<>\n" + variantSpec, "name: other", "name: kptfile.kpt.dev"},
	"context/reserved-key": {"inject-config", rootPackage + variantHead + "<>\n" + variantSpec, "{name: mine}", "{owner: mine}"},
	"kptfile/missing": {"inject-config", rootPackage[strings.Index(rootPackage, "---")+4:] + variantHead + "kind: PackageVariant\nspec:\n" + variantSpec + "  pipeline: {mutators: [{image: example.com/a:v1, name: a}]}\n",
		"apiVersion: v1", rootPackage[:strings.Index(rootPackage, "---")] + "---\napiVersion: v1"},
	"variant/invalid": {"inject-config", rootPackage + variantHead + "<>\n" + variantSpec, "adoptionPolicy: adopt ", "adoptionPolicy: adoptNone "},

	"inject/ambiguous":          {"inject-config", rootPackage + point + point + east + injects, "name: cluster", "name: other"},
	"inject/injected":           {"inject-config", rootPackage + "---\napiVersion: v1\nkind: ConfigMap\n" + "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}\ndata: {}\n" + east + injects, "kpt.dev/config-injection: required", ""},
	"inject/invalid-annotation": {"inject-config", rootPackage + "---\napiVersion: v1\nkind: ConfigMap\n<>\ndata: {}\n" + east + injects, "require}", "required}"},
	"inject/unmatched":          {"inject-config", rootPackage + "---\napiVersion: v1\nkind: ConfigMap\n<>\ndata: {}\n" + east + strings.Replace(injects, "{name: east}", "", 1), "injectors: []", "injectors: [{name: east}]"},

	"variant-set/alias": {"expand-variant-set", setHead + "spec:\n" + setUpstream + "  targets:\n  - repositories: [{name: blue}]\n    template:\n      <>\n" + repository + revision, "{name: cluster}", "[{name: cluster}]"},
	"variant-set/duplicate": {"expand-variant-set", setHead + "spec:\n" + setUpstream + "  targets:\n  - {repositories: [{name: blue}]}\n  - {repositories: [{name: blue}]}\n" + repository + revision,
		"- {repositories: [{name: blue}]}", "- {repositories: [{name: blue, packageNames: [other]}]}"},
	"variant-set/expanded":             {"expand-variant-set", setHead + "spec:\n" + setUpstream + blue + repository + revision, "{name: blue}", "{nme: blue}"},
	"variant-set/waiting":              {"expand-variant-set", strings.TrimPrefix(strings.Replace(waiting, packsKind, "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet", 1), "---\n") + "spec:\n" + setUpstream + blue + repository + revision, "kpt.dev/config-injection", "note"},
	"variant-set/expression":           {"expand-variant-set", setHead + "spec:\n" + setUpstream + "  targets:\n  - repositories: [{name: blue}]\n    template:\n      <>\n" + repository + revision, "target.nam", "target.repo"},
	"variant-set/invalid":              {"expand-variant-set", setHead + "<>\n" + setUpstream + repository + revision, "repositores", "repositories"},
	"variant-set/not-in-porch":         {"expand-variant-set", setHead + "spec:\n  <>\n" + blue + repository, ", revision: 1", ", workspaceName: v1"},
	"variant-set/repository-not-found": {"expand-variant-set", setHead + "spec:\n" + setUpstream + "  <>\n" + repository + revision, "bleu", "blue"},
	"variant-set/unmatched":            {"expand-variant-set", setHead + "spec:\n" + setUpstream + "  targets:\n  -\n    <>\n" + repository + revision, "region: ue", "region: eu"},
	"variant-set/unverified":           {"expand-variant-set", setHead + "spec:\n" + setUpstream + blue, blue, blue + repository + revision},
	"variant-set/upstream-not-found":   {"expand-variant-set", setHead + "spec:\n  <>\n" + blue + repository + strings.ReplaceAll(revision, "revision: 1", "revision: v1"), "platfrom", "platform"},
}
