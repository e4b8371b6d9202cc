package pipeline

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/rule"
)

// Hidden are packs and overrides that a function reads, and does not get.
type Hidden struct {
	// step is the function, and items are what it does not get.
	step *Step
	// by is the field of the entry that hides them: `selectors`, `exclude[0]`.
	by    string
	items []*list.Item
}

// Hides returns which of the packs and overrides among the items of its package the
// selectors of a function of this suite hide from it.
func (s *Step) Hides(items []*list.Item) []Hidden {
	if s.Function.New == nil || len(s.Entry.Selectors)+len(s.Entry.Exclude) == 0 {
		return nil
	}
	processor := s.Function.New()
	var all []Hidden
	for _, item := range items {
		if item.Fault() != "" || !pack.Wants(item) || !processor.Wants(item) {
			continue
		}
		count, by, err := s.choose(item)
		if count > 0 || err != nil {
			continue
		}
		if document, err := item.Document(); err != nil || !pack.Holds(item, document) {
			continue // what cannot be read is reported by those that get it
		}
		at := slices.IndexFunc(all, func(h Hidden) bool { return h.by == by })
		if at < 0 {
			at, all = len(all), append(all, Hidden{step: s, by: by})
		}
		all[at].items = append(all[at].items, item)
	}
	return all
}

// shownHidden is the number of hidden resources that a message names.
const shownHidden = 5

// finding returns the finding about the resources, the first of them by name.
func (h *Hidden) finding() diag.Finding {
	names := make([]string, 0, len(h.items))
	for _, item := range h.items[:min(len(h.items), shownHidden)] {
		names = append(names, item.Resource().InFile())
	}
	if more := len(h.items) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return diag.Say("hides %s from %s, which reads packs and their overrides", diag.AllOf(names), h.step.Function.Name).
		Do("select them too, or accept this finding").Of(rule.PipelineHidden)
}

// Checker reports the faults of the Kptfiles of a package and its subpackages.
type Checker struct {
	// Kptfiles and Resources are by the paths of their packages.
	Kptfiles map[string]*kptpackage.Kptfile
	// Resources are the Kptfiles as resources.
	Resources map[string]diag.Resource
	// Steps are the steps of the pipelines, and Functions the functions of the suite.
	Steps []Step
	// Functions are those whose names may be misspelt.
	Functions []function.Function
	// Hidden are the resources that selectors exclude.
	Hidden []Hidden
}

// Function returns a function that reports about the Kptfiles among its items.
func (j *Checker) Function() function.Function {
	return function.Function{
		Name: "check-pipeline", Rules: rule.By("packfn check Kptfiles"), Kinds: kptpackage.Kinds(),
		New: func() function.Processor { return j },
	}
}

// Config returns no fields.
func (j *Checker) Config() any { return &struct{}{} }

// Wants reports whether an item is a Kptfile.
func (j *Checker) Wants(item *list.Item) bool {
	return path.Base(item.Resource().File) == kptpackage.KptfileName && item.Name() != ""
}

// Process reports the findings.
func (j *Checker) Process(run *function.Run) { run.Report(j.findings()...) }

// findings returns the faults, each about a field of a Kptfile.
func (j *Checker) findings() (all []diag.Finding) {
	add := func(f diag.Finding, dir, field string) { all = append(all, f.About(j.Resources[dir], field)) }
	for _, dir := range slices.Sorted(maps.Keys(j.Kptfiles)) {
		for _, f := range j.Kptfiles[dir].Unknown {
			if f.Nearest == "" {
				f.Action = "correct it, or use a newer version of packfn"
			}
			add(f.Of(rule.KptfileUnknownField), dir, f.Key)
		}
	}
	for i := range j.Steps {
		step := &j.Steps[i]
		if f, field := step.misspelt(j.Functions); field != "" {
			add(f, step.Package, step.Field+field)
		}
		for field, f := range step.misused() {
			add(f, step.Package, step.Field+field)
		}
	}
	for _, h := range j.Hidden {
		add(h.finding(), h.step.Package, h.step.Field+"."+h.by)
	}
	return all
}

// HasWork reports whether there is something to report: a finding, or an acceptance of one.
func (j *Checker) HasWork() bool {
	for _, kptfile := range j.Kptfiles {
		accepted := kptfile.Annotations[function.AcceptAnnotation]
		if slices.ContainsFunc(rule.By("packfn check Kptfiles"), func(r diag.Rule) bool { return strings.Contains(accepted, r.ID) }) {
			return true
		}
	}
	return len(j.findings()) > 0
}
