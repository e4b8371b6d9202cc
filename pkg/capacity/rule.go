package capacity

import "github.com/krm-packs/functions/pkg/diag"

// The rules about resources.
var (
	// RuleInsufficient: a pool has less than the packs request, or one of its nodes
	// less than a single request.
	RuleInsufficient = diag.Rule{ID: "resources/insufficient", Severity: diag.Error}
	// RuleInvalid: a resource constraint, or a value that it refers to, cannot be
	// read.
	RuleInvalid = diag.Rule{ID: "resources/invalid", Severity: diag.Error}
	// RuleNoPool: packs request something of a role that no pool has.
	RuleNoPool = diag.Rule{ID: "resources/no-pool", Severity: diag.Error}
	// RuleUnresolvedRef: a reference leads to no value, or to a macro.
	RuleUnresolvedRef = diag.Rule{ID: "resources/unresolved-ref", Severity: diag.Warning}
	// RuleSuspiciousUnit: a quantity is legal, but its unit is probably wrong.
	RuleSuspiciousUnit = diag.Rule{ID: "resources/suspicious-unit", Severity: diag.Warning}
	// RuleWaiting: requests are not compared with the pools of the cluster, because these
	// are still to be injected.
	RuleWaiting = diag.Rule{ID: "resources/waiting", Severity: diag.Info}
	// RuleSummary: which share of a pool the packs request.
	RuleSummary = diag.Rule{ID: "resources/summary", Severity: diag.Info}
)
