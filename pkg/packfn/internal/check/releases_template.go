package check

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/rule"
)

// template renders the charts of the releases, if the user asks for that. It returns an error if charts cannot
// be rendered at all.
func (l *loaded) template() error {
	if l == nil || l.Template == nil {
		return nil
	}
	p := &renderedReleases{loaded: l}
	l.runOverReleases(TemplateName, l.startTemplates(), p)
	return p.failure
}

// renderedReleases is the processor that renders the charts of releases.
type renderedReleases struct {
	*loaded
	// failure is the reason why no chart can be rendered, or nil.
	failure error
}

// Process renders the chart of each release whose chart is at hand.
func (p *renderedReleases) Process(run *function.Run) {
	cluster := deploy.ClusterOf(run, nil)
	for _, one := range p.releases {
		r, at, why := p.resolve(one)
		switch {
		case p.failure != nil || r.IsOwn:
		case at == "" || r.Chart == nil:
			if at == "" && r.Chart != nil {
				why = "only what it reads is in the package"
			}
			if p.deployed != nil { // else it is not checked, which another run says
				p.side.leaveOut(breaking.Deployer{Name: one.String(), Package: one.Where.Origin.Resource.PackagePath})
				f := diag.Say("nothing of %s is rendered: %s", one, noChart(one, why)).Of(rule.ValuesChartFails)
				f.Where = one.Where
				run.Report(f)
			}
		default:
			run.Guard(one.Where.Origin.Resource, func() {
				job := deploy.Release{
					Name: one.String(), Resource: one.Where.Origin.Resource, Path: at, As: one.As, Namespace: one.Namespace,
					Values: r.Merged(), Place: r.Place, IsHelm: one.Kind == "HelmRelease", IsUnsure: r.IsPartial || r.HasOpen(),
				}
				run.Report(p.render(&job, cluster)...)
			})
		}
	}
}

// render renders a release.
func (p *renderedReleases) render(job *deploy.Release, cluster deploy.Cluster) []diag.Finding {
	opened, err := p.catalog.Open(job.Path)
	if err != nil { // since it was found
		p.side.leaveOut(breaking.Deployer{Name: job.Name, Package: job.Resource.PackagePath})
		f := diag.Say("nothing of %s is rendered: its chart cannot be read: %s", job.Name, diag.OneLine(err.Error())).About(job.Resource, "").Of(rule.ValuesChartFails)
		return p.ofTemplate(p.unit, []diag.Finding{f})
	}
	job.Chart = opened
	out, err := p.Template.RenderRelease(job, cluster)
	if err != nil {
		p.failure = fmt.Errorf("%s: %w", job.Path, err)
		return nil
	}
	if p.deployed != nil {
		p.side.add(p.unit, out, p.Display)
		p.deployed(out)
	}
	return p.ofTemplate(p.unit, out.Findings)
}
