package preset

import (
	"errors"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function apply-preset.
func Function() function.Function {
	return function.Function{
		Name:    "apply-preset",
		Kind:    "ApplyPreset",
		Mutates: true,
		Rules: []function.Rule{
			{ID: string(RuleUnknown), Severity: function.Error},
			{ID: string(RuleGroupConflict), Severity: function.Error},
			{ID: string(RuleInvalid), Severity: function.Error},
			{ID: string(RulePathConflict), Severity: function.Warning},
			{ID: string(RuleApplied), Severity: function.Info},
		},
		New: func() function.Processor { return &applier{told: map[string]bool{}} },
	}
}

type applier struct {
	config Config
	run    *function.Run
	jobs   []*job
	// told are the errors that were reported: packs of one name share overrides,
	// whose faults are told once.
	told map[string]bool
	// mischoices are what is wrong with the names that presets are asked for by.
	mischoices []mischoice
}

// job is the edit of one source, for all packs that it is part of.
type job struct {
	target *pack.Source
	packs  []*pack.Pack
	uses   []Use
}

func (a *applier) Config() any { return &a.config }

func (a *applier) Wants(item *function.Item) bool { return pack.Wants(item) }

func (a *applier) Process(run *function.Run) {
	a.run = run
	set := pack.Load(run, a.config.Choice)
	references := a.config.references()
	a.unknownPacks(set, references)
	asked := false
	for _, p := range set.Chosen {
		run.Guard(p.Resource, func() { asked = a.pack(p, references) || asked })
	}
	var applied []function.Finding
	a.reportMischoices()
	for _, j := range a.jobs {
		run.Guard(j.target.Resource, func() { applied = append(applied, a.apply(j)...) })
	}
	switch {
	case len(a.config.Presets) == 0 && !a.config.given && !run.Failed():
		run.NothingToDo("no presets are configured: list them in spec.presets of an ApplyPreset (fn.kpt.dev/v1alpha1), or give them as PACK=PRESET")
	case !asked && !run.Failed() && len(references) > 0:
		run.NothingToDo("the presets are for packs that are not chosen by packs; remove them, or add their packs there")
	case !run.Failed(): // otherwise nothing is written, and nothing applied
		run.ReportLegacy(applied...)
	}
}

// unknownPacks reports presets for packs that are not in the list.
func (a *applier) unknownPacks(set *pack.Set, references []reference) {
	var names, told []string
	for _, p := range set.Packs {
		names = append(names, p.Name)
	}
	for _, r := range references {
		if at := r.path("pack"); !slices.Contains(names, r.Pack) && !slices.Contains(told, at) {
			told = append(told, at) // several presets may stand in one field
			known := names
			if r.field != "" { // a ConfigMap, where options stand beside packs
				known = append(slices.Clone(names), "severity", "packs")
			}
			a.run.LegacyConfigInvalid(at, fmt.Sprintf("%s: no pack is named %q%s; if the pack is in the package, a selector of the function may hide it", at, r.Pack, nearest.Hint(r.Pack, known)))
		}
	}
}

// pack plans the application of what is asked for a pack, and reports whether
// anything is.
func (a *applier) pack(p *pack.Pack, references []reference) bool {
	var names []string
	var from []reference
	for _, r := range references {
		if r.Pack == p.Name {
			names, from = append(names, r.Name), append(from, r)
		}
	}
	if len(names) == 0 {
		return false
	}
	presets, faulty, readable := a.presets(p)
	chosen, faults := Choose(presets, names...)
	for _, f := range faults {
		at := from[f.Name].path("name")
		if f.Rule == RuleUnknown && (!readable || isFaulty(faulty, from[f.Name].Name)) {
			continue // what is wrong with it is told
		}
		a.blame(p, at, f)
	}
	for _, c := range PathConflicts(chosen) {
		if c.First.Group != "" && c.First.Group == c.Second.Group {
			continue // an error already
		}
		f := function.Locate(p.Presets.Origin, function.Finding{
			Rule: string(RulePathConflict), Pack: p.Name,
			Message: fmt.Sprintf("%s: the presets %s and %s set it to different values, and the last one counts; apply one of them, or set it by an override (%s)", c.Path, c.First, c.Second, p.Presets.Place(c.Second.Position)),
		}, "", c.Second.Position)
		f.Key = c.Path
		a.run.ReportLegacy(f)
	}
	if below := a.below(p); below != nil && len(chosen) > 0 {
		a.plan(p, Use{Below: below, Presets: chosen})
	}
	return true
}

// isFaulty reports whether a name is that of a preset with faults.
func isFaulty(faulty []pack.Preset, name string) bool { return len(bearing(faulty, name)) > 0 }

// presets reads the presets of a pack and reports their faults. It returns those
// that can be applied and those that cannot. readable says whether all presets there
// are are known.
func (a *applier) presets(p *pack.Pack) (presets, faulty []pack.Preset, readable bool) {
	invalid := function.Rule{ID: string(RuleInvalid), Severity: function.Error}
	all, faults := p.ReadPresets()
	for _, f := range faults {
		a.run.Report(f.Of(invalid))
	}
	readable = len(faults) == 0
	for _, preset := range all {
		for _, f := range preset.Faults {
			a.run.Report(f.Of(invalid))
		}
		switch {
		case len(preset.Faults) == 0:
			presets = append(presets, preset)
		case preset.Name == "":
			readable = false
		default:
			faulty = append(faulty, preset)
		}
	}
	for _, pair := range Twice(presets) {
		message := fmt.Sprintf("the preset %s stands twice; give one of them another name", pair[1])
		if p.Presets.Embedded {
			message = fmt.Sprintf("the preset %s stands on line %d and again on line %d; give one of them another name", pair[1], pair[0].Position.Line, pair[1].Position.Line)
		}
		a.invalid(p, "", message, pair[1].Position)
	}
	return presets, faulty, readable
}

// invalid reports a fault of a presets.yaml at a path of it.
func (a *applier) invalid(p *pack.Pack, path, message string, at values.Position) {
	f := function.Locate(p.Presets.Origin, function.Finding{
		Rule: string(RuleInvalid), Pack: p.Name,
		Message: fmt.Sprintf("%s (%s)", message, p.Presets.Place(at)),
	}, "", at)
	if f.Key = path; f.InResource && path != "" {
		f.Field = path // which leads through the resource already
	}
	a.report(f)
}

// below returns what lies below the values that are edited, nil when a layer of
// the pack's values can not be read, which it reports.
func (a *applier) below(p *pack.Pack) *values.Tree {
	effective, faults := p.Effective()
	for _, f := range faults {
		a.run.Report(f.Of(function.RuleInputInvalid).Do(fmt.Sprintf("fix it: no preset is applied to the pack %q before", p.Name)))
	}
	if effective == nil {
		return nil
	}
	duplicates := effective.Duplicates()
	for _, f := range duplicates {
		a.run.Report(f.Of(function.RuleInputInvalid).For(p.Name))
	}
	if len(duplicates) > 0 {
		return nil
	}
	return p.Below(effective)
}

// plan adds a use to the job of its target: packs of one name share overrides,
// which are edited once.
func (a *applier) plan(p *pack.Pack, use Use) {
	target := p.Target()
	for _, j := range a.jobs {
		if j.target == target {
			j.packs, j.uses = append(j.packs, p), append(j.uses, use)
			return
		}
	}
	a.jobs = append(a.jobs, &job{target, []*pack.Pack{p}, []Use{use}})
}

// apply makes the edit of a job and returns what there is to say about it.
func (a *applier) apply(j *job) []function.Finding {
	var result *Result
	err := j.target.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		var err error
		if result, err = (Target{Document: d, At: at}).Apply(j.uses...); err != nil {
			return nil, err
		}
		return result.Document, nil
	})
	if err != nil {
		a.failed(j, err)
		return nil
	}
	return applied(j, result)
}

// failed reports why a job could not be done.
func (a *applier) failed(j *job, err error) {
	p := j.packs[0]
	var own *Error
	if errors.As(err, &own) {
		a.invalid(p, "", fmt.Sprintf("the preset %s can not be applied: %s", own.Preset, own.Reason), own.Preset.Position)
		return
	}
	at, reason := values.ErrorPosition(err), err
	var refused *values.EditError
	if errors.As(err, &refused) {
		at = refused.Position
		if !j.target.Embedded { // lines of a mapping are nothing a user could look up
			reason = &values.EditError{Reason: refused.Reason}
		}
	}
	a.report(function.Locate(j.target.Origin, function.Finding{
		Rule: function.RuleInputInvalid.ID, Pack: p.Name,
		Message: fmt.Sprintf("%s: the presets of the pack %q can not be applied to it: %v", j.target.Name, p.Name, reason),
	}, "", at))
}

// report reports an error, once.
func (a *applier) report(f function.Finding) {
	if key := fmt.Sprint(f.Rule, f.Resource, f.Field, f.Line, f.Message); !a.told[key] {
		a.told[key] = true
		a.run.ReportLegacy(f)
	}
}
