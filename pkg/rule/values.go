package rule

import "github.com/krm-packs/functions/pkg/diag"

// The rules of validate-pack-values. values/duplicate-key is a rule of each function that
// reads values.
var (
	ValuesRequired = add(Rule{
		ID: "values/required", Severity: diag.Error, By: validatePackValues, Deployed: true,
		Meaning: "a required value is absent or empty",
		Breaks:  `hostname: ""   # required`,
		Fix:     "Set the value, for instance in a PackValues.",
	})
	ValuesReadonly = add(Rule{
		ID: "values/readonly", Severity: diag.Error, By: validatePackValues,
		Meaning: "a read-only value was changed, added or removed",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {version: 2.0.0}}   # readonly`,
		Fix: "Remove the value from the override.",
	})
	ValuesFormat = add(Rule{
		ID: "values/format", Severity: diag.Error, By: validatePackValues,
		Meaning: "a value does not match its format, or is not a list where the path has `$[]`",
		Breaks:  "port: 70000   # the schema has ${number:[5000-5005]}",
		Fix:     "Write what the finding lists.",
	})
	ValuesInvalidYAML = add(Rule{
		ID: "values/invalid-yaml", Severity: diag.Error, By: validatePackValues,
		Meaning: "values cannot be read; the pack's values are not validated until they can",
		Breaks:  "host: {{ .spectro.var.HOST }}   # put it in quotes",
		Fix:     "Correct the text at the place that the finding names.",
	})
	ValuesDuplicateKey = add(Rule{
		ID: "values/duplicate-key", Severity: diag.Error, By: validatePackValues + ", " + checkResources + ", " + applyPreset + ", " + resolveMacros,
		Meaning: "a duplicate key in values",
		Breaks: `port: 5000
port: 5001`,
		Fix: "Remove one of the keys.",
	})
	SchemaInvalid = add(Rule{
		ID: "schema/invalid", Severity: diag.Error, By: validatePackValues, Manual: true,
		Meaning: "a schema or an entry of it cannot be read; the other entries count",
		Breaks: `registry.port:
  schema: '{{ requird | format "${number}" }}'   # required`,
		Fix: "Correct schema.yaml. This is for the author of the pack.",
	})
	ValuesUnknownFormat = add(Rule{
		ID: "values/unknown-format", Severity: diag.Warning, By: validatePackValues,
		Meaning: "the schema names an unknown type; any value is accepted",
		Breaks:  `host: {schema: '{{ format "${input}" }}'}`,
		Fix:     "Use one of the types string, password, number, boolean, list, ipv4 and version.",
	})
	ValuesKeyNotInValues = add(Rule{
		ID: "values/key-not-in-values", Severity: diag.Warning, By: validatePackValues,
		Meaning: "a key of the schema is in no values and in no preset",
		Breaks: `registry.prot:   # registry.port
  schema: '{{ format "${number}" }}'`,
		Fix: "Correct the key of schema.yaml, or add the value to values.yaml.",
	})
	ValuesNoBaseline = add(Rule{
		ID: "values/no-baseline", Severity: diag.Warning, By: validatePackValues,
		Meaning: "`readonly`, but the pack itself has no values; an info if a profile has replaced them, and no source has them",
		Breaks:  "version: {schema: '{{ readonly }}'}   # and the pack has no values.yaml",
		Fix:     "Add values.yaml to the pack. For a pack of an imported profile, name its directory to `packfn check` with `--source`.",
	})
	ValuesUnknownKey = add(Rule{
		ID: "values/unknown-key", Severity: diag.Warning, By: validatePackValues, Switch: "unknownKeys",
		Meaning: "see `unknownKeys`",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {replcas: 3}}   # replicas`,
		Fix: "Correct the key. No values and no schema of the pack have it.",
	})
	ValuesTypeChanged = add(Rule{
		ID: "values/type-changed", Severity: diag.Warning, By: validatePackValues,
		Meaning: "a value of an override has another type than the pack's own; an info where a number is written as text, or the reverse",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {version: 2.20}}   # the pack has version: 1.0.0`,
		Fix: "Write a value of the type that the pack has. Here it needs quotes.",
	})
	ValuesPlaceholder = add(Rule{
		ID: "values/placeholder", Severity: diag.Warning, By: validatePackValues, Deployed: true,
		Meaning: "a value is, or has, a text that stands for one of the user's own, such as `REPLACE_ME`, `<your-token>` or `XXXX`; nothing is said below a map with `enabled: false` or `create: false`",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {version: CHANGE_ME}}`,
		Fix: "Set the value, for instance in a PackValues. If it is meant as it is, accept the finding.",
	})
	ValuesMisplaced = add(Rule{
		ID: "values/misplaced", Severity: diag.Warning, By: validatePackValues + ", " + checkCharts,
		Meaning: "a key is where nothing reads it: the pack's own values have it elsewhere, or a chart reads it below `charts.NAME`",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {host: b}}   # the pack has charts.vault.host`,
		Fix: "Move the key below the chart or manifest that reads it.",
	})
	ValuesNearKey = add(Rule{
		ID: "values/near-key", Severity: diag.Warning, By: validatePackValues,
		Meaning: "a key of an override is not in the pack's own values, and one typo away from a key that is",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, values: {replcas: 5}}   # replicas`,
		Fix: "Correct the key. The pack has no such key, and one that is nearly the same.",
	})
	OverrideDuplicate = add(Rule{
		ID: "override/duplicate", Severity: diag.Info, By: validatePackValues,
		Meaning: "two overrides of one scope set a key to different values; the message names the one that takes precedence",
		Breaks: `kind: PackValues   # and a later one of the same scope has replicas: 7
spec: {packRef: {name: vault}, values: {replicas: 5}}`,
		Fix: "Remove the value from one of the two, or give one of them the scope cluster.",
	})
	OverrideDrops = add(Rule{
		ID: "override/drops", Severity: diag.Info, By: validatePackValues,
		Meaning: "an override with `strategy: replace` drops values of the pack",
		Breaks: `kind: PackValues
spec: {packRef: {name: vault}, strategy: replace, values: {replicas: 5}}   # the pack also sets version`,
		Fix: "Use the strategy merge, or add the values that the pack needs.",
	})
	OverrideElsewhere = add(Rule{
		ID: "override/elsewhere", Severity: diag.Info, By: checkSets,
		Meaning: "outside of packages, a pack that values, a dependency or a macro name is not among the files of their directory, and others have it: two directories have a pack of this name, or it is in a package or for another cluster",
		Breaks:  "kind: PackValues   # in clusters/prod, and teams/a and teams/b have a pack vault each\nspec: {packRef: {name: vault}, values: {replicas: 5}}",
		Fix:     "Name the paths that belong together in one command, or add a Kptfile to the directory above them.",
	})
	ValuesDeferred = add(Rule{
		ID: "values/deferred", Severity: diag.Info, By: validatePackValues,
		Meaning: "a value contains a macro, or is pending",
		Breaks:  "hostname: '{{ .spectro.var.HOST }}'",
		Fix:     "Nothing is wrong. Run validate-pack-values after resolve-macros to check the value. Pending values are checked in the render after it.",
	})
	ProfileVariable = add(Rule{
		ID: "profile/variable", Severity: diag.Error, By: validatePackValues,
		Meaning: "a variable of a ClusterProfile: a value that violates its format, regex or options, none although it is required, a second definition, or a macro without a definition; an info if no pack uses it",
		Breaks: `kind: ClusterProfile
spec: {variables: [{name: port, format: number, defaultValue: web}]}`,
		Fix: "Correct the value, or the definition of the variable.",
	})
	ProfileDuplicate = add(Rule{
		ID: "profile/duplicate", Severity: diag.Error, By: validatePackValues,
		Meaning: "a ClusterProfile has a pack twice in one layer and with one display name",
		Breaks: `kind: ClusterProfile   # and the values of neither have a display name
spec: {packs: [{name: dns, layer: addon, packRef: {name: a}}, {name: dns, layer: addon, packRef: {name: b}}]}`,
		Fix: "Remove one, or set `pack.spectrocloud.com/display-name` in the values of one.",
	})
	ProfileLayer = add(Rule{
		ID: "profile/layer", Severity: diag.Warning, By: validatePackValues,
		Meaning: "a ClusterProfile of the type cluster or infra lacks the layer os, k8s, cni or csi",
		Breaks: `kind: ClusterProfile
spec: {type: infra, packs: [{name: kubernetes, layer: k8s, packRef: {name: kubernetes}}]}`,
		Fix: "Add a pack of each layer. A profile that is complete without them has the type add-on.",
	})
	ValuesInert = add(Rule{
		ID: "values/inert", Severity: diag.Warning, By: validatePackValues + ", " + checkCharts,
		Meaning: "a value that no template, `values.yaml` or `values.schema.json` of the chart has, or below `manifests.NAME` one that the manifest does not use: it does nothing",
		Breaks:  "charts: {vault: {replicaCuont: 3}}   # replicaCount",
		Fix:     "Correct the key, or remove it. No template of the chart or manifest reads it.",
	})
	ValuesChartSchema = add(Rule{
		ID: "values/chart-schema", Severity: diag.Error, By: validatePackValues + ", " + checkCharts,
		Meaning: "values that the `values.schema.json` of the chart does not allow",
		Breaks:  "charts: {vault: {replicas: many}}   # values.schema.json wants an integer",
		Fix:     "Write what the chart's schema accepts. If the schema of a subchart does not allow `global`, no values help, because Helm adds it to every subchart: the schema must allow it.",
	})
	ValuesChartVersion = add(Rule{
		ID: "values/chart-version", Severity: diag.Error, By: validatePackValues + ", " + checkCharts,
		Meaning: "the `kubeVersion` of a chart does not allow the version of the cluster; a warning if only Helm 3 rejects it, because of a suffix such as `-eks.1`",
		Breaks:  `kubeVersion: ">=1.31.0-0"   # in chart-facts.yaml, and the ClusterContext has 1.30.2`,
		Fix:     "Use a version of the pack or of the cluster that fits.",
		Manual:  true,
	})
	ValuesNoChartValues = add(Rule{
		ID: "values/no-chart-values", Severity: diag.Warning, By: validatePackValues + ", " + checkCharts,
		Meaning: "the pack has nothing below `charts.NAME` for a chart, and keys of that chart at the root, where no chart reads them",
		Breaks:  "replicaCount: 3   # and no charts.vault",
		Fix:     "Move the values of the chart below `charts.NAME`. This is for the author of the pack.",
		Manual:  true,
	})
)
