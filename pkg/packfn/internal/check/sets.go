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

// mostShared bounds how often files are taken again, if many sets share them.
const (
	mostShared = 10_000
	manifold   = 10 // for each that there is
)

// tree is what is outside of packages in the folders that the user names, and what it may need
// of the others.
type tree struct {
	checker *checker
	// dir is the folder that paths are relative to.
	dir string
	// roots are the folders that the user names, relative to dir.
	roots          []string
	files          []*kptpackage.File
	kustomizations kustomizations
	// isGenerating are the files on disk that kustomizations make ConfigMaps of.
	isGenerating map[string]bool
	// rest are the files with resources of others, by their directories.
	rest map[string][]string
	// packs are the pack directories, which are units of their own, and closed the units of
	// packages, of which no set takes anything.
	packs  []*unit
	closed []*unit
	// kustomized are the sets of kustomizations, of which no other set takes anything either.
	kustomized []*fileSet

	sources []*source
	byDir   map[string]*source
	// having are the sources that have something, and packNames the names of their packs.
	having    map[need][]*source
	packNames []string
	// missing are the names of the packs that some have.
	missing map[string]bool
	// isClosedRead says that having has what closed units have.
	isClosedRead bool
}

// source is a directory with files outside of packages, or a pack directory: what a set takes
// as a whole.
type source struct {
	// dir is its path in the tree.
	dir   string
	files []*kptpackage.File
	// joined is a pack directory, nil for others, and unit the one that it is by itself.
	joined *joined
	unit   *unit
	// isClosed says that no set takes it.
	isClosed bool
	contents
}

// fileSet is what is deployed together: a directory with those above it, with what these need.
type fileSet struct {
	name    string
	sources []*source
	in      map[*source]bool
	// has and overrides are those of all sources.
	has, overrides map[need]bool
	// elsewhere are the places of what the set needs and does not have, and others have.
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

// add adds a source to a set, with the directories above it.
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

// directories returns the sets of files that no kustomization names.
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

// survey reads what the sources have and need.
func (t *tree) survey() {
	if t.having != nil {
		return
	}
	t.having = map[need][]*source{}
	for _, u := range t.packs {
		one := &source{dir: t.relative(u.pack.Dir), joined: joinedPack(t.relative(u.pack.Dir), u.pack), unit: u}
		one.contents = contentsOf(u)
		one.needs = nil // its own unit has them
		t.sources = append(t.sources, one)
	}
	for _, one := range t.sources {
		if one.joined == nil {
			one.contents = contentsOf(newSet(one.dir, one).unit(t.dir))
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

// hasMissing reports whether anything in the tree has the pack that a finding misses.
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

// offer says that a source has what it has.
func (t *tree) offer(one *source) {
	for n := range one.has {
		t.having[n] = append(t.having[n], one)
	}
}

// complete adds to a set what it needs, where one source of the tree has that. What several have
// is elsewhere.
func (t *tree) complete(s *fileSet) {
	open := map[need]bool{}
	for i := 0; i < len(s.sources); i++ { // which grow
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

// one returns the only source that has what a source of a set needs, nil if there is none, or if
// the set cannot take it.
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

// isAtOdds reports whether a source is for another cluster than a set: both have facts of a
// cluster, or values in the same scope for a pack.
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

// readClosed reads what packages and kustomizations have.
func (t *tree) readClosed() {
	if t.isClosedRead {
		return
	}
	t.isClosedRead = true
	for _, u := range t.closed {
		t.offer(&source{dir: t.relative(u.pkg.Dir), isClosed: true, contents: contentsOf(u)})
	}
	for _, s := range t.kustomized {
		t.offer(&source{dir: s.name, isClosed: true, contents: contentsOf(s.unit(t.dir))})
	}
}
