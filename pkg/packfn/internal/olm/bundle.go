// Package olm reads what the Operator Lifecycle Manager has on disk: bundle directories, and
// file-based catalogs.
package olm

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/values"
)

// The folders of a bundle directory.
const (
	Metadata  = "metadata"
	Manifests = "manifests"
)

// The files of its metadata.
const (
	annotations  = "annotations.yaml"
	dependencies = "dependencies.yaml"
	properties   = "properties.yaml"
)

var metadataFiles = []string{annotations, properties, dependencies}

const (
	annotationPrefix  = "operators.operatorframework.io."
	packageAnnotation = annotationPrefix + "bundle.package.v1"
	formatAnnotation  = annotationPrefix + "bundle.mediatype.v1"
	format            = "registry+v1"
	versionKind       = "ClusterServiceVersion"
)

// File is a text file of a bundle.
type File struct {
	// Path is its path in the directory, with slashes.
	Path string
	Text []byte
}

// Bundle is a bundle directory.
type Bundle struct {
	Dir string
	// Files are those of its metadata, and the one with its ClusterServiceVersion at last.
	Files []File
	// Version is the ClusterServiceVersion, nil if there is none.
	Version *list.Item
	// Faults are *kptpackage.Fault, and errors about files that cannot be read.
	Faults []error
}

// IsBundle reports whether a folder is a bundle directory, or a half of one: its metadata is
// annotated as OLM wants, or has another file of OLM, and a ClusterServiceVersion beside it.
func IsBundle(dir string) bool {
	has := func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, Metadata, name))
		return err == nil && info.Mode().IsRegular()
	}
	if has(annotations) {
		text, err := folder.ReadText(filepath.Join(dir, Metadata, annotations))
		return err == nil && bytes.Contains(text, []byte(annotationPrefix))
	}
	return (has(dependencies) || has(properties)) && ReadBundle(dir, nil).Version != nil
}

// ReadBundle reads a bundle directory. What is wrong with it is among its faults. replace has texts
// to read in the place of files, by their paths.
func ReadBundle(dir string, replace map[string][]byte) *Bundle {
	b := &Bundle{Dir: dir}
	files, err := folder.Open(dir)
	if err != nil {
		b.Faults = append(b.Faults, err)
		return b
	}
	defer files.Close()
	read := func(name string) ([]byte, error) {
		if text, ok := replace[filepath.Join(dir, filepath.FromSlash(name))]; ok {
			return text, nil
		}
		return files.ReadText(filepath.FromSlash(name))
	}
	for _, name := range metadataFiles {
		b.read(path.Join(Metadata, name), read)
	}
	entries, err := fs.ReadDir(files.Files(), Manifests)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.Faults = append(b.Faults, err)
	}
	for _, entry := range entries {
		if kptpackage.IsRead(entry.Name()) && !entry.IsDir() {
			b.read(path.Join(Manifests, entry.Name()), read)
		}
	}
	versions := b.versions()
	b.Files = slices.DeleteFunc(b.Files, func(f File) bool {
		return path.Dir(f.Path) == Manifests && (len(versions) == 0 || f.Path != versions[0].Resource().File)
	})
	if len(versions) > 0 {
		b.Version = versions[0]
	}
	b.check(versions)
	return b
}

// read adds a file to the bundle. A manifest without a ClusterServiceVersion is left out.
func (b *Bundle) read(name string, read func(string) ([]byte, error)) {
	text, err := read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		b.Faults = append(b.Faults, err)
	case path.Dir(name) == Metadata || bytes.Contains(text, []byte(versionKind)):
		b.Files = append(b.Files, File{name, text})
	}
}

// versions are the ClusterServiceVersions among the manifests.
func (b *Bundle) versions() (all []*list.Item) {
	for _, f := range b.Files {
		if path.Dir(f.Path) == Manifests {
			for _, item := range list.FileItems(f.Text, f.Path) {
				if item.Kind() == versionKind {
					all = append(all, item)
				}
			}
		}
	}
	return all
}

// check finds out which half of a bundle is missing.
func (b *Bundle) check(versions []*list.Item) {
	fault := func(file string, line int, f diag.Finding) {
		fault := kptpackage.NewFault(b.Dir, file, diag.Position{Line: line, Column: 1}, "")
		f.Position, f.Rule = fault.Position, fault.Rule
		fault.Finding = f
		b.Faults = append(b.Faults, fault)
	}
	if b.File(annotations) == nil && len(b.Files) > 0 {
		fault(b.Files[0].Path, 1, diag.Say("this bundle has no %s/%s, which names its package", Metadata, annotations).
			Do("add it, with the annotation "+packageAnnotation))
	}
	if len(versions) == 0 && cmp.Or(b.annotation(formatAnnotation), format) == format {
		fault(path.Join(Metadata, annotations), 1, diag.Say("this bundle has no %s in %s/", versionKind, Manifests).
			Do("add the one of its version"))
	}
	for _, more := range versions[min(1, len(versions)):] {
		fault(more.Resource().File, more.Line(), diag.Say("a bundle has one %s, but this is another one besides %s", versionKind, versions[0].Resource().InFile()).
			Do("put it into a separate bundle directory"))
	}
}

// File returns the text of a file of the metadata, nil for none.
func (b *Bundle) File(name string) []byte {
	for _, f := range b.Files {
		if f.Path == path.Join(Metadata, name) {
			return f.Text
		}
	}
	return nil
}

// annotation returns an annotation of the bundle, "" for none.
func (b *Bundle) annotation(name string) string {
	document, err := values.Parse(string(b.File(annotations)))
	if err != nil {
		return ""
	}
	return values.Text(values.Field(document.Root(), "annotations", name))
}

// Name is the name of its ClusterServiceVersion, or else of its package, or its directory.
func (b *Bundle) Name() string {
	name := ""
	if b.Version != nil {
		name = b.Version.Name()
	}
	return cmp.Or(name, b.annotation(packageAnnotation), filepath.Base(b.Dir))
}

// ConfigMap returns the metadata as the resource that check-dependencies reads. style is that of
// the texts.
func (b *Bundle) ConfigMap(style yaml.Style) *yaml.Node {
	data := node.Map()
	isRead := false
	for _, f := range b.Files {
		if name := path.Base(f.Path); path.Dir(f.Path) == Metadata {
			data.Content = append(data.Content, node.Text(name), text(string(f.Text), style))
			isRead = isRead || name != annotations
		}
	}
	if !isRead { // annotations alone make no bundle
		data.Content = append(data.Content, node.Text(dependencies), text("", yaml.DoubleQuotedStyle))
	}
	name := node.Text(b.Name())
	if values.Quote(name.Value) != name.Value {
		name.Style = yaml.DoubleQuotedStyle
	}
	return node.Map(node.Text("apiVersion"), node.Text("v1"), node.Text("kind"), node.Text("ConfigMap"), node.Text("metadata"), node.Map(node.Text("name"), name), node.Text("data"), data)
}

func text(value string, style yaml.Style) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value, Style: style}
}

// Items returns the bundle as the resources that check-dependencies reads: its metadata, and its
// ClusterServiceVersion. Their files are below dir.
func (b *Bundle) Items(dir string) ([]*list.Item, error) {
	text, err := values.Print(b.ConfigMap(yaml.DoubleQuotedStyle))
	if err != nil {
		return nil, err
	}
	items := []*list.Item{list.FileItem(text, path.Join(dir, Metadata, annotations), 0)}
	if b.Version != nil {
		items = append(items, b.Version.Moved(path.Join(dir, b.Version.Resource().File), b.Version.Resource().Index, nil))
	}
	return items, nil
}

// Origin returns the file of the bundle that a field of the ConfigMap is, "" for none.
func Origin(field string) string {
	name := strings.TrimSuffix(strings.TrimPrefix(field, "data["), "]")
	if slices.Contains(metadataFiles, name) {
		return path.Join(Metadata, name)
	}
	return ""
}
