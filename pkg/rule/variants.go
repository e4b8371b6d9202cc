package rule

import "github.com/krm-packs/functions/pkg/diag"

// InjectConfig is the name of the function.
const InjectConfig = "inject-config"

// The rules of inject-config. expand-variant-set reports the rules of variant-set/ as well.
var (
	VariantInvalid = add(Rule{
		ID: "variant/invalid", Severity: diag.Error, By: InjectConfig,
		Meaning: "a field of the PackageVariant is missing or not accepted, or kpt would reject a function of its pipeline; a warning for a key in `removeKeys` that is probably misspelt",
		Breaks: `kind: PackageVariant
spec:
  adoptionPolicy: adopt   # adoptNone or adoptExisting`,
		Fix: "Correct the field of the PackageVariant.",
	})
	ContextReservedKey = add(Rule{
		ID: "context/reserved-key", Severity: diag.Error, By: InjectConfig,
		Meaning: "`name` or `package-path` in `packageContext`",
		Breaks: `kind: PackageVariant
spec:
  packageContext: {data: {name: mine}}`,
		Fix: "Choose another key. `name` and `package-path` are set by Porch.",
	})
	ContextMissing = add(Rule{
		ID: "context/missing", Severity: diag.Error, By: InjectConfig,
		Meaning: "the root package has no ConfigMap `kptfile.kpt.dev`, but the PackageVariant changes it",
		Breaks: `kind: PackageVariant
spec:
  packageContext: {data: {region: eu}}   # the package has no ConfigMap kptfile.kpt.dev`,
		Fix: "Add package-context.yaml to the package, as kpt pkg init makes it.",
	})
	ContextAmbiguous = add(Rule{
		ID: "context/ambiguous", Severity: diag.Error, By: InjectConfig,
		Meaning: "the root package has several ConfigMaps `kptfile.kpt.dev`",
		Breaks:  "two ConfigMaps kptfile.kpt.dev in the root package",
		Fix:     "Remove one of them.",
	})
	KptfileMissing = add(Rule{
		ID: "kptfile/missing", Severity: diag.Error, By: InjectConfig,
		Meaning: "the package has no Kptfile, or its root package is unclear",
		Breaks:  "a list without the Kptfile of the root package",
		Fix:     "Add a Kptfile, or remove the selectors that hide it from the function.",
	})
	InjectInvalidAnnotation = add(Rule{
		ID: "inject/invalid-annotation", Severity: diag.Error, By: InjectConfig,
		Meaning: "`kpt.dev/config-injection` is neither `required` nor `optional`, or `packs.kpt.dev/source` is not `cluster`",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: require}}   # required",
		Fix:     "Write `required` or `optional`, and `packs.kpt.dev/source` only with `cluster`.",
	})
	InjectAmbiguous = add(Rule{
		ID: "inject/ambiguous", Severity: diag.Error, By: InjectConfig,
		Meaning: "two injection points have the same condition type, an injection point is the package context or a Kptfile, or an in-cluster object exists twice with different content",
		Breaks:  "two injection points of one kind and name",
		Fix:     "Rename one of them, or remove its annotation.",
	})
	InjectUnmatched = add(Rule{
		ID: "inject/unmatched", Severity: diag.Warning, By: InjectConfig,
		Meaning: "a required point gets no object, with the reason; an info for an optional point",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}   # and no injector names an object of this kind",
		Fix:     "Add an injector to the PackageVariant, or the object to the in-cluster objects.",
	})
	InjectInjected = add(Rule{
		ID: "inject/injected", Severity: diag.Info, By: InjectConfig,
		Meaning: "the source of a point's content",
		Breaks:  "an injection point, and an injector that names an object for it",
		Fix:     "Nothing is wrong. The finding names the source of the content.",
	})
)
