package injection

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The annotations of injection points.
const (
	// Annotation makes a resource an injection point. Its values are [Modes].
	Annotation = "kpt.dev/config-injection"
	// InjectedAnnotation has the name of the injected object, as Porch writes it.
	InjectedAnnotation = "kpt.dev/injected-resource"
	// SourceAnnotation, with the value cluster, marks an item as an object in a cluster that
	// inject-config copies from. The item is not content of the package.
	SourceAnnotation = "packs.kpt.dev/source"
)

// field is the path of the annotation.
const field = "metadata.annotations[" + Annotation + "]"

// Modes returns the values of [Annotation].
func Modes() []string { return []string{"required", "optional"} }

// ConditionPrefix begins the types of the conditions of injection points.
const ConditionPrefix = "config.injection."

// ConditionType is the type of the condition and the readiness gate of an injection point.
func ConditionType(kind, name string) string { return ConditionPrefix + kind + "." + name }

// KptGroup and KptfileKind name the kind of the file that describes a package to kpt.
const (
	KptGroup    = "kpt.dev"
	KptfileKind = "Kptfile"
)

// IsKptfile reports whether an item is a Kptfile. Functions that ask a [Reader] want them.
func IsKptfile(item *list.Item) bool {
	return item.Kind() == KptfileKind && strings.HasPrefix(item.APIVersion(), KptGroup+"/")
}

// Wants reports whether an item is a Kptfile that a [Reader] can read. The harness reports wanted
// items without a name; kpt takes such a Kptfile.
func Wants(item *list.Item) bool { return IsKptfile(item) && item.Name() != "" }

// Run is a run over resources that may wait.
type Run interface {
	// Items returns the resources that the run reads, Kptfiles included.
	Items() []*list.Item
	// Report records findings.
	Report(...diag.Finding)
}

// Status states whether the content of a resource is still to be injected.
type Status struct {
	// Resource is the resource.
	Resource diag.Resource
	// IsPending reports whether the content is still to be injected. The present content is then a
	// placeholder, which the injection replaces as a whole: it has no meaning, and absent fields
	// are not missing.
	IsPending bool
	// Doubt explains, without a rule, why a point into which nothing is injected does not wait. It
	// is nil if the Kptfile states that the injection was tried, and for all other resources.
	Doubt *diag.Finding
}

// Reader determines which resources of a run wait. It reads each Kptfile once.
type Reader struct {
	run Run
	// root is the Kptfile of the root package, or nil if there is none, and byDir are all Kptfiles
	// by their folders.
	root  *list.Item
	byDir map[string]*list.Item
	// conditions are the types of the conditions of the Kptfiles that were read, or nil for one
	// that cannot be read.
	conditions map[*list.Item]map[string]bool
}

// NewReader returns a reader of the resources of a run.
func NewReader(run Run) *Reader { return &Reader{run: run} }

// Of returns the status of an item. The item waits when it is an injection point, nothing
// is injected into it, and the Kptfile of the root package does not have its condition:
// Porch writes that condition when it has looked for an object, also if there is none.
//
// A Kptfile that cannot be read is reported. The item waits then, because what it lacks
// may only follow from that fault.
func (r *Reader) Of(item *list.Item) Status {
	mode := item.Annotation(Annotation)
	if mode == "" || item.Annotation(InjectedAnnotation) != "" {
		return Status{}
	}
	status := Status{Resource: item.Resource()}
	doubt := func(f diag.Finding) Status {
		f = f.About(status.Resource, field)
		status.Doubt = &f
		return status
	}
	if !slices.Contains(Modes(), mode) {
		return doubt(diag.GotName(mode, Modes()).Until("the resource is treated as injected"))
	}
	kptfile := r.kptfileOf(item)
	if kptfile == nil {
		return doubt(diag.Say("the function received no Kptfile, so it cannot tell whether this resource is pending, and treats it as injected: errors about it may be about placeholder content").
			Do("run the function with kpt fn render, because kustomize does not pass the Kptfile").IfUnseen("if the package has a Kptfile"))
	}
	status.IsPending = !r.conditionsOf(kptfile)[ConditionType(item.Kind(), item.Name())]
	return status
}

// conditionsOf returns the types of the conditions of a Kptfile, with any status.
func (r *Reader) conditionsOf(kptfile *list.Item) map[string]bool {
	if types, ok := r.conditions[kptfile]; ok {
		return types
	}
	types := map[string]bool{}
	r.conditions[kptfile] = types
	all, err := Conditions(kptfile)
	if err != nil {
		r.run.Report(diag.Unreadable(err).About(kptfile.Resource(), "").Of(rule.InputInvalid))
		return nil
	}
	for _, one := range all {
		types[one] = true
	}
	return types
}

// Conditions returns the types of the conditions of a Kptfile: all that a [Reader] reads of it
// besides its head.
func Conditions(kptfile *list.Item) (types []string, err error) {
	document, err := kptfile.Document()
	if err != nil {
		return nil, err
	}
	if conditions := values.Field(document.Root(), "status", "conditions"); conditions != nil && conditions.Kind == yaml.SequenceNode {
		for _, condition := range conditions.Content {
			types = append(types, values.Text(values.Field(condition, "type")))
		}
	}
	return types, nil
}

// kptfileOf returns the Kptfile that contains the condition of an item: the Kptfile of the root
// package, as inject-config writes it. If the list has several packages and no root package, it
// returns the Kptfile of the outermost directory around the item. It returns nil if there is none.
func (r *Reader) kptfileOf(item *list.Item) *list.Item {
	if r.conditions == nil {
		r.conditions, r.byDir = map[*list.Item]map[string]bool{}, map[string]*list.Item{}
		var kptfiles []*list.Item
		var places []Place
		for _, one := range r.run.Items() {
			if IsKptfile(one) {
				kptfiles, places = append(kptfiles, one), append(places, PlaceOf(one))
				r.byDir[PlaceOf(one).Dir()] = one
			}
		}
		if root, ok := Root(places); ok {
			r.root = kptfiles[root]
		}
	}
	outermost := r.root
	if outermost != nil {
		return outermost
	}
	for dir := range parents.OfSlash(PlaceOf(item).Dir()) {
		if kptfile := r.byDir[dir]; kptfile != nil {
			outermost = kptfile
		}
	}
	return outermost
}

// Advice is the advice about pending resources without Porch.
const Advice = "to render without Porch, run inject-config first"

// Report reports the pending resources by a rule about waiting, in one finding that counts them.
// consequence is the effect on the run, such as `requests are not compared`, and action is advice,
// or "" if there is none. If the run has found errors, it also explains which points only might
// wait, because the errors may be about content that is still to be injected.
func Report(run interface {
	Report(...diag.Finding)
	Failed() bool
	KeepAcceptances()
}, points []Status, rule diag.Rule, consequence, action string) {
	var waiting, unclear []Status
	for _, one := range points {
		switch {
		case one.IsPending:
			waiting = append(waiting, one)
		case one.Doubt != nil:
			unclear = append(unclear, one)
		}
	}
	first := func(all []Status) (Status, int) {
		slices.SortFunc(all, func(a, b Status) int { return a.Resource.Compare(b.Resource) })
		all = slices.CompactFunc(all, func(a, b Status) bool { return a.Resource == b.Resource })
		return all[0], len(all) - 1
	}
	if len(waiting) > 0 {
		run.KeepAcceptances()
		one, others := first(waiting)
		switch {
		case others == 1:
			consequence += " (1 other resource is pending, too)"
		case others != 0:
			consequence += " (" + diag.Count(others, "other resource") + " are pending, too)"
		}
		run.Report(diag.Say("is pending: Porch has not injected its content yet, so %s", consequence).Do(action).About(one.Resource, field).Of(rule))
	}
	if len(unclear) > 0 && run.Failed() {
		one, _ := first(unclear)
		run.Report(one.Doubt.Of(rule))
	}
}

// IsContent reports whether a field of a resource, by its path, is in what is injected:
// data of a core ConfigMap, spec of any other resource.
func IsContent(apiVersion, kind, path string) bool {
	_, ok := diag.Below(path, ContentOf(apiVersion, kind))
	return ok
}

// ContentOf is the field of a resource that is injected, as a whole: data of a core
// ConfigMap, spec of any other.
func ContentOf(apiVersion, kind string) string {
	if apiVersion == "v1" && kind == "ConfigMap" {
		return "data"
	}
	return "spec"
}
