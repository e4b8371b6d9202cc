package content

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/values"
)

// Form is a known kind of document that is not a resource, with advice on where packfn reads it.
type Form struct {
	// marker is a string that every document of this form contains. is reports whether a document
	// with the marker has this form.
	marker string
	is     func(root *yaml.Node) bool
	// What is the name of the form in messages, and Advice what to do with the document.
	What, Advice string
}

// has returns a function that reports whether a document has any of the fields, and no kind.
func has(fields ...string) func(*yaml.Node) bool {
	return func(root *yaml.Node) bool {
		for _, field := range fields {
			if values.Field(root, "kind") == nil && values.Field(root, strings.Split(field, ".")...) != nil {
				return true
			}
		}
		return false
	}
}

// isListOf returns a function that reports whether a field is a list whose first element has the
// field of.
func isListOf(field, of string) func(*yaml.Node) bool {
	return func(root *yaml.Node) bool {
		list := values.Field(root, field)
		return list != nil && list.Kind == yaml.SequenceNode && len(list.Content) > 0 && values.Field(list.Content[0], of) != nil
	}
}

// packAdvice is the advice for files of packs.
const packAdvice = "name the directory of the pack, or add the pack to a package with packfn import DIRECTORY --to PACKAGE"

// BundleAdvice is the advice for files of bundle directories in a package.
const BundleAdvice = "add the bundle directory to .krmignore, with which packfn check reads it, or add the bundle to the package with packfn import DIRECTORY --to PACKAGE"

// importAdvice is the advice for files that Capact writes.
const importAdvice = "move it out of the package, and add it to the package with packfn import FILE --to PACKAGE"

// forms are the known forms. The first one that matches is used. For example, this document is
// the pipeline of a Kptfile:
//
//	pipeline:
//	  mutators:
//	  - image: example.com/apply-preset
var forms = []Form{
	{"olm.", func(root *yaml.Node) bool {
		return strings.HasPrefix(values.Text(values.Field(root, "schema")), "olm.")
	},
		"a document of a catalog of OLM", "move the file out of the package, where packfn check reads it, or import it with packfn import FILE --to PACKAGE"},
	{"olm.", isProperty, "a property or a constraint of OLM",
		"put it into properties or dependencies of a bundle, or into spec.properties or spec.constraints of a Constraint"},
	{"ocfVersion", func(root *yaml.Node) bool { return values.Field(root, "ocfVersion") != nil },
		"a manifest of Capact", importAdvice},
	{"rules", isPolicy, "a policy of Capact", importAdvice},
	{"interface", isPolicy, "rules of a policy of Capact", importAdvice},
	{"typeRef", func(root *yaml.Node) bool {
		form := capact.FormOf(root)
		return form == capact.Instance || form == capact.Instances
	}, "what capact typeinstance get prints", importAdvice},
	{"typeInstances", func(root *yaml.Node) bool {
		list := values.Field(root, "typeInstances")
		return values.Field(root, "kind") == nil && list != nil && list.Kind == yaml.SequenceNode
	}, "a file of TypeInstances for capact typeinstance create or apply", "name what capact typeinstance get -o yaml prints: it has their ids and their Types"},
	{"prefix", has("metadata.prefix"), "a part of a manifest of Capact", "add ocfVersion, revision and kind"},
	{"requires", isRequires, "a part of an Implementation of Capact", "put it below spec of the manifest"},
	{"targets", has("spec.targets"),
		"a PackageVariantSet without its head", "add apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet and metadata.name"},
	{"downstream", has("spec.downstream"),
		"a PackageVariant without its head", "add apiVersion: config.porch.kpt.dev/v1alpha1, kind: PackageVariant and metadata.name"},
	{"pipeline", has("pipeline.mutators", "pipeline.validators"), "the pipeline of a Kptfile",
		"put it into the file Kptfile of a package, below apiVersion: kpt.dev/v1, kind: Kptfile and metadata.name"},
	{"operators.operatorframework.io", has("annotations"), "the annotations.yaml of a bundle of OLM", "put it into the folder metadata of the bundle directory, and name that directory"},
	{"dependencies", isListOf("dependencies", "type"),
		"a dependencies.yaml of OLM", "put it into the directory of the pack, into the folder metadata of the bundle next to annotations.yaml, or into the ConfigMap of the bundle as the key dependencies.yaml"},
	{"properties", isListOf("properties", "type"),
		"a properties.yaml of OLM", "put it into the directory of the pack, into the folder metadata of the bundle next to annotations.yaml, or into the ConfigMap of the bundle as the key properties.yaml"},
	{"presets", isListOf("presets", "group"), "the presets.yaml of a pack", packAdvice},
	{"schema", isSchema, "the schema.yaml of a pack", packAdvice},
	{"layer", has("layer"), "the pack.json of a pack", packAdvice},
	{"apiVersion", func(root *yaml.Node) bool {
		return values.Field(root, "kind") == nil && values.Field(root, "name") != nil && values.Field(root, "version") != nil && strings.HasPrefix(values.Text(values.Field(root, "apiVersion")), "v")
	}, "the Chart.yaml of a Helm chart", "name the directory of the pack with this chart, or pass that to --charts"},
}

// Values is the form of pack values that contain macros. Terraform modules and
// kustomizations may read such a file, so it is reported only if neither does.
var Values = &Form{What: "the values.yaml of a pack", Advice: packAdvice}

// HasMacro reports whether a text has a macro of Palette, such as {{ .spectro.system.cluster.name }}.
func HasMacro(text []byte) bool { return aMacro.Match(text) }

var aMacro = regexp.MustCompile(`\{\{-?\s*\.spectro\.`)

// isPolicy reports whether a document is a Capact policy, or the rules of one.
func isPolicy(root *yaml.Node) bool { return capact.FormOf(root) == capact.Policy }

// isProperty reports whether a document is a single OLM property or constraint.
func isProperty(root *yaml.Node) bool {
	return values.Field(root, "kind") == nil && strings.HasPrefix(values.Text(values.Field(root, "type")), "olm.")
}

// isSchema reports whether all fields of a document have a schema.
func isSchema(root *yaml.Node) bool {
	if root == nil || root.Kind != yaml.MappingNode || len(root.Content) == 0 {
		return false
	}
	for i := 1; i < len(root.Content); i += 2 {
		if !strings.Contains(values.Text(values.Field(root.Content[i], "schema")), "{{") {
			return false
		}
	}
	return true
}

// isRequires reports whether a document has the field requires of a Capact Implementation:
//
//	requires:
//	  cap.core.type.platform:
//	    oneOf: [{name: kubernetes, revision: 0.1.0}]
func isRequires(root *yaml.Node) bool {
	requires := values.Field(root, "requires")
	if requires == nil || requires.Kind != yaml.MappingNode || len(requires.Content) < 2 || values.Field(root, "kind") != nil {
		return false
	}
	first := requires.Content[1]
	return values.Field(first, "allOf") != nil || values.Field(first, "anyOf") != nil || values.Field(first, "oneOf") != nil
}

// FormOf returns the form of a document, or nil if it has no known form.
func FormOf(text []byte, root *yaml.Node) *Form {
	for i := range forms {
		if f := &forms[i]; bytes.Contains(text, []byte(f.marker)) && f.is(root) {
			return f
		}
	}
	return nil
}

// HasKind reports whether a text has a resource. Such a text is searched for a form only if it may be a Capact document,
// because these have a kind, too.
func HasKind(text []byte) bool { return kindField.Match(text) }

var kindField = regexp.MustCompile(`(?m)^kind:|"kind"`)

// FormIn returns the first known form in a file without resources, or nil if there is none.
func FormIn(name string, text []byte) *Form {
	if HasKind(text) && !bytes.Contains(text, []byte("ocfVersion")) || path.Base(name) == "Chart.yaml" {
		return nil
	}
	for _, item := range list.FileItems(text, name) {
		if document, err := item.Document(); err == nil {
			if f := FormOf(text, document.Root()); f != nil {
				return f
			}
		}
	}
	return nil
}
