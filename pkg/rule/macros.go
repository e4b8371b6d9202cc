package rule

import "github.com/krm-packs/functions/pkg/diag"

// ResolveMacros is the name of the function.
const ResolveMacros = "resolve-macros"

// The rules of resolve-macros. All findings have the tag `macro` with the name of the macro
// or function at fault, where there is one.
var (
	MacroUnknown = add(Rule{
		ID: "macro/unknown", Severity: diag.Error, By: ResolveMacros, IsPending: true,
		Meaning: "a macro reads a name that does not exist; a warning of `packfn check` and `packfn fleet` if no function resolves macros",
		Breaks:  "name: '{{ .spectro.system.cluster.nam }}'",
		Fix:     "Use one of the system names. The finding names the nearest one.",
	})
	MacroUnset = add(Rule{
		ID: "macro/unset", Severity: diag.Error, By: ResolveMacros, IsPending: true,
		Meaning: "a macro reads a name that was not supplied, or that is undefined with `missing: error`; a warning of `packfn check` and `packfn fleet` if no function resolves macros",
		Breaks:  "key: '{{ .spectro.var.API_KEY }}'   # no variable API_KEY",
		Fix:     "Supply the name in the ClusterContext or the functionConfig, or add a default.",
	})
	MacroCycle = add(Rule{
		ID: "macro/cycle", Severity: diag.Error, By: ResolveMacros,
		Meaning: "the macros of several values read each other in a circle",
		Breaks: `a: '{{ .spectro.pack.vault.b }}'
b: '{{ .spectro.pack.vault.a }}'`,
		Fix: "Write a value in the place of one of the macros.",
	})
	MacroInvalid = add(Rule{
		ID: "macro/invalid", Severity: diag.Error, By: ResolveMacros,
		Meaning: "a macro cannot be resolved: it cannot be parsed (in a value or in its comment), it calls an unknown function, it reads a map or a list instead of a string, a fact or variable contains a macro itself, the values cannot be read, or a limit is exceeded. A warning for a comment `# kpt-macro:` that has no macro or cannot be read",
		Breaks:  "name: '{{ .spectro.system.cluster.name | uper }}'   # upper",
		Fix:     "Correct the macro at the place that the finding names.",
	})
	MacroForbiddenFunction = add(Rule{
		ID: "macro/forbidden-function", Severity: diag.Error, By: ResolveMacros,
		Meaning: "a macro calls a function that is not allowed",
		Breaks:  `id: '{{ printf "%s-%s" .spectro.system.cluster.name uuidv4 }}'`,
		Fix:     "Use a function with the same result at each run. Supply the value as a variable.",
	})
	MacroEmpty = add(Rule{
		ID: "macro/empty", Severity: diag.Warning, By: ResolveMacros, IsPending: true,
		Meaning: "a macro refers to a pack or path without a value, and so reads the empty string",
		Breaks:  "host: '{{ .spectro.pack.ingress.hots }}'   # host",
		Fix:     "Correct the name of the pack or the path, or add a default.",
	})
	MacroSuspicious = add(Rule{
		ID: "macro/suspicious", Severity: diag.Warning, By: ResolveMacros,
		Meaning: "text such as `{{ .Spectro.var.X }}`, `{{ .var.X }}` or `${spectro.var.X}`, which resembles a macro but is none; typographic quotes around a macro; a macro in a key, or in a resource that is not selected",
		Breaks:  "name: '{{ .Spectro.system.cluster.name }}'",
		Fix:     "Write `.spectro.` in lower case if it is meant as a macro.",
	})
	MacroWaiting = add(Rule{
		ID: "macro/waiting", Severity: diag.Info, By: ResolveMacros, IsPending: true,
		Meaning: "the facts that macros read are not injected yet, so all macros stay in the values, or are put back",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the facts of the cluster are injected, the next render resolves the macros.",
	})
	MacroKept = add(Rule{
		ID: "macro/kept", Severity: diag.Info, By: ResolveMacros,
		Meaning: "values stay as an earlier run resolved them, because a fact that their macros read is not in this run, or because two packs have the name that they read",
		Breaks:  "name: edge-7 # kpt-macro: {{ .spectro.system.cluster.name }}",
		Fix:     "Supply the facts. To keep a value for good, remove its comment.",
	})
	MacroUnresolved = add(Rule{
		ID: "macro/unresolved", Severity: diag.Info, By: checkKptfiles,
		Meaning: "the pipeline does not run `resolve-macros`: how many macros of the packs are not resolved, and how many values that were resolved before are not resolved again",
		Breaks: `kind: Kptfile
pipeline: {validators: [{exec: validate-pack-values}]}   # and a pack has {{ .spectro.system.cluster.name }}`,
		Fix: "Nothing is wrong if the macros are for a deployer such as Palette. Otherwise add resolve-macros to the pipeline.",
	})
	MacroUnrecorded = add(Rule{
		ID: "macro/unrecorded", Severity: diag.Info, By: ResolveMacros,
		Meaning: "macros were resolved in values that cannot have comments, so later changes of the facts have no effect: the values are written as one flow collection, such as JSON, or a collection has anchors or tags",
		Breaks:  "values: '{\"name\": \"{{ .spectro.system.cluster.name }}\"}'",
		Fix:     "Write the values, or the collection that the message names, in block style, and write the macros into them again.",
	})
	MacroDefaulted = add(Rule{
		ID: "macro/defaulted", Severity: diag.Info, By: ResolveMacros, Switch: "explain", IsPending: true,
		Meaning: "with `explain`: a name is undefined and takes its default, or is another name that becomes the empty string",
		Breaks:  `zone: '{{ .spectro.var.ZONE | default "a" }}'`,
		Fix:     "Nothing is wrong. Supply the name if the default is not what you want.",
	})
)
