package variant

import "github.com/krm-packs/functions/pkg/diag"

// The rules of a PackageVariant by itself, and of what it does to a package.
var (
	// RuleInvalid: a field of the PackageVariant is missing or not accepted.
	RuleInvalid = diag.Rule{ID: "variant/invalid", Severity: diag.Error}
	// RuleReservedKey: packageContext has a key that only kpt and Porch set.
	RuleReservedKey = diag.Rule{ID: "context/reserved-key", Severity: diag.Error}
	// RuleAlias: a form that only the document's examples have. Sets have it too.
	RuleAlias = diag.Rule{ID: "variant-set/alias", Severity: diag.Warning}
	// RuleNotInPorch: something works here that Porch refuses. Sets have it, too.
	RuleNotInPorch = diag.Rule{ID: "variant-set/not-in-porch", Severity: diag.Warning}
	// RuleInvalidAnnotation: an annotation about injection has an unknown value.
	RuleInvalidAnnotation = diag.Rule{ID: "inject/invalid-annotation", Severity: diag.Error}
	// RuleAmbiguous: two injection points have one condition, a resource cannot be a
	// point, or an in-cluster object is given twice with different content.
	RuleAmbiguous = diag.Rule{ID: "inject/ambiguous", Severity: diag.Error}
	// RuleContextMissing: the root package has no package context to change.
	RuleContextMissing = diag.Rule{ID: "context/missing", Severity: diag.Error}
	// RuleContextAmbiguous: the root package has several.
	RuleContextAmbiguous = diag.Rule{ID: "context/ambiguous", Severity: diag.Error}
	// RuleKptfileMissing: the package has no Kptfile, or its root package is unclear.
	RuleKptfileMissing = diag.Rule{ID: "kptfile/missing", Severity: diag.Error}
	// RuleUnmatched: nothing is injected into a point. It is an info if the point is
	// optional.
	RuleUnmatched = diag.Rule{ID: "inject/unmatched", Severity: diag.Warning}
	// RuleInjected: the content of a point is that of an in-cluster object.
	RuleInjected = diag.Rule{ID: "inject/injected", Severity: diag.Info}
)
