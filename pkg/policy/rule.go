package policy

import (
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// The rules of policies. Findings of RuleSelected, RuleDenied, RuleUnsatisfied and
// RuleNoRule have the tags selection, interface, outcome and from, and implementation
// when one was selected.
var (
	// RuleInvalid: a policy or a manifest has a mistake.
	RuleInvalid = manifest.RuleInvalid
	// RuleDenied: the rule for an Interface denies all Implementations.
	RuleDenied = diag.Rule{ID: "policy/denied", Severity: diag.Error}
	// RuleUnsatisfied: no Implementation satisfies the rule for an Interface.
	RuleUnsatisfied = diag.Rule{ID: "policy/unsatisfied", Severity: diag.Error}
	// RuleNoRule: no policy has a rule for an Interface.
	RuleNoRule = diag.Rule{ID: "policy/no-rule", Severity: diag.Error}
	// RuleDenyLost: a rule denies an Interface that a policy of lower priority allows.
	RuleDenyLost = diag.Rule{ID: "policy/deny-lost", Severity: diag.Warning}
	// RuleUnreachableRule: a rule or a constraint matches nothing.
	RuleUnreachableRule = diag.Rule{ID: "policy/unreachable-rule", Severity: diag.Warning}
	// RuleIgnoredField: a field has no effect.
	RuleIgnoredField = manifest.RuleIgnoredField
	// RuleUnused: a policy or a TypeInstance that nothing uses.
	RuleUnused = diag.Rule{ID: "policy/unused", Severity: diag.Warning}
	// RuleDuplicate: two manifests of one path and revision, or two TypeInstances of one
	// id.
	RuleDuplicate = diag.Rule{ID: "policy/duplicate", Severity: diag.Warning}
	// RuleWaiting: nothing is selected yet, because a manifest or a policy is still to be
	// injected.
	RuleWaiting = diag.Rule{ID: "policy/waiting", Severity: diag.Info}
	// RuleSelected: which Implementation was selected.
	RuleSelected = diag.Rule{ID: "policy/selected", Severity: diag.Info}
)
