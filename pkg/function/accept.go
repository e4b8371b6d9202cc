package function

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// annotationPrefix is the prefix of the suite's own annotations.
const annotationPrefix = "packs.kpt.dev/"

// AcceptAnnotation holds the findings about its resource that its owner accepts, a
// line for each: `RULE: reason`, or `RULE KEY: reason`.
const AcceptAnnotation = annotationPrefix + "accept"

const valuesOfAnnotation = annotationPrefix + "values-of"

// annotations are all annotations of the suite.
var annotations = []string{
	AcceptAnnotation, annotationPrefix + "applied-presets", annotationPrefix + "imported", annotationPrefix + "injected-from",
	injection.SourceAnnotation, valuesOfAnnotation, annotationPrefix + "variant-set",
}

// foreign are the annotations of others that functions read.
var foreign = []string{injection.Annotation, "ocf.capact.io/generated-by", "operatorframework.io/properties"}

// former are annotations that functions wrote once. apply-preset removes them.
var former = []string{annotationPrefix + "preset-leaves"}

// known are all annotations that functions read.
var known = slices.Concat(annotations, foreign, former)

// Annotations returns the annotations of the suite, and the annotations of other projects that it
// reads. The harness reports names that are misspelt forms of them, or have the prefix of the
// suite.
func Annotations() []string { return slices.Clone(known) }

// annotationNames returns the names of our annotations without their prefix, for suggestions.
func annotationNames() []string {
	var names []string
	for _, name := range annotations {
		names = append(names, strings.TrimPrefix(name, annotationPrefix))
	}
	return names
}

// acceptances are the lines of all annotations, by what they accept.
type acceptances map[accepted]*acceptance

// accepted is what a line accepts; key is "" for any.
type accepted struct {
	// resource has the annotation, rule is the id of the rule, and key a path in the values or the
	// resource.
	resource  diag.Resource
	rule, key string
}

// acceptance is a line of the annotation: its reason, and whether a finding needed it.
type acceptance struct {
	reason string
	used   bool
}

// apply turns an accepted finding into an info that has the reason.
func (a acceptances) apply(f diag.Finding) diag.Finding {
	if line := a.line(&f); line != nil {
		line.used = true
		f.Action, f.Unseen, f.Note = "", "", "accepted ("+f.Rule.ID+"): "+line.reason
		f.Rule, f.Severity, f.Proposed = rule.Accepted, diag.Info, nil
	}
	return f
}

// line returns the line that accepts a finding, or nil if there is none.
func (a acceptances) line(f *diag.Finding) *acceptance {
	if len(a) == 0 || isFixed(f.Rule) {
		return nil
	}
	for _, key := range []string{f.Key, f.Path(), ""} {
		if line := a[accepted{f.Resource(), f.Rule.ID, key}]; line != nil {
			return line
		}
	}
	return nil
}

// IsAccepted reports whether the user accepts a finding or switched its rule off. The value is right
// then, and findings that are wrong only if it is not are reported.
func (r *Run) IsAccepted(f diag.Finding) bool {
	return r.collector.acceptances.line(&f) != nil || r.collector.overrides[f.Rule.ID] == diag.Off
}

// annotated is an object with annotations. text returns the text of an annotation, or "" if it is
// no text, and root returns the resource.
type annotated struct {
	// text is "" for an absent annotation, too.
	text func(name string) string
	root func() *yaml.Node
}

// annotationsOf returns the annotations of an item. The item is parsed only if root is called.
func annotationsOf(item *list.Item) annotated {
	return annotated{item.Annotation, func() *yaml.Node {
		document, err := item.Document()
		if err != nil {
			return nil // reported by the function that reads it
		}
		return document.Root()
	}}
}

// readAnnotations reports unknown annotations of a resource and those that are no texts, and reads
// the acceptances in the known one. Names that say nothing to functions become ordinary.
func (r *Run) readAnnotations(resource func() diag.Resource, names []string, ordinary map[string]bool, of annotated) {
	for _, name := range names {
		switch {
		case !slices.Contains(known, name):
			ordinary[name] = !r.unknownAnnotation(resource, name)
			continue
		case name == AcceptAnnotation:
			for line := range strings.Lines(of.text(name)) {
				if line = strings.TrimSpace(line); line != "" {
					r.accept(resource(), line)
				}
			}
		}
		if f := annotationFault(name, of); f != nil {
			r.Report(f.About(resource(), annotationPath(name)).Of(rule.InputInvalid))
		}
	}
}

// annotationFault returns the finding of a known annotation that is no text, or names no pack where it
// must. It is nil for all others.
func annotationFault(name string, of annotated) *diag.Finding {
	if !slices.Contains(known, name) || of.text(name) != "" {
		return nil
	}
	accepted := "a string"
	switch name {
	case AcceptAnnotation:
		accepted = "a string with a line for each finding (RULE: reason, or RULE KEY: reason)"
	case valuesOfAnnotation:
		accepted = "the name of a pack"
	}
	switch n := values.Field(of.root(), "metadata", "annotations", name); {
	case n == nil || values.Resolve(n).Kind == yaml.ScalarNode && name != valuesOfAnnotation:
		return nil
	case values.KindOf(n) == "a string":
		return new(diag.Got("an empty string", accepted))
	default:
		return new(diag.Got(values.KindOf(n), accepted))
	}
}

// unknownAnnotation reports an annotation that looks like one that functions read, and is
// none of them.
func (r *Run) unknownAnnotation(resource func() diag.Resource, name string) bool {
	near := nearest.Misspelt(name, known)
	if near == "" {
		given, isOurs := strings.CutPrefix(name, annotationPrefix)
		if !isOurs {
			return false
		}
		if given = nearest.Name(given, annotationNames()); given != "" {
			near = annotationPrefix + given // the common prefix makes all names similar
		}
	}
	f := diag.Unknown("annotation", name, annotations)
	if f.Nearest = near; slices.Contains(foreign, near) {
		f.Accepted = ""
	}
	r.Report(f.About(resource(), annotationPath(name)).Of(rule.InputInvalid))
	return true
}

func annotationPath(name string) string { return "metadata.annotations[" + name + "]" }

// accept reads a line of the annotation.
func (r *Run) accept(resource diag.Resource, line string) {
	fault := func(f diag.Finding) {
		r.Report(f.About(resource, annotationPath(AcceptAnnotation)).Of(rule.InputInvalid))
	}
	of, reason, _ := strings.Cut(line, ": ")
	id, key, _ := strings.Cut(strings.TrimSuffix(of, ":"), " ")
	switch {
	case strings.TrimSpace(reason) == "":
		fault(diag.Say("the line for %s has no reason; write RULE: reason, or RULE KEY: reason", id).Do("say why the finding is accepted"))
	case rule.Of(id).Fixed:
		fault(diag.Say("findings of %s cannot be accepted", id).Do("correct them"))
	case rule.Of(id).ID == "" && !slices.ContainsFunc(r.function.allRules(), func(own diag.Rule) bool { return own.ID == id }):
		fault(diag.Unknown("rule", id, rule.IDs(func(r rule.Rule) bool { return !r.Fixed })))
	default:
		if r.collector.acceptances == nil {
			r.collector.acceptances = acceptances{}
		}
		r.collector.acceptances[accepted{resource, id, strings.TrimSpace(key)}] = &acceptance{reason: strings.TrimSpace(reason)}
	}
}

// readAcceptances reads the annotations of all items and of the functionConfig.
func (r *Run) readAcceptances() {
	ordinary := map[string]bool{}
	if config := r.list.Config(); config != nil {
		given := values.ByName(values.Field(config, "metadata", "annotations"))
		of := annotated{func(name string) string { return values.Text(given[name]) }, func() *yaml.Node { return config }}
		r.readAnnotations(r.list.ConfigResource, slices.Sorted(maps.Keys(given)), ordinary, of)
	}
	for _, item := range r.list.Items {
		if item.Fault() != "" || r.list.IsConfig(item) {
			continue
		}
		// An item that cannot be parsed is reported by the function that reads it.
		if names, err := item.AnnotationNames(ordinary); err == nil {
			r.readAnnotations(item.Resource, names, ordinary, annotationsOf(item))
		}
	}
}

// Skip records that the configuration of the run excludes a resource. Its acceptances are not
// reported as unused, because another step may need them.
func (r *Run) Skip(resource diag.Resource) { r.skipped[resource] = true }

// SkipRule records that the configuration does not enable a rule.
func (r *Run) SkipRule(rule diag.Rule) { r.skippedRules[rule.ID] = true }

// KeepAcceptances records that some resources are not checked yet, so that no acceptance is unused.
func (r *Run) KeepAcceptances() { r.keepsAcceptances = true }

// checked are the resources that findings of the run can be about. They are not the
// functionConfigs of other steps, nor what the function does not look at with this
// configuration.
func (r *Run) checked() map[diag.Resource]bool {
	all := map[diag.Resource]bool{}
	if r.list.Config() != nil {
		all[r.list.ConfigResource()] = true
	}
	for _, item := range r.wanted {
		all[item.Resource()] = true
	}
	for resource := range r.skipped {
		delete(all, resource)
	}
	return all
}

// reportUnused reports acceptances of the function's own rules that no finding needed.
// After an error of another rule that is unknown: it may hide the finding.
func (r *Run) reportUnused() {
	if r.collector.fixed > 0 || r.collector.lost || r.keepsAcceptances {
		return
	}
	hidden := func(rule string) bool {
		errors := len(r.collector.errors)
		return errors > 1 || errors == 1 && !r.collector.errors[rule]
	}
	if len(r.collector.acceptances) == 0 {
		return
	}
	checked := r.checked()
	inOrder := func(a, b accepted) int {
		return cmp.Or(a.resource.Compare(b.resource), cmp.Compare(a.rule, b.rule), cmp.Compare(a.key, b.key))
	}
	// More than a limit are counted: which ones are listed must not depend on the map.
	for _, what := range slices.SortedFunc(maps.Keys(r.collector.acceptances), inOrder) {
		line := r.collector.acceptances[what]
		if line.used || !checked[what.resource] || r.skippedRules[what.rule] || hidden(what.rule) || !slices.ContainsFunc(r.function.Rules, func(own diag.Rule) bool { return own.ID == what.rule }) {
			continue
		}
		at := ""
		if what.key != "" {
			at = " at " + what.key
		}
		r.Report(diag.Say("there is no finding of %s%s to accept", what.rule, at).Do("remove the line").
			About(what.resource, annotationPath(AcceptAnnotation)).Of(rule.AcceptUnused))
	}
}
