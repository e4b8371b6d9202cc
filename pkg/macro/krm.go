package macro

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/step"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function resolve-macros.
func Function() function.Function {
	return function.Function{
		Name:    rule.ResolveMacros,
		Kind:    "ResolveMacros",
		Mutates: true,
		Rules:   rule.By(rule.ResolveMacros),
		Kinds:   pack.Kinds(),
		Waiting: rule.MacroWaiting,
		New:     func() function.Processor { return &processor{} },
	}
}

// processor is one run of resolve-macros.
type processor struct {
	// config is the functionConfig, and run the run of the function.
	config Config
	run    *function.Run
	// position is the step of the pipeline that the run is.
	position step.Position
	// resolver resolves the macros of all jobs.
	resolver *Resolver
	// cluster is nil when there is none, and when it cannot be read.
	cluster *pack.ClusterContext
	// points are the injection points among the packs, overrides and chosen resources.
	points []injection.Status
	// injection tells which resources are pending.
	injection *injection.Reader
	// jobs are the documents to resolve, and bySource the same by their origins.
	jobs     []*job
	bySource map[*diag.Origin]*job
	// kept are the infos about values whose sources need facts that are not in this run.
	kept []diag.Finding
	// checks reports whether the run resolves nothing, see [Checker]. In this case, steps are the
	// configurations of the steps.
	checks bool
	steps  []Config
	// staying takes the macros of a run for packages that have no step, or nil for other runs.
	staying *staying
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item) || p.mayChoose(item) || mayStay(item) || hasSources(item)
}

// hasSources reports whether an item may have comments with sources.
func hasSources(item *list.Item) bool {
	return item.Name() != "" && bytes.Contains(item.Text(), []byte(hydration.Marker)) && !pack.InCluster(item)
}

// mayChoose reports whether an item may be one of the chosen resources, by its head.
func (p *processor) mayChoose(item *list.Item) bool {
	return slices.ContainsFunc(p.config.Resources, func(s selector.Selector) bool { return s.MatchesHead(item) }) && !pack.InCluster(item)
}

// Process makes the jobs, resolves them, and writes those that change. While a resource is pending, it
// puts back the sources instead.
func (p *processor) Process(run *function.Run) {
	p.run, p.injection, p.position, p.bySource = run, injection.NewReader(run), run.Position(), map[*diag.Origin]*job{}
	if p.checks {
		p.position = p.position.First()
	}
	set := pack.Load(p.reader(), p.config.Choice)
	packs := p.packs(set)
	chosen := p.resources(set.Items)
	p.resolver = NewResolver(p.context(set), packs)
	waits := p.cluster != nil && p.cluster.Injection.IsPending || slices.ContainsFunc(p.points, func(one injection.Status) bool { return one.IsPending })
	if p.staying != nil {
		p.staying.hasFacts = p.hasFacts(waits)
		defer p.reportUnresolved()
	}
	macros := 0
	for _, j := range p.jobs {
		run.Guard(j.origin.Resource, func() {
			switch {
			case p.staying != nil:
				p.stay(j)
			case p.checks && !waits:
				p.check(j)
			case p.checks:
			case waits:
				macros += p.wait(j)
			default:
				p.resolve(j)
			}
		})
	}
	if p.checks {
		return
	}
	for i := range p.config.Resources {
		s := &p.config.Resources[i]
		if !slices.ContainsFunc(run.Items(), s.MatchesHead) {
			f := diag.Say("no resource matches %s", s).IfUnseen("if one exists")
			path := fmt.Sprintf("%s[%d]", run.ConfigPath("resources"), i)
			run.Report(f.In(run.ConfigOrigin(), path, diag.Position{}).Of(rule.NothingToDo))
		}
	}
	if len(set.Packs) == 0 && !set.IsPartial() && chosen == 0 {
		run.NothingToDo("the package has no packs and no selected resources; if there are any, check the function's selectors")
	}
	p.reportKept()
	p.reportWaiting(macros)
}

// reader is the run for what reads packs, which reports nothing if this run checks: the steps do.
func (p *processor) reader() pack.Run {
	if p.checks {
		return pack.Quiet(p.run)
	}
	return p.run
}

// emit reports a finding, unless this run checks.
func (p *processor) emit(f diag.Finding) {
	if !p.checks {
		p.run.Report(f)
	}
}

// reportWaiting reports the pending resources, and the number of macros that stay because of them.
func (p *processor) reportWaiting(stay int) {
	consequence := diag.Count(stay, "macro") + " stay as they are"
	switch stay {
	case 0:
		consequence = "its macros stay as they are"
	case 1:
		consequence = "1 macro stays as it is"
	}
	if p.cluster != nil && (stay > 0 || !p.cluster.Injection.IsPending) {
		p.points = append(p.points, p.cluster.Injection)
	}
	injection.Report(p.run, p.points, rule.MacroWaiting, consequence, injection.Advice)
}

// reportKept reports the number of values that stay because of facts that are not in this run.
func (p *processor) reportKept() {
	if len(p.kept) == 0 {
		return
	}
	diag.Sort(p.kept)
	var names []string
	for _, f := range p.kept {
		names = append(names, strings.Fields(f.Tags["macro"])...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	first := p.kept[0]
	if len(p.kept) > 1 {
		f := diag.Say("%s stay as they are, because this run does not have %s", diag.Count(len(p.kept), "value"), diag.AllOf(names))
		f.Tags = map[string]string{"macro": strings.Join(names, " ")}
		first = f.In(first.Origin, first.Key, first.Position).Of(rule.MacroKept)
	}
	p.run.Report(first)
}

// context returns the facts of the ClusterContext and the functionConfig.
func (p *processor) context(set *pack.Set) Context {
	c := Context{SuppliedIn: "in a ClusterContext or in the functionConfig", Missing: p.config.Missing, Explain: p.config.Explain}
	name := p.config.ClusterContext
	for _, step := range p.steps {
		name = cmp.Or(step.ClusterContext, name)
	}
	if p.cluster, _ = pack.LoadCluster(p.reader(), name); p.cluster == nil {
		c.Without = pack.ClusterContextKind
	} else {
		for _, f := range c.supply(p.cluster.System, p.cluster.Variables, p.cluster.Macros) {
			p.emit(f.About(p.cluster.Resource, "spec."+f.Key).Of(rule.InputInvalid))
		}
	}
	for _, f := range c.supply(p.config.System, p.config.Variables, p.config.Macros) {
		p.run.ConfigInvalid(f.At(p.run.ConfigPath(f.Key), diag.Position{}))
	}
	if p.staying != nil {
		c.SuppliedIn = "in the ClusterContext"
		supplyProfiles(&c, set.Profiles)
	}
	for _, step := range p.steps {
		c.supply(step.System, step.Variables, step.Macros) // the steps report the findings
		c.Missing = step.Missing
	}
	return c
}

// reading determines how the values of an item are read.
func (p *processor) reading(isFirst bool) hydration.Reading {
	switch {
	case !isFirst:
		return hydration.Standing
	case p.config.Missing == Keep || p.position.MayBeStep || p.checks:
		return hydration.Partly
	}
	return hydration.Edited
}

// mode returns the comments that are written into a file. It is Bare for a client that has no
// files.
func mode(file string, isFirst bool) hydration.Mode {
	switch {
	case file == "":
		return hydration.Bare
	case isFirst:
		return hydration.Renew
	}
	return hydration.Add
}

// packs returns all packs for the resolver, and makes a job of each layer. It reports layers
// of the chosen ones that cannot be read.
func (p *processor) packs(set *pack.Set) []Pack {
	var packs []Pack
	isChosen := map[*pack.Pack]bool{}
	for _, one := range set.Chosen {
		isChosen[one] = true
	}
	for _, one := range set.Waiting {
		p.points = append(p.points, one.Statuses()...)
	}
	reported := map[*diag.Origin]bool{}
	for _, loaded := range set.Packs {
		known := Pack{Name: loaded.Name, Resource: loaded.Resource, Reported: isChosen[loaded]}
		var layers []*hydration.Sources
		effective, faults := loaded.EffectiveReadBy(func(s *pack.Source) (*values.Document, error) {
			j, err := p.source(s, loaded.Name)
			if err != nil {
				return nil, err
			}
			j.isChosen = j.isChosen || known.Reported
			layers = append(layers, j.sources)
			return j.sources.Part().From(s.Origin), nil
		})
		if known.Unreadable = effective == nil; effective != nil {
			known.Values = effective.Tree
			known.Result = func(n *yaml.Node) *yaml.Node {
				for _, layer := range layers {
					if result := layer.Result(n); result != nil {
						return result
					}
				}
				return nil
			}
		}
		packs = append(packs, known)
		if !known.Reported {
			continue
		}
		p.points = append(p.points, loaded.Statuses()...)
		for _, fault := range faults {
			reported[fault.Origin] = true
			p.emit(fault.Of(rule.MacroInvalid))
		}
		if effective != nil {
			for f := range effective.Duplicates() {
				if !reported[f.Origin] { // one override may be a layer of several packs
					p.emit(f.For(loaded.Name))
				}
			}
			for _, source := range effective.Layers {
				reported[source.Origin] = true
			}
		}
	}
	return packs
}
