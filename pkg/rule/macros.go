package rule

import "github.com/krm-packs/functions/pkg/diag"

// The rules of resolve-macros. All findings have the tag `macro` with the name of the macro
// or function at fault, where there is one.
var (
	MacroUnknown = add(Rule{
		ID: "macro/unknown", Severity: diag.Error, By: resolveMacros, Waits: true,
		Meaning: "a name that does not exist; a warning of `packfn check` and `packfn fleet` where no function resolves macros",
		Breaks:  "name: '{{ .spectro.system.cluster.nam }}'",
		Fix:     "Use one of the system names. The finding has the nearest.",
	})
	MacroUnset = add(Rule{
		ID: "macro/unset", Severity: diag.Error, By: resolveMacros, Waits: true, Follows: true,
		Meaning: "a name that was not supplied, or is undefined under `missing: error`; a warning of `packfn check` and `packfn fleet` where no function resolves macros",
		Breaks:  "key: '{{ .spectro.var.API_KEY }}'   # no variable API_KEY",
		Fix:     "Supply the name in the ClusterContext or the functionConfig, or add a default.",
	})
	MacroCycle = add(Rule{
		ID: "macro/cycle", Severity: diag.Error, By: resolveMacros,
		Meaning: "values that read each other",
		Breaks: `a: '{{ .spectro.pack.vault.b }}'
b: '{{ .spectro.pack.vault.a }}'`,
		Fix: "Write a value in the place of one of the macros.",
	})
	MacroInvalid = add(Rule{
		ID: "macro/invalid", Severity: diag.Error, By: resolveMacros,
		Meaning: "a macro that cannot be parsed, in a value or in the comment that keeps it, an unknown function, a map or list instead of text, supplied text with a macro, values that cannot be read, an exceeded limit. A warning for a comment `# kpt-macro:` without a macro, or that cannot be read",
		Breaks:  "name: '{{ .spectro.system.cluster.name | uper }}'   # upper",
		Fix:     "Correct the macro at the place that the finding names.",
	})
	MacroForbiddenFunction = add(Rule{
		ID: "macro/forbidden-function", Severity: diag.Error, By: resolveMacros,
		Meaning: "a function that macros may not call",
		Breaks:  `id: '{{ printf "%s-%s" .spectro.system.cluster.name uuidv4 }}'`,
		Fix:     "Use a function with the same result at each run. Supply the value as a variable.",
	})
	MacroEmpty = add(Rule{
		ID: "macro/empty", Severity: diag.Warning, By: resolveMacros, Waits: true,
		Meaning: "a reference to a pack or path without a value, which is read as empty text",
		Breaks:  "host: '{{ .spectro.pack.ingress.hots }}'   # host",
		Fix:     "Correct the name of the pack or the path, or add a default.",
	})
	MacroSuspicious = add(Rule{
		ID: "macro/suspicious", Severity: diag.Warning, By: resolveMacros, Follows: true,
		Meaning: "text such as `{{ .Spectro.var.X }}`, `{{ .var.X }}` or `${spectro.var.X}`, which is not a macro but reads like one; typographic quotes around a macro; a macro in a key, or in a resource that is not selected",
		Breaks:  "name: '{{ .Spectro.system.cluster.name }}'",
		Fix:     "Write `.spectro.` in lower case if it is meant as a macro.",
	})
	MacroWaiting = add(Rule{
		ID: "macro/waiting", Severity: diag.Info, By: resolveMacros, Waits: true, Follows: true,
		Meaning: "all macros stay, or come back, as they were written until what they read is injected",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the facts of the cluster are injected, the next render resolves the macros.",
	})
	MacroKept = add(Rule{
		ID: "macro/kept", Severity: diag.Info, By: resolveMacros, Follows: true,
		Meaning: "values stay as they are, because a fact of the macros that they come from is not in this run, or a pack of that name is there twice",
		Breaks:  "name: edge-7 # kpt-macro: {{ .spectro.system.cluster.name }}",
		Fix:     "Supply the facts. To keep a value for good, remove its comment.",
	})
	MacroUnresolved = add(Rule{
		ID: "macro/unresolved", Severity: diag.Info, By: checkKptfiles,
		Meaning: "how many macros of the packs no function of the pipeline resolves, and how many values that were made of macros none makes again",
		Breaks: `kind: Kptfile
pipeline: {validators: [{exec: validate-pack-values}]}   # and a pack has {{ .spectro.system.cluster.name }}`,
		Fix: "Nothing is wrong if the macros are for a deployer such as Palette. Otherwise add resolve-macros to the pipeline.",
	})
	MacroUnrecorded = add(Rule{
		ID: "macro/unrecorded", Severity: diag.Info, By: resolveMacros,
		Meaning: "macros were resolved where no comment can keep them, so a change of their facts is not followed: all of the text is one collection in flow style, such as JSON, or a collection has anchors or tags",
		Breaks:  "values: '{\"name\": \"{{ .spectro.system.cluster.name }}\"}'",
		Fix:     "Write the values in block form, and their macros again.",
	})
	MacroDefaulted = add(Rule{
		ID: "macro/defaulted", Severity: diag.Info, By: resolveMacros, Switch: "explain", Waits: true,
		Meaning: "with `explain`: a name is undefined and takes its default, or is another name that becomes the empty string",
		Breaks:  `zone: '{{ .spectro.var.ZONE | default "a" }}'`,
		Fix:     "Nothing is wrong. Supply the name if the default is not what you want.",
	})
)
