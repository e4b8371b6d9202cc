package schema

import (
	"slices"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// releases contains the Helm releases of a run, and the known facts about their charts.
type releases struct {
	// hasFacts reports whether a resource has facts of charts for releases. Without facts, releases are not
	// read.
	hasFacts bool
	// named are the names in releases. ConfigMaps and Secrets of these names may have values.
	named map[string]bool
}

// Survey looks through all items before the run wants some of them.
func (p *processor) Survey(items []*list.Item) {
	p.releases = releases{named: map[string]bool{}}
	if p.releases.hasFacts = slices.ContainsFunc(items, release.IsFacts); !p.releases.hasFacts {
		return
	}
	for _, item := range items {
		if !release.Is(item) {
			continue
		}
		release.Names(string(item.Text()), func(name string) { p.releases.named[name] = true })
	}
}

// wants reports whether an item is a release, facts of a chart, or may have values of a release.
func (r *releases) wants(item *list.Item) bool {
	if !r.hasFacts {
		return false
	}
	isConfig := item.APIVersion() == "v1" && (item.Kind() == "ConfigMap" || item.Kind() == "Secret")
	return release.Wants(item) || release.IsFacts(item) || isConfig && r.named[item.Name()]
}

// checkReleases checks the values of releases by the facts of their charts.
func (p *processor) checkReleases() {
	known := release.ReadKnown(p.run.Items())
	for _, f := range known.Findings {
		p.run.Report(f.Of(rule.InputInvalid))
	}
	var all []*facts.Release
	for _, one := range (&release.Loader{Files: release.NoFiles{}, Items: p.run.Items()}).Load() {
		c := known.Find(&one.Chart)
		if all = append(all, one.Facts(c)); c == nil {
			continue
		}
		if f, ok := one.Ignored(); ok {
			p.run.Report(f.Of(rule.ValuesInert))
		}
	}
	p.run.Report(facts.CheckReleases(all, p.versions())...)
}
