package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// openCharts reads the pack directories whose charts are used to check packs of packages.
func (c *checker) openCharts() error {
	c.addCharts()
	for i, path := range slices.Concat(c.Charts, c.Sources) {
		charts, _ := c.catalog.AddAll(path) // packdir returns the error of a folder that cannot be read
		dirs, err := packdir.Find(path)
		if err != nil && charts > 0 {
			continue
		}
		if err != nil && i >= len(c.Charts) {
			err = fmt.Errorf("source %s: %w", path, err)
		}
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			p, err := c.Shared.readPack(dir)
			if err != nil && i >= len(c.Charts) {
				c.skip(report.Outside, dir, 0, "a pack of a source cannot be read: %v", err)
				continue
			}
			if err != nil {
				return err
			}
			c.charts = append(c.charts, p)
		}
	}
	return nil
}

// addCharts adds the charts of the tree to the charts at hand.
func (c *checker) addCharts() {
	for _, dir := range c.tree.Helm.Charts {
		c.catalog.Add(c.tree.OnDisk(dir))
	}
	for _, name := range c.tree.Helm.Archives {
		c.catalog.AddArchive(c.tree.OnDisk(name))
	}
}

// Shared keeps what several runs, one after the other, read of the same charts and sources. A nil Shared keeps nothing.
type Shared struct {
	packs map[string]*packdir.Pack
	run   chart.Run
}

// readPack reads a pack directory, or returns it from a former run.
func (s *Shared) readPack(dir string) (*packdir.Pack, error) {
	if s == nil {
		return packdir.Read(dir)
	}
	if p := s.packs[dir]; p != nil {
		return p, nil
	}
	p, err := packdir.Read(dir)
	if err != nil {
		return nil, err
	}
	if s.packs == nil {
		s.packs = map[string]*packdir.Pack{}
	}
	s.packs[dir] = p
	return p, nil
}

// chartRun returns the run that the charts of packs share.
func (s *Shared) chartRun() *chart.Run {
	if s == nil {
		return &chart.Run{}
	}
	return &s.run
}

// checkCharts checks the values of a unit's packs against their charts. These are the charts of
// the pack directory or, for a package, the charts that the user named.
func (c *checker) checkCharts(u *unit) {
	if u.pack == nil && len(u.joined) == 0 && len(c.charts) == 0 && c.Archive == nil {
		return
	}
	c.runOver(u, "check-charts", rule.By("packfn check charts"), &charts{overPacks{c, u}})
}

// runOver runs a check that is not a function of the suite over all resources of a unit.
func (c *checker) runOver(u *unit, name string, rules []diag.Rule, processor function.Processor) {
	r := runOf(function.Function{Name: name, Rules: rules, New: func() function.Processor { return processor }})
	r.items = u.Items()
	c.run(u, &r)
}

// overPacks is embedded in the processors that run over the packs of a unit.
type overPacks struct {
	// checker has the options, and unit is the unit whose packs are checked.
	checker *checker
	unit    *unit
}

func (*overPacks) Config() any { return &struct{}{} }

func (*overPacks) Wants(item *list.Item) bool { return pack.Wants(item) || pack.WantsCluster(item) }

// isChosen reports whether a pack is one of Options.Packs.
func (c *checker) isChosen(one *pack.Pack) bool {
	return len(c.Packs) == 0 || slices.Contains(c.Packs, one.Name)
}

// charts is the processor of checkCharts.
type charts struct{ overPacks }

// Process compares the values of each pack with what its charts read. If the pack has recorded facts
// about its charts, validate-pack-values does most of that.
func (p *charts) Process(run *function.Run) {
	set := pack.Load(run, pack.Choice{})
	cluster, _ := pack.Cluster(run)
	others, versions := set.Texts(), facts.NewVersions(cluster)
	for _, one := range set.Packs {
		// validate-pack-values reports that values are pending.
		if one.IsPending() || !p.checker.isChosen(one) {
			continue
		}
		dir, _ := p.checker.chartsOf(p.unit, one)
		if dir == "" {
			continue
		}
		compared := versions
		if one.ChartFacts != nil {
			compared = nil // validate-pack-values compares them
		}
		run.Guard(one.Resource, func() { run.Report(p.checker.chartRun.Check(one, dir, others, compared, p.unit.pack != nil)...) })
	}
	run.Report(versions.Findings()...)
}

// chartsOf returns the pack directory with the charts of a pack, or "" and why there is none.
func (c *checker) chartsOf(u *unit, one *pack.Pack) (dir, why string) {
	if j := u.joinedAt(one.Resource.File); j != nil && j.Dir != "" {
		return j.Dir, ""
	}
	found := ""
	for _, p := range c.charts {
		if p.Name != one.Name {
			continue
		}
		if p.Version == one.Version {
			return p.Dir, ""
		}
		found = p.Version
	}
	if c.Archive != nil {
		if archive := c.Archive(one.Name, one.Version); archive != "" {
			return archive, ""
		}
	}
	if found != "" {
		return "", fmt.Sprintf("the charts at hand are of %s %s", one.Name, found)
	}
	if len(c.Registries) > 0 {
		return "", "the cache has no archive of it from " + diag.AllOf(c.Registries)
	}
	return "", ""
}

// skipCharts records a pack whose charts are not at hand.
func (c *checker) skipCharts(u *unit, one *pack.Pack, why string) {
	if why != "" {
		why = " (" + why + ")"
	}
	c.skipResource(report.NoChart, u, one.Resource, "the charts of %s were not looked at%s: import its directory again, which adds what the charts read, or name it with --charts or --source", strings.TrimSpace(one.Name+" "+one.Version), why)
}
