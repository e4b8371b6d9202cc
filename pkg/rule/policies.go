package rule

import "github.com/krm-packs/functions/pkg/diag"

// SelectImplementations is the name of the function.
const SelectImplementations = "select-implementations"

// The rules of select-implementations. Findings of PolicySelected, PolicyDenied,
// PolicyUnsatisfied and PolicyNoRule have the tags selection, interface, outcome and from,
// and implementation when one was selected.
var (
	PolicyDenied = add(Rule{
		ID: "policy/denied", Severity: diag.Error, By: SelectImplementations,
		Meaning: "the rule for the Interface denies all Implementations",
		Breaks: `rules:
- interface: {path: cap.interface.database.postgresql.install}
  oneOf: []`,
		Fix: "Allow an Implementation in the rule, or remove it.",
	})
	PolicyNoRule = add(Rule{
		ID: "policy/no-rule", Severity: diag.Error, By: SelectImplementations, IsPending: true,
		Meaning: "no policy has a rule for the Interface; outside of packages an info, if no reference of a functionConfig names the Interface",
		Breaks:  "an Interface that no rule of any policy matches",
		Fix:     "Add a rule for the Interface, or one for `cap.*`.",
	})
	PolicyUnsatisfied = add(Rule{
		ID: "policy/unsatisfied", Severity: diag.Error, By: SelectImplementations,
		Meaning: "no Implementation satisfies the rule; the message says why for each one",
		Breaks: `oneOf:
- implementationConstraints: {path: cap.implementation.gcp.cloudsql.install}   # requires a TypeInstance that does not exist`,
		Fix: "Provide what the Implementation requires, or allow another one. The finding says what each one lacks.",
	})
	PolicyInvalid = add(Rule{
		ID: "policy/invalid", Severity: diag.Error, By: SelectImplementations,
		Meaning: "a policy or a manifest has a mistake: an unknown id or name, a misspelt field that decides what is selected, a duplicate key in a parameter, a parameter that its JSON schema does not allow, two TypeInstances for one alias, a backend that is not a storage backend, an invalid pattern or revision, two GLOBAL or two ACTION policies",
		Breaks:  "inject: {requiredTypeInstances: [{id: unknown}]}",
		Fix:     "Correct the policy or manifest at the place that the finding names.",
	})
	PolicyDenyLost = add(Rule{
		ID: "policy/deny-lost", Severity: diag.Warning, By: SelectImplementations,
		Meaning: "a rule denies an Interface, and a policy of lower priority allows it",
		Breaks:  "the ACTION policy denies an Interface, and the GLOBAL policy of lower priority allows it",
		Fix:     "Remove the rule from the policy of lower priority, or deny the Interface there.",
	})
	PolicyUnreachableRule = add(Rule{
		ID: "policy/unreachable-rule", Severity: diag.Warning, By: SelectImplementations,
		Meaning: "a rule or a constraint matches nothing: a wildcard other than `cap.*`, a revision that does not exist, a path that is probably misspelt (also in rules for TypeInstances)",
		Breaks:  "- interface: {path: cap.interface.databse.*}",
		Fix:     "Correct the path. Only `cap.*` is a wildcard.",
	})
	PolicyIgnoredField = add(Rule{
		ID: "policy/ignored-field", Severity: diag.Warning, By: SelectImplementations,
		Meaning: "a field has no effect: an unknown field of a policy, `typeInstance` in a WORKFLOW policy, a misspelt field of a manifest, a backend for an output that does not exist, keywords of a JSON schema that are misspelt, or that its draft ignores",
		Breaks: `rules:
- interface: {path: cap.*}
  oneOf: [{implementationConstraints: {}}]
  comment: for all   # the API has no such field`,
		Fix: "Correct the name of the field or remove it.",
	})
	PolicyUnused = add(Rule{
		ID: "policy/unused", Severity: diag.Warning, By: SelectImplementations,
		Meaning: "a policy that is not in the order, or that no reference names; a TypeInstance that nothing uses",
		Breaks:  "a policy that the policy order does not name",
		Fix:     "Add it to the order, or remove it.",
	})
	PolicyDuplicate = add(Rule{
		ID: "policy/duplicate", Severity: diag.Warning, By: SelectImplementations,
		Meaning: "two manifests have the same path and revision, or two TypeInstances the same id",
		Breaks:  "two manifests of one path and revision",
		Fix:     "Remove one of them.",
	})
	PolicyWaiting = add(Rule{
		ID: "policy/waiting", Severity: diag.Info, By: SelectImplementations, IsPending: true,
		Meaning: "nothing is selected, because the content of a policy or manifest is not injected yet",
		Breaks:  "metadata: {name: cluster, annotations: {kpt.dev/config-injection: required}}",
		Fix:     "Nothing is wrong. When the content of the resource is injected, the next render selects.",
	})
	PolicySelected = add(Rule{
		ID: "policy/selected", Severity: diag.Info, By: SelectImplementations,
		Meaning: "which Implementation is selected, and by which rule",
		Breaks:  "an Interface with a rule",
		Fix:     "Nothing is wrong. The finding names the Implementation and the rule that selects it.",
	})
)
