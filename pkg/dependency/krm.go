package dependency

import (
	"slices"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function check-dependencies.
func Function() function.Function {
	return function.Function{
		Name: "check-dependencies",
		Kind: "CheckDependencies",
		Rules: []diag.Rule{
			RuleMissing, RuleBelowMin, RuleAboveMax, RuleNotSupported, RuleUpgrade, RuleInvalid, RuleUntyped,
			constraint.RuleUnsatisfied, constraint.RuleInvalid, constraint.RuleRequirement,
			constraint.RuleClusterUnsatisfied, constraint.RuleClusterInvalid,
			constraint.RuleTopLevelNot, constraint.RuleScopeDiffers, constraint.RuleProviderDuplicate, constraint.RulePrerelease,
		},
		New: func() function.Processor { return &processor{} },
	}
}

// processor is one run of check-dependencies.
type processor struct {
	config Config
	run    *function.Run
	set    *pack.Set
	// cluster is nil when there is none, and when it cannot be read.
	cluster *pack.ClusterContext
	// packs are the packs of the set, and loaded is what they were read from.
	packs   []*Pack
	loaded  map[*Pack]*pack.Pack
	advisor *Advisor
	// count is the number of bundles, packs included.
	count int
	// isUnread says that something could not be read, which was reported: what is missing
	// may be there.
	isUnread bool
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool {
	return pack.Wants(item) || pack.WantsCluster(item) || wantsBundle(item) || wantsConstraint(item)
}

func (p *processor) Process(run *function.Run) {
	p.run = run
	p.set = pack.Load(run, p.config.Choice)
	var faults []diag.Finding
	if p.cluster, faults = pack.LoadCluster(run, p.config.ClusterContext); len(faults) > 0 {
		p.cluster = nil
	}
	p.loaded = map[*Pack]*pack.Pack{}
	for _, loaded := range p.set.Packs {
		run.Guard(loaded.Resource, func() { p.pack(loaded) })
	}
	installed := p.installed()
	p.advisor = NewAdvisor(p.offers())
	for _, one := range p.packs {
		p.advisor.AddPack(one)
	}
	for _, one := range installed {
		p.advisor.AddInstalled(one)
	}
	set := constraint.ReadEach(p.bundles, p.clusterFacts())
	for name, demands := range set.Demands() {
		for _, d := range demands {
			p.advisor.Add(name, Demand{By: d.By, Wants: d.Wants, Accepts: d.Accepts, Thresholds: d.Thresholds})
		}
	}
	p.checkPacks(installed)
	p.checkBundles(set, installed)
	if p.count == 0 && !p.isUnread && !p.set.Unread {
		run.NothingToDo("the package has no packs and no bundles: a pack is a ConfigMap with the key pack.json, or a Pack (" + pack.GroupVersion + "), a bundle is a ConfigMap with the key bundle.yaml, or a ClusterServiceVersion; if there is one, check the function's selectors")
	}
}

// pack reads the dependencies of a pack, and reports their faults if the pack is to be
// checked.
func (p *processor) pack(loaded *pack.Pack) {
	metadata, err := loaded.Metadata.Mapping()
	if err != nil {
		return // which Load reported
	}
	one := &Pack{
		Name: loaded.Name, Version: loaded.Version, Layer: loaded.Layer, Origin: loaded.Metadata.Origin,
		VersionAt: values.At(values.Field(metadata.Root(), "version")),
	}
	var findings []diag.Finding
	one.Dependencies, findings = Read(metadata.Root())
	p.packs = append(p.packs, one)
	p.loaded[one] = loaded
	if slices.Contains(p.set.Chosen, loaded) {
		for _, f := range findings {
			p.run.Report(f.From(one.Origin).For(one.Name).Of(RuleInvalid))
		}
	}
}

// checkPacks reports which requirements of the chosen packs are not satisfied.
func (p *processor) checkPacks(installed []*Pack) {
	context := Context{Packs: p.packs, Installed: installed, Advisor: p.advisor, IsUnread: p.set.Unread}
	if p.cluster != nil {
		if text := p.cluster.System["kubernetes.version"]; text != "" {
			context.Kubernetes = &Pack{Name: "kubernetes", Version: text, Origin: diag.Whole(p.cluster.Resource), VersionKey: "spec.system.kubernetes.version"}
		}
	}
	context.IsKubernetesUnread = p.cluster == nil && slices.ContainsFunc(p.run.Items(), pack.WantsCluster)
	chosen := slices.DeleteFunc(slices.Clone(p.packs), func(one *Pack) bool { return !slices.Contains(p.set.Chosen, p.loaded[one]) })
	p.run.Report(Check(chosen, context)...)
}

// checkBundles reports which requirements of bundles are not satisfied.
func (p *processor) checkBundles(set *constraint.Set, installed []*Pack) {
	chosen := map[diag.Resource]bool{}
	for _, loaded := range p.set.Chosen {
		chosen[loaded.Resource] = true
	}
	p.run.Report(set.Check(constraint.Options{
		Scope:     constraint.Scope(p.config.Scope),
		IsChecked: func(b *constraint.Bundle) bool { return !b.IsPack || chosen[b.Resource] },
		IsExempt: func(name, text string) bool {
			return slices.ContainsFunc(installed, func(one *Pack) bool { return one.Name == name && isSameVersion(one.Version, text) })
		},
		Suggest: func(name string) (string, string) {
			advice := p.advisor.Advise(name, "")
			return advice.Version, advice.String()
		},
		IsUnread: p.isUnread || p.set.Unread,
	})...)
}
