package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/packcheck"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// TemplateName is the function name in findings about the rendering of charts.
const TemplateName = "template"

// Deploy renders the resources that the packs below the paths deploy, and passes the result of
// each pack to take, in order. The mutators of packages run first. The report explains what was
// left out.
func Deploy(paths []string, options Options, take func(*deploy.Rendered)) (*report.Report, error) {
	c, err := deployed(paths, options, take, nil)
	if err != nil {
		return nil, err
	}
	return c.report, nil
}

// deployed renders the packs and releases that paths name, and compares them with what was deployed before, unless
// that is nil.
func deployed(paths []string, options Options, take func(*deploy.Rendered), before *earlier) (*checker, error) {
	options.Rendered = true
	c, units, err := newChecker(paths, options)
	if err != nil {
		return nil, err
	}
	c.deployed = take
	if err := c.checkPackNames(units, "--pack"); err != nil {
		return nil, err
	}
	if err := c.openCharts(); err != nil {
		return nil, err
	}
	for i, u := range units {
		if c.Progress != nil {
			c.Progress(i, len(units))
		}
		if u.isJoined { // a set has it, with its values
			continue
		}
		_, isSound := c.sound(u)
		if u.isMutated() || !isSound {
			if isSound {
				c.render(u)
			}
			if !u.IsChanged() {
				why := "its mutators did not run, so its values are unknown"
				if !isSound {
					why = "kpt rejects it, as packfn check says"
				}
				c.left(u, why)
				continue
			}
		}
		if err := c.checkTemplate(u); err != nil {
			return nil, err
		}
		c.addResources(u)
	}
	if err := c.releasesOfTree().template(); err != nil {
		return nil, err
	}
	found := c.flush()
	if before != nil {
		c.reportChanges(units, before)
	}
	c.report.Findings = slices.DeleteFunc(found, func(f report.Finding) bool {
		return f.Severity != diag.Error && !rule.Of(f.Rule).IsBy("packfn check template") && f.Rule != rule.ValuesChartMissing.ID
	})
	c.report.Findings = append(c.report.Findings, c.flush()...)
	c.report.Finish()
	return c, nil
}

// left adds a finding about a package that is left out.
func (c *checker) left(u *unit, why string) {
	c.side.isPartial = true
	f := diag.Say("nothing of the package is rendered: %s", why).Of(rule.ValuesChartFails)
	c.add(c.finding(u, u.by(TemplateName), &f))
}

// checkTemplate renders the charts of a unit's packs.
func (c *checker) checkTemplate(u *unit) error {
	if c.Template == nil {
		return nil
	}
	rules := c.startTemplates()
	r := &rendered{overPacks: overPacks{c, u}}
	c.runOver(u, TemplateName, rules, r)
	if r.failure == nil {
		r.failure = c.releasesIn(u).template()
	}
	return r.failure
}

// startTemplates prepares the rendering of charts, and returns the rules of its runs.
func (c *checker) startTemplates() []diag.Rule {
	c.Template.Charts, c.Template.Suffixes = c.chartRun, c.deployed == nil
	rules := rule.By("packfn check template")
	if c.deployed != nil {
		rules = append(rules, rule.ValuesChartSchema, rule.ValuesChartVersion, rule.ValuesChartMissing, rule.PackMissingFile)
	}
	return rules
}

// rendered is the processor of checkTemplate.
type rendered struct {
	overPacks
	// failure is the reason why charts cannot be rendered at all, or nil.
	failure error
}

// Process renders the charts of each pack that the user chose.
func (p *rendered) Process(run *function.Run) {
	c, set := p.checker, pack.Load(run, pack.Choice{})
	cluster := deploy.ClusterOf(run, set.Packs)
	c.side.Kubernetes = cmp.Or(c.Template.Cluster.Kubernetes, cluster.Kubernetes, c.side.Kubernetes)
	for _, one := range slices.Concat(set.Packs, set.Waiting) {
		if p.failure != nil || !c.isChosen(one) || c.deployed != nil && !c.isNew(p.unit, one) {
			continue
		}
		run.Guard(one.Resource, func() { run.Report(p.pack(run, set, one, cluster)...) })
	}
}

// pack renders a pack.
func (p *rendered) pack(run *function.Run, set *pack.Set, one *pack.Pack, cluster deploy.Cluster) []diag.Finding {
	c := p.checker
	left := func(why string) []diag.Finding {
		if c.deployed == nil { // other checks report it
			return nil
		}
		c.side.leaveOut(deploy.DeployerOf(one))
		return []diag.Finding{diag.Say("nothing of the pack is rendered: %s", why).About(one.Resource, "").For(one.Name).Of(rule.ValuesChartFails)}
	}
	if one.IsPending() || slices.Contains(set.Waiting, one) {
		return left("it is pending")
	}
	dir, _ := c.chartsOf(p.unit, one)
	if dir == "" {
		return left("its charts are unknown; name the directory of " + strings.TrimSpace(one.Name+" "+one.Version) + " with --charts")
	}
	out, err := c.Template.Render(one, dir, cluster)
	if fault, ok := errors.AsType[*deploy.ValuesError](err); ok {
		return left(fault.Error())
	}
	if err != nil {
		p.failure = fmt.Errorf("%s: %w", dir, err)
		return nil
	}
	findings := c.ofTemplate(p.unit, out.Findings)
	if c.deployed != nil {
		for _, f := range c.chartRun.Check(one, dir, set.Texts(), nil, false) {
			if f.Rule == rule.ValuesChartSchema {
				findings = append(findings, f)
			}
		}
		c.side.add(p.unit, out, c.Display)
		c.deployed(out)
	} else if p.unit.pack != nil {
		findings = append(findings, packcheck.Unlisted(out)...)
	}
	return findings
}

// ofTemplate returns the findings that the rendering of a unit reports, with their severities.
func (c *checker) ofTemplate(u *unit, all []diag.Finding) []diag.Finding {
	var kept []diag.Finding
	for _, f := range all {
		switch isFailure := f.Rule == rule.ValuesChartFails; {
		case isFailure && f.Tags[deploy.TagUnsure] != "" && c.deployed == nil:
			f.Severity = diag.Info
		case isFailure && u.pack != nil && !c.AsDeployed && c.deployed == nil:
			f.Severity = diag.Warning
		case !slices.ContainsFunc(rule.By("packfn check template"), func(own diag.Rule) bool { return own == f.Rule }) && c.deployed == nil: // other checks report it
			continue
		}
		kept = append(kept, f)
	}
	return kept
}
