package manifest

import "github.com/krm-packs/functions/pkg/diag"

// The rules about a single manifest or policy.
var (
	// RuleInvalid: a policy, a manifest or a TypeInstance has a mistake.
	RuleInvalid = diag.Rule{ID: "policy/invalid", Severity: diag.Error}
	// RuleIgnoredField: a field has no effect.
	RuleIgnoredField = diag.Rule{ID: "policy/ignored-field", Severity: diag.Warning}
)
