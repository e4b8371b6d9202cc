package function

import (
	"cmp"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// Function describes one KRM function to the harness.
type Function struct {
	// Name is the name of the function and of its program,
	// `validate-pack-values`.
	Name string
	// Kind is the kind of its functionConfig in [ConfigGroupVersion],
	// `ValidatePackValues`.
	Kind string
	// Accepts are kinds of other groups that may be its functionConfig too, as a
	// whole. Its processor is a [ResourceReader].
	Accepts []TypeMeta
	// AcceptsFiles: in file mode, a lone resource of an accepted kind is the
	// functionConfig if there is none of Kind.
	AcceptsFiles bool
	// Rules are the rules that the function can report, in addition to the rules of every function.
	Rules []diag.Rule
	// Reads are the kinds that the function reads, without the kinds of packs and its
	// functionConfig. The harness reports a resource whose kind or group is a misspelt form of one
	// of them.
	Reads []list.GroupKind
	// Kinds are pointers to the types of the specs of kinds that it reads.
	Kinds map[string]any
	// Checks reports whether packfn check and packfn fleet run the function, over all resources.
	Checks bool
	// NeedsNodes reports whether the function needs the machine pools of the cluster. It then
	// ignores facts that a user gives to packfn check as flags, because they contain no pools.
	NeedsNodes bool
	// Mutates reports whether the function changes resources. With files as arguments it prints
	// them.
	Mutates bool
	// Waiting is the rule about what waits for injection, one of Rules: tools leave out
	// nothing-to-do. Only the function that injects has none.
	Waiting diag.Rule
	// KeepsChanges reports whether changes are written although the function found errors, because
	// each change is right by itself. A panic and a faulty functionConfig still undo all changes.
	KeepsChanges bool
	// New makes the processor of one run.
	New func() Processor
}

// TypeMeta names a kind: apiVersion and kind of a resource.
type TypeMeta struct{ APIVersion, Kind string }

// String names the kind for messages: `Demo (fn.kpt.dev/v1alpha1)`.
func (t TypeMeta) String() string { return t.Kind + " (" + t.APIVersion + ")" }

// ResourceReader is implemented by processors whose functionConfig may be a
// resource of another group.
type ResourceReader interface {
	// ReadResource takes a functionConfig of one of the kinds that the function
	// accepts. It is called before Wants and Process, in place of filling the
	// configuration.
	ReadResource(*list.Item)
}

// Surveyor is implemented by processors that want items because of others. Survey is called with all items before
// Wants is called with each of them. It must neither change nor keep them.
type Surveyor interface{ Survey(items []*list.Item) }

// ConditionReader is implemented by processors that read no more of Kptfiles than an
// [injection.Reader] does: packages whose Kptfiles are equal in that can share their runs.
type ConditionReader interface{ ReadsConditions() }

// Processor is one run of a function.
type Processor interface {
	// Config returns a pointer to the struct that `spec` of the functionConfig
	// is decoded into, see [Options] and package decode. It is filled before Process
	// is called; tools may ask Wants before that, for what it wants without one.
	Config() any
	// Wants reports whether the function reads an item. It is called for every item
	// of the list, so it reads the item's head only: parsing the document here would
	// parse the whole list.
	Wants(*list.Item) bool
	// Process does the work: it reads the wanted items of the run, reports
	// findings, and changes items. A panic in it ends the run with an error.
	Process(*Run)
}

// Run is the input and output of a processor.
type Run struct {
	// function is the function, and list the input.
	function *Function
	list     *list.List
	// reads are the kinds that the function reads, including the kind of its functionConfig.
	reads []list.GroupKind
	// processor is nil until it has its configuration. asked reports for each item of the list
	// whether the processor wants it. It is nil if the processor was not asked before the run.
	processor Processor
	asked     []bool
	// wanted are the items that the processor gets.
	wanted []*list.Item
	// skipped and skippedRules are what the configuration leaves out.
	skipped      map[diag.Resource]bool
	skippedRules map[string]bool
	// collector takes the findings.
	collector *collector
	// keepsAcceptances reports whether some resources are not checked yet.
	keepsAcceptances bool
	// current is the resource that a guarded part of the run is about.
	current diag.Resource
}

// Items returns the wanted items in the order of the list. The harness reports items
// without a name and leaves them out.
func (r *Run) Items() []*list.Item { return r.wanted }

// Report records findings, within the limits of a run: of too many that are alike,
// and of too many at all, the rest is counted.
func (r *Run) Report(findings ...diag.Finding) {
	for _, f := range findings {
		r.collector.add(f)
	}
}

// ConfigInvalid reports a fault of the functionConfig; its key is the path in it.
func (r *Run) ConfigInvalid(f diag.Finding) {
	f.Origin = r.ConfigOrigin()
	r.Report(f.Of(rule.ConfigInvalid))
}

// Failed reports whether an error was reported so far, before the user's severity
// overrides: then nothing will be written, unless the function keeps its changes.
func (r *Run) Failed() bool { return r.collector.failed }

// NothingToDo reports why there was nothing to do, so that a pass without work does not look like a
// check that passed. After an error it reports nothing.
func (r *Run) NothingToDo(message string) {
	if !r.Failed() {
		r.Report(diag.Say("%s", message).Of(rule.NothingToDo))
	}
}

// Add puts a new resource at the end of the list, see [list.List.Add]. It panics if the
// function made a text that is not a resource. As with other changes, it is not written when
// there are errors.
func (r *Run) Add(text string) *list.Item {
	item, err := r.list.Add(text)
	if err != nil {
		panic(err)
	}
	return item
}

// Guard calls work, which is about one resource. A panic in it becomes an error
// that names the resource, and the run goes on.
func (r *Run) Guard(resource diag.Resource, work func()) {
	before := r.current
	r.current = resource
	defer func() {
		if cause := recover(); cause != nil {
			r.Report(panicFinding(cause, resource))
		}
		r.current = before
	}()
	work()
}

// has reports whether a rule is one of the function or of every function.
func (f *Function) has(r diag.Rule) bool {
	return slices.Contains(f.Rules, r) || slices.Contains(rule.Every(), r)
}

// allRules returns the rules of the function and the rules of every function, sorted by id.
func (f *Function) allRules() []diag.Rule {
	all := slices.Concat(f.Rules, rule.Every())
	slices.SortFunc(all, func(a, b diag.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
