package dependency

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function check-dependencies.
func Function() function.Function { return FunctionWith(With{}) }

// FunctionWith returns the function with what packfn adds to it.
func FunctionWith(with With) function.Function {
	return function.Function{
		Name:    rule.CheckDependencies,
		Kind:    "CheckDependencies",
		Checks:  true,
		Rules:   with.rules(),
		Reads:   readKinds,
		Kinds:   pack.Kinds(),
		Waiting: rule.DependencyWaiting,
		New:     func() function.Processor { return &processor{with: with} },
	}
}

// processor is one run of check-dependencies.
type processor struct {
	// with are the options of packfn, config is the functionConfig, and run the run of the function.
	with   With
	config Config
	run    *function.Run
	// set are the packs as package pack reads them.
	set *pack.Set
	// cluster is nil when there is none, and when it cannot be read.
	cluster *pack.ClusterContext
	// packs are the packs of the set, and loaded is what they were read from.
	packs  []*Pack
	loaded map[*Pack]*pack.Pack
	// isChosen are the packs that the configuration chooses, and byResource the packs by their
	// resources.
	isChosen   map[*pack.Pack]bool
	byResource map[diag.Resource]*Pack
	// advisor finds versions to suggest.
	advisor *advisor
	// count is the number of bundles, packs included. candidates contains the number of candidates
	// of each package.
	count      int
	candidates map[string]int
	// tooNew are the candidates that need a newer Kubernetes.
	tooNew []tooNew
	// isUnread reports whether some input could not be read and was reported, so that a missing
	// bundle may exist.
	isUnread bool
	// points are the injection points among the packs, the bundles, the constraints and
	// the ClusterContext.
	points []injection.Status
	// injection tells which resources are pending.
	injection *injection.Reader
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item) || wantsBundle(item) || wantsConstraint(item)
}

// Process reads packs and bundles, and checks the dependencies of packs, the requirements of bundles
// and the constraints of the cluster.
func (p *processor) Process(run *function.Run) {
	p.run, p.injection = run, injection.NewReader(run)
	p.candidates = map[string]int{}
	p.loaded, p.byResource = map[*Pack]*pack.Pack{}, map[diag.Resource]*Pack{}
	invalid := map[*pack.Pack][]diag.Finding{}
	p.set = pack.Load(run, p.config.Choice, func(loaded *pack.Pack, metadata *yaml.Node) {
		if findings := p.pack(loaded, metadata); len(findings) > 0 {
			invalid[loaded] = findings
		}
	})
	p.isChosen = map[*pack.Pack]bool{}
	for _, loaded := range p.set.Chosen {
		p.isChosen[loaded] = true
		run.Report(invalid[loaded]...)
	}
	for _, one := range p.set.Waiting {
		p.points = append(p.points, one.Points[0].Status)
	}
	if p.cluster, _ = pack.LoadCluster(run, p.config.ClusterContext); p.cluster != nil {
		p.points = append(p.points, p.cluster.Injection)
	}
	installed := p.installed()
	p.advisor = newAdvisor(p.offers())
	for _, one := range p.packs {
		p.advisor.addPack(one)
	}
	for _, one := range installed {
		p.advisor.addInstalled(one)
	}
	set := constraint.ReadEach(p.bundles, p.clusterFacts())
	for name, demands := range p.demands(set) {
		for _, d := range demands {
			p.advisor.add(name, Demand{By: d.By, Wants: d.Wants, Accepts: d.Accepts, Thresholds: d.Thresholds})
		}
	}
	checker := p.checker(set, installed)
	p.advisor.Kubernetes, p.advisor.Obstacle = p.kubernetes(), checker.Obstacle
	p.checkPacks(installed)
	p.checkCloud()
	run.Report(checker.Check()...)
	p.reportTooNew()
	hasPoint := len(p.points) > 1 || len(p.points) == 1 && p.cluster == nil
	if p.count > 0 || hasPoint {
		injection.Report(run, p.points, rule.DependencyWaiting, "requirements that depend on it are not checked", injection.Advice)
	}
	if p.with.Candidates != nil {
		return
	}
	if p.count == 0 && !p.isUnread && !p.set.IsPartial() && !hasPoint {
		run.NothingToDo("the package has no packs and no bundles: a pack is a ConfigMap with the key pack.json, or a Pack (" + pack.GroupVersion + "), a bundle is a ConfigMap with the key bundle.yaml, or a ClusterServiceVersion; if there is one, check the function's selectors")
	}
}

// pack reads the dependencies of a pack from its metadata, and returns their faults.
func (p *processor) pack(loaded *pack.Pack, metadata *yaml.Node) []diag.Finding {
	one := &Pack{
		Name: loaded.Name, Version: loaded.Version, Layer: loaded.Layer, Origin: loaded.Metadata.Origin,
		VersionAt: values.At(values.Field(metadata, "version")), clouds: cloudsOf(metadata),
	}
	var findings []diag.Finding
	one.Dependencies, findings = Read(metadata)
	p.packs = append(p.packs, one)
	p.loaded[one], p.byResource[loaded.Resource] = loaded, one
	for i, f := range findings {
		findings[i] = f.From(one.Origin).For(one.Name).Of(rule.DependencyInvalid)
	}
	return findings
}

// checkPacks reports which requirements of the chosen packs are not satisfied.
func (p *processor) checkPacks(installed []*Pack) {
	context := Context{Packs: p.packs, Installed: installed, advisor: p.advisor, IsUnread: p.set.Unread}
	context.Kubernetes = p.kubernetes()
	if context.without = pack.ClusterContextKind; p.cluster != nil {
		context.without = pack.Fact(pack.KubernetesPath)
	}
	context.IsPending = len(p.set.Waiting) > 0
	context.IsKubernetesPending = p.cluster != nil && p.cluster.Injection.IsPending
	chosen := slices.DeleteFunc(slices.Clone(p.packs), func(one *Pack) bool { return !p.isChosen[p.loaded[one]] })
	p.run.Report(Check(chosen, context)...)
}

// waits reports whether content that may satisfy requirements is still to be injected.
func (p *processor) waits() bool {
	return slices.ContainsFunc(p.points, func(one injection.Status) bool { return one.IsPending })
}

// isWaiting reports whether the content of a bundle or a constraint is still to be injected.
func (p *processor) isWaiting(item *list.Item) bool {
	status := p.injection.Of(item)
	if status != (injection.Status{}) {
		p.points = append(p.points, status)
	}
	return status.IsPending
}

// kubernetes returns the Kubernetes of the cluster, or nil if its version is not known.
func (p *processor) kubernetes() *Pack {
	version, in := p.cluster.Kubernetes()
	if version == "" {
		return nil
	}
	return &Pack{Name: "kubernetes", Version: version, Origin: diag.Whole(in), VersionKey: pack.KubernetesPath}
}

// checker returns the checker of the requirements of bundles.
func (p *processor) checker(set *constraint.Set, installed []*Pack) *constraint.Checker {
	var checker *constraint.Checker
	checker = set.Checker(constraint.Options{
		AreApart:   p.set.AreApart,
		Scope:      constraint.Scope(p.config.Scope),
		Candidates: p.with.candidates(),
		IsChecked:  p.isChecked,
		IsExempt: func(name, text string) bool {
			return slices.ContainsFunc(installed, func(one *Pack) bool { return one.Name == name && isSameVersion(one.Version, text) })
		},
		Suggest:   func(q constraint.Question) constraint.Suggestion { return p.suggest(q, checker) },
		IsUnread:  p.isUnread || p.set.Unread,
		IsPending: p.waits(),
	})
	return checker
}

// isChecked reports whether the requirements of a bundle are checked. If bundles are candidates,
// packs are not, which are selected.
func (p *processor) isChecked(b *constraint.Bundle) bool {
	switch {
	case p.with.Candidates != nil:
		return !b.IsPack && (p.with.Candidates.IsOffered == nil || !p.with.Candidates.IsOffered(b.Resource))
	case p.with.OnlyPacks && !b.IsPack:
		return false
	}
	return !b.IsPack || p.isChosen[p.loaded[p.byResource[b.Resource]]]
}

// suggest returns advice about a requirement of a bundle.
func (p *processor) suggest(q constraint.Question, checker *constraint.Checker) constraint.Suggestion {
	if p.with.Candidates != nil {
		return constraint.Suggestion{}
	}
	if q.Leaf.Kind != constraint.KindPackage {
		o := p.advisor.provider(q.Leaf.Provided(), checker.Provider)
		if o.Name == "" {
			return constraint.Suggestion{}
		}
		return constraint.Suggestion{Package: o.Name, Version: o.Version, Action: fmt.Sprintf("use OLM package %q %s of the catalog, which provides it", o.Name, o.Version)}
	}
	existing := checker.Provider(q.Leaf.Package)
	question := Question{Name: q.Leaf.Package, Bundle: existing, IsMissing: existing == nil}
	if d := q.Demand; d != nil {
		question.Demand = &Demand{By: d.By, Wants: d.Wants, Accepts: d.Accepts, Thresholds: d.Thresholds}
	}
	advice, verb := p.advisor.advise(question), "use"
	if existing == nil {
		verb = "add"
	}
	return constraint.Suggestion{Package: q.Leaf.Package, Version: advice.Version, Action: advice.String(verb)}
}
