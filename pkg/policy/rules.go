package policy

import "github.com/krm-packs/functions/pkg/function"

// The rules that findings are of.
const (
	RuleInvalid         = "policy/invalid"
	RuleDenied          = "policy/denied"
	RuleUnsatisfied     = "policy/unsatisfied"
	RuleNoRule          = "policy/no-rule"
	RuleDenyLost        = "policy/deny-lost"
	RuleUnreachableRule = "policy/unreachable-rule"
	RuleIgnoredField    = "policy/ignored-field"
	RuleUnused          = "policy/unused"
	RuleDuplicate       = "policy/duplicate"
	RuleSelected        = "policy/selected"
)

// rules are the rules with their severities.
var rules = []function.Rule{
	{ID: RuleInvalid, Severity: function.Error},
	{ID: RuleDenied, Severity: function.Error},
	{ID: RuleUnsatisfied, Severity: function.Error},
	{ID: RuleNoRule, Severity: function.Error},
	{ID: RuleDenyLost, Severity: function.Warning},
	{ID: RuleUnreachableRule, Severity: function.Warning},
	{ID: RuleIgnoredField, Severity: function.Warning},
	{ID: RuleUnused, Severity: function.Warning},
	{ID: RuleDuplicate, Severity: function.Warning},
	{ID: RuleSelected, Severity: function.Info},
}

// mayHide ends messages about what is missing.
const mayHide = "if it is in the package, a selector of the function may hide it"
