package check

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// leftDocument identifies a document by its file on disk and its index among those that are left out.
type leftDocument struct {
	// file is the path on disk, and index the number of the document among those that are left out.
	file  string
	index int
}

// withHub adds the hub, which are all manifests of Capact below the paths, to each unit that contains Capact documents.
// If there is none, the hub becomes a unit of its own.
func (c *checker) withHub(units []*unit) []*unit {
	var with []*unit
	for _, u := range units {
		if len(c.Manifests) > 0 && u.hasCapact() {
			with = append(with, u)
		}
	}
	if n := len(c.Manifests); n > 0 && sets.IsTooMany(len(with)*n, n) {
		c.skip(report.Limit, "", 0, "%d sets of files have policies of Capact, too many for %d files with manifests; the manifests are checked by themselves", len(with), n)
		with = nil
	}
	if len(c.Manifests) > 0 && len(with) == 0 {
		u := c.outside(c.tree.Dir, nil, nil, nil, nil)
		u.found = true
		with, units = append(with, u), append(units, u)
	}
	for _, u := range with {
		c.joinHub(u)
	}
	return units
}

// joinHub adds the hub to a unit.
func (c *checker) joinHub(u *unit) {
	files := slices.Clone(u.Files)
	dir, err := filepath.Abs(u.Dir)
	for _, file := range c.Manifests {
		moved := *file
		if relative, beyond := filepath.Rel(dir, file.Path); err == nil && beyond == nil {
			moved.Path = filepath.ToSlash(relative)
		}
		files = append(files, &moved)
	}
	chosen := map[workspace.ID]bool{}
	for _, item := range u.Items() {
		chosen[workspace.IDOf(item.Resource())] = true
	}
	isOwn := func(item *list.Item) bool {
		return u.File(item.Resource().File) == nil || chosen[workspace.IDOf(item.Resource())]
	}
	with := c.outside(u.Dir, files, u.joined, newRoom(), isOwn)
	u.Package, u.reporter, u.capact = with.Package, with.reporter, with.capact
}

// asLibrary makes a run of select-implementations over a hub accept Interfaces without a rule,
// because an application uses only some of the Interfaces that a hub offers.
func (r *run) asLibrary(u *unit) {
	if r.Function.Name == rule.SelectImplementations && u.isRepository() {
		r.Function = policy.FunctionWith(policy.With{IsLibrary: true})
	}
}

// hasCapact reports whether files outside of packages contain Capact documents.
func (u *unit) hasCapact() bool {
	if !u.isRepository() {
		return false
	}
	return slices.ContainsFunc(u.Items(), func(one *list.Item) bool {
		return one.Group() == manifest.Group || one.Is(function.ConfigGroupVersion, "SelectImplementations")
	})
}

// capactFiles are files outside of packages, whose Capact documents are converted to resources, by
// their paths.
type capactFiles map[string]*capact.File

// Places returns a file for looking up positions in it.
func (files capactFiles) Places(file *kptpackage.File) *place.File {
	if read := files[file.Path]; read != nil {
		return place.NewItems(file.Path, file.Text, read.Items)
	}
	return nil
}

// Original returns a finding about the Capact document that a resource is made from. In a string with
// lines of its own, the finding stays as it is.
func (files capactFiles) Original(f *diag.Finding) (of *diag.Finding, field string, s report.Subject) {
	resource := f.Resource()
	read := files[resource.File]
	if read == nil || !read.Is(resource.Index) {
		return f, "", s
	}
	path, at := read.Original(resource.Index, f.Path())
	if f.Origin.Embedded {
		return f, path, s
	}
	moved := *f
	if moved.Key = path; f.Position.Line == 0 {
		moved.Position = at
	}
	return &moved, "", s
}

// lacksInstances reports whether a finding is about a missing TypeInstance of a policy while the
// files contain no TypeInstances at all, because Capact keeps them in its database.
func (u *unit) lacksInstances(f *diag.Finding) bool {
	if f.Rule != rule.PolicyInvalid || f.Kind != diag.KindNotFound || !u.isPolicyOfCapact(f) || !strings.HasSuffix(f.Path(), ".id") {
		return false
	}
	return !slices.ContainsFunc(u.Items(), func(one *list.Item) bool { return one.Is(manifest.GroupVersion, "TypeInstance") })
}

// isPolicyOfCapact reports whether a finding is about a policy in Capact's own form.
func (u *unit) isPolicyOfCapact(f *diag.Finding) bool {
	read := u.capact[f.Resource().File]
	return read != nil && read.IsPolicy(f.Resource().Index)
}

// capactAction returns the advice for a finding in a Capact file, or "" if it is the same as for
// a resource.
func (u *unit) capactAction(f *diag.Finding) string {
	switch {
	case u.lacksInstances(f):
		return "name a file with the TypeInstances, too: capact typeinstance get -o yaml prints them"
	case f.Rule == rule.PolicyInvalid && f.Key == "" && f.Kind == diag.KindStatement && u.isPolicyOfCapact(f):
		return "say which scope one has with --scope SCOPE=FILE, or name the files of one set"
	}
	return ""
}

// capactFaults reports the faults of Capact documents that their converted resources do not show.
func (c *checker) capactFaults(u *unit) {
	var policies []diag.Resource
	hasInterface := false
	for _, one := range u.Items() {
		if read := u.capact[one.Resource().File]; read != nil && read.IsPolicy(one.Resource().Index) {
			policies = append(policies, one.Resource())
		}
		hasInterface = hasInterface || one.Is(manifest.GroupVersion, "Interface")
	}
	for _, policy := range policies {
		if !hasInterface {
			c.skipResource(report.Outside, u, policy, "no Interface of Capact is among the files, so the policy selects nothing; name the manifests, too")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.capact)) {
		faults := u.capact[name].Faults
		located := u.by(rule.SelectImplementations)
		for i := range faults {
			c.add(c.finding(u, located, &faults[i]))
		}
		for i, kind := range u.capact[name].Left { // several units may have it
			if c.leftOut == nil {
				c.leftOut = map[leftDocument]string{}
			}
			c.leftOut[leftDocument{u.OnDisk(name), i}] = kind
		}
	}
}

// reportHub reports manifests that no check reads, and removes duplicate findings about the hub, which
// several units may share.
func (c *checker) reportHub() {
	known := map[same]bool{}
	c.report.Findings = slices.DeleteFunc(c.report.Findings, func(f report.Finding) bool {
		if !c.IsManifest(f.Path) {
			return false
		}
		key := sameOf(&f)
		defer func() { known[key] = true }()
		return known[key]
	})
	if n := len(c.leftOut); n > 0 {
		c.notRead("", diag.Say("%s", capact.LeftOut(slices.Collect(maps.Values(c.leftOut)))))
	}
}
