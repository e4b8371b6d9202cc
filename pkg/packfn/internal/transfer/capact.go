package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// ofCapact is the import of Capact files.
type ofCapact struct {
	*importer
	// there are the resources of the target, and taken the files of the imported resources, both
	// by KIND/NAME.
	there map[string]existing
	taken map[string]string
	// made counts the resources to write, and same the resources that exist already, both by
	// kind.
	made, same map[string]int
	// left are the kinds of manifests that do not become resources. differing are the resources
	// that differ from the resources of the target.
	left, differing []string
	// skipped are messages about documents that are left out.
	skipped []string
}

// capact plans the import of Capact files.
func (im *importer) capact(files []capact.Found) error {
	if len(files) == 0 {
		return nil
	}
	of := &ofCapact{importer: im, there: map[string]existing{}, taken: map[string]string{}, made: map[string]int{}, same: map[string]int{}}
	for _, file := range im.target.Files {
		for _, item := range file.Items() {
			if item.APIVersion() == manifest.GroupVersion {
				document, err := item.Document()
				if err != nil {
					return fmt.Errorf("%s: %w", filepath.Join(im.to, file.Path), err)
				}
				of.there[keyOf(item.Kind(), item.Name())] = existing{path: filepath.Join(im.to, file.Path), file: file, item: item, document: document}
			}
		}
	}
	var failures []error
	for _, file := range files {
		failures = append(failures, of.file(file))
	}
	if len(of.differing) > 0 {
		failures = append(failures, fmt.Errorf("%s has other content for %s: use --force, which replaces it", im.to, diag.SomeOf(of.differing)))
	}
	for _, line := range of.skipped {
		if len(of.made)+len(of.same) == 0 { // nothing else is imported
			failures = append(failures, errors.New(line))
		} else {
			im.note("%s; it is left out", line)
		}
	}
	if len(of.left) > 0 {
		im.note("%s", capact.LeftOut(of.left))
	}
	if len(of.made) > 0 {
		im.note("%s: %s of Capact", im.to, countOf(of.made))
	}
	if len(of.same) > 0 {
		im.note("%s: %s of Capact imported already", im.to, countOf(of.same))
	}
	return errors.Join(failures...)
}

func keyOf(kind, name string) string { return kind + "/" + name }

// countOf formats the counts by kind, such as `2 Interfaces, 1 Policy`.
func countOf(kinds map[string]int) string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, diag.Count(kinds[kind], kind))
	}
	return strings.ReplaceAll(strings.Join(all, ", "), "Policys", "Policies")
}

// file plans the import of a file. Documents that cannot become resources are added to skipped.
func (of *ofCapact) file(file capact.Found) error {
	faulty := map[int]bool{}
	for i := range file.Faults {
		f := &file.Faults[i]
		faulty[f.Resource().Index] = true
		of.skip(file, f.Resource().Index, f.Position.Line, f.Path()+": "+f.Message())
	}
	of.left = append(of.left, file.Left...)
	for i, item := range file.Items {
		switch document, err := item.Document(); {
		case !file.Is(i) || faulty[i]:
		case err != nil:
			what, at := diag.OneLine(err.Error()), diag.Position{}
			if fault, ok := errors.AsType[*values.SyntaxError](err); ok {
				what, at = fault.Where()
			}
			of.skip(file, i, at.Line, what)
		case item.Kind() == "" || item.Name() == "" || lacksIdentity(document.Root()):
			of.skip(file, i, 0, identityOf(item.Kind()))
		default:
			if err := of.resource(item, document.Root()); err != nil {
				return err
			}
		}
	}
	return nil
}

// skip records that a document is left out.
func (of *ofCapact) skip(file capact.Found, index, line int, why string) {
	of.skipped = append(of.skipped, fmt.Sprintf("%s:%d: %s", file.Path, file.Items[index].Line()+max(line, 1)-1, why))
}

// lacksIdentity reports whether a manifest has no path or no revision.
func lacksIdentity(root *yaml.Node) bool {
	spec := values.Field(root, "spec")
	isOther := slices.Contains([]string{"Policy", "TypeInstance"}, values.Text(values.Field(root, "kind")))
	return !isOther && (values.Text(values.Field(spec, "path")) == "" || values.Text(values.Field(spec, "revision")) == "")
}

// identityOf returns the fields without which a document of a kind cannot become a resource, for
// messages.
func identityOf(kind string) string {
	if kind == "TypeInstance" {
		return "the TypeInstance has no id"
	}
	return "a manifest needs kind, revision, metadata.prefix and metadata.name"
}

// resource plans to write a resource. If several manifests have the same path and revision, a
// number is appended to their names.
func (of *ofCapact) resource(item *list.Item, root *yaml.Node) error {
	kind, name := item.Kind(), item.Name()
	for n := 2; of.taken[keyOf(kind, name)] != ""; n++ {
		name = fmt.Sprintf("%s-%d", item.Name(), n)
	}
	of.taken[keyOf(kind, name)] = item.Resource().File
	before, isThere := of.there[keyOf(kind, name)]
	if isThere && values.Equal(values.Field(before.document.Root(), "spec"), values.Field(root, "spec")) {
		of.same[kind]++
		return nil
	}
	if isThere && !of.options.Force {
		of.differing = append(of.differing, keyOf(kind, name))
		return nil
	}
	metadata := layout.Map("name", layout.Text(name), "annotations", layout.Map(list.LocalConfigAnnotation, layout.Text("true")))
	if isThere {
		metadata = layout.Clone(values.Field(before.document.Root(), "metadata"))
	}
	isJSON := bytes.ContainsAny(bytes.TrimSpace(item.Text())[:1], "{[")
	printed, err := layout.Print(kind+" "+name, func(style yaml.Style) (*yaml.Node, error) {
		spec := layout.Clone(values.Field(root, "spec"))
		if isJSON {
			spec = layout.Block(spec)
		}
		layout.Restyle(spec, style)
		return layout.Map("apiVersion", layout.Text(manifest.GroupVersion), "kind", layout.Text(kind), "metadata", metadata, "spec", spec), nil
	})
	path := filepath.Join(of.to, folderOf(kind), name+".yaml")
	if isThere && err == nil {
		path = before.path
		printed, err = before.replaced(printed)
	} else if _, there := os.Lstat(path); there == nil && err == nil {
		err = fmt.Errorf("%s is there already, and is not the %s %s; rename the file", path, kind, name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", item.Resource().File, err)
	}
	of.write(path, printed)
	of.made[kind]++
	return nil
}

// folderOf returns the folder for the resources of a kind.
func folderOf(kind string) string {
	if kind == "Policy" {
		return "policies"
	}
	return strings.ToLower(kind) + "s"
}
