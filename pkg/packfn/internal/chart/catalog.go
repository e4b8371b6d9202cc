package chart

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/values"
)

// Catalog contains the charts that are at hand. It is safe for concurrent use.
type Catalog struct {
	// Run reads the charts.
	Run *Run
	// Archive returns the path of an archive of a chart in an exact version from elsewhere, or "". It may be
	// nil.
	Archive func(name, version string) string
	// Display returns how messages show a path. It may be nil.
	Display func(path string) string
	// Store keeps facts from one catalog to the next. It may be nil.
	Store *Store

	// mu guards all that follows.
	mu sync.Mutex
	// charts are the charts by name, and known the paths that were added.
	charts map[string][]atHand
	known  map[string]bool
	// read are the facts by the path of a chart.
	read map[string]func() (*facts.Chart, error)
}

// Store keeps what charts read, by the digests of the charts. It is safe for concurrent use.
type Store struct {
	// mu guards all that follows.
	mu sync.Mutex
	// made are the facts by the digest of the chart.
	made map[string]func() *facts.Chart
	// archives are the facts of archives that need no other chart, by the path, the time and the size of the
	// file: an archive that is there as before is not read again.
	archives map[string]*facts.Chart
}

// stateOf returns a key for an archive as it is on disk, or "" for a folder.
func stateOf(path string, isOwn bool) string {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return ""
	}
	return fmt.Sprint(isOwn, path, "\x00", info.Size(), info.ModTime().UnixNano())
}

// archive returns the facts of an archive, or nil if they are not known.
func (s *Store) archive(state string) *facts.Chart {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.archives[state]
}

// keep keeps the facts of an archive.
func (s *Store) keep(state string, f *facts.Chart) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.archives == nil || len(s.archives) == mostKept {
		s.archives = map[string]*facts.Chart{}
	}
	s.archives[state] = f
}

// mostKept is the number of charts whose facts a store keeps. Beyond this number, the store starts anew.
const mostKept = 1000

// get returns the facts of a chart with a digest.
func (s *Store) get(digest string, make func() *facts.Chart) *facts.Chart {
	s.mu.Lock()
	made := s.made[digest]
	if made == nil {
		if s.made == nil || len(s.made) == mostKept {
			s.made = map[string]func() *facts.Chart{}
		}
		made = sync.OnceValue(make)
		s.made[digest] = made
	}
	s.mu.Unlock()
	return made()
}

// atHand is a chart in a folder or an archive.
type atHand struct{ version, path string }

// Add adds the chart in a folder, whose Chart.yaml is read.
func (c *Catalog) Add(dir string) {
	text, err := folder.ReadText(filepath.Join(dir, chartFile))
	if err != nil {
		return
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return
	}
	name := values.Text(values.Field(document.Root(), "name"))
	// A wrapper that has the name of its dependency is not the dependency, which is looked for by that name.
	if list := values.Field(document.Root(), "dependencies"); list != nil {
		for _, d := range list.Content {
			if values.Text(values.Field(d, "name")) == name {
				return
			}
		}
	}
	c.add(name, values.Text(values.Field(document.Root(), "version")), dir)
}

// add adds the chart at a path, once.
func (c *Catalog) add(name, version, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known, c.charts = map[string]bool{}, map[string][]atHand{}
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if name != "" && !c.known[path] {
		c.known[path] = true
		c.charts[name] = append(c.charts[name], atHand{version, path})
	}
}

// AddAll adds the charts in a folder and below, and archives of charts, whose names are NAME-VERSION.tgz. It
// returns how many there are.
func (c *Catalog) AddAll(name string) (count int, err error) {
	err = filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			if IsArchive(path) {
				c.AddArchive(path)
				count++
			}
			return nil
		case path != name && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, chartFile)); err == nil {
			c.Add(path)
			count++
			return fs.SkipDir
		}
		return nil
	})
	return count, err
}

// IsArchive reports whether a file has the name of a chart's archive, NAME-VERSION.tgz.
func IsArchive(name string) bool {
	_, _, ok := nameOfArchive(filepath.Base(name))
	return ok
}

// AddArchive adds the chart in an archive, by the name of the file.
func (c *Catalog) AddArchive(path string) {
	name, version, _ := nameOfArchive(filepath.Base(path))
	c.add(name, version, path)
}

// nameOfArchive returns the name and the version of a chart from the name of its archive.
//
//	ingress-nginx-4.10.1.tgz   ingress-nginx 4.10.1
func nameOfArchive(base string) (name, version string, ok bool) {
	stem, ok := strings.CutSuffix(base, ".tgz")
	for i := range stem {
		if ok && stem[i] == '-' && i+1 < len(stem) {
			if _, err := semver.StrictNewVersion(strings.TrimPrefix(stem[i+1:], "v")); err == nil {
				return stem[:i], stem[i+1:], true
			}
		}
	}
	return "", "", false
}

// Find returns the path of a chart on disk, or "" and the reason why it is not at hand.
func (c *Catalog) Find(of *release.Chart) (path, why string) {
	if of.Why != "" {
		return "", of.Why
	}
	for _, dir := range of.Dirs {
		if _, err := os.Stat(filepath.Join(dir, chartFile)); err == nil {
			return dir, ""
		}
	}
	if of.IsDir || of.IsOwn {
		return "", "there is no chart in " + of.Dir
	}
	return c.named(of)
}

// named returns the path of a chart by its name and version.
func (c *Catalog) named(of *release.Chart) (path, why string) {
	c.mu.Lock()
	all := c.charts[of.Name]
	c.mu.Unlock()
	found := release.Newest(all, of.Version, func(one atHand) string { return one.version })
	if len(found) == 0 && c.Archive != nil && of.Version != "" {
		if archive := c.Archive(of.Name, of.Version); archive != "" {
			return archive, ""
		}
	}
	switch {
	case len(found) > 0:
		return c.one(found)
	case len(all) > 0:
		var versions []string
		for _, one := range all {
			versions = append(versions, one.version)
		}
		slices.Sort(versions)
		return "", "the charts at hand are " + diag.AllOf(slices.Compact(versions))
	}
	return "", ""
}

// one returns the path of charts of one name and version. If they read different values, it is unknown which
// one is meant.
func (c *Catalog) one(found []atHand) (path, why string) {
	var first *facts.Chart
	for _, one := range found {
		if len(found) == 1 {
			break
		}
		// The charts are compared as they lie: to look for their dependencies could lead back to here.
		opened, err := c.Run.Open(one.path)
		if err != nil {
			continue
		}
		read := opened.Facts()
		switch {
		case first == nil:
			first = read
		case read != first && !read.Equal(first):
			return "", fmt.Sprintf("%d charts at hand have this name and version, and differ: %s and %s", len(found), c.display(found[0].path), c.display(one.path))
		}
	}
	return found[0].path, ""
}

// Facts returns what a chart on disk reads, and for isOwn, what its subcharts read, see
// [Chart.SubchartFacts]. It returns an error if the chart cannot be read.
func (c *Catalog) Facts(path string, isOwn bool) (*facts.Chart, error) {
	c.mu.Lock()
	if c.read == nil {
		c.read = map[string]func() (*facts.Chart, error){}
		if c.Store == nil {
			c.Store = &Store{}
		}
	}
	key := fmt.Sprint(isOwn, path)
	read := c.read[key]
	if read == nil {
		read = sync.OnceValues(func() (*facts.Chart, error) { return c.facts(path, isOwn) })
		c.read[key] = read
	}
	c.mu.Unlock()
	return read()
}

// Open reads a chart on disk. Dependencies that it lacks are taken from the charts at hand, as `helm dependency
// build` gets them.
func (c *Catalog) Open(path string) (*Chart, error) {
	opened, err := c.Run.Open(path)
	if err != nil {
		return nil, err
	}
	var more []*Chart
	for _, d := range opened.Missing() {
		if at, _ := c.named(&release.Chart{Name: d.Name, Version: d.Version}); at != "" && at != path {
			if sub, err := c.Run.Open(at); err == nil {
				more = append(more, sub)
			}
		}
	}
	return opened.With(more...), nil
}

// facts returns the facts of a chart, from the store if it has them.
func (c *Catalog) facts(path string, isOwn bool) (*facts.Chart, error) {
	state := stateOf(path, isOwn)
	if known := c.Store.archive(state); known != nil {
		return known, nil
	}
	opened, err := c.Open(path)
	if err != nil {
		return nil, err
	}
	read := c.Store.get(fmt.Sprint(isOwn, opened.Digest), func() (f *facts.Chart) {
		if isOwn {
			f = opened.SubchartFacts()
		} else {
			f = opened.Facts()
		}
		f.Keep()
		return f
	})
	if state != "" && len(opened.Missing()) == 0 {
		c.Store.keep(state, read)
	}
	return read, nil
}

// Prepare reads the facts of charts at the same time. isOwn is by their paths, see [Catalog.Facts].
func (c *Catalog) Prepare(isOwn map[string]bool) {
	next := make(chan string)
	var workers sync.WaitGroup
	for range min(len(isOwn), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for path := range next {
				c.prepare(path, isOwn[path])
			}
		})
	}
	for _, path := range slices.Sorted(maps.Keys(isOwn)) {
		next <- path
	}
	close(next)
	workers.Wait()
}

// prepare reads the facts of a chart. A later call of Facts returns the error, or panics.
func (c *Catalog) prepare(path string, isOwn bool) {
	defer func() { _ = recover() }()
	_, _ = c.Facts(path, isOwn)
}

// display returns how messages show a path.
func (c *Catalog) display(path string) string {
	if c.Display == nil {
		return path
	}
	return c.Display(path)
}
