package check

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packcheck"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// checkPacks runs the checks that no function of the suite makes: presets, settings of packs,
// files of pack directories, and resources that kpt would apply to the cluster.
func (c *checker) checkPacks(u *unit, steps []pipeline.Step) {
	rules := append(rule.By("packfn check packs"), rule.PresetInvalid)
	c.runOver(u, "check-packs", rules, &packs{overPacks{c, u}, selected(steps), pipeline.Configs(steps)})
}

// packs is the processor of checkPacks.
type packs struct {
	overPacks
	// selected are the presets that pipeline steps select, by the name of the pack.
	selected map[string][]string
	// isConfig reports whether an item is a functionConfig, which kpt does not apply to a cluster.
	isConfig func(item *list.Item, file string) bool
}

func (p *packs) Wants(item *list.Item) bool {
	return pack.Wants(item) || p.isConfig(item, item.Resource().File)
}

// Process checks the packs that the user chose: their presets and settings, the presets that are
// recorded in their values, and, in a pack directory, what its author should know. In a package it
// also reports resources that kpt would apply to the cluster.
func (p *packs) Process(run *function.Run) {
	chosen := map[diag.Resource]bool{}
	hasCharts := map[*pack.Pack]bool{}
	set := pack.Load(run, pack.Choice{}, func(one *pack.Pack, metadata *yaml.Node) {
		list := values.Field(metadata, "charts")
		hasCharts[one] = list != nil && len(list.Content) > 0
	})
	for _, one := range set.Packs {
		if !p.checker.isChosen(one) {
			continue
		}
		if dir, why := p.checker.chartsOf(p.unit, one); hasCharts[one] && !hasChartFacts(one) && dir == "" {
			p.checker.skipCharts(p.unit, one, why)
		} else if hasCharts[one] {
			p.checker.charted[p.unit.document(one.Resource)] = true
		}
		run.Guard(one.Resource, func() { run.Report(preset.Check(one)...) })
		run.Guard(one.Resource, func() { run.Report(packcheck.Settings(one)...) })
		if p.unit.pack == nil && !p.unit.loose {
			run.Guard(one.Resource, func() { run.Report(packcheck.LeftPresets(one, p.selected[one.Name])...) })
		}
		if p.unit.pack != nil {
			run.Guard(one.Resource, func() { run.Report(packcheck.Directory(p.unit.pack, one, p.checker.AsDeployed)...) })
		}
		chosen[one.Resource] = true
		for _, o := range one.Overrides {
			chosen[o.Values.Resource] = true
		}
	}
	if isApplied := p.unit.pack == nil && !p.unit.loose; !isApplied { // kpt applies packages
		return
	}
	for _, item := range run.Items() {
		if len(p.checker.Packs) == 0 || chosen[item.Resource()] {
			p.local(run, item)
		}
	}
}

// hasChartFacts reports whether the chart facts of a pack include its charts, and not only its
// manifests.
func hasChartFacts(one *pack.Pack) bool {
	if one.ChartFacts == nil {
		return false
	}
	document, err := one.ChartFacts.Document() // validate-pack-values reports an error
	return err != nil || values.Field(document.Root(), "charts") != nil
}

// local reports a pack resource or functionConfig that kpt would apply to the cluster, even if it
// cannot be read as a pack.
func (p *packs) local(run *function.Run, item *list.Item) {
	document, err := item.Document()
	if err != nil || item.Annotation(list.LocalConfigAnnotation) == "true" || slices.ContainsFunc(item.Misspelt(false), isAnnotations) {
		return
	}
	name := "this resource"
	switch isConfig := p.isConfig(item, item.Resource().File); {
	case isConfig && item.Annotation(list.LocalConfigAnnotation) == "false": // the user says so
		return
	case isConfig:
		name = "this functionConfig"
	case !pack.Holds(item, document):
		return
	}
	f := diag.Say("kpt live apply would send %s to the cluster", name).Do("add the annotation " + list.LocalConfigAnnotation + `: "true"`)
	run.Report(f.About(item.Resource(), "metadata.annotations").Of(rule.ResourceNotLocal))
}

// isAnnotations reports whether a misspelled key should be annotations or metadata, and may
// therefore contain the annotation that is missing.
func isAnnotations(f diag.Finding) bool { return f.Nearest == "annotations" || f.Nearest == "metadata" }
