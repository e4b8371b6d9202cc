package rule

import "github.com/krm-packs/functions/pkg/diag"

// The commands of packfn that report rules, and their parts.
const (
	upgrade       = "packfn upgrade"
	changes       = "packfn upgrade --template, packfn fleet --template, packfn render --against"
	checkPacks    = "packfn check packs"
	checkBundles  = "packfn check bundles"
	checkCharts   = "packfn check charts"
	checkTemplate = "packfn check template"
	checkKptfiles = "packfn check Kptfiles"
	checkSets     = "packfn check sets"
	checkInputs   = "packfn check inputs"
	programs      = "packfn render programs"
)

// The rules of packfn, which no function has.
var (
	InputNotRead = add(Rule{
		ID: "input/not-read", Severity: diag.Info, By: checkInputs,
		Meaning: "no check reads a file, or a part of it, because of its place or its form: the presets of a pack outside of its directory, a manifest of Capact of a kind without a check. With `--verbose` also each file without a resource, each excluded file, and each file that git ignores",
		Breaks:  "a presets.yaml in a folder without pack.json",
		Fix:     "If the file should be checked, do what the finding says. Otherwise, no action is needed.",
	})
	ConfigNoEffect = add(Rule{
		ID: "config/no-effect", Severity: diag.Info, By: checkInputs,
		Meaning: "an option, or a setting of packfn.yaml, has no effect: `--only` or `--severity` names a rule that nothing that ran can report, or `exclude` names a file that kpt reads. A warning if a file has almost the name packfn.yaml, or if no package of a fleet is from an `--upstream`, or in a `--downstream`",
		Breaks:  "exclude: [platform/values.yaml]   # a file of a kpt package",
		Fix:     "Remove the setting, or do what the finding says.",
	})
	FunctionResult = add(Rule{
		ID: "function/result", Severity: diag.Info, By: programs, Manual: true,
		Meaning: "a function of another suite, which ran as a program, reports a result; with the severity of the result. An error is a warning if the program ends with exit code 0, because kpt renders the package then",
		Breaks:  "a Service without a port, in a package whose pipeline has kubeconform",
		Fix:     "Do what the function says.",
	})
	FunctionFails = add(Rule{
		ID: "function/fails", Severity: diag.Error, By: programs, Manual: true,
		Meaning: "a function of another suite, which ran as a program, fails: it ends with another exit code than 0, prints no ResourceList, or takes too long. Also an error where kpt is silent: a list without items, or without the Kptfile, which kpt would delete",
		Breaks:  "functions: {set-namespace: bin/set-image}   # with the functionConfig of set-namespace",
		Fix:     "Do what the message says: correct the functionConfig, or name another program for the function.",
	})
	UpgradeOrphanedValue = add(Rule{
		ID: "upgrade/orphaned-value", Severity: diag.Warning, By: upgrade,
		Meaning: "the key of a value that you set does not exist in the newer version, and no chart or manifest of it reads the key; the message contains its new name, if that is clear. An error if your edit cannot be kept, because the newer version uses the key for something else",
		Breaks:  "an override of a key that the new pack does not have",
		Fix:     "Move the value to the new key, or remove it. If it is an error, move your edit of the pack to an override.",
	})
	UpgradeNewlyRequired = add(Rule{
		ID: "upgrade/newly-required", Severity: diag.Error, By: upgrade,
		Meaning: "a value that the newer version requires is missing",
		Breaks:  "a value that the new schema requires and nothing sets",
		Fix:     "Set the value in an override.",
	})
	UpgradeFormat = add(Rule{
		ID: "upgrade/format", Severity: diag.Error, By: upgrade,
		Meaning: "the newer version does not accept a value; a warning if the check reports a warning",
		Breaks:  "a value that the new schema does not accept",
		Fix:     "Change the value to what the finding lists.",
	})
	UpgradePreset = add(Rule{
		ID: "upgrade/preset", Severity: diag.Warning, By: upgrade,
		Meaning: "an applied preset is gone or has changed",
		Breaks:  "an applied preset that the new pack does not have or has changed",
		Fix:     "Choose another preset, or keep the values.",
	})
	UpgradeRequirement = add(Rule{
		ID: "upgrade/requirement", Severity: diag.Error, By: upgrade,
		Meaning: "the package does not meet what the newer version requires; an info if it does, and a warning if the check reports a warning",
		Breaks:  "a dependency of the new pack that the package does not meet",
		Fix:     "Add or upgrade the pack that it requires.",
	})
	UpgradeEdited = add(Rule{
		ID: "upgrade/edited", Severity: diag.Error, By: upgrade,
		Meaning: "an upgrade could overwrite edits: the pack's values were edited in the package, or nothing records what they were, and packfn cannot find the older version of the pack; or another file of the pack was edited, and the newer version changes it, too",
		Breaks:  "packfn upgrade platform packs/vault-0.7.0 --write   # without --from",
		Fix:     "Name the directory that the pack was imported from with `--from`, or a folder that has it with `--source`: packfn then keeps the edits of values. Undo those of other files, or make them in the pack itself. With `--discard-edits`, packfn drops the edits.",
	})
	UpgradeChangedDefault = add(Rule{
		ID: "upgrade/changed-default", Severity: diag.Info, By: upgrade,
		Meaning: "the default of a value changes; the message contains the old and the new one, unless they may be secrets. Equal changes, and the images of one registry, are one finding",
		Breaks:  "replicas: 3 in the old pack and replicas: 5 in the new one, and no override",
		Fix:     "Set the old value in an override if it must stay.",
	})
	UpgradeAdded = add(Rule{
		ID: "upgrade/added", Severity: diag.Info, By: upgrade,
		Meaning: "the newer version has keys, presets or rules of the schema that are new; the package does not get new keys of a map that you removed or replaced",
		Breaks:  "metrics: {enabled: false} in the new pack, and nothing of it in the old one",
		Fix:     "Nothing is wrong. Look at the new keys, presets and rules, and set what you need.",
	})
	UpgradeImmutable = add(Rule{
		ID: "upgrade/immutable", Severity: diag.Error, By: changes,
		Meaning: "a field of a deployed object changes that the API server refuses to change, so the upgrade stops in the cluster. An info if the object has an option that lets Argo CD or Flux delete and create it again",
		Breaks: `kind: StatefulSet
spec:
  serviceName: db-headless   # was: db`,
		Fix: "Keep the field, or do what the finding says before the upgrade: delete the object, often with `--cascade=orphan`, which keeps its Pods, or use a new name.",
	})
	UpgradeRemovedCRD = add(Rule{
		ID: "upgrade/removed-crd", Severity: diag.Error, By: changes,
		Meaning: "a CustomResourceDefinition is not deployed any more, and its objects are deleted with it; or it loses the version in which objects are stored. An info if an annotation keeps it in the cluster, and for the folder `crds` of a chart, which Helm neither updates nor deletes",
		Breaks:  "templates/crd.yaml in the old chart, and not in the new one",
		Fix:     "Keep the CustomResourceDefinition with `helm.sh/resource-policy: keep`, or save its objects first. Apply the files of the folder `crds` yourself.",
	})
	UpgradeRemovedClaim = add(Rule{
		ID: "upgrade/removed-claim", Severity: diag.Warning, By: changes,
		Meaning: "a PersistentVolumeClaim, a StatefulSet with `volumeClaimTemplates`, or such a template is not deployed any more or is renamed: its data are deleted, or stay behind and nothing uses them. The message says which. An info if an annotation keeps it in the cluster",
		Breaks:  "volumeClaimTemplates: [{metadata: {name: storage}}]   # was: data",
		Fix:     "Keep the name, or move the data before the upgrade.",
	})
	UpgradeRenamed = add(Rule{
		ID: "upgrade/renamed", Severity: diag.Warning, By: changes,
		Meaning: "a workload is not deployed any more, and a new one of the same kind has the same images (tags aside): it is deleted and created again, with downtime",
		Breaks:  "metadata: {name: shop-web}   # was: web",
		Fix:     "Keep the name, for example by `fullnameOverride` of the chart, or plan the downtime.",
	})
	UpgradeRemovedAPI = add(Rule{
		ID: "upgrade/removed-api", Severity: diag.Error, By: changes,
		Meaning: "an object is of an API version that the cluster does not serve any more, or not yet: by the version of Kubernetes in `--kube-version` or the ClusterContext, or by the CustomResourceDefinition that is deployed",
		Breaks:  "apiVersion: policy/v1beta1   # a PodDisruptionBudget, and Kubernetes 1.25",
		Fix:     "Use the API version that the finding names.",
	})
	ResourceNotLocal = add(Rule{
		ID: "resource/not-local", Severity: diag.Warning, By: checkPacks,
		Meaning: "a pack, an override or a functionConfig in a package is not marked as local-config, so `kpt live apply` would send it to the cluster",
		Breaks: `kind: PackValues
metadata: {name: vault-prod}`,
		Fix: `Add the annotation config.kubernetes.io/local-config with the value "true".`,
	})
	PackFileName = add(Rule{
		ID: "pack/file-name", Severity: diag.Error, By: checkPacks,
		Meaning: "the name of a file in a pack directory is nearly that of a file that functions read",
		Breaks:  "schema.yml   # schema.yaml",
		Fix:     "Rename the file.",
	})
	PackMissingFile = add(Rule{
		ID: "pack/missing-file", Severity: diag.Error, By: checkPacks, Manual: true,
		Meaning: "a chart, manifest or role that pack.json names is not in the pack directory",
		Breaks:  `{"charts": ["charts/vault-1.0.0.tgz"]}   // and no such file`,
		Fix:     "Add the file, or correct its name in pack.json.",
	})
	PackVersion = add(Rule{
		ID: "pack/version", Severity: diag.Warning, By: checkPacks, Manual: true,
		Meaning: "the version of a pack directory begins with a v, or is not the version in the name of the directory",
		Breaks:  `{"version": "v1.0.0"}   // 1.0.0`,
		Fix:     "Write the version without a v, as in the name of the directory.",
	})
	PackChartName = add(Rule{
		ID: "pack/chart-name", Severity: diag.Warning, By: checkCharts, Manual: true,
		Meaning: "the key below `charts` in the values of a pack directory is not the name in the chart's Chart.yaml",
		Breaks:  "charts: {vault-chart: {replicas: 3}}   # Chart.yaml has the name vault",
		Fix:     "Rename the key to the name of the chart.",
	})
	PackImages = add(Rule{
		ID: "pack/images", Severity: diag.Warning, By: checkPacks + ", " + checkTemplate, Manual: true,
		Meaning: "an image of `pack.content.images` has a misspelt key, no tag, or the tag latest; with `--template`, also an image that the pack deploys and does not list, or lists with another tag, or that is not valid, or has neither a tag nor a digest",
		Breaks:  "pack: {content: {images: [{image: \"example.com/vault:latest\"}]}}",
		Fix:     "Name each image with the tag that the pack deploys.",
	})
	PackSettings = add(Rule{
		ID: "pack/settings", Severity: diag.Warning, By: checkPacks,
		Meaning: "a field of `pack` in values, or `layer` or `cloudTypes` in pack.json, has a misspelt name, or a form that Palette does not read",
		Breaks:  "pack: {namespaceLables: {vault: team=dev}}   # namespaceLabels",
		Fix:     "Write the field as Palette reads it.",
	})
	PackCatalogue = add(Rule{
		ID: "pack/catalogue", Severity: diag.Info, By: checkPacks,
		Meaning: "a pack directory has no README, no logo, or no images in `pack.content.images`",
		Breaks:  "a pack directory without a README.md",
		Fix:     "Add what the catalogue shows. The pack works without it.",
	})
	ValuesChartMissing = add(Rule{
		ID: "values/chart-missing", Severity: diag.Warning, By: checkCharts,
		Meaning: "a chart that pack.json names cannot be read; with `--charts`, also one that is not in the directory",
		Breaks:  `{"charts": ["charts/damaged.tgz"]}   // not an archive`,
		Fix:     "Replace the chart, or correct its name in pack.json.",
	})
	ValuesChartFails = add(Rule{
		ID: "values/chart-fails", Severity: diag.Error, By: checkTemplate, Manual: true,
		Meaning: "with `--template`: a chart or a manifest of the pack cannot be rendered with the values; a warning for a pack directory, and an info if the values contain macros, or if the template uses `lookup`",
		Breaks:  `charts: {vault: {}}   # a template has {{ required "set the host" .Values.host }}`,
		Fix:     "Set the value that the message asks for. A template that does not end, or that takes too much memory, is for the author of the chart.",
	})
	ValuesChartSuffix = add(Rule{
		ID: "values/chart-suffix", Severity: diag.Info, By: checkTemplate,
		Meaning: "with `--template`: the chart renders differently because the version of Kubernetes has a suffix, such as `-eks-1`",
		Breaks:  `charts: {vault: {}}   # a template has {{ if semverCompare ">=1.22" .Capabilities.KubeVersion.Version }}, and the cluster 1.33.1-eks-1`,
		Fix:     "Compare both outputs of `packfn template --kube-version`. A constraint like `>=1.22-0` also allows versions with a suffix, and `.Capabilities.KubeVersion` has none in Helm 4.",
	})
	KptfileMisnamed = add(Rule{
		ID: "kptfile/misnamed", Severity: diag.Warning, By: checkKptfiles, Manual: true,
		Meaning: "a file that contains a Kptfile has nearly its name, such as `Kptfile.yaml`, and its directory has no Kptfile: kpt does not take the directory for a package",
		Breaks:  "Kptfile.yaml, in a directory without a Kptfile",
		Fix:     "Rename the file to `Kptfile`, or accept the finding in the file if it is a template of a Kptfile.",
	})
	KptfileUnknownField = add(Rule{
		ID: "kptfile/unknown-field", Severity: diag.Error, By: checkKptfiles,
		Meaning: "a field of a Kptfile that no known version of kpt has: kpt rejects the Kptfile",
		Breaks: `kind: Kptfile
pipeline:
  validators:
  - image: ghcr.io/krm-packs/validate-pack-values:v0.1.0
    whne: "true"   # when`,
		Fix: "Correct the name of the field. If a newer kpt has it, use a newer version of packfn.",
	})
	PipelineExec = add(Rule{
		ID: "pipeline/exec", Severity: diag.Warning, By: checkKptfiles,
		Meaning: "a Kptfile names the program of a function by a relative path, which depends on where kpt runs. It is an error if the program gets arguments, because it then reads no resources",
		Breaks: `kind: Kptfile
pipeline:
  validators:
  - exec: ./bin/validate-pack-values   # validate-pack-values`,
		Fix: "Write the name of the program alone, and add its directory to PATH.",
	})
	PipelineFunction = add(Rule{
		ID: "pipeline/function", Severity: diag.Error, By: checkKptfiles,
		Meaning: "a Kptfile names a function that does not exist, and whose name is nearly that of a function of the suite",
		Breaks: `kind: Kptfile
pipeline:
  validators:
  - image: ghcr.io/krm-packs/validate-pack-value:v0.1.0   # validate-pack-values`,
		Fix: "Correct the name, or accept the finding in the Kptfile if another program has this name.",
	})
	PipelineHidden = add(Rule{
		ID: "pipeline/hidden", Severity: diag.Warning, By: checkKptfiles,
		Meaning: "selectors of a Kptfile hide packs or overrides from a function that reads them",
		Breaks: `kind: Kptfile
pipeline:
  validators:
  - image: ghcr.io/krm-packs/validate-pack-values:v0.1.0
    selectors:
    - kind: ConfigMap   # the package has a PackValues, too`,
		Fix: "Let the selectors select the packs and overrides that the finding names, or accept the finding in the Kptfile.",
	})
	PipelineImage = add(Rule{
		ID: "pipeline/image", Severity: diag.Warning, By: checkKptfiles,
		Meaning: "a Kptfile names the image of a function without a registry: kpt looks for it in its own catalog, unless KPT_IMAGE_PREFIX names another registry",
		Breaks: `kind: Kptfile
pipeline:
  validators:
  - image: validate-pack-values:v0.1.0   # ghcr.io/krm-packs/validate-pack-values:v0.1.0`,
		Fix: "Write the name of the image with its registry, or accept the finding in the Kptfile.",
	})
	PipelineMisplaced = add(Rule{
		ID: "pipeline/misplaced", Severity: diag.Error, By: checkKptfiles,
		Meaning: "a function that changes resources is among the validators, where kpt discards its changes",
		Breaks: `kind: Kptfile
pipeline:
  validators:
  - image: ghcr.io/krm-packs/resolve-macros:v0.1.0   # below mutators`,
		Fix: "Move the function to `pipeline.mutators`.",
	})
)
