package function

// suiteRules are the rules of all functions of the suite and of packfn, for the
// acceptances on a resource that several functions read. A program has only its own
// function; a test in functions/suite compares this list with all functions.
var suiteRules = []string{
	"accept/unused", "accepted", "cluster-constraint/invalid", "cluster-constraint/unsatisfied",
	"constraint/invalid", "constraint/prerelease", "constraint/scope-differs", "constraint/top-level-not", "constraint/unknown-property",
	"constraint/unsatisfied", "context/ambiguous", "context/missing", "context/reserved-key",
	"dependency/above-max", "dependency/below-min", "dependency/invalid", "dependency/missing", "dependency/near-name", "dependency/not-supported",
	"dependency/untyped", "dependency/upgrade", "dependency/waiting",
	"inject/ambiguous", "inject/injected", "inject/invalid-annotation", "inject/unmatched", "kptfile/missing", "kptfile/unknown-field",
	"macro/cycle", "macro/defaulted", "macro/empty", "macro/forbidden-function", "macro/invalid", "macro/suspicious", "macro/unknown", "macro/unset",
	"macro/waiting", "nothing-to-do", "override/drops", "override/duplicate", "pack/duplicate", "pack/file-name", "pipeline/hidden",
	"policy/denied", "policy/deny-lost", "policy/duplicate", "policy/ignored-field", "policy/invalid", "policy/no-rule", "policy/selected",
	"policy/unreachable-rule", "policy/unsatisfied", "policy/unused", "policy/waiting",
	"preset/applied", "preset/comment", "preset/edit-lost", "preset/edited", "preset/group-conflict", "preset/invalid", "preset/outdated",
	"preset/overridden", "preset/path-conflict", "preset/reapplied", "preset/unknown", "preset/waiting", "provider/duplicate", "requirement/unsatisfied",
	"resource/not-local",
	"resources/insufficient", "resources/invalid", "resources/no-pool", "resources/summary", "resources/suspicious-unit", "resources/unresolved-ref",
	"resources/waiting", "schema/invalid",
	"upgrade/added", "upgrade/changed-default", "upgrade/format", "upgrade/newly-required", "upgrade/orphaned-value", "upgrade/preset",
	"upgrade/requirement",
	"values/chart-missing", "values/chart-schema", "values/deferred", "values/duplicate-key", "values/format", "values/inert", "values/invalid-yaml",
	"values/key-not-in-values", "values/misplaced", "values/near-key", "values/no-baseline", "values/readonly", "values/required", "values/type-changed",
	"values/unknown-format", "values/unknown-key",
	"variant-set/alias", "variant-set/duplicate", "variant-set/expanded", "variant-set/expression", "variant-set/invalid", "variant-set/not-in-porch",
	"variant-set/repository-not-found", "variant-set/unmatched", "variant-set/unverified", "variant-set/upstream-not-found", "variant-set/waiting",
	"variant/invalid",
}

// SuiteRules returns the ids of the rules that an acceptance can name.
func SuiteRules() []string { return suiteRules }
