package schema

import "github.com/krm-packs/functions/pkg/diag"

// The rules of values and schemas.
var (
	// RuleRequired: a required value is absent or empty.
	RuleRequired = diag.Rule{ID: "values/required", Severity: diag.Error}
	// RuleReadOnly: a read-only value is not the pack's own.
	RuleReadOnly = diag.Rule{ID: "values/readonly", Severity: diag.Error}
	// RuleFormat: a value does not have its format.
	RuleFormat = diag.Rule{ID: "values/format", Severity: diag.Error}
	// RuleInvalidYAML: values cannot be read.
	RuleInvalidYAML = diag.Rule{ID: "values/invalid-yaml", Severity: diag.Error}
	// RuleInvalid: a schema, or an entry of it, cannot be read.
	RuleInvalid = diag.Rule{ID: "schema/invalid", Severity: diag.Error}
	// RuleUnknownFormat: a format has an unknown type, so it accepts any value.
	RuleUnknownFormat = diag.Rule{ID: "values/unknown-format", Severity: diag.Warning}
	// RuleKeyNotInValues: a key of the schema is in no values, so it validates nothing.
	RuleKeyNotInValues = diag.Rule{ID: "values/key-not-in-values", Severity: diag.Warning}
	// RuleNoBaseline: a read-only value cannot be compared with the pack's own.
	RuleNoBaseline = diag.Rule{ID: "values/no-baseline", Severity: diag.Warning}
	// RuleUnknownKey: values have a key that neither the schema nor the pack has.
	RuleUnknownKey = diag.Rule{ID: "values/unknown-key", Severity: diag.Warning}
	// RuleTypeChanged: a value of an override has another type than the pack's own.
	RuleTypeChanged = diag.Rule{ID: "values/type-changed", Severity: diag.Warning}
	// RuleMisplaced: a key of an override is where nothing reads it, and belongs elsewhere.
	RuleMisplaced = diag.Rule{ID: "values/misplaced", Severity: diag.Warning}
	// RuleNearKey: a key of an override is one slip from a key of the pack.
	RuleNearKey = diag.Rule{ID: "values/near-key", Severity: diag.Warning}
	// RuleOverrideDuplicate: two overrides of one scope set a key to different values.
	RuleOverrideDuplicate = diag.Rule{ID: "override/duplicate", Severity: diag.Info}
	// RuleOverrideDrops: an override that replaces all values drops some.
	RuleOverrideDrops = diag.Rule{ID: "override/drops", Severity: diag.Info}
	// RuleDeferred: a value has a macro, so its format is not checked yet.
	RuleDeferred = diag.Rule{ID: "values/deferred", Severity: diag.Info}
)
