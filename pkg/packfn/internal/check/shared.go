package check

import (
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// inSet is a finding about a set of files. Other sets may have the same finding, because they
// share files.
type inSet struct {
	report.Finding
	// set is the set that has the finding.
	set *sets.Set
}

// same is a key that is equal for equal findings of several sets.
type same struct {
	// path, line and column are the place, and the other fields what the finding is about.
	path, rule, resource, field, key, message string
	line, column                              int
}

// sameOf returns the key of a finding. It has no message for a finding that something is missing,
// because the message lists the names that the set has.
func sameOf(f *report.Finding) same {
	message := f.Message
	if isMissing(f) { // each set knows other names
		message = ""
	}
	return same{f.Path, f.Rule, f.Resource.String(), f.Field, f.Key, message, f.Line, f.Column}
}

// addShared adds the findings of the sets, each once. A finding that something is missing is
// added only if all sets that share the file have it.
func (c *checker) addShared(units []*unit) {
	sharing := map[string]map[*sets.Set]bool{} // by file path
	share := func(u *unit, name string) {
		if name = u.OnDisk(name); sharing[name] == nil {
			sharing[name] = map[*sets.Set]bool{}
		}
		sharing[name][u.set] = true
	}
	for _, u := range units {
		if u.set == nil {
			continue
		}
		for _, file := range u.Files {
			share(u, file.Path)
		}
		for _, j := range u.joined {
			for _, name := range j.Paths {
				share(u, name)
			}
		}
	}
	finding := map[same]map[*sets.Set]bool{}
	for i := range c.shared {
		one := &c.shared[i]
		key := sameOf(&one.Finding)
		if finding[key] == nil {
			finding[key] = map[*sets.Set]bool{}
		}
		finding[key][one.set] = true
	}
	known := map[same]bool{}
	for i := range c.shared {
		one := &c.shared[i]
		key := sameOf(&one.Finding)
		isEverywhere := len(finding[key]) >= len(sharing[one.Path])
		if known[key] || isMissing(&one.Finding) && !isEverywhere {
			continue
		}
		known[key] = true
		if !isEverywhere {
			var names []string
			for s := range finding[key] {
				names = append(names, s.Name+"/")
			}
			slices.Sort(names)
			one.Frame("", " (with "+diag.SomeOf(names)+")")
		}
		c.report.Findings = append(c.report.Findings, one.Finding)
	}
	// A pack directory is a unit, too.
	worst := map[same]int{}
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		worst[sameOf(f)] = max(worst[sameOf(f)], rank(f.Severity))
	}
	c.report.Findings = slices.DeleteFunc(c.report.Findings, func(f report.Finding) bool { return rank(f.Severity) < worst[sameOf(&f)] })
}

// rank returns a positive number that is higher for a worse severity.
func rank(s diag.Severity) int {
	return len(diag.Severities) - slices.Index(diag.Severities, string(s))
}

// isMissing reports whether a finding is about something that the files of a set do not contain.
func isMissing(f *report.Finding) bool {
	return f.Rule == rule.OverrideElsewhere.ID || f.Reported != nil && f.Reported.Kind == diag.KindNotFound
}

// tagIn is the tag of override/elsewhere that contains the directories with the pack.
const tagIn = "in"

// elsewhere returns the finding that replaces f if f is about a pack that only other sets
// contain. It returns false for other findings.
func (c *checker) elsewhere(u *unit, f *diag.Finding) (diag.Finding, bool) {
	name := f.Lacks("pack")
	if u.set == nil || u.set.IsKustomized || f.Kind != diag.KindNotFound || len(c.tree.Elsewhere()[name]) == 0 {
		return *f, false
	}
	places := c.placesOf(u, c.tree.Elsewhere()[name])
	out := diag.Say("the pack %s is not among the files that belong together here; it is in %s", name, places).Do("name the paths that belong together, or add a Kptfile above them")
	out.Origin, out.Key, out.Position, out.Pack, out.Tags = f.Origin, f.Key, f.Position, name, map[string]string{tagIn: places}
	return out.Of(rule.OverrideElsewhere), true
}

// placesOf formats directories of a tree for the user.
func (c *checker) placesOf(u *unit, dirs []string) string {
	var names []string
	for _, dir := range dirs {
		names = append(names, c.Display(filepath.Join(u.Dir, filepath.FromSlash(dir)))+"/")
	}
	slices.Sort(names)
	return diag.SomeOf(names)
}

// hasNoCluster reports whether a finding only exists because files outside of packages have no
// ClusterContext.
func (u *unit) hasNoCluster(r *run, f *diag.Finding) bool {
	return u.loose && u.profile == nil && f.Rule == rule.ResourcesNoPool && values.Field(r.Config, "spec", "machinePools") == nil && !u.hasCluster()
}
