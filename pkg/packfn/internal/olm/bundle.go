// Package olm reads what the Operator Lifecycle Manager has on disk: bundle directories, and
// file-based catalogs.
//
//	vault/metadata/annotations.yaml     # a bundle directory
//	vault/manifests/vault.clusterserviceversion.yaml
//	catalog/vault.yaml                  # a catalog: documents with a schema, such as olm.bundle
//
// bundle.go and metadata.go read bundle directories, catalog.go finds catalogs, and indexignore.go
// leaves out the files that opm leaves out. The content is checked by the function check-dependencies,
// which gets it as resources.
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

	"github.com/krm-packs/functions/pkg/constraint"
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

// The parts of its metadata, by the names of the files that usually hold them. opm reads each from
// the first file that has it, whatever its name is.
const (
	annotations  = "annotations.yaml"
	dependencies = "dependencies.yaml"
	properties   = "properties.yaml"
)

var metadataParts = []string{annotations, properties, dependencies}

const (
	annotationPrefix  = "operators.operatorframework.io."
	packageAnnotation = annotationPrefix + "bundle.package.v1"
	formatAnnotation  = annotationPrefix + "bundle.mediatype.v1"
	format            = "registry+v1"
	versionKind       = "ClusterServiceVersion"
	definitionKind    = "CustomResourceDefinition"
)

// File is a text file of a bundle.
type File struct {
	// Path is its path in the directory, with slashes.
	Path string
	Text []byte
	// part is the part of the metadata in the file, or "" for a manifest.
	part string
}

// Bundle is a bundle directory.
type Bundle struct {
	Dir string
	// Files are the files of its metadata, followed by the file with its ClusterServiceVersion. A
	// file with several parts of the metadata is listed once for each part.
	Files []File
	// Defined are the APIs of its CustomResourceDefinitions.
	Defined []constraint.GVK
	// Version is the ClusterServiceVersion, or nil if there is none.
	Version *list.Item
	// Faults are *kptpackage.Fault, and errors about files that cannot be read.
	Faults []error
}

// IsBundle reports whether a folder is a bundle directory, or a half of one: its metadata is
// annotated as OLM wants, or has another file of OLM, and a ClusterServiceVersion beside it.
func IsBundle(dir string) bool {
	isHalf := false
	entries, _ := os.ReadDir(filepath.Join(dir, Metadata))
	for _, name := range metadataFiles(entries) {
		text, err := folder.ReadText(filepath.Join(dir, Metadata, name))
		if err == nil && bytes.Contains(text, []byte(annotationPrefix)) {
			return true
		}
		isHalf = isHalf || name == dependencies || name == properties
	}
	return isHalf && ReadBundle(dir, nil).Version != nil
}

// metadataFiles returns the names of those entries of a folder of metadata that are files.
func metadataFiles(entries []fs.DirEntry) (names []string) {
	for _, entry := range entries {
		if !entry.IsDir() && kptpackage.IsRead(entry.Name()) {
			names = append(names, entry.Name())
		}
	}
	return names
}

// ReadBundle reads a bundle directory. The bundle that it returns lists its faults. replace has texts
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
	entries, _ := fs.ReadDir(files.Files(), Metadata)
	b.readMetadata(metadataFiles(entries), read)
	entries, err = fs.ReadDir(files.Files(), Manifests)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.Faults = append(b.Faults, err)
	}
	for _, entry := range entries {
		if kptpackage.IsRead(entry.Name()) && !entry.IsDir() {
			b.read(path.Join(Manifests, entry.Name()), read)
		}
	}
	b.readDefinitions()
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

// read adds a manifest to the bundle if it has a ClusterServiceVersion or a CustomResourceDefinition.
func (b *Bundle) read(name string, read func(string) ([]byte, error)) {
	text, err := read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		b.Faults = append(b.Faults, err)
	case bytes.Contains(text, []byte(versionKind)) || bytes.Contains(text, []byte(definitionKind)):
		b.Files = append(b.Files, File{Path: name, Text: text})
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
	if b.file(annotations).Text == nil && len(b.Files) > 0 {
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

// file returns the file with a part of the metadata, a zero one if there is none.
func (b *Bundle) file(part string) File {
	for _, f := range b.Files {
		if f.part == part && part != "" {
			return f
		}
	}
	return File{}
}

// annotation returns an annotation of the bundle, or "" if it is not set.
func (b *Bundle) annotation(name string) string {
	document, err := values.Parse(string(b.file(annotations).Text))
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

// ConfigMap returns the metadata as the resource that check-dependencies reads. style is the
// style of its strings.
func (b *Bundle) ConfigMap(style yaml.Style) *yaml.Node {
	data := node.Map()
	isRead := false
	for _, f := range b.Files {
		if f.part != "" {
			data.Content = append(data.Content, node.Text(f.part), text(string(f.Text), style))
			isRead = isRead || f.part != annotations
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

// Origin returns the path of the file for a field of the ConfigMap, or "" if there is none.
func (b *Bundle) Origin(field string) string {
	return b.file(strings.TrimSuffix(strings.TrimPrefix(field, "data["), "]")).Path
}
