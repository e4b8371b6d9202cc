package function

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// annotationPrefix is what the suite's own annotations begin with.
const annotationPrefix = "packs.kpt.dev/"

// AcceptAnnotation holds the findings about its resource that its owner accepts, a
// line for each: `RULE: reason`, or `RULE KEY: reason`.
const AcceptAnnotation = annotationPrefix + "accept"

// annotations are all annotations of the suite.
var annotations = []string{
	AcceptAnnotation, annotationPrefix + "applied-presets", annotationPrefix + "imported", annotationPrefix + "injected-from",
	annotationPrefix + "source", annotationPrefix + "values-of", annotationPrefix + "variant-set",
}

func annotationNames() []string {
	var names []string
	for _, name := range annotations {
		names = append(names, strings.TrimPrefix(name, annotationPrefix))
	}
	return names
}

// acceptance is a line of the annotation.
type acceptance struct {
	resource          diag.Resource
	rule, key, reason string
	used              bool
}

// acceptances are the lines of all resources.
type acceptances map[diag.Resource][]*acceptance

// apply turns an accepted finding into an info that has the reason.
func (a acceptances) apply(f diag.Finding) diag.Finding {
	if len(a) == 0 || isCause(f.Rule) {
		return f
	}
	for _, line := range a[f.Resource()] {
		if line.rule != f.Rule.ID || line.key != "" && line.key != f.Key && line.key != f.Path() {
			continue
		}
		line.used = true
		f.Action = "accepted for " + f.Rule.ID + ": " + line.reason
		f.Rule, f.Severity, f.Proposed = diag.Accepted, diag.Info, nil
		return f
	}
	return f
}

// readAnnotations reads the suite's annotations of a resource, and reports unknown
// ones.
func (r *Run) readAnnotations(resource diag.Resource, given map[string]string) {
	for name, value := range given {
		switch {
		case name == AcceptAnnotation:
			for line := range strings.Lines(value) {
				if line = strings.TrimSpace(line); line != "" {
					r.accept(resource, line)
				}
			}
		case strings.HasPrefix(name, annotationPrefix) && !slices.Contains(annotations, name):
			f := diag.Unknown("annotation", name, annotations)
			// All names have the prefix, which makes them look more alike than they are.
			if f.Nearest = nearest.Name(strings.TrimPrefix(name, annotationPrefix), annotationNames()); f.Nearest != "" {
				f.Nearest = annotationPrefix + f.Nearest
			}
			r.Report(f.About(resource, annotationPath(name)).Of(diag.InputInvalid))
		}
	}
}

func annotationPath(name string) string { return "metadata.annotations[" + name + "]" }

// accept reads a line of the annotation.
func (r *Run) accept(resource diag.Resource, line string) {
	fault := func(f diag.Finding) {
		r.Report(f.About(resource, annotationPath(AcceptAnnotation)).Of(diag.InputInvalid))
	}
	of, reason, _ := strings.Cut(line, ": ")
	rule, key, _ := strings.Cut(strings.TrimSuffix(of, ":"), " ")
	switch {
	case strings.TrimSpace(reason) == "":
		fault(diag.Say("the line for %s has no reason; want RULE: reason, or RULE KEY: reason", rule).Do("say why the finding is accepted"))
	case slices.ContainsFunc(fixedRules, func(fixed diag.Rule) bool { return fixed.ID == rule }):
		fault(diag.Say("findings of %s cannot be accepted", rule).Do("correct them"))
	case !slices.Contains(suiteRules, rule) && !slices.ContainsFunc(r.collector.rules, func(own diag.Rule) bool { return own.ID == rule }):
		fault(diag.Unknown("rule", rule, suiteRules))
	default:
		if r.collector.acceptances == nil {
			r.collector.acceptances = acceptances{}
		}
		r.collector.acceptances[resource] = append(r.collector.acceptances[resource], &acceptance{resource, rule, strings.TrimSpace(key), strings.TrimSpace(reason), false})
	}
}

// readAcceptances reads the annotations of all items and of the functionConfig.
func (r *Run) readAcceptances() {
	if config := r.list.Config(); config != nil {
		r.readAnnotations(r.list.ConfigResource(), list.Texts(values.Field(config, "metadata", "annotations")))
	}
	for _, item := range r.list.Items {
		if item.Fault() != "" || !item.Mentions(annotationPrefix) || r.list.IsConfig(item) {
			continue
		}
		// An item that cannot be parsed is reported by the function that reads it.
		if _, given, err := item.Metadata(); err == nil {
			r.readAnnotations(item.Resource(), given)
		}
	}
}

// reportUnused reports acceptances of the function's own rules that no finding needed.
// After a fault that is unknown.
func (r *Run) reportUnused() {
	if r.collector.causes > 0 || r.collector.lost {
		return
	}
	for _, lines := range r.collector.acceptances {
		for _, line := range lines {
			if line.used || !slices.ContainsFunc(r.function.Rules, func(own diag.Rule) bool { return own.ID == line.rule }) {
				continue
			}
			at := ""
			if line.key != "" {
				at = " at " + line.key
			}
			r.Report(diag.Say("there is no finding of %s%s to accept", line.rule, at).Do("remove the line").
				About(line.resource, annotationPath(AcceptAnnotation)).Of(diag.AcceptUnused))
		}
	}
}
