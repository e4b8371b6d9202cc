package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// Exported is a pack as a directory.
type Exported struct {
	// Name is the name of the resource and of the directory.
	Name string
	// Pack is the name in pack.json.
	Pack string
	// Files are the files of the directory, with their paths in it.
	Files []packdir.File
	// record is the record of the pack's import.
	record pack.Imported
	// read is the parsed pack, or nil if only its files are known.
	read *pack.Pack
}

// Packs returns the packs of a package as directories, with the files in the resources, and with
// the original macros in the values.
func Packs(p *kptpackage.Package) ([]Exported, error) {
	return exportAll(p.Dir, itemsOf(p), (*hydration.Sources).Restored, func(*Exported, *list.Item) error { return nil })
}

// itemsOf returns the resources of a package. Their file paths are relative to the package.
func itemsOf(p *kptpackage.Package) (items []*list.Item) {
	for _, file := range p.Files {
		items = append(items, file.Items()...)
	}
	return items
}

// reading is a function that returns values in the form to export: with macros, or with resolved
// values. Both forms are without the comments in which resolve-macros keeps the macros.
type reading = func(*hydration.Sources) (*values.Document, error)

// exportAll returns the packs among items. of selects the form of their values, and change is
// called for each pack.
func exportAll(dir string, items []*list.Item, of reading, change func(*Exported, *list.Item) error) (all []Exported, err error) {
	for _, item := range items {
		if !pack.Wants(item) {
			continue
		}
		var e *Exported
		document, err := item.Document()
		if err == nil {
			e, err = export(item, document, of)
		}
		if err == nil && e != nil {
			err = change(e, item)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, item.Resource().File), err)
		}
		if e != nil {
			all = append(all, *e)
		}
	}
	return all, nil
}

// export returns the files of a pack, or nil if the resource is not a pack.
func export(item *list.Item, document *values.Document, of reading) (*Exported, error) {
	root := document.Root()
	e := &Exported{Name: item.Name()}
	switch {
	case item.Is(pack.GroupVersion, "Pack"):
		if formed, err := of(hydration.Read(document, values.Keys("spec", "values"), hydration.Partly)); err == nil {
			root = formed.Root()
		}
		if err := e.spec(values.Field(root, "spec"), item.Name(), of); err != nil {
			return nil, err
		}
	case item.Is("v1", "ConfigMap") && values.Field(root, "data", packdir.Metadata) != nil:
		data := values.Field(root, "data")
		for i := 0; i+1 < len(data.Content); i += 2 {
			name, n := data.Content[i].Value, values.Resolve(data.Content[i+1])
			if name == facts.FileName { // directories do not contain this file
				continue
			}
			if n.Kind != yaml.ScalarNode || !filepath.IsLocal(name) || !dataKey.MatchString(name) {
				return nil, fmt.Errorf("data[%s] is not a file", name)
			}
			text := n.Value
			if name == valuesFile {
				text = formed(text, of)
			}
			e.Files = append(e.Files, packdir.File{Name: name, Text: []byte(text)})
		}
	default:
		return nil, nil
	}
	e.Pack = packName(item, document)
	e.record, _ = pack.ParseImported(item.Annotation(pack.ImportedAnnotation))
	if err := staging.CheckName(e.Name); err != nil {
		return nil, fmt.Errorf("the name of the resource: %w", err)
	}
	files := map[string]string{}
	for _, f := range e.Files {
		if err := staging.CheckName(f.Name); err != nil {
			return nil, fmt.Errorf("data[%s]: %w", f.Name, err)
		}
		if other, ok := files[strings.ToLower(f.Name)]; ok {
			return nil, fmt.Errorf("data[%s] and data[%s] are one file on some systems; rename one", other, f.Name)
		}
		files[strings.ToLower(f.Name)] = f.Name
	}
	return e, nil
}

// formed returns the text of values in the form that "of" selects. Values that cannot be parsed are
// returned unchanged.
func formed(text string, of reading) string {
	document, err := values.Parse(text)
	if err == nil {
		document, err = of(hydration.Read(document, nil, hydration.Partly))
	}
	if err != nil {
		return text
	}
	return document.Text()
}

// spec sets the files from the spec of a Pack.
func (e *Exported) spec(spec *yaml.Node, name string, of reading) error {
	if spec == nil || spec.Kind != yaml.MappingNode {
		return errors.New("the Pack has no spec")
	}
	fileOf := map[string]string{}
	for file, field := range documentFields {
		fileOf[field] = file
	}
	metadata := layout.Map()
	if values.Field(spec, "name") == nil {
		metadata.Content = append(metadata.Content, layout.Text("name"), layout.Text(name))
	}
	var files []packdir.File
	for i := 0; i+1 < len(spec.Content); i += 2 {
		key, n := spec.Content[i], values.Resolve(spec.Content[i+1])
		file, ok := fileOf[key.Value]
		if !ok {
			metadata.Content = append(metadata.Content, key, n)
			continue
		}
		if file == facts.FileName { // directories do not contain this file
			continue
		}
		content, err := fileText(key.Value, n)
		if err != nil {
			return fmt.Errorf("spec.%s: %w", key.Value, err)
		}
		if n.Kind == yaml.ScalarNode && file == valuesFile {
			content = []byte(formed(n.Value, of))
		}
		files = append(files, packdir.File{Name: file, Text: content})
	}
	content, err := layout.JSON(metadata)
	if err != nil {
		return fmt.Errorf("spec: %w", err)
	}
	e.Files = append([]packdir.File{{Name: packdir.Metadata, Text: content}}, files...)
	return nil
}

// fileText returns the file for a field of a Pack, which is a string, a map or a list.
func fileText(field string, n *yaml.Node) ([]byte, error) {
	if n.Kind == yaml.ScalarNode {
		return []byte(n.Value), nil
	}
	n = layout.Clone(n)
	if n.Kind == yaml.SequenceNode { // the file contains the list below a key
		n = layout.Map(field, n)
	}
	return values.Print(n)
}

// Export plans to write packs to a folder, each in its own directory. It returns an error if a
// file exists with other content, unless force is set.
func Export(to string, packs []Exported, force bool) (*Plan, error) {
	plan := &Plan{}
	var failures []error
	names := map[string]Exported{} // in lower case, because some file systems ignore case
	for _, p := range packs {
		if other, ok := names[strings.ToLower(p.Name)]; ok {
			return nil, fmt.Errorf("the resources %s and %s, of the packs %s and %s, have one directory on some systems; rename one", other.Name, p.Name, other.Pack, p.Pack)
		}
		names[strings.ToLower(p.Name)] = p
		changed := 0
		for _, f := range p.Files {
			path := filepath.Join(to, p.Name, f.Name)
			before, err := folder.ReadText(path)
			switch {
			case err == nil && bytes.Equal(before, f.Text):
				continue
			case err == nil && !force:
				failures = append(failures, fmt.Errorf("%s is there already with other content; use --force to replace it", path))
				continue
			case err != nil && !errors.Is(err, os.ErrNotExist):
				failures = append(failures, err)
				continue
			}
			changed++
			plan.Changes = append(plan.Changes, staging.Change{In: to, Path: path, Text: f.Text})
		}
		plan.Notes = append(plan.Notes, fmt.Sprintf("%s: %s of %s", filepath.Join(to, p.Name), diag.Count(changed, "new file"), p.Pack))
	}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return plan, nil
}
