package injection

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// The annotations of injection points.
const (
	// Annotation makes a resource an injection point. Its values are [Modes].
	Annotation = "kpt.dev/config-injection"
	// InjectedAnnotation has the name of the injected object, as Porch writes it.
	InjectedAnnotation = "kpt.dev/injected-resource"
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

// IsKptfile reports whether an item is a Kptfile. Functions that ask [Of] want them.
func IsKptfile(item *list.Item) bool {
	return item.Kind() == KptfileKind && strings.HasPrefix(item.APIVersion(), KptGroup+"/")
}

// Wants reports whether an item is a Kptfile that [Of] can read. The harness reports wanted
// items without a name; kpt takes such a Kptfile.
func Wants(item *list.Item) bool { return IsKptfile(item) && item.Name() != "" }

// Run is a run over resources that may wait.
type Run interface {
	// Items returns the resources that the run reads, Kptfiles included.
	Items() []*list.Item
	// Report records findings.
	Report(...diag.Finding)
}

// Status says whether the content of a resource is still to be injected.
type Status struct {
	// Waits says so. A fact that the resource lacks is not missing then.
	Waits bool
	// Doubt says, without a rule, why a point into which nothing is injected does not
	// wait. It is nil when the Kptfile says that the injection was tried, and for all
	// other resources.
	Doubt *diag.Finding
}

// Of returns the status of an item. The item waits when it is an injection point, nothing
// is injected into it, and the Kptfile of the root package does not have its condition:
// Porch writes that condition when it has looked for an object, also if there is none.
//
// A Kptfile that cannot be read is reported. The item waits then, because what it lacks
// may only follow from that fault.
func Of(run Run, item *list.Item) Status {
	mode := item.Annotation(Annotation)
	if mode == "" || item.Annotation(InjectedAnnotation) != "" {
		return Status{}
	}
	doubt := func(f diag.Finding) Status {
		f = f.About(item.Resource(), field)
		return Status{Doubt: &f}
	}
	if !slices.Contains(Modes(), mode) {
		return doubt(diag.GotName(mode, Modes()).Do("correct it; until then the resource does not wait for injection"))
	}
	kptfile := kptfileOf(run.Items(), item)
	if kptfile == nil {
		return doubt(diag.Say("does not wait for injection, because the function sees no Kptfile").
			Do("check the function's selectors; kustomize does not send the Kptfile"))
	}
	document, err := kptfile.Document()
	if err != nil {
		run.Report(diag.Unreadable(err).About(kptfile.Resource(), "").Of(diag.InputInvalid))
		return Status{Waits: true}
	}
	return Status{Waits: !hasCondition(document.Root(), ConditionType(item.Kind(), item.Name()))}
}

// hasCondition reports whether a Kptfile has a condition, with any status.
func hasCondition(kptfile *yaml.Node, conditionType string) bool {
	conditions := values.Field(kptfile, "status", "conditions")
	return conditions != nil && conditions.Kind == yaml.SequenceNode && slices.ContainsFunc(conditions.Content, func(condition *yaml.Node) bool {
		return values.Text(values.Field(condition, "type")) == conditionType
	})
}

// kptfileOf returns the Kptfile that has the condition of an item: that of the root
// package, as inject-config writes it. Where the list has several packages without one
// around them, it is that of the outermost folder around the item. It is nil if there
// is none.
func kptfileOf(items []*list.Item, item *list.Item) *list.Item {
	var kptfiles []*list.Item
	var places []Place
	for _, one := range items {
		if IsKptfile(one) {
			kptfiles, places = append(kptfiles, one), append(places, PlaceOf(one))
		}
	}
	if root, ok := Root(places); ok {
		return kptfiles[root]
	}
	outermost, dir := (*list.Item)(nil), PlaceOf(item).Dir()
	for i, place := range places {
		if Within(dir, place.Dir()) {
			dir, outermost = place.Dir(), kptfiles[i]
		}
	}
	return outermost
}

// Report reports, by a rule about waiting, that a resource waits, what follows from that,
// as `requests are not compared`, and what to do, "" for nothing. Of a point that only
// might wait it says why, if the run has found errors: they may be about what is still to
// be injected.
func (s Status) Report(run interface {
	Report(...diag.Finding)
	Failed() bool
}, resource diag.Resource, rule diag.Rule, consequence, action string) {
	switch {
	case s.Waits:
		run.Report(diag.Say("waits for injection; until then %s", consequence).Do(action).About(resource, field).Of(rule))
	case s.Doubt != nil && run.Failed():
		run.Report(s.Doubt.Of(rule))
	}
}
