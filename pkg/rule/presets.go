package rule

import "github.com/krm-packs/functions/pkg/diag"

// The rules of apply-preset. All findings have the tags `preset` and `group` of the preset
// that they are about, where there is one.
var (
	PresetUnknown = add(Rule{
		ID: "preset/unknown", Severity: diag.Error, By: applyPreset,
		Meaning: "the pack has no preset of that name",
		Breaks:  "presets: [{pack: vault, name: hA}]   # ha",
		Fix:     "Use one of the pack's presets. See packfn list presets.",
	})
	PresetGroupConflict = add(Rule{
		ID: "preset/group-conflict", Severity: diag.Error, By: applyPreset,
		Meaning: "two presets of one group are selected",
		Breaks:  `presets: [{pack: vault, name: "size:ha"}, {pack: vault, name: "size:single"}]`,
		Fix:     "Select one preset of the group.",
	})
	PresetInvalid = add(Rule{
		ID: "preset/invalid", Severity: diag.Error, By: applyPreset,
		Meaning: "an entry of presets.yaml cannot be read, is a duplicate, or cannot be applied to the values; several presets have the selected name; one of the two annotations cannot be read. A warning for an added key that is almost the name of an existing key next to it, and probably means that one",
		Breaks: `presets:
- {nme: ha, add: "replicas: 3"}   # name`,
		Fix: "Correct presets.yaml, or the annotation of applied presets.",
	})
	PresetOutdated = add(Rule{
		ID: "preset/outdated", Severity: diag.Error, By: applyPreset,
		Meaning: "the preset or its pack has changed since the preset was applied, applying it again would change values, and what it set is not recorded",
		Breaks:  `packs.kpt.dev/applied-presets: '["size:ha@0123456789ab@0.6.0"]'   # the pack is 0.7.0, and its preset sets other values`,
		Fix:     "Delete the entry to apply the preset again, or write the hash and version of the finding to keep the values. Presets with the annotation preset-leaves follow upgrades without this error.",
	})
	PresetPathConflict = add(Rule{
		ID: "preset/path-conflict", Severity: diag.Warning, By: applyPreset,
		Meaning: "two presets set the same path, or a path above it, to different values; the last one counts",
		Breaks:  `presets: [{pack: vault, name: "size:ha"}, {pack: vault, name: "network:private"}]   # both set replicas`,
		Fix:     "Leave out one of them, or put the one that must count last.",
	})
	PresetOverridden = add(Rule{
		ID: "preset/overridden", Severity: diag.Warning, By: applyPreset,
		Meaning: "an override sets a key of the preset to another value",
		Breaks:  "a PackValues sets replicas, and so does the preset",
		Fix:     "Remove the key from the override if the preset must count.",
	})
	PresetApplied = add(Rule{
		ID: "preset/applied", Severity: diag.Info, By: applyPreset,
		Meaning: "a preset is applied, and which keys it sets and removes",
		Breaks: `kind: ApplyPreset
spec: {presets: [{pack: vault, name: "size:ha"}]}`,
		Fix: "Nothing is wrong. The finding says which preset is applied, and what it sets.",
	})
	PresetEdited = add(Rule{
		ID: "preset/edited", Severity: diag.Info, By: applyPreset,
		Meaning: "keys whose values differ from what the applied presets set. A warning for a key where the last upgrade changed the preset, or may have changed the value",
		Breaks:  "replicas: 7   # the preset set 5",
		Fix:     "Nothing is wrong with an edit. After a warning compare both values, since an upgrade changed one of them. Set the preset's value to drop the edit.",
	})
	PresetReapplied = add(Rule{
		ID: "preset/reapplied", Severity: diag.Info, By: applyPreset,
		Meaning: "keys that a preset set again after an upgrade, and those that it no longer sets",
		Breaks:  "replicas: 5   # the preset's value; kpt pkg update had set it back to 1",
		Fix:     "Nothing is wrong. The finding names the keys that were set again, and those that the preset no longer sets.",
	})
	PresetEditLost = add(Rule{
		ID: "preset/edit-lost", Severity: diag.Warning, By: applyPreset,
		Meaning: "an upgrade replaced your edit of a key of a preset",
		Breaks:  "replicas: 5   # it was 7, your edit, and kpt pkg update replaced the text of the values",
		Fix:     "Set your value again, in a PackValues if it must survive upgrades. Accept the finding if the preset's value is right.",
	})
	PresetWaiting = add(Rule{
		ID: "preset/waiting", Severity: diag.Info, By: applyPreset, Waits: true,
		Meaning: "no preset is applied to values that are still to be injected",
		Breaks:  "metadata: {name: vault, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the content of the pack is injected, the next render applies the preset.",
	})
	PresetComment = add(Rule{
		ID: "preset/comment", Severity: diag.Info, By: checkPacks,
		Meaning: "the comment with the enabled presets names a preset, and the values are those of another one of its group",
		Breaks: `# spectrocloud.com/enabled-presets: size:ha
replicas: 1   # as the preset size:single sets it`,
		Fix: "Select presets with apply-preset. Nothing applies what the comment names.",
	})
)
