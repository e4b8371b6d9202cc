package check

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// releaseFiles are the files that releases of a unit name. They are made resources of the unit, so that
// findings can be about them.
type releaseFiles struct {
	*checker
	// dir is the folder that the paths of the unit are relative to, and root the root of its repository.
	dir, root string
	// remotes are the addresses of the repository, by which a GitRepository of the same repository is
	// recognized.
	remotes []string
	// joined are the values files that were read.
	joined []*sets.Joined
	// documents are the values files by their absolute paths, and folders the open folders by theirs.
	documents map[string]valuesFile
	folders   map[string]*folder.Folder
}

// valuesFile is a file with values: its content with the resource that stands for it, or the error of
// reading it.
type valuesFile struct {
	root   *yaml.Node
	origin *diag.Origin
	err    error
}

// newReleaseFiles returns the files around a unit in a folder.
func newReleaseFiles(c *checker, dir string) *releaseFiles {
	f := &releaseFiles{checker: c, dir: dir, documents: map[string]valuesFile{}, folders: map[string]*folder.Folder{}}
	f.root, _ = RootOf(dir)
	if git, err := gitignore.Open(f.root); err == nil {
		f.remotes = git.Remotes()
		git.Close()
	}
	return f
}

// close closes the folders that were opened.
func (f *releaseFiles) close() {
	for _, one := range f.folders {
		one.Close()
	}
}

// Root implements [release.Files].
func (f *releaseFiles) Root(url string) (dir string, ok bool) {
	return f.root, url == "" || len(f.remotes) == 0 || slices.ContainsFunc(f.remotes, func(remote string) bool { return release.IsSame(remote, url) })
}

// OnDisk implements [release.Files].
func (f *releaseFiles) OnDisk(r diag.Resource) string {
	return f.absolute(path.Join(strings.TrimPrefix(r.PackagePath, "/"), r.File))
}

// absolute returns the absolute path of a path that is relative to the folder of the unit.
func (f *releaseFiles) absolute(name string) string {
	if name = filepath.FromSlash(name); !filepath.IsAbs(name) {
		name = filepath.Join(f.dir, name)
	}
	if absolute, err := filepath.Abs(name); err == nil {
		return absolute
	}
	return name
}

// Values implements [release.Files]. A file is read only below the root of the repository, or below the
// folders that the user names.
func (f *releaseFiles) Values(name string) (*yaml.Node, *diag.Origin, error) {
	known, ok := f.documents[name]
	if !ok {
		known.root, known.origin, known.err = f.read(name)
		f.documents[name] = known
	}
	return known.root, known.origin, known.err
}

// read reads a values file, with the text of a buffer in its place if there is one. It adds the
// resource that stands for the file.
func (f *releaseFiles) read(name string) (*yaml.Node, *diag.Origin, error) {
	shown := filepath.ToSlash(name)
	if dir, err := filepath.Abs(f.dir); err == nil {
		if relative, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(relative) {
			shown = filepath.ToSlash(relative)
		}
	}
	text, ok := f.Replace[filepath.Join(f.dir, filepath.FromSlash(shown))]
	if shown == filepath.ToSlash(name) {
		text, ok = f.Replace[name]
	}
	if !ok {
		var err error
		if text, err = f.readText(name); err != nil {
			return nil, nil, err
		}
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return nil, nil, err
	}
	root := document.Root()
	if root != nil && root.Kind != yaml.MappingNode {
		return nil, nil, errors.New("it is no map")
	}
	key := filepath.Base(name)
	j := &sets.Joined{Pack: &packdir.Pack{Name: key, Files: []packdir.File{{Name: key, Text: text}}}, Path: shown + "#", Paths: map[string]string{key: shown}, IsText: true}
	f.joined = append(f.joined, j)
	origin := &diag.Origin{Resource: j.Item().Resource(), Field: "data[" + key + "]", Name: key, Embedded: true}
	return root, origin, nil
}

// readText reads a file below the repository, or below a folder that the user names. Any other file is
// [folder.ErrOutside].
func (f *releaseFiles) readText(name string) ([]byte, error) {
	for _, top := range append([]string{f.root}, f.tree.NamedDirs()...) {
		relative, err := filepath.Rel(top, name)
		if err != nil || !filepath.IsLocal(relative) {
			continue
		}
		if f.folders[top] == nil {
			if f.folders[top], err = folder.Open(top); err != nil {
				return nil, err
			}
		}
		return f.folders[top].ReadText(relative)
	}
	return nil, folder.ErrOutside
}

// ChartFile implements [release.Files].
func (f *releaseFiles) ChartFile(of *release.Chart, name string) (*yaml.Node, error) {
	at, why := f.chart(of)
	if at == "" {
		return nil, errors.New(why)
	}
	opened, err := f.chartRun.Open(at)
	if err != nil {
		return nil, err
	}
	text := opened.Text(name)
	if text == nil {
		return nil, fmt.Errorf("the chart has no %s", name)
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return nil, err
	}
	return document.Root(), nil
}

// chart returns the path of a chart on disk, or "" and the reason.
func (f *releaseFiles) chart(of *release.Chart) (at, why string) {
	if of.IsDir && of.Why == "" {
		top, ok := f.Root(of.URL)
		if !ok {
			return "", "it is in the repository " + of.URL + ", and this is another one"
		}
		of.Dirs = []string{filepath.Join(top, filepath.FromSlash(path.Join("/", of.Dir)))}
	}
	return f.catalog.Find(of)
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

// loaded are the releases of a unit.
type loaded struct {
	*checker
	// unit has the resources of the releases, and files reads the files that they name.
	unit  *unit
	files *releaseFiles
	// releases are the releases in the order of the resources.
	releases []*release.Release
	// known are the charts whose facts are in the unit.
	known *release.Known
}

// releasesOfTree returns the releases in the files outside of packages.
func (c *checker) releasesOfTree() *loaded {
	t := c.tree
	if len(t.Helm.Files)+len(t.Helm.Kustomizations)+len(t.Helm.Charts) == 0 {
		return nil
	}
	f := newReleaseFiles(c, t.Dir)
	room := newRoom()
	byPath := map[string]*kptpackage.File{}
	var files []*kptpackage.File
	var items []*list.Item
	read := map[string][]*list.Item{}
	add := func(file *kptpackage.File) []*list.Item {
		if byPath[file.Path] == nil {
			byPath[file.Path] = file
			files, read[file.Path] = append(files, file), list.Flat(file.Text, file.Path, room)
		}
		return read[file.Path]
	}
	for _, file := range t.Helm.Files {
		items = append(items, add(file)...)
	}
	l := &release.Loader{Files: f, Items: items, Kustomizations: map[string]*release.Kustomization{}}
	for name, document := range t.Helm.Kustomizations {
		name = f.absolute(name)
		l.Kustomizations[filepath.Dir(name)] = release.ReadKustomization(name, document)
	}
	l.Others = func(kind, name string) (found []*list.Item) {
		for _, at := range t.Helm.Configs[name] {
			file := byPath[at]
			if file == nil {
				text, err := t.Read(at)
				if err != nil {
					continue
				}
				file = &kptpackage.File{Path: at, Package: ".", Text: text}
			}
			for _, item := range add(file) {
				if item.Kind() == kind && item.Name() == name {
					found = append(found, item)
				}
			}
		}
		return found
	}
	releases := l.Load()
	for _, dir := range t.Helm.Charts {
		if one := l.Umbrella(f.absolute(dir)); one != nil {
			releases = append(releases, one)
		}
	}
	var all []*list.Item
	for _, file := range files {
		all = append(all, read[file.Path]...)
	}
	return &loaded{c, c.unitIn(workspace.Outside(t.Dir, files, all)), f, releases, release.ReadKnown(all)}
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
	f := newReleaseFiles(c, u.Dir)
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
	defer l.files.close()
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
	for _, j := range l.files.joined {
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
		if at, _ := p.files.chart(&one.Chart); at != "" {
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
	if at, why = l.files.chart(&one.Chart); at != "" {
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
