package dependency

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the KRM function check-dependencies.
func Function() function.Function {
	return function.Function{
		Name: "check-dependencies",
		Kind: "CheckDependencies",
		Rules: []function.Rule{
			{ID: string(RuleMissing), Severity: function.Error},
			{ID: string(RuleBelowMin), Severity: function.Error},
			{ID: string(RuleAboveMax), Severity: function.Error},
			{ID: string(RuleNotSupported), Severity: function.Error},
			{ID: string(RuleUpgrade), Severity: function.Error},
			{ID: string(RuleInvalid), Severity: function.Error},
			{ID: string(RuleUntyped), Severity: function.Warning},
			{ID: string(constraint.RuleUnsatisfied), Severity: function.Error},
			{ID: string(constraint.RuleInvalid), Severity: function.Error},
			{ID: string(constraint.RuleRequirement), Severity: function.Error},
			{ID: string(constraint.RuleClusterUnsatisfied), Severity: function.Error},
			{ID: string(constraint.RuleClusterInvalid), Severity: function.Error},
			{ID: string(constraint.RuleTopLevelNot), Severity: function.Warning},
			{ID: string(constraint.RuleScopeDiffers), Severity: function.Warning},
			{ID: string(constraint.RuleProviderDuplicate), Severity: function.Warning},
			{ID: string(constraint.RulePrerelease), Severity: function.Info},
		},
		New: func() function.Processor { return &processor{} },
	}
}

// processor is one run of the function.
type processor struct {
	config Config
	run    *function.Run
	set    *pack.Set
	// cluster is nil when there is none, and when it can not be read.
	cluster *pack.ClusterContext
	// packs are the packs of the set, and loaded what they were read from.
	packs   []*Pack
	loaded  map[*Pack]*pack.Pack
	advisor *Advisor
	// count is how many bundles there are, packs included.
	count int
	// unread says that something of the list could not be read, which was
	// reported: what is missing may stand there.
	unread bool
}

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *function.Item) bool {
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
	cluster := p.facts().virtual()
	set := constraint.ReadEach(p.constraintBundles, cluster)
	p.addDemands(set)
	p.checkPacks(installed)
	p.checkBundles(set, installed)
	if p.count == 0 && !p.unread && !p.set.Unread {
		run.NothingToDo("the list holds no packs and no bundles: a pack is a ConfigMap with the key pack.json, or a Pack (packs.kpt.dev/v1alpha1), a bundle a ConfigMap with the key bundle.yaml, or a ClusterServiceVersion; a selector of the function may hide them")
	}
}

// pack reads the dependencies of a pack, and reports their faults when the pack
// is to be checked.
func (p *processor) pack(loaded *pack.Pack) {
	metadata, err := loaded.Metadata.Mapping()
	if err != nil {
		return // which Load has told
	}
	one := &Pack{Name: loaded.Name, Version: loaded.Version, Layer: loaded.Layer, Where: where(loaded.Resource)}
	if loaded.Metadata.Embedded {
		one.File = loaded.Metadata.Name
	}
	var problems []Problem
	one.Dependencies, problems = Read(metadata.Root())
	p.packs = append(p.packs, one)
	p.loaded[one] = loaded
	if !slices.Contains(p.set.Chosen, loaded) {
		return
	}
	for _, problem := range problems {
		f := function.Locate(loaded.Metadata.Origin, function.Finding{
			Rule: string(RuleInvalid), Pack: loaded.Name,
			Message: fmt.Sprintf("pack %s: %s: %s%s", one.who(), problem.Key, problem.Message, place(loaded.Metadata, problem.Position)),
		}, problem.Key, problem.Position)
		p.run.ReportLegacy(f)
	}
}

// place says where a position is, to follow a sentence; nothing where there are
// no lines.
func place(source *pack.Source, at values.Position) string {
	if !source.Embedded {
		return ""
	}
	return " (" + source.Place(at) + ")"
}

// where says in messages where a resource is.
func where(r function.Resource) string { return cmp.Or(r.File, r.String()) }

// checkPacks reports what the chosen packs require and do not get.
func (p *processor) checkPacks(installed []*Pack) {
	context := Context{Packs: p.packs, Installed: installed, Advisor: p.advisor, Unread: p.set.Unread}
	if p.cluster != nil {
		if text := p.cluster.System["kubernetes.version"]; text != "" {
			context.Kubernetes = &Pack{Name: "kubernetes", Version: text, Where: where(p.cluster.Resource)}
		}
	}
	context.KubernetesUnread = p.cluster == nil && slices.ContainsFunc(p.run.Items(), pack.WantsCluster)
	chosen := slices.DeleteFunc(slices.Clone(p.packs), func(one *Pack) bool { return !slices.Contains(p.set.Chosen, p.loaded[one]) })
	for _, f := range Check(chosen, context) {
		out := function.Finding{Rule: string(f.Rule), Pack: f.Pack.Name, Message: f.Message}
		loaded := p.loaded[f.Pack]
		if loaded == nil { // what is installed
			out.Resource = p.run.ConfigResource()
			p.run.ReportLegacy(out)
			continue
		}
		if f.Current != "" {
			out.Current = f.Current
		}
		if f.Proposed != "" {
			out.Proposed = f.Proposed
		}
		at := f.Position
		if f.Key == "version" {
			if document, err := loaded.Metadata.Mapping(); err == nil {
				at = values.At(values.Field(document.Root(), "version"))
			}
		}
		p.run.ReportLegacy(function.Locate(loaded.Metadata.Origin, out, f.Key, at))
	}
}
