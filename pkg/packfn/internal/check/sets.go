package check

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// mostShared and manifold bound how often files are read again if many sets share them.
const (
	mostShared = 10_000
	manifold   = 10 // per file
)

// tree contains the files outside of packages in the folders that the user names, and the
// packages and packs that these files may refer to.
type tree struct {
	checker *checker
	// dir is the folder that paths are relative to.
	dir string
	// roots are the folders that the user names, relative to dir.
	roots          []string
	files          []*kptpackage.File
	kustomizations kustomizations
	// isGenerating are the files on disk that kustomizations generate ConfigMaps from.
	isGenerating map[string]bool
	// rest are the files with resources that packfn does not read, by directory.
	rest map[string][]string
	// packs are the pack directories, which are units of their own. closed are the units of
	// packages, whose files are never part of a set.
	packs  []*unit
	closed []*unit
	// kustomized are the sets of kustomizations, whose files are never part of another set
	// either.
	kustomized []*fileSet

	sources []*source
	byDir   map[string]*source
	// having are the sources that contain each need, and packNames the names of their packs.
	having    map[need][]*source
	packNames []string
	// missing caches the names of all packs in the tree, for hasMissing.
	missing map[string]bool
	// isClosedRead is true once having includes the contents of closed units.
	isClosedRead bool
}

// source is a directory with files outside of packages, or a pack directory. A set contains a
// source completely or not at all.
type source struct {
	// dir is the path of the source in the tree.
	dir   string
	files []*kptpackage.File
	// joined and unit are set for a pack directory, and nil for other sources. unit is the unit
	// that checks the pack directory alone.
	joined *joined
	unit   *unit
	// isClosed is true if the source cannot be part of a set.
	isClosed bool
	contents
}

// fileSet is a set of files that are deployed together: the files of a directory and of its
// parents, and the sources that these need.
type fileSet struct {
	name    string
	sources []*source
	in      map[*source]bool
	// has and overrides are the union over all sources.
	has, overrides map[need]bool
	// elsewhere maps each need that the set does not contain to the directories that contain it.
	elsewhere map[need][]string
}

func newSet(name string, sources ...*source) *fileSet {
	s := &fileSet{name: name, in: map[*source]bool{}, has: map[need]bool{}, overrides: map[need]bool{}}
	for _, one := range sources {
		s.add(one)
	}
	return s
}

func (s *fileSet) add(one *source) {
	if !s.in[one] {
		s.in[one] = true
		s.sources = append(s.sources, one)
		maps.Copy(s.has, one.has)
		maps.Copy(s.overrides, one.overrides)
	}
}

// add adds a source to a set, with its parent directories.
func (t *tree) add(s *fileSet, one *source) {
	s.add(one)
	if one.joined != nil {
		return
	}
	for dir := range parents.OfSlash(one.dir) {
		if above := t.byDir[dir]; above != nil {
			s.add(above)
		}
	}
}

// units returns the units of the tree.
func (t *tree) units() []*unit {
	if len(t.files)+len(t.kustomizations) == 0 {
		return nil
	}
	kustomized, left := t.readKustomizations()
	t.kustomized = kustomized
	sets := append(kustomized, t.directories(left)...)
	total := 0
	for _, s := range sets {
		for _, one := range s.sources {
			total += len(one.files)
		}
	}
	if total > mostShared+manifold*len(t.files) {
		t.checker.note("%s: directories and kustomizations share too many files; all files outside of packages are checked together", t.checker.Display(t.dir))
		sets = []*fileSet{newSet(".", &source{dir: ".", files: t.files})}
	}
	var units []*unit
	for _, s := range sets {
		for _, one := range s.sources {
			if one.unit != nil {
				one.unit.isJoined = true
			}
		}
		units = append(units, t.checker.looseUnits(t.dir, s)...)
	}
	return units
}

// directories returns the sets of the files that no kustomization names.
func (t *tree) directories(files []*kptpackage.File) []*fileSet {
	t.byDir = map[string]*source{}
	for _, file := range files {
		dir := path.Dir(file.Path)
		if t.byDir[dir] == nil {
			t.byDir[dir] = &source{dir: dir}
		}
		t.byDir[dir].files = append(t.byDir[dir].files, file)
	}
	isAbove := map[string]bool{}
	for dir := range t.byDir {
		for above := range parents.OfSlash(path.Dir(dir)) {
			if above != dir {
				isAbove[above] = true
			}
		}
	}
	dirs := slices.Sorted(maps.Keys(t.byDir))
	for _, dir := range dirs {
		t.sources = append(t.sources, t.byDir[dir])
	}
	if len(dirs)+len(t.packs)+len(t.closed)+len(t.kustomized) > 1 {
		t.survey()
	}
	var sets []*fileSet
	for _, dir := range dirs {
		if !isAbove[dir] {
			s := newSet(dir)
			t.add(s, t.byDir[dir])
			t.complete(s)
			sets = append(sets, s)
		}
	}
	return withoutParts(t.withClusters(sets))
}

// survey collects what the sources contain and need.
func (t *tree) survey() {
	if t.having != nil {
		return
	}
	t.having = map[need][]*source{}
	for _, u := range t.packs {
		one := &source{dir: t.relative(u.pack.Dir), joined: joinedPack(t.relative(u.pack.Dir), u.pack), unit: u}
		one.contents = contentsOf(u.Items())
		one.needs = nil // its own unit has them
		t.sources = append(t.sources, one)
	}
	for _, one := range t.sources {
		if one.joined == nil {
			one.contents = contentsOf(t.checker.setUnit(t.dir, newSet(one.dir, one)).Items())
		}
		t.offer(one)
	}
	for n := range t.having {
		if n.kind == needPack {
			t.packNames = append(t.packNames, n.name)
		}
	}
	slices.Sort(t.packNames)
	for _, one := range t.sources {
		one.needs = append(one.needs, one.referred(t.packNames)...)
	}
}

// hasMissing reports whether anything in the tree contains the pack that a finding reports as
// missing.
func (t *tree) hasMissing(f *diag.Finding) bool {
	if t.missing == nil {
		t.survey()
		t.readClosed()
		t.missing = map[string]bool{}
		for n := range t.having {
			if n.kind == needPack {
				t.missing[n.name] = true
			}
		}
	}
	return t.missing[f.Lacks("pack")]
}

// offer registers the contents of a source in having.
func (t *tree) offer(one *source) {
	for n := range one.has {
		t.having[n] = append(t.having[n], one)
	}
}

// complete adds the sources that a set needs. A need that several sources contain is not
// resolved, and is recorded in elsewhere.
func (t *tree) complete(s *fileSet) {
	open := map[need]bool{}
	for i := 0; i < len(s.sources); i++ { // the loop appends to them
		for _, n := range s.sources[i].needs {
			one := t.one(s, s.sources[i], n)
			if one == nil {
				open[n] = true
				continue
			}
			t.add(s, one)
		}
	}
	s.elsewhere = map[need][]string{}
	for n := range open {
		if !s.has[n] {
			t.readClosed()
			for _, one := range t.having[n] {
				s.elsewhere[n] = append(s.elsewhere[n], one.dir)
			}
		}
	}
}

// one returns the only source that contains a need of a set's source. It returns nil if there is
// none or more than one, or if it cannot be part of the set.
func (t *tree) one(s *fileSet, by *source, n need) *source {
	if s.has[n] {
		return nil
	}
	having := t.having[n]
	if len(having) == 0 && n.kind == needPack { // the name may be misspelt
		having = t.having[need{needPack, nearest.Reference(n.name, t.packNames)}]
	}
	if n.kind == needManifests {
		for _, one := range having { // all are one hub
			t.add(s, one)
		}
		return nil
	}
	if len(having) != 1 || having[0].isClosed {
		return nil
	}
	one := having[0]
	isBelow := one.joined == nil && by.joined == nil && isBelow(one.dir, by.dir) // whose set has both
	if isBelow || s.isAtOdds(one) {
		return nil
	}
	return one
}

// isBelow reports whether a directory is below another one.
func isBelow(dir, above string) bool {
	return dir != above && (above == "." || strings.HasPrefix(dir, above+"/"))
}

// isAtOdds reports whether a source is for another cluster than a set: both contain a
// ClusterContext, or values for the same pack in the same scope.
func (s *fileSet) isAtOdds(one *source) bool {
	if s.in[one] {
		return false
	}
	if cluster := (need{kind: needCluster}); one.has[cluster] && s.has[cluster] {
		return true
	}
	for o := range one.overrides {
		if s.overrides[o] {
			return true
		}
	}
	return false
}

// readClosed collects the contents of packages and kustomizations.
func (t *tree) readClosed() {
	if t.isClosedRead {
		return
	}
	t.isClosedRead = true
	for _, u := range t.closed {
		t.offer(&source{dir: t.relative(u.Dir), isClosed: true, contents: contentsOf(u.Items())})
	}
	for _, s := range t.kustomized {
		t.offer(&source{dir: s.name, isClosed: true, contents: contentsOf(t.checker.setUnit(t.dir, s).Items())})
	}
}
