package rule

import "github.com/krm-packs/functions/pkg/diag"

// CheckDependencies is the name of the function.
const CheckDependencies = "check-dependencies"

// The rules of check-dependencies.
var (
	DependencyMissing = add(Rule{
		ID: "dependency/missing", Severity: diag.Error, By: CheckDependencies, Deployed: true, Manual: true,
		Meaning: "a required pack is missing",
		Breaks:  `{"packName": "cert-manager", "type": "required"}   // and no such pack`,
		Fix:     "Add the pack to the package.",
	})
	DependencyBelowMin = add(Rule{
		ID: "dependency/below-min", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a pack is older than another pack requires",
		Breaks:  `{"packName": "kubernetes", "minVersion": "1.28", "maxVersion": "", "type": "required"}   // there is 1.27.4`,
		Fix:     "Upgrade the pack, or use an older version of the pack that requires it.",
	})
	DependencyAboveMax = add(Rule{
		ID: "dependency/above-max", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a pack is newer than another pack supports",
		Breaks:  `{"packName": "kubernetes", "minVersion": "1.28", "maxVersion": "1.30", "type": "required"}   // there is 1.31.2`,
		Fix:     "Use a version of the pack in the range, or a version of the other pack that supports it.",
	})
	DependencyNotSupported = add(Rule{
		ID: "dependency/not-supported", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a pack is present that another pack does not support",
		Breaks:  `{"packName": "nginx", "minVersion": "1.0", "maxVersion": "1.5", "type": "notSupported"}   // and nginx 1.2 is there`,
		Fix:     "Remove one of the two packs, or use a version outside of the range.",
	})
	DependencyUpgrade = add(Rule{
		ID: "dependency/upgrade", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a pack cannot replace the installed one",
		Breaks:  `installed: [{name: vault, version: 0.5.0, constraints: {dependencies: [{packName: vault, maxVersion: "0.6", type: upgrade}]}}]   # the package has 0.8.0`,
		Fix:     "Upgrade in steps. First install a version that the installed one can be replaced by.",
	})
	DependencyInvalid = add(Rule{
		ID: "dependency/invalid", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "an entry cannot be read, or a version cannot be compared",
		Breaks:  `{"packName": "kubernetes", "minVersion": "1.x", "type": "required"}`,
		Fix:     "Correct the entry of pack.json.",
	})
	DependencyWaiting = add(Rule{
		ID: "dependency/waiting", Severity: diag.Info, By: CheckDependencies, IsPending: true, Manual: true,
		Meaning: "some requirements are not checked, because they depend on content that is not injected yet",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the facts of the cluster are injected, what requires them is checked.",
	})
	DependencyUntyped = add(Rule{
		ID: "dependency/untyped", Severity: diag.Warning, By: CheckDependencies, Manual: true,
		Meaning: "an entry has no type; it is read as optional",
		Breaks:  `{"packName": "kubernetes", "minVersion": "1.28"}`,
		Fix:     "Set type to required, optional, notSupported or upgrade.",
	})
	DependencyNearName = add(Rule{
		ID: "dependency/near-name", Severity: diag.Info, By: CheckDependencies, Manual: true,
		Meaning: "the pack of an optional dependency is missing, and its name is nearly that of a known pack",
		Breaks:  `{"packName": "kuberntes", "maxVersion": "1.30", "type": "optional"}`,
		Fix:     "Correct the name. If another pack is meant, nothing is wrong.",
	})
	PackCloud = add(Rule{
		ID: "pack/cloud", Severity: diag.Warning, By: CheckDependencies, Manual: true,
		Meaning: "a pack is for other clouds than that of the cluster, or the type of the cluster's cloud is misspelt",
		Breaks:  `spec: {system: {cloud: {type: vsphere}}}   # and the pack has cloudTypes: [eks]`,
		Fix:     "Use a pack for the cloud of the cluster, or correct the type in the ClusterContext.",
	})
	ConstraintUnsatisfied = add(Rule{
		ID: "constraint/unsatisfied", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a constraint of a bundle is false",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.constraint, value: {failureMessage: needs Kubernetes 1.30, cel: {rule: 'properties.exists(p, p.type == "olm.k8s")'}}}`,
		Fix: "Add or change what the constraint asks for. The finding says which part of it is false.",
	})
	ConstraintInvalid = add(Rule{
		ID: "constraint/invalid", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a constraint or requirement cannot be read, or its rule exceeds the cost limit; the others are checked. A warning for a bundle whose name, fields and property `olm.package` differ in package or version, and for a `skipRange` that includes the version of its own bundle",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.constraint, value: {all: {constraint: []}}}   # constraints`,
		Fix: "Correct the constraint at the place that the finding names.",
	})
	ConstraintTopLevelNot = add(Rule{
		ID: "constraint/top-level-not", Severity: diag.Warning, By: CheckDependencies, Manual: true,
		Meaning: "`not` is alone; put it into `all` or `any`",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.constraint, value: {not: {constraints: [{gvk: {group: a, version: v1, kind: B}}]}}}`,
		Fix: "Put `not` into `all` or `any`, as OLM requires.",
	})
	ConstraintUnknownProperty = add(Rule{
		ID: "constraint/unknown-property", Severity: diag.Warning, By: CheckDependencies, Manual: true,
		Meaning: "a rule excludes a type of property that no bundle has, and that is nearly a known one",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.constraint, value: {cel: {rule: '!properties.exists(p, p.type == "olm.labels")'}}}`,
		Fix: "Correct the type. A rule that excludes a type which no bundle has always holds.",
	})
	ConstraintScopeDiffers = add(Rule{
		ID: "constraint/scope-differs", Severity: diag.Warning, By: CheckDependencies, Manual: true,
		Meaning: "the other scope gives another result",
		Breaks: `kind: CheckDependencies
spec: {scope: bundle}   # with scope set the constraint would hold`,
		Fix: "Choose the scope that the constraint was written for.",
	})
	ConstraintPrerelease = add(Rule{
		ID: "constraint/prerelease", Severity: diag.Info, By: CheckDependencies, Manual: true,
		Meaning: "only a prerelease satisfies it",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.package, value: {packageName: vault, version: ">=1.0.0"}}   # there is only 1.1.0-rc.1`,
		Fix: "Accept the prerelease, or provide a release in the range.",
	})
	RequirementUnsatisfied = add(Rule{
		ID: "requirement/unsatisfied", Severity: diag.Error, By: CheckDependencies, Deployed: true, Manual: true,
		Meaning: "nothing provides what a bundle requires",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.gvk, value: {group: etcd.database, version: v1, kind: EtcdCluster}}`,
		Fix: "Add a bundle that provides it.",
	})
	RequirementElsewhere = add(Rule{
		ID: "requirement/elsewhere", Severity: diag.Info, By: checkBundles, Manual: true,
		Meaning: "a bundle of a catalog or of a repository requires what none of the checked bundles has in any version; an error with `--catalog` or `--as-deployed`",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.package, value: {packageName: etcd, version: '>=0.9.0'}}   # a package of another catalog`,
		Fix: "Name the catalog that has it with `--catalog`.",
	})
	BundleDeprecated = add(Rule{
		ID: "bundle/deprecated", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a bundle of a package has the property `olm.deprecated`, so OLM does not install it, and it satisfies no requirement",
		Breaks: `properties.yaml: |
  properties:
  - {type: olm.deprecated, value: {}}`,
		Fix: "Use a newer version of the package.",
	})
	BundleOLMv1 = add(Rule{
		ID: "bundle/olm-v1", Severity: diag.Info, By: checkBundles, Manual: true,
		Meaning: "OLM v1 refuses a bundle of the package, because it requires a package or an API, or has a constraint; reported once for each package",
		Breaks: `dependencies.yaml: |
  dependencies:
  - {type: olm.package, value: {packageName: etcd, version: '>=0.9.0'}}`,
		Fix: "Nothing is wrong with OLM v0. For OLM v1, remove what the bundle requires, and document it.",
	})
	ClusterConstraintUnsatisfied = add(Rule{
		ID: "cluster-constraint/unsatisfied", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a bundle or pack does not satisfy a constraint of the cluster",
		Breaks: `kind: ClusterContext
spec:
  constraints:
  - {type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "certified")'}}}`,
		Fix: "Give the bundle or pack the property that the cluster requires, or install another version of it.",
	})
	ClusterConstraintInvalid = add(Rule{
		ID: "cluster-constraint/invalid", Severity: diag.Error, By: CheckDependencies, Manual: true,
		Meaning: "a constraint or property of the cluster cannot be read, or its rule exceeds the cost limit",
		Breaks: `kind: ClusterContext
spec:
  constraints:
  - {type: olm.constraint, value: {cel: {rule: 'properties.exist(p, true)'}}}   # exists`,
		Fix: "Correct the constraint or property at the place that the finding names.",
	})
	PackDuplicate = add(Rule{
		ID: "pack/duplicate", Severity: diag.Error, By: CheckDependencies,
		Meaning: "the package has two versions of one pack; a warning for two copies of one version",
		Breaks:  "vault 1.0.0 in vault.yaml, and vault 2.0.0 in vault-2.yaml",
		Fix:     "Remove one of them. To replace a pack by a newer version, use packfn upgrade.",
	})
	ProviderDuplicate = add(Rule{
		ID: "provider/duplicate", Severity: diag.Warning, By: CheckDependencies,
		Meaning: "two bundles have the same package, or provide the same API; an error for a bundle or version that a catalog has twice",
		Breaks:  "two bundles of one package in a package",
		Fix:     "Remove one of them.",
	})
)
