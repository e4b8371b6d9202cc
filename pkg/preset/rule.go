package preset

import "github.com/krm-packs/functions/pkg/diag"

// The rules of presets. All findings have the tags `preset` and `group` of the preset
// that they are about, where there is one.
var (
	// RuleUnknown: a pack has no preset of a name.
	RuleUnknown = diag.Rule{ID: "preset/unknown", Severity: diag.Error}
	// RuleGroupConflict: two presets of one group are selected.
	RuleGroupConflict = diag.Rule{ID: "preset/group-conflict", Severity: diag.Error}
	// RuleInvalid: a preset, or the record of applied presets, cannot be read or used.
	RuleInvalid = diag.Rule{ID: "preset/invalid", Severity: diag.Error}
	// RuleOutdated: a preset or its pack changed after it was applied, the values are not
	// as the preset has them now, and what the preset set is not recorded.
	RuleOutdated = diag.Rule{ID: "preset/outdated", Severity: diag.Error}
	// RulePathConflict: two selected presets set one path to different values.
	RulePathConflict = diag.Rule{ID: "preset/path-conflict", Severity: diag.Warning}
	// RuleOverridden: an override sets a key of a preset.
	RuleOverridden = diag.Rule{ID: "preset/overridden", Severity: diag.Warning}
	// RuleApplied: a preset is applied.
	RuleApplied = diag.Rule{ID: "preset/applied", Severity: diag.Info}
	// RuleEdited: the values differ from what the applied presets make of them. It is a
	// warning where an upgrade changed the preset or the value.
	RuleEdited = diag.Rule{ID: "preset/edited", Severity: diag.Info}
	// RuleComment: the comment with the enabled presets names one that the values differ
	// from.
	RuleComment = diag.Rule{ID: "preset/comment", Severity: diag.Info}
	// RuleReapplied: after an upgrade, a preset was applied again.
	RuleReapplied = diag.Rule{ID: "preset/reapplied", Severity: diag.Info}
	// RuleEditLost: an upgrade replaced the user's edit of a value that a preset sets.
	RuleEditLost = diag.Rule{ID: "preset/edit-lost", Severity: diag.Warning}
	// RuleWaiting: no preset is applied to values that are still to be injected.
	RuleWaiting = diag.Rule{ID: "preset/waiting", Severity: diag.Info}
)

// about adds the tags of a preset to a finding.
func about(f diag.Finding, group, name string) diag.Finding {
	f.Tags = map[string]string{"preset": name}
	if group != "" {
		f.Tags["group"] = group
	}
	return f
}
