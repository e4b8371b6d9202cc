package dependency

import "github.com/krm-packs/functions/pkg/diag"

// The rules of dependencies.
var (
	// RuleMissing: a required pack is not there.
	RuleMissing = diag.Rule{ID: "dependency/missing", Severity: diag.Error}
	// RuleBelowMin: a pack is older than another one requires.
	RuleBelowMin = diag.Rule{ID: "dependency/below-min", Severity: diag.Error}
	// RuleAboveMax: a pack is newer than another one works with.
	RuleAboveMax = diag.Rule{ID: "dependency/above-max", Severity: diag.Error}
	// RuleNotSupported: another pack does not support a pack in this version.
	RuleNotSupported = diag.Rule{ID: "dependency/not-supported", Severity: diag.Error}
	// RuleUpgrade: a pack cannot replace the installed one.
	RuleUpgrade = diag.Rule{ID: "dependency/upgrade", Severity: diag.Error}
	// RuleInvalid: a dependency cannot be read, or a version cannot be compared.
	RuleInvalid = diag.Rule{ID: "dependency/invalid", Severity: diag.Error}
	// RuleUntyped: a dependency has no type.
	RuleUntyped = diag.Rule{ID: "dependency/untyped", Severity: diag.Warning}
	// RuleNearName: an optional dependency is on a name that is nearly a known one.
	RuleNearName = diag.Rule{ID: "dependency/near-name", Severity: diag.Info}
	// RuleWaiting: what requires facts of the cluster is not checked yet, because these
	// are still to be injected.
	RuleWaiting = diag.Rule{ID: "dependency/waiting", Severity: diag.Info}
)

// The tags of findings about a version: the pack that requires another one, and the
// path of the requirement in its pack.json.
const (
	tagRequirer   = "requirer"
	tagDependency = "dependency"
)
