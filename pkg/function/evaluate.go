package function

import (
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kptdev/krm-functions-sdk/go/fn"
)

// Outcome is what a run of a function comes to.
type Outcome struct {
	// Results are the function's own, in stable order.
	Results fn.Results
	// Failed says that there is a result of severity error: the program exits
	// with 1.
	Failed bool
}

// Evaluate runs a function over a list and changes the list as the function
// does. When anything is wrong, before users' severity overrides, the items stay
// as they came, unless the function keeps its changes.
func Evaluate(f Function, list *List) Outcome {
	r := &Run{function: &f, list: list}
	overrides := r.process()
	rules := map[string]Severity{}
	for _, rule := range f.allRules() {
		rules[rule.ID] = rule.Severity
	}
	wrong, lost := false, false
	for i := range r.findings {
		finding := &r.findings[i]
		severity, registered := rules[finding.Rule]
		if !registered {
			*finding = Finding{
				Rule: RulePanic.ID, Severity: Error, Resource: finding.Resource,
				Message: fmt.Sprintf("the function reported the rule %q, which it does not have; this is a defect of the function, please report it", finding.Rule),
			}
		}
		finding.Severity = cmp.Or(finding.Severity, severity)
		wrong = wrong || finding.Severity == Error
		lost = lost || finding.Rule == RulePanic.ID || finding.Rule == RuleConfigInvalid.ID
	}
	if wrong && (lost || !f.KeepsChanges) {
		list.restore()
	}
	sortFindings(r.findings)
	// Two packs that share an override would say the same of it.
	r.findings = slices.CompactFunc(r.findings, func(a, b Finding) bool { return reflect.DeepEqual(a, b) })
	var out Outcome
	for _, finding := range r.findings {
		if override, ok := overrides[finding.Rule]; ok {
			finding.Severity = override
		}
		if finding.Severity == Off {
			continue
		}
		out.Failed = out.Failed || finding.Severity == Error
		out.Results = append(out.Results, finding.result())
	}
	return out
}

// process runs the processor and returns the severity overrides.
func (r *Run) process() (overrides map[string]Severity) {
	defer func() {
		if cause := recover(); cause != nil {
			r.Report(panicFinding(cause, r.current))
		}
	}()
	processor := r.function.New()
	config := processor.Config()
	r.readConfig(processor, config)
	overrides = r.readOverrides(config)
	for _, item := range r.list.Items {
		if item.invalid != "" {
			r.Invalid(item.Resource(), "", describe(item)+item.invalid)
			continue
		}
		if r.list.isConfig(item) || !processor.Wants(item) {
			continue
		}
		if item.name == "" {
			r.Invalid(item.Resource(), "metadata.name", fmt.Sprintf("a %s without a name: set metadata.name", item.kind))
			continue
		}
		r.wanted = append(r.wanted, item)
	}
	processor.Process(r)
	return overrides
}

// describe names an item that may lack all that names it.
func describe(item *Item) string {
	if r := item.Resource(); r.Kind != "" || r.Name != "" {
		return strings.TrimSpace(r.String()) + ": "
	}
	return ""
}

// result makes the SDK's result of a finding.
func (f Finding) result() *fn.Result {
	out := &fn.Result{
		Message:  oneLineText(f.Message) + " [" + f.Rule + "]",
		Severity: fn.Severity(f.Severity),
		Tags:     map[string]string{"rule": f.Rule},
	}
	ref := fn.ResourceRef{
		APIVersion: f.Resource.APIVersion,
		Kind:       f.Resource.Kind,
		Namespace:  f.Resource.Namespace,
		Name:       f.Resource.Name,
	}
	if ref != (fn.ResourceRef{}) {
		out.ResourceRef = &ref
	}
	if f.Resource.File != "" {
		out.File = &fn.File{Path: f.Resource.File, Index: f.Resource.Index}
	}
	if f.Field != "" {
		out.Field = &fn.Field{Path: f.Field, CurrentValue: f.Current, ProposedValue: f.Proposed}
	}
	for key, value := range f.Tags {
		out.Tags[key] = value
	}
	for key, value := range map[string]string{"pack": f.Pack, "key": f.Key} {
		if value != "" {
			out.Tags[key] = value
		}
	}
	if f.Line > 0 && !f.InResource {
		out.Tags["line"] = strconv.Itoa(f.Line)
	}
	if f.Column > 0 && !f.InResource {
		out.Tags["column"] = strconv.Itoa(f.Column)
	}
	return out
}

// oneLineText makes a message one line, as clients print it, without characters
// that a terminal would obey.
func oneLineText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(strings.Fields(text), " "))
}

// panicFinding describes a panic without what it says, which may hold values.
func panicFinding(cause any, resource Resource) Finding {
	what := fmt.Sprintf("a panic with a value of type %T", cause)
	if err, ok := cause.(runtime.Error); ok {
		what = err.Error() // the runtime's own words: indexes and types
	}
	where := ""
	if file, line := panicSite(); file != "" {
		where = fmt.Sprintf(" at %s:%d", file, line)
	}
	about := ""
	if !resource.IsZero() {
		about = " while working on " + resource.String()
	}
	return Finding{
		Rule:     RulePanic.ID,
		Resource: resource,
		Message:  fmt.Sprintf("the function failed%s: %s%s; this is a defect of the function, please report it with the resource", about, what, where),
	}
}

// panicSite finds the place in this project where a panic began.
func panicSite() (file string, line int) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicked := false
	for {
		frame, more := frames.Next()
		panicked = panicked || frame.Function == "runtime.gopanic"
		if _, path, ok := strings.Cut(frame.Function, "krm-packs/functions/"); ok && panicked && !strings.HasPrefix(path, "pkg/function.panicFinding") {
			dir := path[:strings.LastIndexByte(path, '/')+1]
			if at := strings.IndexByte(path[len(dir):], '.'); at >= 0 {
				dir = path[:len(dir)+at]
			}
			return dir + frame.File[strings.LastIndexByte(frame.File, '/'):], frame.Line
		}
		if !more {
			return "", 0
		}
	}
}

// restore undoes all changes of the list.
func (l *List) restore() {
	l.Items = slices.DeleteFunc(l.Items, func(i *Item) bool { return i.added })
	for _, item := range l.Items {
		item.removed, item.edited = false, ""
	}
}
