package check

import (
	"maps"
	"path"
	"slices"

	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// mostShared and manifold bound how often files are read again if many sets share them.
const (
	mostShared = 10_000
	manifold   = 10 // per file
)

// tree contains the files outside of packages in the folders that the user names, and the
// packages and packs that these files may refer to.
type tree struct {
	*discovery.Tree
	// checker has the options.
	checker *checker
	// isGenerating are the files on disk that kustomizations generate ConfigMaps from.
	isGenerating map[string]bool
	// packs are the pack directories, which are units of their own. closed are the units of
	// packages, whose files are never part of a set.
	packs  []*unit
	closed []*unit
	// kustomized are the sets of kustomizations, whose files are never part of another set
	// either.
	kustomized []*fileSet
	// sources are the directories with files outside of packages, and the pack directories.
	sources []*source
	// having maps the name of each pack in the tree to the directories that contain it. It is nil until
	// it is asked for.
	having map[string][]string
}

// source is a directory with files outside of packages, or a pack directory. A set contains a
// source completely or not at all.
type source struct {
	// dir is the path of the source in the tree.
	dir string
	// files are the files of the directory.
	files []*kptpackage.File
	// joined and unit are set for a pack directory, and nil for other sources. unit is the unit
	// that checks the pack directory alone.
	joined *joined
	unit   *unit
	// in is the nearest environment that the source is in, or "".
	in string
	contents
}

// isEnvironment reports whether a directory is for one cluster: it contains one ClusterContext, or an
// override. A directory with several ClusterContexts has the clusters of a fleet.
func (s *source) isEnvironment() bool {
	return s.joined == nil && s.clusters < 2 && (s.clusters == 1 || len(s.overridden) > 0)
}

// fileSet is a set of files that are deployed together.
type fileSet struct {
	// name is the directory of the set in the tree, and sources are its parts.
	name    string
	sources []*source
	// isKustomized is true for the set of a kustomization, and isPartial if the kustomization names
	// files that were not read.
	isKustomized, isPartial bool
}

func newSet(name string, sources ...*source) *fileSet { return &fileSet{name: name, sources: sources} }

// has reports whether a source of the set contains a pack.
func (s *fileSet) has(name string) bool {
	return slices.ContainsFunc(s.sources, func(one *source) bool { return one.packs[name] })
}

// units returns the units of the tree.
func (t *tree) units() []*unit {
	if len(t.Files)+len(t.Kustomizations) == 0 {
		return nil
	}
	kustomized, left := t.readKustomizations()
	t.kustomized = kustomized
	sets := append(kustomized, t.withHub(t.directories(left))...)
	total := 0
	for _, s := range sets {
		for _, one := range s.sources {
			total += max(1, len(one.files)) // a pack directory is one resource
		}
	}
	if total > mostShared+manifold*(len(t.Files)+len(t.packs)) {
		t.checker.skip(report.Limit, t.Dir, 0, "directories and kustomizations share too many files; all files outside of packages are checked together")
		sets = []*fileSet{newSet(".", &source{dir: ".", files: t.Files})}
	}
	var units []*unit
	for _, s := range sets {
		for _, one := range s.sources {
			if one.unit != nil {
				one.unit.isJoined = true
			}
		}
		units = append(units, t.checker.looseUnits(t.Dir, s)...)
	}
	return units
}

// withHub adds the manifests of Capact in all directories, which are one hub, to the sets with policies.
func (t *tree) withHub(sets []*fileSet) []*fileSet {
	for _, s := range sets {
		if !slices.ContainsFunc(s.sources, func(one *source) bool { return one.hasPolicies }) {
			continue
		}
		for _, one := range t.sources {
			if one.hasManifests && !slices.Contains(s.sources, one) {
				s.sources = append(s.sources, one)
			}
		}
	}
	return sets
}

// directories returns the sets of the files that no kustomization names: one for each environment
// without an environment below it, and one for each directory that is in none of these, or, if there is
// no environment, for each directory without one below it.
//
//	clusters/dev/cluster.yaml    a set: clusters/dev and packs
//	clusters/prod/cluster.yaml   a set: clusters/prod and packs
//	packs/web.yaml
func (t *tree) directories(files []*kptpackage.File) (sets []*fileSet) {
	byDir := map[string]*source{}
	for _, file := range files {
		dir := path.Dir(file.Path)
		if byDir[dir] == nil {
			byDir[dir] = &source{dir: dir}
		}
		byDir[dir].files = append(byDir[dir].files, file)
	}
	dirs := slices.Sorted(maps.Keys(byDir))
	t.sources = t.packSources()
	var environments []string
	for _, dir := range dirs {
		one := byDir[dir]
		one.contents = contentsOf(t.checker.setUnit(t.Dir, newSet(dir, one), nil).Items())
		t.sources = append(t.sources, one)
		if one.isEnvironment() {
			environments = append(environments, dir)
		}
	}
	for _, one := range t.sources {
		for dir := range parents.OfSlash(one.dir) {
			if above := byDir[dir]; above != nil && above.isEnvironment() {
				one.in = dir
				break
			}
		}
	}
	isInSet := map[*source]bool{}
	for _, dir := range lowest(environments) {
		s := t.environment(byDir[dir])
		sets = append(sets, s)
		for _, one := range s.sources {
			isInSet[one] = true
		}
	}
	left := dirs
	if len(sets) == 0 {
		left = lowest(dirs)
	}
	for _, dir := range left {
		if !isInSet[byDir[dir]] {
			sets = append(sets, withAbove(dir, byDir))
		}
	}
	return sets
}

// packSources returns the pack directories of the tree.
func (t *tree) packSources() (sources []*source) {
	for _, u := range t.packs {
		dir := t.Relative(u.pack.Dir)
		sources = append(sources, &source{dir: dir, joined: joinedPack(dir, u.pack), unit: u, contents: contentsOf(u.Items())})
	}
	return sources
}

// lowest returns the directories with none of them below.
func lowest(dirs []string) []string {
	hasBelow := map[string]bool{}
	for _, dir := range dirs {
		for above := range parents.OfSlash(dir) {
			if above != dir {
				hasBelow[above] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return hasBelow[dir] })
}

// withAbove returns the set of a directory and of the directories above it.
func withAbove(of string, byDir map[string]*source) *fileSet {
	s := newSet(of)
	for dir := range parents.OfSlash(of) {
		if above := byDir[dir]; above != nil {
			s.sources = append(s.sources, above)
		}
	}
	return s
}

// environment returns the set of an environment: all directories that are in no environment, or only in
// environments that this one is in. Of directories in no environment with packs of one name, none is
// part of it.
func (t *tree) environment(of *source) *fileSet {
	s := newSet(of.dir)
	packs, sharing := map[string][]*source{}, map[string]int{}
	var shared []*source
	for _, one := range t.sources {
		switch {
		case one.in != "" && !pipeline.Within(of.dir, one.in):
		case pipeline.Within(one.dir, of.dir), pipeline.Within(of.dir, one.dir):
			s.sources = append(s.sources, one)
		case one.joined != nil:
			for name := range one.packs {
				packs[name] = append(packs[name], one)
			}
		case one.clusters < 2: // more are the clusters of a fleet
			shared = append(shared, one)
			for name := range one.packs {
				sharing[name]++
			}
		}
	}
	isAmbiguous := func(name string) bool { return sharing[name] > 1 || s.has(name) }
	shared = slices.DeleteFunc(shared, func(one *source) bool { return slices.ContainsFunc(slices.Collect(maps.Keys(one.packs)), isAmbiguous) })
	s.sources = append(s.sources, shared...)
	t.join(s, packs)
	return s
}

// join adds the pack directories that a set names, or all of them if it names no pack. Of several
// versions none is added.
func (t *tree) join(s *fileSet, packs map[string][]*source) {
	has, named := map[string]bool{}, map[string]bool{}
	for _, one := range s.sources {
		maps.Copy(has, one.packs)
		maps.Copy(named, one.overridden)
		maps.Copy(named, one.required)
	}
	names := slices.Sorted(maps.Keys(named))
	if len(named)+len(has) == 0 {
		names = slices.Sorted(maps.Keys(packs))
	}
	for ; len(names) > 0; names = names[1:] {
		name := names[0]
		all := packs[name]
		if has[name] || len(all) == 0 {
			continue
		}
		has[name] = true
		if len(all) > 1 {
			t.checker.skip(report.NoFacts, t.OnDisk(s.name), 0, "%s have versions of the pack %s, so none meets the cluster; name the paths that belong together", diag.AllOf(dirsOf(all)), name)
			continue
		}
		s.sources = append(s.sources, all[0])
		maps.Copy(has, all[0].packs)
		names = append(names, slices.Sorted(maps.Keys(all[0].required))...)
	}
}

// dirsOf returns the directories of sources.
func dirsOf(sources []*source) (dirs []string) {
	for _, one := range sources {
		dirs = append(dirs, one.dir)
	}
	return dirs
}

// elsewhere returns the directories of the tree that contain each pack.
func (t *tree) elsewhere() map[string][]string {
	if t.having != nil {
		return t.having
	}
	t.having = map[string][]string{}
	offer := func(dir string, c contents) {
		for name := range c.packs {
			t.having[name] = append(t.having[name], dir)
		}
	}
	for _, one := range t.sources {
		offer(one.dir, one.contents)
	}
	for _, u := range t.closed {
		offer(t.Relative(u.Dir), contentsOf(u.Items()))
	}
	for _, s := range t.kustomized {
		offer(s.name, contentsOf(t.checker.setUnit(t.Dir, s, nil).Items()))
	}
	return t.having
}

// hasMissing reports whether anything in the tree contains the pack that a finding reports as
// missing.
func (t *tree) hasMissing(f *diag.Finding) bool {
	if len(t.sources) == 0 {
		t.sources = t.packSources()
	}
	return len(t.elsewhere()[f.Lacks("pack")]) > 0
}
