package rule

import "github.com/krm-packs/functions/pkg/diag"

// ApplyPreset is the name of the function.
const ApplyPreset = "apply-preset"

// The rules of apply-preset. All findings have the tags `preset` and `group` of the preset
// that they are about, where there is one.
var (
	PresetUnknown = add(Rule{
		ID: "preset/unknown", Severity: diag.Error, By: ApplyPreset,
		Meaning: "the pack has no preset of that name",
		Breaks:  "presets: [{pack: vault, name: hA}]   # ha",
		Fix:     "Use one of the pack's presets. See packfn list presets.",
	})
	PresetGroupConflict = add(Rule{
		ID: "preset/group-conflict", Severity: diag.Error, By: ApplyPreset,
		Meaning: "two presets of one group are selected",
		Breaks:  `presets: [{pack: vault, name: "size:ha"}, {pack: vault, name: "size:single"}]`,
		Fix:     "Select one preset of the group.",
	})
	PresetInvalid = add(Rule{
		ID: "preset/invalid", Severity: diag.Error, By: ApplyPreset,
		Meaning: "an entry of presets.yaml cannot be read, is a duplicate, or cannot be applied to the values; several presets have the selected name; the annotation of applied presets cannot be read. A warning for an added key that is almost the name of an existing key next to it, and probably means that one",
		Breaks: `presets:
- {nme: ha, add: "replicas: 3"}   # name`,
		Fix: "Correct presets.yaml, or the annotation of applied presets.",
	})
	PresetPathConflict = add(Rule{
		ID: "preset/path-conflict", Severity: diag.Warning, By: ApplyPreset,
		Meaning: "two presets set the same path, or a path above it, to different values; the last one is used",
		Breaks:  `presets: [{pack: vault, name: "size:ha"}, {pack: vault, name: "network:private"}]   # both set replicas`,
		Fix:     "Leave out one of them, or put the one that you need last.",
	})
	PresetOverridden = add(Rule{
		ID: "preset/overridden", Severity: diag.Info, By: ApplyPreset,
		Meaning: "an override sets a key of the preset to another value",
		Breaks:  "a PackValues sets replicas, and so does the preset",
		Fix:     "Nothing is wrong. If the value of the preset must be used, remove the key from the override.",
	})
	PresetApplied = add(Rule{
		ID: "preset/applied", Severity: diag.Info, By: ApplyPreset,
		Meaning: "a preset was applied; the message names the keys that it sets and removes",
		Breaks: `kind: ApplyPreset
spec: {presets: [{pack: vault, name: "size:ha"}]}`,
		Fix: "Nothing is wrong. The finding says which preset is applied, and what it sets.",
	})
	PresetReapplied = add(Rule{
		ID: "preset/reapplied", Severity: diag.Info, By: ApplyPreset,
		Meaning: "this run restored values of an applied preset, because somebody edited them, or because the definition of the preset has changed; or another preset of the group was selected, and values that only the previous one set were kept, or those that it removed stay removed. Only the run that changes the values reports it",
		Breaks:  "replicas: 7   # the preset sets 5, and sets it again",
		Fix:     "Nothing is wrong. Write a value of your own into an override (PackValues), which takes precedence over the preset.",
	})
	PresetLeft = add(Rule{
		ID: "preset/left", Severity: diag.Info, By: checkPacks,
		Meaning: "a preset was applied to the values, but no function of the pipeline selects it, or the pack does not have it any more",
		Breaks:  `packs.kpt.dev/applied-presets: '["size:ha"]'   # no step of the Kptfile selects ha`,
		Fix:     "Nothing is wrong. If the preset must be applied again after edits and upgrades, select it in the pipeline. If the pack does not have it any more, write what you need of it into an override (PackValues).",
	})
	PresetWaiting = add(Rule{
		ID: "preset/waiting", Severity: diag.Info, By: ApplyPreset, IsPending: true,
		Meaning: "no preset is applied to values that are not injected yet",
		Breaks:  "metadata: {name: vault, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the content of the pack is injected, the next render applies the preset.",
	})
	PresetComment = add(Rule{
		ID: "preset/comment", Severity: diag.Info, By: checkPacks,
		Meaning: "the comment with the enabled presets names a preset, but the values are those of another preset of its group",
		Breaks: `# spectrocloud.com/enabled-presets: size:ha
replicas: 1   # as the preset size:single sets it`,
		Fix: "Select presets with apply-preset, because no function applies the presets that the comment names.",
	})
)
