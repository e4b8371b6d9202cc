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
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/rule"
)

// Hidden are packs and overrides that a function reads, and does not get.
type Hidden struct {
	step *Step
	// by is the field of the entry that hides them: `selectors`, `exclude[0]`.
	by    string
	items []*list.Item
}

// Hides returns which of the packs and overrides among the items of its package the
// selectors of a function of this suite hide from it.
func (s *Step) Hides(items []*list.Item) ([]Hidden, error) {
	if s.Function.New == nil || len(s.Entry.Selectors)+len(s.Entry.Exclude) == 0 {
		return nil, nil
	}
	processor := s.Function.New()
	var all []Hidden
	for _, item := range items {
		if item.Fault() != "" || !pack.Wants(item) || !processor.Wants(item) {
			continue
		}
		count, by, err := s.choose(item)
		if err != nil {
			return nil, err
		}
		if count > 0 {
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
	return all, nil
}

// shownHidden is the number of hidden resources that a message names.
const shownHidden = 5

func (h *Hidden) finding() diag.Finding {
	names := make([]string, 0, len(h.items))
	for _, item := range h.items[:min(len(h.items), shownHidden)] {
		names = append(names, item.Resource().InFile())
	}
	if more := len(h.items) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return diag.Say("hides %s from %s, which reads packs and their overrides", diag.AllOf(names), h.step.Function.Name).
		Do("choose them too, or accept this finding").Of(rule.PipelineHidden)
}

// Judge returns a function that reports what is wrong with Kptfiles, with a severity for
// fields that the suite does not know. Kptfiles and their resources are by the paths of
// their packages.
func Judge(kptfiles map[string]*kptpackage.Kptfile, resources map[string]diag.Resource, unknown diag.Severity, hidden []Hidden) function.Function {
	return function.Function{
		Name: "check-pipeline", Rules: rule.By("packfn check Kptfiles"), Kinds: kptpackage.Kinds(),
		New: func() function.Processor { return &judge{kptfiles, resources, unknown, hidden} },
	}
}

type judge struct {
	kptfiles  map[string]*kptpackage.Kptfile
	resources map[string]diag.Resource
	unknown   diag.Severity
	hidden    []Hidden
}

func (j *judge) Config() any { return &struct{}{} }

func (j *judge) Wants(item *list.Item) bool {
	return path.Base(item.Resource().File) == kptpackage.KptfileName && item.Name() != ""
}

func (j *judge) Process(run *function.Run) {
	for _, dir := range slices.Sorted(maps.Keys(j.kptfiles)) {
		for _, f := range j.kptfiles[dir].Unknown {
			f.Severity = j.unknown
			if f.Nearest == "" {
				f.Action = "correct it, or use a newer version of packfn"
			}
			run.Report(f.About(j.resources[dir], f.Key).Of(rule.KptfileUnknownField))
		}
	}
	for _, h := range j.hidden {
		run.Report(h.finding().About(j.resources[h.step.Package], h.step.Field+"."+h.by))
	}
}

// HasWork reports whether a judge of Kptfiles has something to report: a finding, or an
// acceptance of one.
func HasWork(kptfiles map[string]*kptpackage.Kptfile, hidden []Hidden) bool {
	for _, kptfile := range kptfiles {
		accepted := kptfile.Annotations[function.AcceptAnnotation]
		if len(kptfile.Unknown) > 0 || slices.ContainsFunc(rule.By("packfn check Kptfiles"), func(r diag.Rule) bool { return strings.Contains(accepted, r.ID) }) {
			return true
		}
	}
	return len(hidden) > 0
}
