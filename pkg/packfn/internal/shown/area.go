package shown

import (
	"regexp"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/step"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// kind classifies a string in a resource: a field of the suite or an identifying field, the data
// of a Secret, or else a value.
type kind struct {
	// isField is true for a field that is no value, and isSecret for the data of a Secret.
	isField, isSecret bool
	// isFact is true if the field contains a fact of a ClusterContext.
	isFact bool
	// isPublished is true if the value is public, because it is in the published pack, or because
	// it is a name that the suite defines, such as the name of a preset.
	isPublished bool
	// at is the path of the field that contains the values.
	at string
}

var (
	field      = kind{isField: true}
	fact       = kind{isField: true, isFact: true}
	secretData = kind{isSecret: true}
)

// area returns the kind of the string at a path of a document. If the string is a document
// itself, it also returns the area for that document. The path is given in two forms: printed
// without list indexes, and as steps.
type area func(path string, steps []values.Step) (k kind, inner area)

func ofValues(string, []values.Step) (kind, area) { return kind{}, nil }

func ofFields(string, []values.Step) (kind, area) { return field, nil }

// published returns an area whose values below a path are public.
func published(in area, root string) area {
	return func(path string, steps []values.Step) (kind, area) {
		k, inner := in(path, steps)
		if _, ok := isBelow(path, root); !ok && root != "" {
			return k, inner
		}
		if k.isPublished = true; inner != nil {
			inner = published(inner, "")
		}
		return k, inner
	}
}

// areaOfPack is like [areaOf], but the own values of a pack are public if they are unchanged
// since the import.
func areaOfPack(item *list.Item) area {
	in := areaOf(item)
	record, ok := pack.ParseImported(item.Annotation(pack.ImportedAnnotation))
	document, err := item.Document()
	if !ok || record.Data == "" || err != nil {
		return in
	}
	path := []string{"spec", "values"}
	if item.Kind() == "ConfigMap" {
		path = []string{"data", "values.yaml"}
	}
	own := values.Field(document.Root(), path...)
	if text := values.Text(own); text != "" {
		inner, err := values.Parse(text)
		if err != nil {
			return in
		}
		own = inner.Root()
	}
	if pack.DataDigest(own) != record.Data {
		return in
	}
	return published(in, strings.Join(path, "."))
}

// ofPresets is a list of presets: what they add are values.
func ofPresets(path string, _ []values.Step) (kind, area) {
	switch at := strings.Index(path, "[].add") + len("[].add"); {
	case at == len(path) && strings.HasSuffix(path, "[].add"):
		return kind{}, ofValues
	case strings.Contains(path, "[].add."), strings.Contains(path, "[].add["):
		return kind{at: path[:at]}, nil
	}
	return field, nil
}

// files are the files of pack directories, and keys of ConfigMaps, that are single documents.
var files = map[string]area{
	"values.yaml": ofValues, "pack.json": ofFields, "schema.yaml": ofFields, "presets.yaml": ofPresets,
	"properties.yaml": ofFields, "dependencies.yaml": ofFields,
}

// keys are additional keys of ConfigMaps that contain documents.
var keys = []string{"chart-facts.yaml", "annotations.yaml", "bundle.yaml"}

// head are the fields that identify a resource.
var head = []string{"apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations.config.kubernetes.io/", "metadata.annotations.kpt.dev/", "metadata.annotations.packs.kpt.dev/", "metadata.annotations.internal.config.kubernetes.io/", "metadata.annotations.internal.kpt.dev/"}

// names are the fields with names and versions of packages, kinds and groups in kinds of other
// projects. They are shown because they describe what a resource requests.
var names = map[list.GroupKind][]string{
	{Group: "operators.coreos.com", Kind: "ClusterServiceVersion"}: append([]string{
		"metadata.annotations.olm.skipRange", "spec.version", "spec.minKubeVersion", "spec.replaces", "spec.skips", "spec.displayName", "spec.maturity", "spec.install.strategy", "spec.installModes",
		"spec.nativeAPIs", "spec.relatedImages[].name",
	}, each([]string{"spec.customresourcedefinitions.", "spec.apiservicedefinitions."}, []string{"owned[].", "required[]."}, []string{"name", "group", "version", "kind", "displayName", "deploymentName"})...),
	{Group: "operators.coreos.com", Kind: "Subscription"}:             {"spec.name", "spec.channel", "spec.source", "spec.sourceNamespace", "spec.startingCSV", "spec.installPlanApproval"},
	{Group: "helm.toolkit.fluxcd.io", Kind: "HelmRelease"}:            {"spec.releaseName", "spec.chart.spec.chart", "spec.chart.spec.version"},
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: {"spec.group", "spec.scope", "spec.names", "spec.versions[].name"},
}

// properties are the annotations of a ClusterServiceVersion with properties as JSON.
var properties = []string{"metadata.annotations.olm.properties", "metadata.annotations.operatorframework.io/properties"}

// each returns all texts of a part of each list.
func each(parts ...[]string) []string {
	all := []string{""}
	for _, some := range parts {
		var longer []string
		for _, start := range all {
			for _, end := range some {
				longer = append(longer, start+end)
			}
		}
		all = longer
	}
	return all
}

// isBelow reports whether a path is one of the roots or below it, and returns that root.
func isBelow(path string, roots ...string) (root string, ok bool) {
	for _, root := range roots {
		if path == root || strings.HasPrefix(path, root+".") || strings.HasPrefix(path, root+"[") || strings.HasSuffix(root, "/") && strings.HasPrefix(path, root) {
			return root, true
		}
	}
	return "", false
}

// options are the keys of the configMap of functions that hold no values.
var options = []string{"unknownKeys", "packs", "scope", "prune", "maxTargets", "policyOrder", "missing", "explain", "clusterContext"}

// functionField matches the path of a field of a function in a Kptfile. kpt does not know others: they
// may hold values.
var functionField = regexp.MustCompile(`^pipeline\.(?:mutators|validators)\[\]\.([^.\[]+)`)

var functionFields = []string{"image", "tag", "exec", "name", "configPath", "configRef", "when", "selectors", "exclude"}

// isBare reports whether a document is one that the suite reads and that is no resource: of Capact, of a
// catalog of OLM, or a property or the annotations of a bundle.
func isBare(item *list.Item) bool {
	if item.APIVersion() != "" {
		return false
	}
	document, err := item.Document()
	if err != nil {
		return false
	}
	root := document.Root()
	return values.Field(root, "ocfVersion") != nil || values.Field(root, "interface", "rules") != nil || values.Field(root, "typeInstance", "rules") != nil ||
		strings.HasPrefix(values.Text(values.Field(root, "schema")), "olm.") ||
		strings.HasPrefix(values.Text(values.Field(root, "type")), "olm.") && values.Field(root, "value") != nil ||
		values.Field(root, "annotations", "operators.operatorframework.io.bundle.package.v1") != nil
}

// isPreset reports whether a key of a configMap, by the steps to it, has the name of a preset: the function
// apply-preset reads them by the names of packs.
func isPreset(document *values.Document, steps []values.Step) bool {
	at := slices.IndexFunc(steps, func(s values.Step) bool { return !s.IsIndex && s.Key == "configMap" })
	entry := document.Follow(document.Root(), steps[:max(at, 0)])
	return at >= 0 && at == len(steps)-2 && step.Program(values.Text(values.Field(entry, "image")), values.Text(values.Field(entry, "exec"))) == rule.ApplyPreset
}

// areaOf returns the area of a resource.
func areaOf(item *list.Item) area {
	group := item.Group()
	isOurs := group == pack.Group || group == "fn.kpt.dev" || group == variant.Group || group == "kpt.dev" || item.APIVersion() == manifest.GroupVersion
	isOurs = isOurs || isBare(item)
	open := names[list.GroupKind{Group: group, Kind: item.Kind()}]
	isServiceVersion := group == "operators.coreos.com" && item.Kind() == "ClusterServiceVersion"
	return func(path string, steps []values.Step) (kind, area) {
		if _, ok := isBelow(path, head...); ok {
			return field, nil
		}
		if _, ok := isBelow(path, "metadata.annotations"); ok && item.Kind() == "Secret" { // clients keep the data there
			return secretData, nil
		}
		if root, ok := isBelow(path, "data", "stringData"); ok {
			key := strings.TrimPrefix(path, root+".")
			switch {
			case item.Kind() == "Secret":
				return secretData, nil
			case files[key] != nil:
				return kind{at: path}, files[key]
			case slices.Contains(keys, key):
				return kind{at: path}, ofFields
			}
			return kind{at: root}, nil
		}
		if isServiceVersion && slices.Contains(properties, path) {
			return kind{at: path}, ofFields
		}
		if _, ok := isBelow(path, open...); ok {
			return field, nil
		}
		if f := functionField.FindStringSubmatch(path); !isOurs || f != nil && f[1] != "configMap" && !slices.Contains(functionFields, f[1]) {
			return kind{}, nil
		}
		switch {
		case path == "spec.values":
			return kind{at: path}, ofValues
		case path == "spec.schema", path == "spec.properties", path == "spec.dependencies", path == "spec.constraints":
			return field, ofFields
		case path == "spec.presets":
			return field, ofPresets
		case strings.HasPrefix(path, "spec.presets["):
			return ofPresets(path, steps)
		case strings.Contains(path, ".configMap."):
			at := strings.Index(path, ".configMap.") + len(".configMap")
			if key := path[at+1:]; slices.Contains(options, key) || strings.HasPrefix(key, "system.") {
				return field, nil
			}
			document, err := item.Document()
			return kind{at: path[:at], isPublished: err == nil && isPreset(document, steps)}, nil
		case item.Kind() == "TypeInstance" && strings.HasPrefix(path, "spec.value"), strings.Contains(path, "dditionalParameters"):
			return kind{}, nil
		}
		if root, ok := isBelow(path, "spec.values", "spec.variables", "spec.macros", "spec.objects", "spec.packageContext", "spec.packageVariant.spec.packageContext",
			"spec.targets[].template.packageContext.data", "spec.targets[].template.packageContext.dataExprs[].value"); ok {
			return kind{at: root}, nil
		}
		if _, ok := isBelow(path, "spec.system", "spec.machinePools"); ok && item.Is(pack.GroupVersion, pack.ClusterContextKind) {
			return fact, nil
		}
		return field, nil
	}
}
