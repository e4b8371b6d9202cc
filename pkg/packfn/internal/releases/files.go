package releases

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/gitignore"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/values"
)

// Options are what [Files] reads with.
type Options struct {
	// Replace maps paths on disk to texts that are read instead of the files.
	Replace map[string][]byte
	// Named returns the folders that the user names. A values file is read only below these, and below the repository.
	Named func() []string
	// Charts keeps the charts that were read, and Catalog has the charts that releases may name.
	Charts  *chart.Run
	Catalog *chart.Catalog
}

// Files are the files that releases name. It implements [release.Files].
type Files struct {
	Options
	// Joined are the values files that were read, as resources that findings can be about.
	Joined []*sets.Joined
	// dir is the folder that paths of resources are relative to, and root the root of its repository.
	dir, root string
	// remotes are the addresses of the repository, by which a GitRepository of the same repository is
	// recognized.
	remotes []string
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

// NewFiles returns the files around resources, whose paths are relative to a folder. root is the root of its repository.
func NewFiles(dir, root string, options Options) *Files {
	f := &Files{Options: options, dir: dir, root: root, documents: map[string]valuesFile{}, folders: map[string]*folder.Folder{}}
	if git, err := gitignore.Open(root); err == nil {
		f.remotes = git.Remotes()
		git.Close()
	}
	return f
}

// Close closes the folders that were opened.
func (f *Files) Close() {
	for _, one := range f.folders {
		one.Close()
	}
}

// Root implements [release.Files].
func (f *Files) Root(url string) (dir string, ok bool) {
	return f.root, url == "" || len(f.remotes) == 0 || slices.ContainsFunc(f.remotes, func(remote string) bool { return release.IsSame(remote, url) })
}

// OnDisk implements [release.Files].
func (f *Files) OnDisk(r diag.Resource) string {
	return f.Absolute(path.Join(strings.TrimPrefix(r.PackagePath, "/"), r.File))
}

// Absolute returns the absolute path of a path that is relative to the folder of the resources.
func (f *Files) Absolute(name string) string {
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
func (f *Files) Values(name string) (*yaml.Node, *diag.Origin, error) {
	known, ok := f.documents[name]
	if !ok {
		known.root, known.origin, known.err = f.read(name)
		f.documents[name] = known
	}
	return known.root, known.origin, known.err
}

// read reads a values file, with the text of a buffer in its place if there is one. It adds the
// resource that stands for the file.
func (f *Files) read(name string) (*yaml.Node, *diag.Origin, error) {
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
	f.Joined = append(f.Joined, j)
	origin := &diag.Origin{Resource: j.Item().Resource(), Field: "data[" + key + "]", Name: key, Embedded: true}
	return root, origin, nil
}

// readText reads a file below the repository, or below a folder that the user names. Any other file is
// [folder.ErrOutside].
func (f *Files) readText(name string) ([]byte, error) {
	for _, top := range append([]string{f.root}, f.Named()...) {
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
func (f *Files) ChartFile(of *release.Chart, name string) (*yaml.Node, error) {
	at, why := f.Chart(of)
	if at == "" {
		return nil, errors.New(why)
	}
	opened, err := f.Charts.Open(at)
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

// Chart returns the path of a chart on disk, or "" and the reason.
func (f *Files) Chart(of *release.Chart) (at, why string) {
	if of.IsDir && of.Why == "" {
		top, ok := f.Root(of.URL)
		if !ok {
			return "", "it is in the repository " + of.URL + ", and this is another one"
		}
		of.Dirs = []string{filepath.Join(top, filepath.FromSlash(path.Join("/", of.Dir)))}
	}
	return f.Catalog.Find(of)
}
