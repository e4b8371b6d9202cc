package function

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
	// AcceptsFiles says that with files as arguments the only resource among them
	// that is of such a kind is the functionConfig, unless one of Kind is there. A
	// function that works on such resources in the list anyway does without.
	AcceptsFiles bool
	// Rules are the rules it can report, beside those of every function.
	Rules []Rule
	// Mutates says that it changes resources: with files as arguments it prints
	// them.
	Mutates bool
	// KeepsChanges says that its changes are written although it found errors:
	// those that it makes are right by themselves. A panic and a faulty
	// functionConfig undo them all the same.
	KeepsChanges bool
	// New makes the processor of one run.
	New func() Processor
}

// TypeMeta names a kind: apiVersion and kind of a resource.
type TypeMeta struct{ APIVersion, Kind string }

// ResourceReader is implemented by processors whose functionConfig may be a
// resource of another group.
type ResourceReader interface {
	// ReadResource takes a functionConfig that is of one of the kinds that the
	// function accepts. It is called before Wants and Process, in place of
	// filling the configuration.
	ReadResource(*Item)
}

// Processor is one run of a function.
type Processor interface {
	// Config returns a pointer to the struct that `spec` of the functionConfig
	// is decoded into, strictly; see [Options]. It is filled before Wants and
	// Process are called.
	Config() any
	// Wants reports whether the function looks at an item. It is asked about
	// every item of the list, so it looks at the item's head only: asking for
	// the item's document here would parse the whole list.
	Wants(*Item) bool
	// Process does the work: it reads the wanted items of the run, reports
	// findings, and changes items. A panic in it ends the run with an error.
	Process(*Run)
}

// Options are the fields that every functionConfig has. Config structs embed
// it.
type Options struct {
	// Severity overrides the severity of rules: rule id → error, warning, info
	// or off.
	Severity map[string]string `json:"severity"`
}

func (o *Options) options() *Options { return o }

// Run is what a processor works on.
type Run struct {
	function *Function
	list     *List
	wanted   []*Item
	findings []Finding
	// current is the resource that a guarded part of the run is about.
	current Resource
}

// Items returns the wanted items in the order of the list. Items without a name
// are not among them: they are reported by the harness.
func (r *Run) Items() []*Item { return r.wanted }

// Report records a finding.
func (r *Run) Report(findings ...Finding) { r.findings = append(r.findings, findings...) }

// Failed reports whether an error was reported so far, before users' severity
// overrides: then nothing will be written, unless the function keeps its
// changes.
func (r *Run) Failed() bool {
	for _, f := range r.findings {
		severity := f.Severity
		for _, rule := range r.function.allRules() {
			if severity == "" && rule.ID == f.Rule {
				severity = rule.Severity
			}
		}
		if severity == Error {
			return true
		}
	}
	return false
}

// Invalid reports an item that can not be read as `input/invalid`. The rest of
// the list is still processed.
func (r *Run) Invalid(resource Resource, field, message string) {
	r.Report(Finding{Rule: RuleInputInvalid.ID, Resource: resource, Field: field, Message: message})
}

// ConfigInvalid reports a fault of the functionConfig at a field of it,
// `spec.packs[0]`.
func (r *Run) ConfigInvalid(field, message string) {
	r.Report(Finding{Rule: RuleConfigInvalid.ID, Resource: r.list.configResource(), Field: field, Message: message})
}

// NothingToDo says why there was nothing to do, so that a pass without work is
// not taken for a check that passed.
func (r *Run) NothingToDo(message string) {
	r.Report(Finding{Rule: RuleNothingToDo.ID, Message: message})
}

// Guard calls work, which is about one resource. A panic in it becomes an error
// that names the resource, and the run goes on with the next.
func (r *Run) Guard(resource Resource, work func()) {
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
