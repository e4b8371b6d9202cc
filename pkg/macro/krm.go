package macro

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function resolve-macros.
func Function() function.Function {
	return function.Function{
		Name:    "resolve-macros",
		Kind:    "ResolveMacros",
		Mutates: true,
		Rules:   rule.By("resolve-macros"),
		Kinds:   pack.Kinds(),
		Waiting: rule.MacroWaiting,
		New:     func() function.Processor { return &processor{} },
	}
}

// Config is the spec of the kind ResolveMacros.
type Config struct {
	function.Options
	pack.Choice
	// ClusterContext names the ClusterContext to use, if there are several.
	ClusterContext string `json:"clusterContext"`
	// System, Variables and Macros are what macros may read. They replace those of
	// the ClusterContext. System names are nested by their dots.
	System    pack.Facts           `json:"system" flat:"-"`
	Variables map[string]pack.Text `json:"variables" flat:"-"`
	Macros    map[string]pack.Text `json:"macros" flat:"-"`
	// Missing says what happens to undefined names: empty (the default), error, or
	// keep, which leaves their macros in place.
	Missing Mode `json:"missing" enum:"empty,error,keep"`
	// Resources chooses resources whose text fields are resolved, too.
	Resources []selector.Selector `json:"resources"`
	// Explain asks for an info about each undefined name that takes its default or is
	// empty.
	Explain bool `json:"explain"`
}

// DataKeys returns the forms of the keys that ReadData takes.
func (c *Config) DataKeys() []string {
	return []string{"system.NAME", "variables.NAME", "macros.NAME"}
}

// ReadData takes the keys system.NAME, variables.NAME and macros.NAME of a
// ConfigMap.
func (c *Config) ReadData(key, value string) (known bool, err error) {
	kind, name, _ := strings.Cut(key, ".")
	switch {
	case name == "":
		return false, nil
	case kind == "system":
		put(&c.System, name, value)
	case kind == "variables":
		put(&c.Variables, name, pack.Text(value))
	case kind == "macros":
		put(&c.Macros, name, pack.Text(value))
	default:
		return false, nil
	}
	return true, nil
}

func put[M ~map[string]V, V any](m *M, name string, value V) {
	if *m == nil {
		*m = M{}
	}
	(*m)[name] = value
}

// processor is one run of resolve-macros.
type processor struct {
	config   Config
	run      *function.Run
	resolver *Resolver
	// cluster is nil when there is none, and when it cannot be read.
	cluster *pack.ClusterContext
	// points are the injection points among the packs, overrides and chosen resources.
	points    []injection.Status
	injection *injection.Reader
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item) || p.mayChoose(item) || mayStay(item)
}

// mayChoose reports whether an item may be one of the chosen resources, by its head.
func (p *processor) mayChoose(item *list.Item) bool {
	return slices.ContainsFunc(p.config.Resources, func(s selector.Selector) bool { return s.MatchesHead(item) }) && !pack.InCluster(item)
}

func (p *processor) Process(run *function.Run) {
	p.run, p.injection = run, injection.NewReader(run)
	set := pack.Load(run, p.config.Choice)
	packs, layers := p.packs(set)
	p.resolver = NewResolver(p.context(set), packs)
	for _, l := range layers {
		run.Guard(l.source.Resource, func() { p.layer(l) })
	}
	for i := range p.config.Resources {
		s := &p.config.Resources[i]
		if !slices.ContainsFunc(run.Items(), s.MatchesHead) {
			f := diag.Say("no resource matches %s", s).IfUnseen("if one exists")
			path := fmt.Sprintf("%s[%d]", run.ConfigPath("resources"), i)
			run.Report(f.In(run.ConfigOrigin(), path, diag.Position{}).Of(rule.NothingToDo))
		}
	}
	if chosen := p.resources(); len(set.Packs) == 0 && !set.IsPartial() && chosen == 0 {
		run.NothingToDo("the package has no packs and no chosen resources; if there are any, check the function's selectors")
	}
	p.reportWaiting()
}

// reportWaiting says which resources wait, and how many macros stay because of them.
func (p *processor) reportWaiting() {
	stay := p.resolver.Waiting()
	consequence := diag.Count(stay, "macro") + " stay as they are"
	switch stay {
	case 0:
		consequence = "its macros stay as they are"
	case 1:
		consequence = "1 macro stays as it is"
	}
	if p.cluster != nil && (stay > 0 || !p.cluster.Injection.Waits) {
		p.points = append(p.points, p.cluster.Injection)
	}
	injection.Report(p.run, p.points, rule.MacroWaiting, consequence, "")
}

// context returns the facts of the ClusterContext and the functionConfig.
func (p *processor) context(set *pack.Set) Context {
	c := Context{SuppliedIn: "in a ClusterContext or in the functionConfig", Missing: p.config.Missing, Explain: p.config.Explain}
	var faults []diag.Finding
	p.cluster, faults = pack.LoadCluster(p.run, p.config.ClusterContext)
	c.Incomplete, c.PacksWait = len(faults) > 0, len(set.Waiting) > 0
	if p.cluster != nil {
		c.Waits = p.cluster.Injection.Waits
		for _, f := range c.Supply(p.cluster.System, p.cluster.Variables, p.cluster.Macros) {
			p.run.Report(f.About(p.cluster.Resource, "spec."+f.Key).Of(rule.InputInvalid))
		}
	}
	for _, f := range c.Supply(p.config.System, p.config.Variables, p.config.Macros) {
		p.run.ConfigInvalid(f.At(p.run.ConfigPath(f.Key), diag.Position{}))
	}
	return c
}

// layer is a source of values to resolve, and the name of its pack.
type layer struct {
	source *pack.Source
	pack   string
}

// packs returns all packs for the resolver, and the layers of the chosen ones, each
// once. It reports layers of these that cannot be read and leaves them out.
func (p *processor) packs(set *pack.Set) ([]Pack, []layer) {
	var packs []Pack
	var layers []layer
	seen := map[*diag.Origin]bool{}
	isChosen := map[*pack.Pack]bool{}
	for _, one := range set.Chosen {
		isChosen[one] = true
	}
	for _, one := range set.Waiting {
		packs = append(packs, Pack{Name: one.Name, Resource: one.Resource, Waits: true})
		p.points = append(p.points, one.Statuses()...)
	}
	for _, loaded := range set.Packs {
		effective, faults := loaded.Effective()
		known := Pack{Name: loaded.Name, Resource: loaded.Resource, Unreadable: effective == nil, Waits: loaded.Waits(), Reported: isChosen[loaded]}
		if effective != nil {
			known.Values = effective.Tree
			for i, source := range effective.Layers {
				source.Retain(effective.Documents[i]) // the tree needs its nodes anyway
			}
		}
		packs = append(packs, known)
		if !known.Reported {
			continue
		}
		p.points = append(p.points, loaded.Statuses()...)
		for _, fault := range faults {
			seen[fault.Origin] = true
			p.run.Report(fault.Of(rule.MacroInvalid))
		}
		if effective != nil {
			for f := range effective.Duplicates() {
				if !seen[f.Origin] { // one override may be a layer of several packs
					p.run.Report(f.For(loaded.Name))
				}
			}
		}
		for _, source := range loaded.Layers() {
			if !seen[source.Origin] {
				seen[source.Origin] = true
				layers = append(layers, layer{source, loaded.Name})
			}
		}
	}
	return packs, layers
}

// layer resolves the values of one layer.
func (p *processor) layer(l layer) {
	err := l.source.Edit(func(d *values.Document, at []values.Step) (*values.Document, error) {
		return p.resolve(d, d.Part(values.Follow(d.Root(), at)).From(l.source.Origin), l.pack)
	})
	if err != nil {
		p.run.Report(diag.Say("%v", err).From(l.source.Origin).For(l.pack).Of(rule.MacroInvalid))
	}
}

// resolve resolves the values of a part of a document, reports the findings, and
// returns the edited document.
func (p *processor) resolve(d, part *values.Document, packName string) (*values.Document, error) {
	edits := p.resolver.resolveDocument(part, func(f diag.Finding) { p.run.Report(f.For(packName)) })
	if len(edits) == 0 {
		return d, nil
	}
	return d.ReplaceScalars(edits...)
}

// resources resolves the text fields of the resources that the configuration chooses,
// and returns their number. Packs and ClusterContexts are not among them.
func (p *processor) resources() int {
	chosen := 0
	for _, item := range p.run.Items() {
		p.run.Guard(item.Resource(), func() {
			if p.mayChoose(item) && !pack.IsCluster(item) && p.resource(item) {
				chosen++
			} else if mayStay(item) {
				p.stays(item)
			}
		})
	}
	return chosen
}

// resource resolves a resource, and reports whether the configuration chooses it.
func (p *processor) resource(item *list.Item) bool {
	origin := diag.Whole(item.Resource())
	document, err := item.Document()
	if err != nil {
		p.run.Report(diag.Unreadable(err).From(origin).Of(rule.InputInvalid))
		return false
	}
	matches := func(s selector.Selector) bool { return s.MatchesHead(item) && s.MatchesLabels(document.Root()) }
	if pack.Holds(item, document) || !slices.ContainsFunc(p.config.Resources, matches) {
		return false
	}
	status := p.injection.Of(item)
	p.points = append(p.points, status)
	if status.Waits {
		return true
	}
	document = document.From(origin)
	edited, err := p.resolve(document, document, "")
	switch {
	case err != nil:
		p.run.Report(diag.Say("%v", err).From(origin).Of(rule.MacroInvalid))
	case edited.Text() != document.Text():
		item.Replace(edited)
	}
	return true
}
