package sets

import (
	"maps"
	"path"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// mostShared and manifold bound how often files are read again if many sets share them.
const (
	mostShared = 10_000
	manifold   = 10 // per file
)

// IsTooMany reports whether sets with a number of files together share too many of the files that there are.
func IsTooMany(shared, files int) bool { return shared > mostShared+manifold*files }

// Options are what a [Tree] needs of the check.
type Options struct {
	// ItemsOf returns the resources of a set.
	ItemsOf func(*Set) []*list.Item
	// IsCheck reports whether an item is the functionConfig of a function that changes nothing.
	IsCheck func(*list.Item) bool
	// Skip records something that is not checked. name is a path on disk.
	Skip func(reason report.Reason, name string, line int, format string, args ...any)
}

// Tree contains the files outside of packages in the folders that the user names, and the
// packages and packs that these files may refer to.
type Tree struct {
	*discovery.Tree
	options Options
	// IsGenerating are the files on disk that kustomizations generate ConfigMaps from.
	IsGenerating map[string]bool
	// packs are the pack directories, which are also checked by themselves. closed are the packages, whose files are
	// never part of a set.
	packs  []packDir
	closed []*workspace.Package
	// kustomized are the sets of kustomizations, whose files are never part of another set
	// either.
	kustomized []*Set
	// sources are the directories with files outside of packages, and the pack directories.
	sources []*Source
	// having maps the name of each pack in the tree to the directories that contain it. It is nil until
	// it is asked for.
	having map[string][]string
}

// New returns a tree without packs and packages.
func New(t *discovery.Tree, options Options) *Tree {
	return &Tree{Tree: t, options: options, IsGenerating: map[string]bool{}}
}

// AddPack adds a pack directory with its only resource.
func (t *Tree) AddPack(p *packdir.Pack, items []*list.Item) {
	t.packs = append(t.packs, packDir{p, items})
}

// packDir is a pack directory with its only resource.
type packDir struct {
	*packdir.Pack
	items []*list.Item
}

// AddPackage adds a package.
func (t *Tree) AddPackage(p *workspace.Package) { t.closed = append(t.closed, p) }

// Source is a directory with files outside of packages, or a pack directory. A set contains a
// source completely or not at all.
type Source struct {
	// Dir is the path of the source in the tree.
	Dir string
	// Files are the files of the directory.
	Files []*kptpackage.File
	// Joined is set for a pack directory, and nil for other sources.
	Joined *Joined
	// in is the nearest environment that the source is in, or "".
	in string
	contents
}

// isEnvironment reports whether a directory is for one cluster: it contains one ClusterContext, or an
// override. A directory with several ClusterContexts has the clusters of a fleet.
func (s *Source) isEnvironment() bool {
	return s.Joined == nil && s.clusters < 2 && (s.clusters == 1 || len(s.overridden) > 0)
}

// Set is a set of files that are deployed together.
type Set struct {
	// Name is the directory of the set in the tree, and Sources are its parts.
	Name    string
	Sources []*Source
	// IsKustomized is true for the set of a kustomization, and IsPartial if the kustomization names
	// files that were not read.
	IsKustomized, IsPartial bool
}

func newSet(name string, sources ...*Source) *Set { return &Set{Name: name, Sources: sources} }

// has reports whether a source of the set contains a pack.
func (s *Set) has(name string) bool {
	return slices.ContainsFunc(s.Sources, func(one *Source) bool { return one.packs[name] })
}

// Sets returns the sets of the tree.
func (t *Tree) Sets() []*Set {
	if len(t.Files)+len(t.Kustomizations) == 0 {
		return nil
	}
	kustomized, left := t.readKustomizations()
	t.kustomized = kustomized
	sets := append(kustomized, t.withHub(t.directories(left))...)
	total := 0
	for _, s := range sets {
		for _, one := range s.Sources {
			total += max(1, len(one.Files)) // a pack directory is one resource
		}
	}
	if IsTooMany(total, len(t.Files)+len(t.packs)) {
		t.options.Skip(report.Limit, t.Dir, 0, "directories and kustomizations share too many files; all files outside of packages are checked together")
		return []*Set{newSet(".", &Source{Dir: ".", Files: t.Files})}
	}
	return sets
}

// withHub adds the manifests of Capact in all directories, which are one hub, to the sets with policies.
func (t *Tree) withHub(sets []*Set) []*Set {
	for _, s := range sets {
		if !slices.ContainsFunc(s.Sources, func(one *Source) bool { return one.hasPolicies }) {
			continue
		}
		for _, one := range t.sources {
			if one.hasManifests && !slices.Contains(s.Sources, one) {
				s.Sources = append(s.Sources, one)
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
func (t *Tree) directories(files []*kptpackage.File) (sets []*Set) {
	byDir := map[string]*Source{}
	for _, file := range files {
		dir := path.Dir(file.Path)
		if byDir[dir] == nil {
			byDir[dir] = &Source{Dir: dir}
		}
		byDir[dir].Files = append(byDir[dir].Files, file)
	}
	dirs := slices.Sorted(maps.Keys(byDir))
	t.sources = t.packSources()
	var environments []string
	for _, dir := range dirs {
		one := byDir[dir]
		one.contents = contentsOf(t.options.ItemsOf(newSet(dir, one)))
		t.sources = append(t.sources, one)
		if one.isEnvironment() {
			environments = append(environments, dir)
		}
	}
	for _, one := range t.sources {
		for dir := range parents.OfSlash(one.Dir) {
			if above := byDir[dir]; above != nil && above.isEnvironment() {
				one.in = dir
				break
			}
		}
	}
	isInSet := map[*Source]bool{}
	for _, dir := range lowest(environments) {
		s := t.environment(byDir[dir])
		sets = append(sets, s)
		for _, one := range s.Sources {
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
func (t *Tree) packSources() (sources []*Source) {
	for _, p := range t.packs {
		dir := t.Relative(p.Dir)
		sources = append(sources, &Source{Dir: dir, Joined: JoinedPack(dir, p.Pack), contents: contentsOf(p.items)})
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
func withAbove(of string, byDir map[string]*Source) *Set {
	s := newSet(of)
	for dir := range parents.OfSlash(of) {
		if above := byDir[dir]; above != nil {
			s.Sources = append(s.Sources, above)
		}
	}
	return s
}

// environment returns the set of an environment: all directories that are in no environment, or only in
// environments that this one is in. Of directories in no environment with packs of one name, none is
// part of it.
func (t *Tree) environment(of *Source) *Set {
	s := newSet(of.Dir)
	packs, sharing := map[string][]*Source{}, map[string]int{}
	var shared []*Source
	for _, one := range t.sources {
		switch {
		case one.in != "" && !pipeline.Within(of.Dir, one.in):
		case pipeline.Within(one.Dir, of.Dir), pipeline.Within(of.Dir, one.Dir):
			s.Sources = append(s.Sources, one)
		case one.Joined != nil:
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
	shared = slices.DeleteFunc(shared, func(one *Source) bool { return slices.ContainsFunc(slices.Collect(maps.Keys(one.packs)), isAmbiguous) })
	s.Sources = append(s.Sources, shared...)
	t.join(s, packs)
	return s
}

// join adds the pack directories that a set names, or all of them if it names no pack. Of several
// versions none is added.
func (t *Tree) join(s *Set, packs map[string][]*Source) {
	has, named := map[string]bool{}, map[string]bool{}
	for _, one := range s.Sources {
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
			t.options.Skip(report.NoFacts, t.OnDisk(s.Name), 0, "%s have versions of the pack %s, so none meets the cluster; name the paths that belong together", diag.AllOf(dirsOf(all)), name)
			continue
		}
		s.Sources = append(s.Sources, all[0])
		maps.Copy(has, all[0].packs)
		names = append(names, slices.Sorted(maps.Keys(all[0].required))...)
	}
}

// dirsOf returns the directories of sources.
func dirsOf(sources []*Source) (dirs []string) {
	for _, one := range sources {
		dirs = append(dirs, one.Dir)
	}
	return dirs
}

// Elsewhere returns the directories of the tree that contain each pack.
func (t *Tree) Elsewhere() map[string][]string {
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
		offer(one.Dir, one.contents)
	}
	for _, p := range t.closed {
		offer(t.Relative(p.Dir), contentsOf(p.Items()))
	}
	for _, s := range t.kustomized {
		offer(s.Name, contentsOf(t.options.ItemsOf(s)))
	}
	return t.having
}

// HasPack reports whether anything in the tree contains a pack.
func (t *Tree) HasPack(name string) bool {
	if len(t.sources) == 0 {
		t.sources = t.packSources()
	}
	return len(t.Elsewhere()[name]) > 0
}
