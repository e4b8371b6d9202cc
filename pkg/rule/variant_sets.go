package rule

import "github.com/krm-packs/functions/pkg/diag"

// ExpandVariantSet is the name of the function.
const ExpandVariantSet = "expand-variant-set"

// The rules of expand-variant-set.
var (
	VariantSetInvalid = add(Rule{
		ID: "variant-set/invalid", Severity: diag.Error, By: ExpandVariantSet,
		Meaning: "a field of the set is missing, wrong or duplicate, the set has another version, or it has more targets than `maxTargets`; a warning for an unknown field that is not misspelt, and for a label or annotation that the API server rejects",
		Breaks: `spec:
  targets: [{repositores: [{name: blue}]}]   # repositories`,
		Fix: "Correct the field of the set.",
	})
	VariantSetUpstreamNotFound = add(Rule{
		ID: "variant-set/upstream-not-found", Severity: diag.Error, By: ExpandVariantSet, MayExist: true,
		Meaning: "the package has PackageRevisions, but not the upstream",
		Breaks:  "upstream: {repo: catalog, package: platfrom, revision: v1}   # platform",
		Fix:     "Correct the upstream, or add its PackageRevision.",
	})
	VariantSetRepositoryNotFound = add(Rule{
		ID: "variant-set/repository-not-found", Severity: diag.Error, By: ExpandVariantSet, MayExist: true,
		Meaning: "the package has Repositories, but not the downstream repository",
		Breaks:  "targets: [{repositories: [{name: bleu}]}]   # blue",
		Fix:     "Correct the name, or add the Repository.",
	})
	VariantSetExpression = add(Rule{
		ID: "variant-set/expression", Severity: diag.Error, By: ExpandVariantSet,
		Meaning: "an expression does not compile, fails, exceeds the cost limit, or its result is not a string",
		Breaks:  `downstream: {packageExpr: "target.nam"}`,
		Fix:     "Correct the expression.",
	})
	VariantSetDuplicate = add(Rule{
		ID: "variant-set/duplicate", Severity: diag.Error, By: ExpandVariantSet,
		Meaning: "a package is made twice in a repository, or the name of a variant is in use; a warning if two sets, or a set and another PackageVariant, make a package",
		Breaks:  "two targets that make one package in one repository",
		Fix:     "Give each target a unique name, with a template.",
	})
	VariantSetAlias = add(Rule{
		ID: "variant-set/alias", Severity: diag.Warning, By: "inject-config, expand-variant-set",
		Meaning: "`injectors` is a single map; it is read as a list with one element",
		Own: []Own{
			{"expand-variant-set", "a form of the document's examples that is not in the API: `injectorExprs`, or a single map instead of a list"},
		},
		Breaks: "injectors: {name: cluster}   # a list",
		Fix:    "Write a list.",
	})
	VariantSetNotInPorch = add(Rule{
		ID: "variant-set/not-in-porch", Severity: diag.Warning, By: "inject-config, expand-variant-set",
		Meaning: "`upstream.revision` is a string, but Porch v1.5.3 requires an integer",
		Own: []Own{
			{"expand-variant-set", "Porch would reject an expression, or a revision that is a string; or Porch ignores a field: `upstream.revision`, `objectSelector.name`, or `packageNames` beside a selector; or Porch makes no PackageVariant, because its name has a slash or a capital letter"},
		},
		Breaks: "upstream: {repo: catalog, package: platform, revision: 1}   # Porch uses workspaceName",
		Fix:    "Write what Porch accepts and uses, if the set must also work there.",
	})
	VariantSetUnverified = add(Rule{
		ID: "variant-set/unverified", Severity: diag.Warning, By: ExpandVariantSet, MayExist: true,
		Meaning: "the package has no PackageRevision or no Repository; an info for objects that match only if they are cluster-scoped",
		Breaks:  "a package without Repositories",
		Fix:     "Add the Repositories and PackageRevisions if they must be checked.",
	})
	VariantSetUnmatched = add(Rule{
		ID: "variant-set/unmatched", Severity: diag.Warning, By: ExpandVariantSet, MayExist: true,
		Meaning: "a target selects nothing",
		Breaks:  "repositorySelector: {matchLabels: {region: ue}}   # eu",
		Fix:     "Correct the selector, or add what it must select.",
	})
	VariantSetExpanded = add(Rule{
		ID: "variant-set/expanded", Severity: diag.Info, By: ExpandVariantSet,
		Meaning: "the number of variants, in total and for each target",
		Breaks:  "a PackageVariantSet with targets",
		Fix:     "Nothing is wrong. The finding contains the number of variants.",
	})
	VariantSetWaiting = add(Rule{
		ID: "variant-set/waiting", Severity: diag.Info, By: ExpandVariantSet, IsPending: true,
		Meaning: "a set is not expanded, because its content, or that of a PackageRevision, is not injected yet",
		Breaks:  "metadata: {name: platform, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the content of the resource is injected, the next render expands the set.",
	})
)
