package function

import (
	"cmp"
	"slices"

	"github.com/kptdev/krm-functions-sdk/go/fn"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/step"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Outcome is the result of a run of a function.
type Outcome struct {
	// Findings are the function's own, in stable order, each with its final
	// severity.
	Findings []diag.Finding
	// Consequences are the findings that only follow from an error among Findings. They are not
	// reported while that is an error.
	Consequences []diag.Finding
	// Failed reports whether there is a finding with severity error, so that the program exits with
	// 1.
	Failed bool
	// Wanted are the resources that the function has read.
	Wanted []diag.Resource
}

// Results are the findings as results of the list.
func (o Outcome) Results() (results fn.Results) {
	for i := range o.Findings {
		results = append(results, result(&o.Findings[i]))
	}
	return results
}

// All are the findings with the consequences, for tools that decide themselves what is an error.
func (o Outcome) All() []diag.Finding { return slices.Concat(o.Findings, o.Consequences) }

// Evaluate runs a function over a list and changes the list as the function
// does. With any error, before the user's severity overrides, the items stay as they
// came, unless the function keeps its changes.
func Evaluate(f Function, l *list.List) Outcome {
	return newRun(&f, l).evaluate()
}

// Collect returns findings about a list, of a function that ran elsewhere, as [Evaluate] returns them: in stable
// order, and accepted where the resources say so. Acceptances of other findings are not unused.
func Collect(f Function, l *list.List, findings ...diag.Finding) Outcome {
	r := newRun(&f, l)
	r.KeepAcceptances()
	r.readAcceptances()
	r.Report(findings...)
	return r.outcome()
}

func newRun(f *Function, l *list.List) *Run {
	reads := append([]list.GroupKind{{Group: ConfigGroup, Kind: f.Kind}}, f.Reads...)
	return &Run{function: f, reads: reads, list: l, collector: newCollector(f), skipped: map[diag.Resource]bool{}, skippedRules: map[string]bool{}}
}

// evaluate runs the processor, and puts the items back if its changes must not be kept.
func (r *Run) evaluate() Outcome {
	r.process()
	out := r.outcome()
	if c := r.collector; c.failed && (c.lost || !r.function.KeepsChanges) {
		r.list.Restore()
	}
	for _, item := range r.wanted {
		out.Wanted = append(out.Wanted, item.Resource())
	}
	return out
}

// outcome returns the findings of the run.
func (r *Run) outcome() (out Outcome) {
	out.Findings, out.Consequences = r.collector.findings(r.list)
	complete(r.list, out.Findings)
	complete(r.list, out.Consequences)
	for i := range out.Findings {
		out.Failed = out.Failed || out.Findings[i].Severity == diag.Error
	}
	return out
}

// unknownRule replaces a finding of a rule that the function does not have.
func unknownRule(f diag.Finding) diag.Finding {
	out := diag.Say("the function reported the rule %q, which it does not have", f.Rule.ID).
		Do("this is a defect of the function: please report it").Of(rule.InternalPanic)
	out.Origin = f.Origin
	return out
}

// process runs the processor.
func (r *Run) process() {
	defer func() {
		if cause := recover(); cause != nil {
			r.Report(panicFinding(cause, r.current))
		}
	}()
	if r.processor == nil {
		if r.waitsForConfig() {
			return
		}
		r.configure()
	}
	r.collector.overrides = r.readOverrides(r.processor.Config())
	r.readAcceptances()
	for i, item := range r.list.Items {
		if r.list.IsConfig(item) || item.IsKustomization() {
			continue
		}
		if _, isList := item.Elements(nil); isList {
			r.Report(NoList(item))
			continue
		}
		isWanted := item.Fault() == "" && !r.reportMisspelt(item) && r.wants(i)
		slips := item.Misspelt(isWanted)
		for _, f := range slips {
			r.Report(f.Of(rule.InputInvalid))
		}
		switch {
		case item.Fault() != "" && len(slips) == 0:
			r.Report(Faulty(item))
		case isWanted && item.Name() == "" && r.Faults().IsHidden(item.Resource(), "metadata.name"):
		case isWanted && item.Name() == "":
			r.Report(diag.Missing("").About(item.Resource(), "metadata.name").Of(rule.InputInvalid))
		case isWanted:
			r.wanted = append(r.wanted, item)
			r.checkMetadata(item)
		}
	}
	r.processor.Process(r)
	r.reportUnused()
}

// configure makes the processor, and reads its configuration.
func (r *Run) configure() {
	processor := r.function.New()
	r.readConfig(processor, processor.Config())
	if s, ok := processor.(Surveyor); ok {
		s.Survey(r.list.Items)
	}
	r.processor = processor
}

// wants reports whether the processor wants an item of the list.
func (r *Run) wants(i int) bool {
	if r.asked != nil {
		return r.asked[i]
	}
	return r.processor.Wants(r.list.Items[i])
}

// NoList returns the finding about a List, whose items kpt does not read:
//
//	apiVersion: v1
//	kind: List
//	items:
//	- apiVersion: v1
func NoList(item *list.Item) diag.Finding {
	f := diag.Say("kpt reads no List in a package").Do("write its items as documents of the file")
	return f.About(item.Resource(), "kind").Of(rule.InputInvalid)
}

// Faulty returns the finding about an item with a fault, see [list.Item.Fault].
func Faulty(item *list.Item) diag.Finding {
	f := diag.Say("%s", item.Fault())
	if _, err := item.Document(); err != nil {
		f = diag.Unreadable(err)
	}
	return f.From(diag.Whole(item.Resource())).Of(rule.InputInvalid)
}

// waitsForConfig reports whether the content of the functionConfig is still to be
// injected, and says so: until then it is not known what to do.
func (r *Run) waitsForConfig() bool {
	if values.Text(values.Field(r.list.Config(), "metadata", "annotations", injection.Annotation)) == "" {
		return false
	}
	item, err := r.list.ConfigItem()
	if err != nil || item.Fault() != "" {
		return false // reported when it is read
	}
	status := injection.NewReader(wholeList{r}).Of(item)
	status.Resource = r.list.ConfigResource()
	if status.IsPending {
		injection.Report(r, []injection.Status{status}, cmp.Or(r.function.Waiting, rule.NothingToDo), r.function.Name+" does nothing", "")
	}
	return status.IsPending
}

// Position returns which step of a pipeline the run is.
func (r *Run) Position() step.Position {
	config := step.Config{Root: r.list.Config()}
	if config.Root != nil {
		config.Resource = r.list.ConfigResource()
	}
	return step.Find(step.Function{Name: r.function.Name, Kind: r.function.Kind}, r.list.Items, config)
}

// wholeList is a run before it asks the processor which items it wants.
type wholeList struct{ *Run }

func (w wholeList) Items() []*list.Item { return w.list.Items }
