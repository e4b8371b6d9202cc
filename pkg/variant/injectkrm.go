package variant

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// The rules of inject-config, beside those of a PackageVariant by itself.
const (
	ruleInvalidAnnotation = "inject/invalid-annotation"
	ruleAmbiguous         = "inject/ambiguous"
	ruleContextMissing    = "context/missing"
	ruleContextAmbiguous  = "context/ambiguous"
	ruleKptfileMissing    = "kptfile/missing"
	ruleUnmatched         = "inject/unmatched"
	ruleInjected          = "inject/injected"
)

// Function returns the KRM function inject-config.
func Function() function.Function {
	return function.Function{
		Name:         "inject-config",
		Kind:         "InjectConfig",
		Accepts:      []function.TypeMeta{{APIVersion: GroupVersion, Kind: Kind}},
		AcceptsFiles: true,
		Mutates:      true,
		Rules: []function.Rule{
			{ID: ruleInvalidAnnotation, Severity: function.Error},
			{ID: ruleAmbiguous, Severity: function.Error},
			{ID: ruleContextMissing, Severity: function.Error},
			{ID: ruleContextAmbiguous, Severity: function.Error},
			{ID: RuleReservedKey, Severity: function.Error},
			{ID: ruleKptfileMissing, Severity: function.Error},
			{ID: RuleInvalid, Severity: function.Error},
			{ID: ruleUnmatched, Severity: function.Warning},
			{ID: RuleAlias, Severity: function.Warning},
			{ID: ruleInjected, Severity: function.Info},
		},
		New: func() function.Processor {
			return &injecting{documents: map[*function.Item]*values.Document{}}
		},
	}
}

// Config is the spec of the kind InjectConfig.
type Config struct {
	function.Options
	// PackageVariant is the PackageVariant to preview, its metadata and spec;
	// apiVersion and kind may be left out.
	PackageVariant *yaml.Node `json:"packageVariant"`
	// PackageVariantRef names a PackageVariant in the list instead.
	PackageVariantRef *Reference `json:"packageVariantRef"`
	// Objects are in-cluster objects, beside the items that are annotated
	// packs.kpt.dev/source: cluster. A List, as kubectl prints it, stands for the
	// objects in it.
	Objects []*yaml.Node `json:"objects"`
	// WriteStatus sets the conditions Stalled and Ready of the PackageVariant in
	// the list.
	WriteStatus bool `json:"writeStatus" flat:"-"`
}

// Reference names a PackageVariant in the list.
type Reference struct {
	Name string `json:"name" required:"true"`
	// Namespace may be left out when only one PackageVariant bears the name.
	Namespace string `json:"namespace"`
}

// injecting is one run of inject-config.
type injecting struct {
	config Config
	run    *function.Run
	// given is a functionConfig that is a PackageVariant.
	given *function.Item

	kptfiles, contexts, cluster, points, variants []*function.Item
	// documents are those that were edited so far.
	documents map[*function.Item]*values.Document
	touched   []*function.Item
}

func (in *injecting) Config() any { return &in.config }

func (in *injecting) ReadResource(item *function.Item) { in.given = item }

const sourceAnnotation = "packs.kpt.dev/source"

func (in *injecting) Wants(item *function.Item) bool {
	if isKptfile(item) || isContext(item) || item.Kind() == Kind && strings.HasPrefix(item.APIVersion(), "config.porch.kpt.dev/") {
		return true
	}
	if item.Annotation(sourceAnnotation) != "" || item.Annotation(InjectionAnnotation) != "" {
		return true
	}
	// An annotation without a value is one all the same.
	return item.Name() != "" && item.Mentions(InjectionAnnotation)
}

func isKptfile(item *function.Item) bool {
	return item.Kind() == "Kptfile" && strings.HasPrefix(item.APIVersion(), "kpt.dev/")
}

func isContext(item *function.Item) bool {
	return item.Is("v1", "ConfigMap") && item.Name() == ContextName
}

func (in *injecting) Process(run *function.Run) {
	in.run = run
	in.sort()
	variant, source := in.variant()
	cluster, objects := in.objects()
	points := in.readPoints()
	if variant == nil {
		if run.Failed() {
			in.root(subject{resource: run.ConfigResource()})
		} else {
			there := ""
			if len(in.variants) > 0 {
				there = fmt.Sprintf("; the list has the PackageVariant %s", in.variants[0].Name())
			}
			if more := len(in.variants) - 1; more > 0 {
				there += fmt.Sprintf(" and %d more", more)
			}
			run.NothingToDo("no PackageVariant is given: put one into spec.packageVariant of an InjectConfig (fn.kpt.dev/v1alpha1), name one in the list by spec.packageVariantRef, or give a PackageVariant (config.porch.kpt.dev/v1alpha1) as the functionConfig" + there)
		}
		return
	}
	root := in.root(source)
	if !variant.Spec.PackageContext.IsEmpty() {
		in.context(variant, root, source)
	}
	if root >= 0 {
		in.edit(in.kptfiles[root], variant.ApplyPipeline)
	}
	findings := in.inject(variant, points, cluster, objects, root)
	if in.config.WriteStatus {
		in.status(variant, source)
	}
	failed := run.Failed()
	for _, f := range findings {
		if f.Rule != ruleInjected || !failed { // nothing is injected when anything is wrong
			run.ReportLegacy(f)
		}
	}
	if failed {
		return
	}
	for _, item := range in.touched {
		item.Replace(in.documents[item])
	}
	if len(in.touched) == 0 && len(points) == 0 {
		run.NothingToDo(fmt.Sprintf("the package has no injection point, and context and pipeline are as the PackageVariant %s wants them; resources become injection points by the annotation %s: required, and a selector of the function may hide some", variant.Name, InjectionAnnotation))
	}
}

// sort tells what the items are. In-cluster objects are nothing else.
func (in *injecting) sort() {
	for _, item := range in.run.Items() {
		switch from := item.Annotation(sourceAnnotation); {
		case from == "cluster":
			in.cluster = append(in.cluster, item)
			continue
		case from != "":
			in.run.ReportLegacy(function.Finding{
				Rule: ruleInvalidAnnotation, Resource: item.Resource(), Field: annotationField(sourceAnnotation),
				Message: fmt.Sprintf("%s: the annotation %s: got %q, want cluster, which makes it an in-cluster object, or no such annotation", item.Resource(), sourceAnnotation, from),
			})
		}
		if isKptfile(item) {
			in.kptfiles = append(in.kptfiles, item)
		}
		if isContext(item) {
			in.contexts = append(in.contexts, item)
		}
		if item.Kind() == Kind && strings.HasPrefix(item.APIVersion(), "config.porch.kpt.dev/") {
			in.variants = append(in.variants, item)
		}
		if item.Mentions(InjectionAnnotation) {
			in.points = append(in.points, item)
		}
	}
}

func annotationField(name string) string { return "metadata.annotations[" + name + "]" }

// open returns the document of an item as it is by now, nil when it can not be
// read, which it reports.
func (in *injecting) open(item *function.Item) *values.Document {
	if d, ok := in.documents[item]; ok {
		return d
	}
	d, err := item.Document()
	if err != nil {
		in.run.LegacyInvalid(item.Resource(), "", fmt.Sprintf("%s can not be read: %v", item.Resource(), err))
		return in.keep(item, nil)
	}
	if twice := d.Duplicates(); len(twice) > 0 {
		for _, t := range twice {
			in.run.LegacyInvalid(item.Resource(), t.Path, fmt.Sprintf("%s: %s: the key stands twice; remove one, so that it is certain which one counts", item.Resource(), t.Path))
		}
		return in.keep(item, nil)
	}
	return d
}

// keep remembers the document of an item: nil for one that can not be read, and
// was reported.
func (in *injecting) keep(item *function.Item, d *values.Document) *values.Document {
	in.documents[item] = d
	return d
}

// edit changes an item.
func (in *injecting) edit(item *function.Item, change func(*values.Document) (*values.Document, error)) {
	in.run.Guard(item.Resource(), func() {
		d := in.open(item)
		if d == nil {
			return
		}
		edited, err := change(d)
		if err != nil {
			in.refused(item, err)
			return
		}
		if edited != d && edited.Text() != d.Text() {
			in.keep(item, edited)
			if !slices.Contains(in.touched, item) {
				in.touched = append(in.touched, item)
			}
		}
	})
}

// refused reports why an item can not be edited, each reason by itself.
func (in *injecting) refused(item *function.Item, err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range several.Unwrap() {
			in.refused(item, err)
		}
		return
	}
	f := function.Finding{Rule: function.RuleInputInvalid.ID, Resource: item.Resource(), InResource: true}
	reason := err.Error()
	var wrong *FieldError
	var edit *values.EditError
	switch {
	case errors.As(err, &wrong):
		f.Field = wrong.Path
	case errors.As(err, &edit): // lines of an item are nothing a user could look up
		reason, f.Line, f.Column = edit.Reason, edit.Line, edit.Column
		reason = "can not be edited: " + reason + "; write it in block style, without anchors"
	}
	f.Message = fmt.Sprintf("%s: %s", item.Resource(), reason)
	in.run.ReportLegacy(f)
}

// subject is where the PackageVariant of a run comes from.
type subject struct {
	resource function.Resource
	// item is the PackageVariant in the list, nil when it is in the functionConfig.
	item *function.Item
}

// variant returns the PackageVariant of the run, nil when there is none or it is
// faulty, which it reports.
func (in *injecting) variant() (*PackageVariant, subject) {
	switch {
	case in.given != nil:
		d, err := in.given.Document()
		if err != nil {
			in.run.LegacyConfigInvalid("", err.Error())
			return nil, subject{}
		}
		return in.read(d.Root(), "", false, subject{resource: in.run.ConfigResource()})
	case in.config.PackageVariant != nil:
		if in.config.PackageVariantRef != nil {
			in.run.LegacyConfigInvalid("spec.packageVariantRef", "spec.packageVariantRef: spec.packageVariant is given too; remove one of them")
		}
		return in.read(in.config.PackageVariant, "spec.packageVariant", true, subject{resource: in.run.ConfigResource()})
	case in.config.PackageVariantRef != nil && in.config.PackageVariantRef.Name != "":
		item := in.referred(*in.config.PackageVariantRef)
		if item == nil {
			return nil, subject{}
		}
		d := in.open(item)
		if d == nil {
			return nil, subject{}
		}
		return in.read(d.Root(), "", false, subject{item.Resource(), item})
	}
	return nil, subject{}
}

func (in *injecting) read(n *yaml.Node, path string, embedded bool, from subject) (*PackageVariant, subject) {
	variant, problems := read(n, path, embedded)
	for _, p := range problems {
		f := function.Finding{
			Rule: p.Rule, Resource: from.resource, Field: p.Path, InResource: true,
			Line: p.Position.Line, Column: p.Position.Column, Message: p.String(),
		}
		if from.item != nil || in.given != nil {
			f.Message = fmt.Sprintf("%s: %s", from.resource, p)
		}
		if p.Warning {
			f.Severity = function.Warning
		}
		in.run.ReportLegacy(f)
	}
	if Failed(problems) {
		return nil, subject{}
	}
	return variant, from
}

// referred returns the PackageVariant that is referred to, nil when there is none
// such, which it reports.
func (in *injecting) referred(r Reference) *function.Item {
	var found []*function.Item
	var names, where []string
	for _, item := range append(in.variants[:len(in.variants):len(in.variants)], in.cluster...) {
		if item.Kind() != Kind {
			continue
		}
		names = append(names, item.Name())
		if item.Name() != r.Name {
			continue
		}
		where = append(where, namespaceOf(item))
		if r.Namespace == "" || r.Namespace == namespaceOf(item) {
			found = append(found, item)
		}
	}
	const path = "spec.packageVariantRef"
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		in.run.LegacyConfigInvalid(path, fmt.Sprintf("%s: %d PackageVariants are named %q, in the namespaces %s; add the namespace of one, and remove others of that namespace", path, len(found), r.Name, strings.Join(where, ", ")))
	case len(where) > 0:
		in.run.LegacyConfigInvalid(path+".namespace", fmt.Sprintf("%s.namespace: got %q, but the PackageVariant %q is in the namespace %s", path, r.Namespace, r.Name, function.OneOf(where)))
	default:
		in.run.LegacyConfigInvalid(path+".name", fmt.Sprintf("%s.name: no PackageVariant in the list is named %q%s; if it is in the package, a selector of the function may hide it", path, r.Name, nearest.Hint(r.Name, names)))
	}
	return nil
}

func namespaceOf(item *function.Item) string {
	if item.Namespace() == "" {
		return DefaultNamespace
	}
	return item.Namespace()
}

// status sets the status of the PackageVariant in the list.
func (in *injecting) status(variant *PackageVariant, from subject) {
	target := from.item
	for _, item := range in.variants {
		if target == nil && item.Is(GroupVersion, Kind) && item.Name() == variant.Name && namespaceOf(item) == variant.Namespace {
			target = item
		}
	}
	if target == nil || slices.Contains(in.cluster, target) {
		in.run.LegacyConfigInvalid("spec.writeStatus", fmt.Sprintf("spec.writeStatus: the list has no PackageVariant %s/%s of its own whose status could be written; add it to the package, or remove writeStatus", variant.Namespace, variant.Name))
		return
	}
	in.edit(target, ApplyStatus)
}
