package preset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function apply-preset.
func Function() function.Function {
	return function.Function{
		Name:    rule.ApplyPreset,
		Kind:    "ApplyPreset",
		Mutates: true,
		Rules:   rule.By(rule.ApplyPreset),
		Kinds:   pack.Kinds(),
		Waiting: rule.PresetWaiting,
		New:     func() function.Processor { return &processor{} },
	}
}

// processor is one run of apply-preset.
type processor struct {
	// config is the functionConfig, and run the run of the function.
	config Config
	run    *function.Run
	// jobs are the edits, in the order of the packs.
	jobs []*job
	// points are the injection points that presets were to be applied to.
	points []injection.Status
	// bySource has the jobs by what they edit.
	bySource map[*pack.Source]*job
}

// job is the edit of one source of values. Packs of one name share their overrides.
type job struct {
	// source is the document with the values.
	source *pack.Source
	pack   *pack.Pack // the first one
	// below are the values below the source, in each of the packs.
	below []*values.Tree
	// presets are the selected ones, in their order, known all of the pack.
	presets, known []pack.Preset
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool { return pack.Wants(item) || injection.Wants(item) }

// ReadsConditions implements [function.ConditionReader]: presets do not depend on the rest of a
// Kptfile.
func (p *processor) ReadsConditions() {}

// Process makes a job for each source of values that presets change, and applies all of them.
func (p *processor) Process(run *function.Run) {
	p.run = run
	set := pack.Load(run, p.config.Choice)
	references := p.config.references()
	p.reportOtherPacks(set, references)
	byPack := map[string][]Reference{}
	for _, r := range references {
		byPack[r.Pack] = append(byPack[r.Pack], r)
	}
	p.bySource = map[*pack.Source]*job{}
	for _, one := range set.Chosen {
		run.Guard(one.Resource, func() { p.plan(one, byPack[one.Name]) })
	}
	for _, one := range set.Chosen {
		layers := one.Layers()
		if one.Values == nil {
			layers = append(layers, one.OwnValues())
		}
		for _, source := range layers {
			run.Guard(source.Resource, func() { p.renew(source) })
		}
	}
	var infos []diag.Finding
	for _, j := range p.jobs {
		run.Guard(j.source.Resource, func() { infos = append(infos, p.apply(j)...) })
	}
	injection.Report(run, p.points, rule.PresetWaiting, "no preset is applied to its values", injection.Advice)
	switch {
	case run.Failed(): // nothing is written, and nothing applied
	case len(p.config.Presets) == 0:
		run.NothingToDo("no presets are configured; list them in spec.presets of an ApplyPreset (fn.kpt.dev/v1alpha1), or write PACK=PRESET")
	default:
		run.Report(infos...)
	}
}

// reportOtherPacks reports presets for packs that do not exist or are not chosen.
func (p *processor) reportOtherPacks(set *pack.Set, references []Reference) {
	chosen, present := namesOf(set.Chosen), namesOf(set.Packs)
	seen := map[string]bool{} // several presets may be in one field
	for _, r := range references {
		at := r.path("pack")
		if chosen[r.Pack] || seen[at] {
			continue
		}
		seen[at] = true
		isPack := func(one *pack.Pack) bool { return one.Name == r.Pack }
		if at := slices.IndexFunc(set.Waiting, isPack); at >= 0 {
			p.points = append(p.points, set.Waiting[at].Statuses()...)
			continue
		}
		if len(set.Waiting) > 0 && !present[r.Pack] {
			for _, one := range set.Waiting { // it may become that pack
				p.points = append(p.points, one.Statuses()...)
			}
			continue
		}
		if present[r.Pack] {
			f := diag.Say("no preset is applied to the pack %q, which %s does not select", r.Pack, p.run.ConfigPath("packs")).Do("add it there, or remove its presets")
			p.run.Report(f.In(p.run.ConfigOrigin(), at, diag.Position{}).Of(rule.NothingToDo))
			continue
		}
		f := set.NotFound(r.Pack)
		if option := nearest.Name(r.Pack, []string{"severity", "packs"}); r.field != "" && f.Nearest == "" && option != "" {
			f.Nearest, f.Unseen = option, ""
		}
		p.run.ConfigInvalid(f.At(at, diag.Position{}))
	}
}

// namesOf returns the names of packs.
func namesOf(packs []*pack.Pack) map[string]bool {
	names := make(map[string]bool, len(packs))
	for _, p := range packs {
		names[p.Name] = true
	}
	return names
}

// MaxPresets is the largest number of presets of a pack. Each of them is an edit of the values.
const MaxPresets = 100

// plan plans the application of the presets that are selected for a pack.
func (p *processor) plan(one *pack.Pack, from []Reference) {
	if len(from) == 0 {
		one.Skip(p.run)
		return
	}
	if len(from) > MaxPresets {
		f := diag.Got(fmt.Sprintf("%d presets for the pack %q", len(from), one.Name), fmt.Sprintf("at most %d", MaxPresets)).Do("join presets, or remove some here")
		p.run.ConfigInvalid(f.At(from[MaxPresets].path("name"), diag.Position{}))
		return
	}
	var names []string
	for _, r := range from {
		names = append(names, r.Name)
	}
	known, faulty, isComplete := p.readPresets(one)
	choices, faults := Choose(known, names...)
	for _, f := range faults {
		if f.Rule == rule.PresetUnknown && (!isComplete || len(matching(faulty, names[f.Index])) > 0) {
			continue // it only follows from a fault that is reported
		}
		if f.Rule == rule.PresetUnknown {
			f.Finding = unknown(slices.Concat(known, faulty), names[f.Index])
		}
		p.run.Report(f.For(one.Name).In(p.run.ConfigOrigin(), from[f.Index].path("name"), diag.Position{}))
	}
	effective := p.readValues(one)
	if effective == nil {
		return
	}
	jobs := map[int]*job{}
	for _, choice := range choices {
		if waiting := targetPoints(one, from[choice.Index].Into); len(waiting) > 0 {
			p.points = append(p.points, waiting...)
			continue
		}
		index, fault := target(one, from[choice.Index].Into)
		if fault != nil {
			p.run.ConfigInvalid(fault.At(from[choice.Index].path("into"), diag.Position{}))
			continue
		}
		if jobs[index] == nil {
			jobs[index] = &job{source: source(one, index), pack: one, known: known}
		}
		if !isIn(jobs[index].presets, choice.Preset) {
			jobs[index].presets = append(jobs[index].presets, choice.Preset)
		}
	}
	for index := ownValues; index < len(one.Overrides); index++ {
		if jobs[index] != nil {
			p.addJob(jobs[index], effective, index)
		}
	}
}

// addJob adds the job of a pack, or merges it with the job of another pack that shares the
// override. It warns about values that the presets cannot change.
func (p *processor) addJob(j *job, effective *pack.Effective, index int) {
	for _, f := range pathConflicts(j.presets) {
		p.run.Report(f.From(j.pack.Presets.Origin).For(j.pack.Name))
	}
	below, above := documents(j.pack, effective, index)
	for _, override := range above {
		for _, preset := range j.presets {
			for _, f := range overridden(preset, override) {
				p.run.Report(f.For(j.pack.Name))
			}
		}
	}
	if below != nil {
		j.below = []*values.Tree{below}
	}
	if other := p.bySource[j.source]; other != nil {
		if !slices.EqualFunc(j.presets, other.presets, Same) {
			f := diag.Say("packs named %q have different presets, and share these values", j.pack.Name).Do("rename one of the packs")
			p.run.Report(f.From(j.source.Origin).For(j.pack.Name).Of(rule.PresetInvalid))
		}
		other.below = append(other.below, j.below...)
		return
	}
	p.jobs, p.bySource[j.source] = append(p.jobs, j), j
}

// readPresets reads the presets of a pack and reports their faults. It returns the presets that can
// be applied, and the presets that cannot. isComplete reports whether the names of all presets are
// known.
func (p *processor) readPresets(one *pack.Pack) (presets, faulty []pack.Preset, isComplete bool) {
	all, faults := one.ReadPresets()
	isComplete = len(faults) == 0 && !one.Hides("presets.yaml")
	for _, preset := range all {
		faults = append(faults, preset.Faults...)
		switch {
		case len(preset.Faults) == 0:
			presets = append(presets, preset)
		case preset.Name == "":
			isComplete = false
		default:
			faulty = append(faulty, preset)
		}
	}
	for _, f := range duplicates(presets) {
		if one.Presets.Embedded {
			f.Found += fmt.Sprintf(" on lines %d and %d of %s", f.First.Line, f.Position.Line, one.Presets.Name)
			f.Kind = diag.KindPlaced
		}
		faults = append(faults, f.From(one.Presets.Origin).For(one.Name))
	}
	for _, f := range faults {
		p.run.Report(f.Of(rule.PresetInvalid))
	}
	return presets, faulty, isComplete
}

// readValues reads the layers of a pack's values. It returns nil if one of them cannot be read,
// which it reports.
func (p *processor) readValues(one *pack.Pack) *pack.Effective {
	effective, faults := one.EffectiveWithMacros()
	for _, f := range faults {
		p.run.Report(f.Do("fix it to apply presets").Of(rule.InputInvalid))
	}
	if effective == nil {
		return nil
	}
	sound := effective
	for f := range effective.Duplicates() {
		sound = nil
		p.run.Report(f.For(one.Name))
	}
	return sound
}

// renew brings what earlier versions recorded up to date.
func (p *processor) renew(source *pack.Source) {
	text, changed := source.Annotation(RecordAnnotation), map[string]string{}
	if record, faults := ParseRecord(text); len(faults) == 0 && olderRecord.MatchString(text) {
		changed[RecordAnnotation] = record.String()
	}
	if source.Annotation(leavesAnnotation) != "" {
		changed[leavesAnnotation] = ""
	}
	if len(changed) == 0 {
		return
	}
	if err := source.Annotate(changed); err != nil {
		p.run.Report(diag.Unreadable(err).From(source.Origin).Of(rule.InputInvalid))
	}
}

// apply makes the edit of a job and returns infos about the applied presets.
func (p *processor) apply(j *job) []diag.Finding {
	before := j.source.Annotation(RecordAnnotation)
	record, faults := ParseRecord(before)
	if len(faults) > 0 {
		p.run.Report(faults[0].About(j.source.Resource, "metadata.annotations["+RecordAnnotation+"]"))
		return nil
	}
	var infos []diag.Finding
	var effective *yaml.Node
	next := record
	err := j.source.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		t := Target{Document: d, At: at, Below: j.below}
		changed, err := t.changed(j.presets, record, j.known)
		if err != nil {
			return nil, err
		}
		for i, preset := range j.presets {
			if len(changed[i]) > 0 {
				f := diag.Say("preset %s sets %s again: a value of your own goes into an override (PackValues)", preset, diag.SomeOf(changed[i]))
				infos = append(infos, tagged(f.Of(rule.PresetReapplied), preset.Group, preset.Name))
			}
			var replaced string
			if next, replaced = next.with(preset, j.known); replaced != "" {
				infos = append(infos, j.replaced(t, preset, replaced)...)
			}
		}
		edited, err := t.Apply(j.presets...)
		if err == nil {
			effective = values.Follow(edited.Root(), at)
		}
		return edited, err
	})
	if after := next.String(); err == nil && after != before {
		err = j.source.Annotate(map[string]string{RecordAnnotation: after})
	}
	if err != nil {
		p.run.Report(j.failure(err))
		return nil
	}
	for _, below := range j.below {
		effective = overlay(below.Root(), effective)
	}
	for _, preset := range j.presets {
		for _, f := range misspelt(preset, effective) {
			infos = append(infos, f.From(j.pack.Presets.Origin))
		}
		f := diag.Say("preset %s is applied: %s", preset, describe(preset))
		infos = append(infos, tagged(f.Of(rule.PresetApplied), preset.Group, preset.Name))
	}
	for i := range infos {
		if infos[i].Origin == nil {
			infos[i] = infos[i].From(j.source.Origin)
		}
		infos[i] = infos[i].For(j.pack.Name)
	}
	return infos
}

// failure explains why a job could not be done.
func (j *job) failure(err error) diag.Finding {
	if own, ok := errors.AsType[*Error](err); ok {
		return own.finding().From(j.pack.Presets.Origin).For(j.pack.Name)
	}
	f := diag.Unreadable(err).From(j.source.Origin).For(j.pack.Name).Of(rule.InputInvalid)
	f.Kind, f.Found = diag.KindStatement, fmt.Sprintf("the presets of the pack %q cannot be applied: %s", j.pack.Name, f.Found)
	return f
}

// Added returns the paths of the values that a preset adds.
func Added(p pack.Preset) (paths []string) {
	walkLeaves(nil, added(p), nil, func(at []string, _, _ *yaml.Node) { paths = append(paths, strings.Join(at, ".")) })
	return paths
}

// describe returns a summary of a preset: the keys that it sets and removes.
func describe(p pack.Preset) string {
	var removed, parts []string
	for _, path := range p.Remove {
		if !has(added(p), path) && !slices.Contains(removed, path.String()) {
			removed = append(removed, path.String())
		}
	}
	if set := Added(p); len(set) > 0 {
		parts = append(parts, "sets "+diag.SomeOf(set))
	}
	if len(removed) > 0 {
		parts = append(parts, "removes "+diag.SomeOf(removed))
	}
	return cmp.Or(strings.Join(parts, "; "), "changes nothing")
}
