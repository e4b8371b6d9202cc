package check

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/releases"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
)

// loaded are the releases of a unit.
type loaded struct {
	*checker
	// unit has the resources of the releases, and files reads the files that they name.
	unit  *unit
	files *releases.Files
	// releases are the releases in the order of the resources.
	releases []*release.Release
	// known are the charts whose facts are in the unit.
	known *release.Known
}

// filesOf returns the files that releases in a folder can name.
func (c *checker) filesOf(dir string) *releases.Files {
	root, _ := report.RootOf(dir)
	return releases.NewFiles(dir, root, releases.Options{Replace: c.Replace, Named: c.tree.NamedDirs, Charts: c.chartRun, Catalog: c.catalog})
}

// releasesOfTree returns the releases in the files outside of packages.
func (c *checker) releasesOfTree() *loaded {
	f := c.filesOf(c.tree.Dir)
	found, files, items := releases.InTree(c.tree.Tree, f, newRoom())
	if found == nil {
		return nil
	}
	return &loaded{c, c.unitIn(workspace.Outside(c.tree.Dir, files, items)), f, found, release.ReadKnown(items)}
}

// releasesIn returns the releases among the resources of a unit, or nil if there
// are none, or if they are checked with the releases of the whole tree.
func (c *checker) releasesIn(u *unit) *loaded {
	if u.set != nil || u.pack != nil || u.profile != nil {
		return nil
	}
	items := u.Items()
	if !slices.ContainsFunc(items, release.Is) {
		return nil
	}
	f := c.filesOf(u.Dir)
	return &loaded{c, u, f, (&release.Loader{Files: f, Items: items}).Load(), release.ReadKnown(items)}
}

// check checks the releases.
func (l *loaded) check() {
	if l != nil {
		l.runOverReleases("check-releases", rule.By("packfn check charts"), &checkedReleases{l})
	}
}

// runOverReleases runs a processor over the resources of the releases.
func (l *loaded) runOverReleases(name string, rules []diag.Rule, processor function.Processor) {
	defer l.files.Close()
	if len(l.releases) == 0 || len(l.Packs) > 0 {
		return
	}
	var items []*list.Item
	for _, item := range l.unit.Items() {
		if _, err := item.Document(); err == nil {
			if l.unit.Kptfiles != nil || item.Fault() == "" { // else it is no resource, although it mentions one
				items = append(items, item)
			}
		} else if l.unit.Kptfiles == nil && slices.ContainsFunc(release.Marks, item.Mentions) { // in packages other checks report it
			at := l.finding(l.unit, l.unit.by(""), new(diag.Unreadable(err).About(item.Resource(), "")))
			l.report.Skip(report.Skipped{Reason: report.Outside, File: at.File, Line: at.Line, Message: "a release is not checked: " + at.Message})
		}
	}
	for _, j := range l.files.Joined {
		if l.unit.joinedAt(j.Path) == nil {
			l.unit.join(j)
		}
		items = append(items, j.Item())
	}
	r := runOf(function.Function{Name: name, Rules: rules, New: func() function.Processor { return processor }})
	r.items = items
	l.checker.run(l.unit, &r)
}

// Config and Wants are of the processors of releases.
func (*loaded) Config() any { return &struct{}{} }

func (*loaded) Wants(item *list.Item) bool { return pack.WantsCluster(item) || release.Is(item) }

// checkedReleases is the processor that checks releases.
type checkedReleases struct{ *loaded }

// Process checks the values of all releases against the charts at hand.
func (p *checkedReleases) Process(run *function.Run) {
	cluster, _ := pack.Cluster(pack.Quiet(run))
	versions := facts.NewVersions(cluster)
	isOwn := map[string]bool{}
	for _, one := range p.releases {
		if at, _ := p.files.Chart(&one.Chart); at != "" {
			isOwn[at] = one.Chart.IsOwn
		}
	}
	p.catalog.Prepare(isOwn)
	var all []*facts.Release
	for _, one := range p.releases {
		all = append(all, p.release(run, one))
	}
	run.Report(facts.CheckReleases(all, versions)...)
	run.Report(versions.Findings()...)
}

// resolve returns a release with its chart and the path of the chart on disk, or, without a chart, the reason
// why it is not at hand.
func (l *loaded) resolve(one *release.Release) (r *facts.Release, at, why string) {
	r = one.Facts(l.known.Find(&one.Chart))
	if r.Chart != nil {
		return r, "", ""
	}
	if at, why = l.files.Chart(&one.Chart); at != "" {
		var err error
		if r.Chart, err = l.catalog.Facts(at, r.IsOwn); err != nil {
			why = "it cannot be read: " + diag.OneLine(err.Error())
		}
	}
	return r, at, why
}

// release returns a release with its chart, and records what is not known of it.
func (p *checkedReleases) release(run *function.Run, one *release.Release) *facts.Release {
	r, at, why := p.resolve(one)
	if r.Chart == nil {
		p.skipRelease(report.NoChart, one, "the values%s are not checked: %s", of(one), noChart(one, why))
		return r
	}
	missing := slices.DeleteFunc(slices.Clone(one.Needs), func(key string) bool { return r.Chart.Subcharts[key] != nil })
	if len(missing) > 0 {
		p.skipRelease(report.NoChart, one, "values of %s are not checked: %s neither in its folder charts nor at hand; run helm dependency build, or name a folder with them with --charts", one, areCharts(missing))
	}
	if r.IsOwn && len(missing) == len(one.Needs) {
		r.Chart = nil
		return r
	}
	p.released[p.unit]++
	if p.Released != nil && at != "" {
		p.Released(p.describe(r, at))
	}
	if len(one.Unknown) > 0 && r.Chart.HasSchema() {
		p.skipRelease(report.Outside, one, "required values%s are not checked, because %s", of(one), strings.Join(one.Unknown, "; "))
	}
	if f, ok := one.Ignored(); ok {
		run.Report(f.Of(rule.ValuesInert))
	}
	return r
}

// noChart returns the reason why the chart of a release is not at hand.
func noChart(one *release.Release, why string) string {
	if one.Chart.Why != "" {
		return one.Chart.Why
	}
	if why != "" {
		why = " (" + why + ")"
	}
	advice := "; name a folder with it with --charts"
	if one.Chart.IsDir {
		advice = ""
	}
	return fmt.Sprintf("the chart %s is not at hand%s%s", &one.Chart, why, advice)
}

// skipRelease records something about a release that is not checked.
func (p *loaded) skipRelease(reason report.Reason, one *release.Release, format string, args ...any) {
	f := p.finding(p.unit, p.unit.by(""), &diag.Finding{Where: one.Where})
	p.report.Skip(report.Skipped{Reason: reason, File: f.File, Line: f.Line, Resource: f.Resource, Message: fmt.Sprintf(format, args...)})
}

// areCharts begins a sentence about charts: `the charts redis and web are`.
func areCharts(names []string) string {
	if len(names) == 1 {
		return "the chart " + names[0] + " is"
	}
	return "the charts " + diag.AllOf(names) + " are"
}

// of names a release in a message, if the resource beside the message is another one.
func of(one *release.Release) string {
	if r := one.Where.Origin.Resource; r.Kind == one.Kind && path.Join(r.Namespace, r.Name) == one.Name {
		return ""
	}
	return " of " + one.String()
}

// checkReleasesOfTree checks the releases in the files outside of packages.
func (c *checker) checkReleasesOfTree() error {
	l := c.releasesOfTree()
	if l == nil {
		return nil
	}
	l.check()
	err := l.template()
	c.report.Findings = append(c.report.Findings, c.flush()...)
	c.count(l.unit)
	return err
}
