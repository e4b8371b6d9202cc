package transfer

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// bundlesAt returns the OLM bundles at a path that are imported with the packs: bundle directories,
// and catalog files. It returns none for a path with pack directories.
func bundlesAt(name string) (dirs, catalogs []string, err error) {
	info, err := os.Stat(name)
	switch {
	case err != nil || folder.IsArchive(name):
		return nil, nil, nil // reading the packs reports it
	case !info.IsDir() && olm.IsCatalogFile(name):
		return nil, []string{name}, nil
	case !info.IsDir():
		return nil, nil, nil
	case olm.IsBundle(name):
		return []string{name}, nil, nil
	}
	if _, err := packdir.Find(name); err == nil {
		return nil, nil, nil
	}
	found, err := olm.Find(name)
	return found.Bundles, found.Catalogs, err
}

// bundle plans the import of a bundle directory. The package gets a folder for the bundle, with
// its metadata and its ClusterServiceVersion in subfolders:
//
//	vault/metadata/vault.yaml
//	vault/manifests/vault.yaml
func (im *importer) bundle(dir string) error {
	b := olm.ReadBundle(dir, nil)
	if len(b.Faults) > 0 {
		return b.Faults[0]
	}
	name, err := im.bundleName(dir, b.Name())
	if err != nil {
		return err
	}
	if !im.options.Exact {
		for i, f := range b.Files {
			if path.Dir(f.Path) == olm.Metadata {
				content, _ := trim(packdir.File{Name: f.Path, Text: f.Text})
				b.Files[i].Text = []byte(content)
			}
		}
	}
	metadata, err := layout.Print("bundle "+name, func(style yaml.Style) (*yaml.Node, error) { return local(b.ConfigMap(style)), nil })
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	files := map[string][]byte{olm.Metadata: metadata}
	if b.Version != nil {
		document, err := b.Version.Document()
		if err == nil {
			files[olm.Manifests], err = layout.Print("bundle "+name, func(yaml.Style) (*yaml.Node, error) { return local(layout.Clone(document.Root())), nil })
		}
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	for _, part := range []string{olm.Metadata, olm.Manifests} {
		if text := files[part]; text != nil {
			if err := im.replace(filepath.Join(im.to, name, part, name+".yaml"), dir, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// catalog plans the import of the bundles of a catalog as a single ConfigMap.
func (im *importer) catalog(file string) error {
	base := filepath.Base(file)
	name, err := im.bundleName(file, strings.TrimSuffix(base, filepath.Ext(base)))
	if err != nil {
		return err
	}
	in, err := (&olm.Catalog{Path: file}).Open()
	if err != nil {
		return err
	}
	defer in.Close()
	var all bytes.Buffer
	versions := map[string]int{}
	var several []string
	for d := range documents.Each(in) {
		document, err := d.Parse()
		switch {
		case err != nil:
			return fmt.Errorf("%s: the document at line %d: %w", file, d.First(), err)
		case values.Text(values.Field(document.Root(), "schema")) != "olm.bundle":
			continue
		case all.Len() > values.MaxBytes:
			return fmt.Errorf("%s: the catalog is too large for a package, which has the bundles that are installed; write those into a file, and import that", file)
		}
		if all.Len() > 0 {
			all.WriteString("---\n")
		}
		all.WriteString(strings.Trim(strings.TrimPrefix(d.Text, "---"), "\n") + "\n")
		of := values.Text(values.Field(document.Root(), "package"))
		if versions[of]++; versions[of] == 2 {
			several = append(several, of)
		}
	}
	if all.Len() == 0 {
		return fmt.Errorf("%s has no document of the schema olm.bundle", file)
	}
	content, _ := trim(packdir.File{Name: "bundle.yaml", Text: all.Bytes()})
	text, err := layout.Print("catalog "+name, func(style yaml.Style) (*yaml.Node, error) {
		return local(layout.Map("apiVersion", layout.Text("v1"), "kind", layout.Text("ConfigMap"), "metadata", layout.Map("name", layout.Text(name)), "data", layout.Map("bundle.yaml", layout.Styled(content, style)))), nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(several) > 0 {
		im.note("%s has several versions of %s; keep in the package the bundle that is installed", file, diag.SomeOf(several))
	}
	return im.replace(filepath.Join(im.to, name+".yaml"), file, text)
}

// local adds the annotation to a resource that keeps kpt from applying it to a cluster.
func local(root *yaml.Node) *yaml.Node {
	metadata := values.Field(root, "metadata")
	annotations := values.Field(metadata, "annotations")
	if values.IsNull(annotations) {
		layout.Remove(metadata, "annotations")
		annotations = layout.Map()
		metadata.Content = append(metadata.Content, layout.Text("annotations"), annotations)
	}
	layout.SetText(annotations, list.LocalConfigAnnotation, "true")
	return root
}

// bundleName returns the name of the resources of a bundle or a catalog.
func (im *importer) bundleName(from, own string) (string, error) {
	name, ok := im.options.Names[filepath.Clean(from)]
	if name = strings.TrimSpace(name); !ok {
		name = kptpackage.ResourceName(own)
	}
	switch {
	case name == "":
		return "", fmt.Errorf("%s: no resource can have the name %q; choose one with --name NEW=%s", from, own, from)
	case im.taken[name] != "":
		return "", fmt.Errorf("%s and %s have one name, %s; choose another with --name NEW=%s", im.taken[name], from, name, from)
	}
	im.taken[name] = from
	return name, nil
}

// replace plans to write a file. If an earlier import wrote it with other content, it returns an
// error unless Force is set.
func (im *importer) replace(path, from string, text []byte) error {
	before, err := folder.ReadText(path)
	switch {
	case err == nil && bytes.Equal(before, text):
		im.note("%s: %s is imported already; nothing to do", path, from)
		return nil
	case err == nil && !im.options.Force:
		return fmt.Errorf("%s is there already, and differs from %s: use --force, which replaces it", path, from)
	}
	im.write(path, text)
	im.note("%s: %s", path, from)
	return nil
}

// isOfBundle reports whether a path in --name is a bundle directory or a catalog file.
func (o *Options) isOfBundle(dir string) bool {
	return slices.ContainsFunc(slices.Concat(o.Bundles, o.Catalogs), func(name string) bool { return filepath.Clean(name) == dir })
}
