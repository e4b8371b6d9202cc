package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// Deployment is what is deployed at one time.
type Deployment struct {
	// Paths and Options are the packages, and how they are rendered. No path is a package that does not exist at that time.
	// Name names that time, such as origin/main.
	Paths   []string
	Name    string
	Options Options
	// Show changes the path of a file in a report, or is nil.
	Show func(file string) string
	// Move changes where objects after the change are written, or is nil.
	Move func(*breaking.Object)
}

// Comparison is what [Compare] finds.
type Comparison struct {
	// Report has the changes that a cluster refuses, or that delete data or stop a workload, and what could not be
	// rendered before or after.
	Report *report.Report
	// Before and After are what packs and releases deploy.
	Before, After []*deploy.Rendered
	// ResourcesBefore and ResourcesAfter are the resources of packages that are deployed.
	ResourcesBefore, ResourcesAfter *deploy.Rendered
	// IsPartial is true if a pack, a release or a package could not be rendered, so that it is not compared.
	IsPartial bool
}

// Compare renders what packages deploy before and after a change, and reports the changes that a cluster refuses, or
// that delete data or stop a workload. name is the command that reports them. It returns an error if one of them cannot
// be rendered at all.
func Compare(name string, before, after Deployment) (*Comparison, error) {
	result := &Comparison{}
	old := &checker{report: &report.Report{}} // of a package that is new
	if len(before.Paths) > 0 {
		var err error
		old, err = deployed(before.Paths, before.Options, func(r *deploy.Rendered) { result.Before = append(result.Before, r) }, nil)
		if err != nil {
			return nil, err
		}
	}
	if before.Show != nil {
		for _, o := range old.side.Objects {
			o.File, o.Path = before.Show(o.File), "" // the folder is there only for this comparison
		}
	}
	earlier := &earlier{side: old.side, by: name, move: after.Move}
	next, err := deployed(after.Paths, after.Options, func(r *deploy.Rendered) { result.After = append(result.After, r) }, earlier)
	if err != nil {
		return nil, err
	}
	result.ResourcesBefore, result.ResourcesAfter = deploy.Resources(old.side.resources), deploy.Resources(next.side.resources)
	result.IsPartial = old.side.isIncomplete() || next.side.isIncomplete()
	for _, f := range old.report.Findings {
		f.Frame("before the change: ", "")
		if before.Show != nil {
			f.File, f.Path, f.Related = before.Show(f.File), "", nil
		}
		next.report.Findings = append(next.report.Findings, f)
	}
	next.report.Finish()
	isKnown := func(r *deploy.Rendered) bool {
		return !old.side.Unknown[r.Deployer()] && !next.side.Unknown[r.Deployer()]
	}
	result.Before, result.After = only(result.Before, isKnown), only(result.After, isKnown)
	result.Report = next.report
	if n := len(next.side.Objects); n > 0 {
		next.report.Units = []report.Unit{{Path: next.Display(after.Paths[0]), Checked: report.Checked{Resources: n}}}
	}
	switch {
	case len(before.Paths) == 0:
		next.skip(report.Outside, after.Paths[0], 0, "the package is not in %s, so there is nothing to compare with", before.Name)
	case len(old.side.Objects) == 0 && !old.side.isIncomplete():
		next.skip(report.Outside, after.Paths[0], 0, "the package deploys nothing before the change, so there is nothing to compare with")
	}
	return result, nil
}

// only returns the elements of a list for which is returns true.
func only(all []*deploy.Rendered, is func(*deploy.Rendered) bool) []*deploy.Rendered {
	return slices.DeleteFunc(all, func(r *deploy.Rendered) bool { return !is(r) })
}

// side is what is deployed at one time.
type side struct {
	breaking.Side
	// isPartial is true if the resources of a package are unknown, so that nothing can be compared.
	isPartial bool
	// units and owners are the units and the resources of packs and releases.
	units  map[breaking.Deployer]*unit
	owners map[breaking.Deployer]diag.Resource
	// resources are the resources of packages as they are rendered.
	resources []*list.Item
}

// earlier is what was deployed before the change, for the run over what is deployed after it.
type earlier struct {
	side
	// by is the command that compares, and move changes where the objects after the change are written, or is nil.
	by   string
	move func(*breaking.Object)
}

// isIncomplete reports whether not all objects are known.
func (s *side) isIncomplete() bool { return s.isPartial || len(s.Unknown) > 0 }

// byResource returns the resources of packages by what identifies them.
func (s *side) byResource() map[diag.Resource]*list.Item {
	all := map[diag.Resource]*list.Item{}
	for _, item := range s.resources {
		all[item.Resource()] = item
	}
	return all
}

// leaveOut records that not all objects of a pack or a release are known.
func (s *side) leaveOut(by breaking.Deployer) {
	if s.Unknown == nil {
		s.Unknown = map[breaking.Deployer]bool{}
	}
	s.Unknown[by] = true
}

// add adds the objects of a pack or a release.
func (s *side) add(u *unit, r *deploy.Rendered, display func(string) string) {
	if r.IsPartial() {
		s.leaveOut(r.Deployer())
	}
	if s.units == nil {
		s.units, s.owners = map[breaking.Deployer]*unit{}, map[breaking.Deployer]diag.Resource{}
	}
	s.units[r.Deployer()], s.owners[r.Deployer()] = u, r.Pack.Resource
	s.Objects = append(s.Objects, r.Objects(display)...)
}

// addResources adds the resources of a kpt package that are deployed.
func (c *checker) addResources(u *unit) {
	if u.kpt == nil {
		return
	}
	s, display := &c.side, c.Display
	if c.Template == nil { // else what renders packs has read it
		c.runOver(u, TemplateName, nil, &clusterReader{overPacks{c, u}})
	}
	items, err := u.Deployable(u.Items())
	if err != nil { // a check reports it
		s.isPartial = true
		return
	}
	for _, item := range items {
		document, err := item.Document()
		if err != nil {
			continue
		}
		resource := item.Resource()
		name := u.FileOf(resource)
		like := breaking.Object{Path: u.OnDisk(name), Owner: resource}
		like.File = display(like.Path)
		like.LineOf = func(path []string) int {
			if file := u.reporter.File(name); file != nil {
				return file.Resource(resource.Index, breaking.PathOf(path)).Line
			}
			return 0
		}
		s.Objects = append(s.Objects, breaking.Read(document.Root(), like, "")...)
		s.resources = append(s.resources, item)
	}
}

// clusterReader is the processor that reads the version of the cluster.
type clusterReader struct{ overPacks }

func (p *clusterReader) Process(run *function.Run) {
	p.checker.side.Kubernetes = cmp.Or(p.checker.Cluster.Kubernetes, deploy.ClusterOf(run, nil).Kubernetes)
}

// reportChanges adds the findings about changes.
func (c *checker) reportChanges(units []*unit, before *earlier) {
	if c.side.isPartial || before.isPartial {
		return
	}
	for _, u := range units {
		for _, item := range u.Items() {
			if u.kpt != nil && item.IsKustomization() && item.Mentions("helmCharts") {
				c.skip(report.Outside, u.OnDisk(u.FileOf(item.Resource())), 0, "the helmCharts of a kustomization in a kpt package are not rendered, so they are not compared")
			}
		}
	}
	if before.move != nil {
		for _, o := range c.side.Objects {
			before.move(o)
		}
	}
	changes := map[*unit][]breaking.Change{}
	for _, change := range breaking.Compare(before.side.Side, c.side.Side) {
		o := change.Of()
		u := c.side.units[o.Deployer]
		if u == nil {
			u = units[0]
		}
		owner := o.Owner
		if now, ok := c.side.owners[o.Deployer]; ok {
			owner = now
		}
		change.Finding = change.About(owner, "")
		changes[u] = append(changes[u], change)
	}
	for _, u := range units {
		if len(changes[u]) > 0 {
			c.reportChangesOf(before, u, changes[u])
		}
	}
}

// reportChangesOf adds the findings about changes of a unit. They go through the harness, because owners of packs and
// resources can accept them.
func (c *checker) reportChangesOf(before *earlier, u *unit, changes []breaking.Change) {
	name := before.by
	p := &changed{changes: changes, owners: map[diag.Resource]bool{}}
	for i := range changes {
		p.owners[changes[i].Resource()] = true
	}
	f := function.Function{Name: name, Rules: rule.By(name), New: func() function.Processor { return p }}
	items := slices.Clone(u.Items())
	were, are := before.byResource(), c.side.byResource()
	for i := range changes { // a resource that goes accepts its end itself
		if old := were[changes[i].Resource()]; old != nil && are[changes[i].Resource()] == nil {
			items = append(items, old)
		}
	}
	outcome, _ := pipeline.Run(f, nil, items)
	for _, found := range outcome.All() {
		at, err := strconv.Atoi(found.Tags[tagChange])
		if err != nil {
			c.add(c.finding(u, u.by(name), &found))
			continue
		}
		change := &changes[at]
		found.Tags = nil
		o := change.Of()
		if other := change.Before; other != nil && (other != o || o.Path == "") {
			if found.Note == "" {
				found.Note = fmt.Sprintf("before the change, %s is in %s", other, placeOf(other, change.Path))
			}
		}
		out := report.Of(name, &found)
		out.Path, out.File, out.Line = o.Path, o.File, o.Line(change.Path)
		if o.Path == "" { // it is only in the other version
			out.Path, out.Line = u.OnDisk(kptpackage.KptfileName), 1
			out.File = c.Display(out.Path)
		}
		out.Resource = &report.Resource{APIVersion: o.APIVersion(), Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}
		out.Field = breaking.PathOf(change.Path)
		if other := change.Before; other != nil && other != o && other.Path != "" {
			out.Related = []report.Place{{File: other.File, Line: other.Line(change.Path), Message: other.String() + " before the change"}}
		}
		c.add(out)
	}
}

// placeOf names the place of a field of an object: packs/db-1.0.0/charts/db/templates/a.yaml, line 7.
func placeOf(o *breaking.Object, path []string) string {
	if line := o.Line(path); line > 0 {
		return fmt.Sprintf("%s, line %d", o.File, line)
	}
	return o.File
}

// tagChange is the tag with the index of a change.
const tagChange = "change"

// changed is the processor of reportChangesOf.
type changed struct {
	changes []breaking.Change
	owners  map[diag.Resource]bool
}

func (*changed) Config() any { return &struct{}{} }

func (p *changed) Wants(item *list.Item) bool { return p.owners[item.Resource()] }

func (p *changed) Process(run *function.Run) {
	for i := range p.changes {
		f := p.changes[i].Finding
		f.Tags = map[string]string{tagChange: strconv.Itoa(i)}
		run.Report(f)
	}
}
