package rule

import "github.com/krm-packs/functions/pkg/diag"

// orMisspelt ends each meaning of input/invalid: the harness reports these for every function.
const orMisspelt = "; or the name of a kind, group, annotation, file or field in it is misspelt"

// The rules of every function. Those that are fixed can be neither overridden nor
// accepted: a run that did not understand its input or configuration must never look like a
// pass.
var (
	InputInvalid = add(Rule{
		ID: "input/invalid", Severity: diag.Error, Cause: true, Fixed: true,
		Meaning: "a resource cannot be read: a pack.json that is not JSON, unknown fields, values for an unknown pack, a file that is not UTF-8" + orMisspelt,
		Own: []Own{
			{CheckDependencies, "a resource or document cannot be read" + orMisspelt},
			{CheckResources, "a resource, its values, or a machine pool cannot be read" + orMisspelt},
			{ApplyPreset, "a resource or its values cannot be read or edited: not YAML, a duplicate key, an anchor whose change would change other places" + orMisspelt},
			{ResolveMacros, "a resource cannot be read, or a ClusterContext has an unknown system name" + orMisspelt},
			{InjectConfig, "a resource cannot be read or edited: not YAML, a duplicate key, a field of another type" + orMisspelt},
			{ExpandVariantSet, "a resource cannot be read or edited" + orMisspelt},
			{SelectImplementations, "a resource cannot be read, or a selection cannot be edited" + orMisspelt},
		},
		Breaks: `kind: PackValues
spec: {packref: {name: vault}, values: {}}   # packRef`,
		Fix: "Correct the resource at the place that the finding names.",
	})
	InputAmbiguousScalar = add(Rule{
		ID: "input/ambiguous-scalar", Severity: diag.Error,
		Meaning: "a value without quotes is a string here, but a number or a boolean for the API server, and so for Porch. kustomize also changes numbers. A warning if the text stays as it is",
		Breaks: `kind: ClusterContext
spec: {system: {kubernetes: {version: 1.30}}}   # 1.3 for Porch and kustomize`,
		Fix: "Put the value in quotes.",
	})
	InputPlaceholder = add(Rule{
		ID: "input/placeholder", Severity: diag.Error, Cause: true, By: CheckDependencies + ", " + CheckResources + ", " + ResolveMacros,
		Meaning: "a field of a ClusterContext has a placeholder, such as `CHANGE_ME`, in the place of a fact. What depends on the fact is not checked",
		Breaks: `kind: ClusterContext
spec: {system: {kubernetes: {version: CHANGE_ME}}}`,
		Fix: "Write the fact of your cluster in its place.",
	})
	ConfigInvalid = add(Rule{
		ID: "config/invalid", Severity: diag.Error, Cause: true, Fixed: true,
		Meaning: "the functionConfig has a mistake; the rest of it is used",
		Own: []Own{
			{CheckResources, "the functionConfig has a mistake, or there are several ClusterContexts and it names none"},
			{ApplyPreset, "the functionConfig has a mistake, or names a pack or an override that does not exist"},
			{ResolveMacros, "a mistake in the functionConfig"},
			{InjectConfig, "the functionConfig has a mistake, or refers to a PackageVariant that does not exist"},
			{ExpandVariantSet, "the functionConfig has a mistake, or names a set that does not exist"},
			{SelectImplementations, "the functionConfig has a mistake, or names a WORKFLOW policy that does not exist"},
		},
		Breaks: `kind: ValidatePackValues
spec:
  unknownKey: warning   # unknownKeys`,
		Fix: "Correct the field of the functionConfig. The finding lists what is accepted.",
	})
	InternalPanic = add(Rule{
		ID: "internal/panic", Severity: diag.Error, Fixed: true,
		Meaning: "a defect of the function; please report it",
		Breaks:  "a defect of the function",
		Fix:     "Report it with the resource that the finding names.",
	})
	Accepted = add(Rule{
		ID: "accepted", Severity: diag.Info,
		Meaning: "a finding that an annotation `packs.kpt.dev/accept` accepts",
		Breaks: `metadata:
  annotations:
    packs.kpt.dev/accept: "resources/suspicious-unit: measured"`,
		Fix: "Nothing is wrong. The finding is accepted by an annotation, for the reason that it shows.",
	})
	AcceptUnused = add(Rule{
		ID: "accept/unused", Severity: diag.Warning,
		Meaning: "the annotation accepts a finding that does not exist",
		Breaks: `metadata:
  annotations:
    packs.kpt.dev/accept: "values/format registry.port: the port is right"   # but it has its format`,
		Fix: "Remove the line of the annotation.",
	})
	NothingToDo = add(Rule{
		ID: "nothing-to-do", Severity: diag.Info,
		Meaning: "there are no packs, a target selects nothing, or no resource has the path of a target",
		Own: []Own{
			{CheckDependencies, "there are no packs and no bundles"},
			{CheckResources, "there are no packs, or none has resource constraints"},
			{ApplyPreset, "no presets are configured, or only for packs that are not selected"},
			{ResolveMacros, "no packs and no selected resources"},
			{InjectConfig, "no PackageVariant is given, or it has no context, no pipeline, and no injection point to fill"},
			{ExpandVariantSet, "the package has no PackageVariantSet"},
			{SelectImplementations, "the package has no policies and no references are configured, or it has no Interfaces"},
		},
		Breaks: "a package without what the function works on",
		Fix:    "Remove the function from the pipeline, or check its selectors.",
	})
)
