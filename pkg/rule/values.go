package rule

import "github.com/krm-packs/functions/pkg/diag"

// ValidatePackValues is the name of the function.
const ValidatePackValues = "validate-pack-values"

// The rules of validate-pack-values. values/duplicate-key is a rule of each function that
// reads values.
var (
	ValuesRequired = add(Rule{
		ID: "values/required", Severity: diag.Error, By: ValidatePackValues, Deployed: true,
		Meaning: "a required value is absent or empty",
		Breaks:  `hostname: ""   # required`,
		Fix:     "Set the value, for instance in a PackValues.",
	})
	ValuesReadonly = add(Rule{
		ID: "values/readonly", Severity: diag.Error, By: ValidatePackValues,
		Meaning: "a read-only value was changed, added or removed",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {version: 2.0.0}}   # readonly`,
		Fix: "Remove the value from the override.",
	})
	ValuesFormat = add(Rule{
		ID: "values/format", Severity: diag.Error, By: ValidatePackValues,
		Meaning: "a value does not match its format, or is not a list where the path has `$[]`",
		Breaks:  "port: 70000   # the schema has ${number:[5000-5005]}",
		Fix:     "Write what the finding lists.",
	})
	ValuesInvalidYAML = add(Rule{
		ID: "values/invalid-yaml", Severity: diag.Error, By: ValidatePackValues,
		Meaning: "values cannot be read; the pack's values are not validated until they can",
		Breaks:  "host: {{ .spectro.var.HOST }}   # put it in quotes",
		Fix:     "Correct the YAML at the line that the finding names.",
	})
	ValuesDuplicateKey = add(Rule{
		ID: "values/duplicate-key", Severity: diag.Error, By: ValidatePackValues + ", " + CheckResources + ", " + ApplyPreset + ", " + ResolveMacros,
		Meaning: "a key occurs twice in one map of the values",
		Breaks: `port: 5000
port: 5001`,
		Fix: "Remove one of the keys.",
	})
	SchemaInvalid = add(Rule{
		ID: "schema/invalid", Severity: diag.Error, By: ValidatePackValues, Manual: true,
		Meaning: "schema.yaml, or an entry in it, cannot be read; the other entries are still used",
		Breaks: `registry.port:
  schema: '{{ requird | format "${number}" }}'   # required`,
		Fix: "Correct schema.yaml. This is for the author of the pack.",
	})
	ValuesUnknownFormat = add(Rule{
		ID: "values/unknown-format", Severity: diag.Warning, By: ValidatePackValues,
		Meaning: "the schema names an unknown type; any value is accepted",
		Breaks:  `host: {schema: '{{ format "${input}" }}'}`,
		Fix:     "Use one of the types string, password, number, boolean, list, ipv4 and version.",
	})
	ValuesKeyNotInValues = add(Rule{
		ID: "values/key-not-in-values", Severity: diag.Warning, By: ValidatePackValues,
		Meaning: "a key of the schema is in no values and in no preset",
		Breaks: `registry.prot:   # registry.port
  schema: '{{ format "${number}" }}'`,
		Fix: "Correct the key of schema.yaml, or add the value to values.yaml.",
	})
	ValuesNoBaseline = add(Rule{
		ID: "values/no-baseline", Severity: diag.Warning, By: ValidatePackValues,
		Meaning: "a value is `readonly`, but the pack has no values of its own to compare it with; an info if a profile has replaced the pack's values, and no source contains the pack",
		Breaks:  "version: {schema: '{{ readonly }}'}   # and the pack has no values.yaml",
		Fix:     "Add values.yaml to the pack. For a pack of an imported profile, name its directory to `packfn check` with `--source`.",
	})
	ValuesUnknownKey = add(Rule{
		ID: "values/unknown-key", Severity: diag.Warning, By: ValidatePackValues, Switch: "unknownKeys",
		Meaning: "with `unknownKeys`: a key of an override is neither in the schema nor in the pack's own values or presets",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {replcas: 3}}   # replicas`,
		Fix: "Correct the key. No values and no schema of the pack have it.",
	})
	ValuesTypeChanged = add(Rule{
		ID: "values/type-changed", Severity: diag.Warning, By: ValidatePackValues,
		Meaning: "a value of an override has another type than the pack's own; an info if a number is written as a string, or the reverse",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {version: 2.20}}   # the pack has version: 1.0.0`,
		Fix: "Write a value of the type that the pack has. Here it needs quotes.",
	})
	ValuesPlaceholder = add(Rule{
		ID: "values/placeholder", Severity: diag.Warning, By: ValidatePackValues, Deployed: true,
		Meaning: "a value is, or contains, a placeholder that was not replaced, such as `REPLACE_ME`, `<your-token>` or `XXXX`; values below a map with `enabled: false` or `create: false` are not reported",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {version: CHANGE_ME}}`,
		Fix: "Set the value, for instance in a PackValues. If it is meant as it is, accept the finding.",
	})
	ValuesMisplaced = add(Rule{
		ID: "values/misplaced", Severity: diag.Warning, By: ValidatePackValues + ", " + checkCharts,
		Meaning: "a key is where nothing reads it: the pack's own values have it elsewhere, or a chart reads it below `charts.NAME`; in a Helm release: the chart reads it below another key",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {host: b}}   # the pack has charts.vault.host`,
		Fix: "Move the key below the chart or manifest that reads it.",
	})
	ValuesNearKey = add(Rule{
		ID: "values/near-key", Severity: diag.Warning, By: ValidatePackValues,
		Meaning: "a key of an override is not in the pack's own values, but differs from a key there by one typo",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {replcas: 5}}   # replicas`,
		Fix: "Correct the key. The pack has no such key, but one with nearly the same name.",
	})
	OverrideDuplicate = add(Rule{
		ID: "override/duplicate", Severity: diag.Info, By: ValidatePackValues,
		Meaning: "two overrides of one scope set a key to different values; the message names the one that is used",
		Breaks: `kind: PackValues   # and a later one of the same scope has replicas: 7
spec: {packRef: {name: vault}, values: {replicas: 5}}`,
		Fix: "Remove the value from one of the overrides, or give one of them the scope cluster.",
	})
	OverrideDrops = add(Rule{
		ID: "override/drops", Severity: diag.Info, By: ValidatePackValues,
		Meaning: "an override with `strategy: replace` drops values of the pack",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, strategy: replace, values: {replicas: 5}}   # the pack also sets version`,
		Fix: "Use the strategy merge, or add the values that the pack needs.",
	})
	OverrideElsewhere = add(Rule{
		ID: "override/elsewhere", Severity: diag.Info, By: checkSets,
		Meaning: "outside of packages: the pack that an override, a dependency or a macro names is not in the same set of files, and packfn cannot tell which other one is meant, because two directories have a pack of this name, or because the pack is in a package or belongs to another cluster",
		Breaks:  "kind: PackValues   # in clusters/prod, and teams/a and teams/b have a pack vault each\nspec: {packRef: {name: vault}, values: {replicas: 5}}",
		Fix:     "Name the paths that belong together in one command, or add a Kptfile to the directory above them.",
	})
	ValuesDeferred = add(Rule{
		ID: "values/deferred", Severity: diag.Info, By: ValidatePackValues,
		Meaning: "a value is not checked yet, because it contains a macro, or because it is pending until something is injected",
		Breaks:  "hostname: '{{ .spectro.var.HOST }}'",
		Fix:     "Nothing is wrong. To check a value with a macro, run validate-pack-values after resolve-macros. Pending values are checked by the first render after the injection.",
	})
	ProfileVariable = add(Rule{
		ID: "profile/variable", Severity: diag.Error, By: ValidatePackValues,
		Meaning: "a variable of a ClusterProfile has a value that violates its format, regex or options, is required but has no value, or is defined twice; or a macro reads a variable that is not defined; an info if no pack uses the variable",
		Breaks: `kind: ClusterProfile
spec: {variables: [{name: port, format: number, defaultValue: web}]}`,
		Fix: "Correct the value, or the definition of the variable.",
	})
	ProfileDuplicate = add(Rule{
		ID: "profile/duplicate", Severity: diag.Error, By: ValidatePackValues,
		Meaning: "a ClusterProfile has a pack twice in one layer and with one display name",
		Breaks: `kind: ClusterProfile   # and the values of neither have a display name
spec: {packs: [{name: dns, layer: addon, packRef: {name: a}}, {name: dns, layer: addon, packRef: {name: b}}]}`,
		Fix: "Remove one, or set `pack.spectrocloud.com/display-name` in the values of one.",
	})
	ProfileLayer = add(Rule{
		ID: "profile/layer", Severity: diag.Warning, By: ValidatePackValues,
		Meaning: "a ClusterProfile of the type cluster or infra lacks the layer os, k8s, cni or csi",
		Breaks: `kind: ClusterProfile
spec: {type: infra, packs: [{name: kubernetes, layer: k8s, packRef: {name: kubernetes}}]}`,
		Fix: "Add a pack of each layer. A profile that is complete without them has the type add-on.",
	})
	ValuesInert = add(Rule{
		ID: "values/inert", Severity: diag.Warning, By: ValidatePackValues + ", " + checkCharts,
		Meaning: "a value has no effect: its key is in no template, `values.yaml` or `values.schema.json` of the chart or, below `manifests.NAME`, the manifest does not read it; also for the chart of a Helm release",
		Breaks:  "charts: {vault: {replicaCuont: 3}}   # replicaCount",
		Fix:     "Correct the key, or remove it. No template of the chart or manifest reads it. If a template reads a map as a whole, for example with `toYaml`, nothing is reported below that map.",
	})
	ValuesChartSchema = add(Rule{
		ID: "values/chart-schema", Severity: diag.Error, By: ValidatePackValues + ", " + checkCharts,
		Meaning: "the `values.schema.json` of the chart does not allow a value, or Helm rejects that schema itself; an info if packfn cannot use it, because it refers to a document on a server or is too large; a warning for a Helm release of which some values are unknown",
		Breaks:  "charts: {vault: {replicas: many}}   # values.schema.json requires an integer",
		Fix:     "Write what the chart's schema accepts. If Helm rejects the schema, as it does one that is no JSON or that refers to another file, correct the schema in the chart. If the schema of a subchart does not allow `global`, change the schema, because Helm adds `global` to the values of every subchart.",
	})
	ValuesChartVersion = add(Rule{
		ID: "values/chart-version", Severity: diag.Error, By: ValidatePackValues + ", " + checkCharts,
		Meaning: "the `kubeVersion` of a chart does not allow the version of the cluster; a warning if only Helm 3 rejects it, because of a suffix such as `-eks.1`",
		Breaks:  `kubeVersion: ">=1.31.0-0"   # in chart-facts.yaml, and the ClusterContext has 1.30.2`,
		Fix:     "Use another version of the pack, or of Kubernetes, so that both fit.",
		Manual:  true,
	})
	ValuesNoChartValues = add(Rule{
		ID: "values/no-chart-values", Severity: diag.Warning, By: ValidatePackValues + ", " + checkCharts,
		Meaning: "the pack has no values below `charts.NAME` for a chart, but has keys of that chart at the root, where no chart reads them",
		Breaks:  "replicaCount: 3   # and no charts.vault",
		Fix:     "Move the values of the chart below `charts.NAME`. This is for the author of the pack.",
		Manual:  true,
	})
)
