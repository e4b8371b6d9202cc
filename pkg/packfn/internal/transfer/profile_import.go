package transfer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/values"
)

// profileRecord is the key of a profile's file in its record.
const profileRecord = "profile"

// joined is a pack of a profile, joined with the directory of the pack.
type joined struct {
	*palette.Pack
	// files are the files of the pack, with the values of the profile.
	files *packdir.Pack
	// source is the directory of the pack, or nil if no source contains it.
	source *packdir.Pack
	// record is what the resource will record about the import.
	record pack.Imported
}

// find returns the directory of a pack of a profile, or "" if there is none, with the pack's own
// name and the other versions in the sources.
func find(sources *packdir.Sources, name, version, tag string) (own, dir string, others []string) {
	dir, others = sources.Find(name, version, tag)
	if _, after, ok := strings.Cut(name, "--"); ok && dir == "" && len(others) == 0 { // <display-name>--<name>
		name = after
		dir, others = sources.Find(name, version, tag)
	}
	return name, dir, others
}

// ValuesOf returns the values of a version of a pack. If the version is a tag such as 1.33.x, it
// uses the newest version that the tag allows. ok is false if no source contains the pack.
func ValuesOf(sources *packdir.Sources, name, version string) (text string, ok bool, err error) {
	tag := version
	if strings.HasSuffix(version, ".x") {
		version = ""
	}
	_, dir, _ := find(sources, name, version, tag)
	if dir == "" {
		return "", false, nil
	}
	source, err := packdir.Read(dir)
	if err != nil {
		return "", false, err
	}
	return string(source.File(valuesFile)), true, nil
}

// join joins a pack of a profile with its directory in the sources, if there is one. It also
// returns the versions of the pack that the sources contain instead.
func join(one *palette.Pack, sources *packdir.Sources) (*joined, []string, error) {
	j := &joined{Pack: one}
	version, tag := one.Field("version"), one.Field("tag")
	name, dir, others := find(sources, one.Field("name"), version, tag)
	if dir != "" {
		source, err := packdir.Read(dir)
		if err != nil {
			return nil, nil, err
		}
		files := *source
		files.Files = slices.Clone(source.Files)
		j.source, j.files, j.record = source, &files, RecordOf(source)
	} else {
		if version == "" && !strings.HasSuffix(tag, ".x") {
			version = tag
		}
		metadata := layout.Map("name", layout.Text(name))
		for _, field := range []struct{ name, value string }{{"version", version}, {"layer", one.Field("layer")}} {
			if field.value != "" {
				metadata.Content = append(metadata.Content, layout.Text(field.name), layout.Text(field.value))
			}
		}
		content, err := layout.JSON(metadata)
		if err != nil {
			return nil, nil, err
		}
		j.files = &packdir.Pack{Name: name, Version: version, Files: []packdir.File{{Name: packdir.Metadata, Text: content}}}
		j.record = pack.Imported{Version: version, SHA256: map[string]string{}}
	}
	j.setValues()
	return j, others, nil
}

// setValues replaces the pack's own values with the values of the profile.
func (j *joined) setValues() {
	at := slices.IndexFunc(j.files.Files, func(f packdir.File) bool { return f.Name == valuesFile })
	switch {
	case j.Values == nil && at < 0:
		j.record.Values = hashOf(nil)
	case j.Values == nil:
		j.record.Values = hashOf(j.files.Files[at].Text)
		j.Entry.Content = append(j.Entry.Content, layout.Text("ownValues"), node.True())
	case at < 0:
		j.files.Files = slices.Insert(j.files.Files, 1, packdir.File{Name: valuesFile, Text: []byte(j.Values.Value)})
		j.record.Values = hashOf([]byte(j.Values.Value))
	default:
		j.files.Files[at].Text = []byte(j.Values.Value)
		j.record.Values = hashOf([]byte(j.Values.Value))
	}
}

const valuesFile = "values.yaml"

// joinAll joins all packs of a profile, and returns the names of the packs that no source
// contains.
func joinAll(p *palette.Profile, sources *packdir.Sources, note func(string, ...any)) (all []*joined, missing []string, err error) {
	for i := range p.Packs {
		one := &p.Packs[i]
		j, others, err := join(one, sources)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, j)
		if j.source != nil || one.Field("type") == "manifest" {
			continue
		}
		name := strings.TrimSpace(j.files.Name + " " + j.files.Version)
		if len(others) > 0 {
			name += fmt.Sprintf(" (there is %s)", strings.Join(others, ", "))
		}
		if !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	p.NoteMasked(note)
	return all, missing, nil
}

// NoteOfMissing returns the note about packs of the profiles in a file that no source contains.
func NoteOfMissing(path string, missing []string) string {
	return fmt.Sprintf("%s: no source has %s; their schemas, presets and requirements are unknown: name the folder of their directories with --source", path, strings.Join(missing, ", "))
}

// ProfileItems returns the resources that an import of a profile would create: the ClusterProfile,
// followed by a resource for each pack. Their file is the file of the profile. missing are the
// packs that no source contains, for [NoteOfMissing]. note is called with other messages for the
// user.
func ProfileItems(p *palette.Profile, sources *packdir.Sources, note func(string, ...any)) (items []*list.Item, missing []string, err error) {
	packs, missing, err := joinAll(p, sources, note)
	if err != nil {
		return nil, nil, err
	}
	roots := []*yaml.Node{p.Node(pack.Imported{}, yaml.DoubleQuotedStyle)}
	for _, j := range packs {
		r := &resource{form: ConfigMap, name: j.Resource, record: j.record, files: j.files.Files}
		roots = append(roots, layout.Map("apiVersion", layout.Text("v1"), "kind", layout.Text("ConfigMap"), "metadata", r.metadataNode(), "data", r.data(yaml.DoubleQuotedStyle)))
	}
	for i, root := range roots {
		text, err := values.Print(root)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, list.FileItem(text, p.Path, i))
	}
	return items, missing, nil
}

// profile plans the import of a profile.
func (im *importer) profile(p *palette.Profile) error {
	packs, missing, err := joinAll(p, im.options.Sources, im.note)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		im.note("%s", NoteOfMissing(p.Path, missing))
	}
	record := pack.Imported{Version: p.Version(), SHA256: map[string]string{profileRecord: hashOf(p.Text)}}
	if done, err := im.isImported(p, packs, record); done || err != nil {
		return err
	}
	var failures []error
	for _, j := range packs {
		failures = append(failures, im.joined(j))
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	text, err := layout.Print("profile "+p.Name, func(style yaml.Style) (*yaml.Node, error) { return p.Node(record, style), nil })
	if err != nil {
		return fmt.Errorf("%s: %w", p.Path, err)
	}
	return im.put(p.Resource, "ClusterProfile", text, im.profiles, fmt.Sprintf("the profile %s with %s", p.Name, diag.Count(len(packs), "pack")))
}

// isImported reports whether the same profile was imported before, so that nothing is left to do.
// It returns an error if the profile or its packs have changed since then, unless Force is set.
func (im *importer) isImported(p *palette.Profile, packs []*joined, record pack.Imported) (bool, error) {
	at := slices.IndexFunc(im.profiles, func(e existing) bool { return e.item.Name() == p.Resource })
	if at < 0 || im.options.Force {
		return false, nil
	}
	before, _ := pack.ParseImported(im.profiles[at].item.Annotation(pack.ImportedAnnotation))
	path := im.profiles[at].path
	var changed []string
	if !before.Equal(record) {
		changed = append(changed, "the profile")
	}
	for _, j := range packs {
		at := slices.IndexFunc(im.there, func(e existing) bool { return e.item.Name() == j.Resource })
		if at < 0 {
			changed = append(changed, j.Resource)
		} else if then, _ := pack.ParseImported(im.there[at].item.Annotation(pack.ImportedAnnotation)); !then.Equal(j.record) {
			changed = append(changed, "the source of "+j.Resource)
		}
	}
	if len(changed) == 0 {
		im.note("%s: %s is imported already; nothing to do", path, p.Name)
		return true, nil
	}
	return false, fmt.Errorf("%s: %s differs from what was imported (%s): use --force, which replaces the profile and its packs, and drops what you changed in them", path, p.Path, strings.Join(changed, ", "))
}

// joined plans to write the resource of a pack of a profile.
func (im *importer) joined(j *joined) error {
	r := &resource{form: im.options.Form, name: j.Resource, record: j.record}
	for _, f := range j.files.Files {
		content, lines := string(f.Text), 0
		if !im.options.Exact {
			content, lines = trim(f)
		}
		if f.Name == valuesFile && lines > 0 {
			j.Entry.Content = append(j.Entry.Content, layout.Text("lineEnds"), lineEnds(string(f.Text), content))
		}
		r.files = append(r.files, packdir.File{Name: f.Name, Text: []byte(content)})
	}
	if j.source != nil {
		read, digests, err := im.facts(j.source)
		if err != nil {
			return err
		}
		if digests != nil {
			r.files, r.record.Charts = append(r.files, packdir.File{Name: facts.FileName, Text: []byte(read)}), digests
		}
	}
	addValues(&r.record, j.files)
	if j.source != nil { // read-only values are defined by the pack, not by the profile
		var own pack.Imported
		addValues(&own, j.source)
		r.record.ReadOnly = own.ReadOnly
	}
	text, err := r.text()
	if err != nil {
		return err
	}
	for _, note := range quotedTexts(text, r.files) {
		im.note("%s: %s", j.Resource, note)
	}
	im.imported = append(im.imported, j.files)
	return im.put(j.Resource, "pack "+j.files.Name, text, im.there, strings.TrimSpace(j.files.Name+" "+j.files.Version))
}

// put plans to write a resource to its own file, or to replace a resource that an earlier import
// of a profile wrote.
func (im *importer) put(name, what string, text []byte, there []existing, note string) error {
	if other, ok := im.taken[name]; ok {
		return fmt.Errorf("%s and another import have one name, %s; import them into two packages", other, name)
	}
	im.taken[name] = "the " + what
	path := filepath.Join(im.to, name+".yaml")
	if at := slices.IndexFunc(there, func(e existing) bool { return e.item.Name() == name }); at >= 0 {
		before := &there[at]
		record, _ := pack.ParseImported(before.item.Annotation(pack.ImportedAnnotation))
		path = before.path
		if !im.options.Force || record.Values == "" && record.SHA256[profileRecord] == "" {
			return fmt.Errorf("%s is there already, and no profile was imported to it; import the profile into another package", path)
		}
		whole, err := before.replaced(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		im.write(path, whole)
		im.note("%s: %s, replaced", path, note)
		return nil
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already, and is not the %s; rename the file, or import the profile into another package", path, what)
	}
	im.write(path, text)
	im.note("%s: %s", path, note)
	return nil
}
