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
	"github.com/krm-packs/functions/pkg/values"
)

// profileRecord is the key of a profile's file in its record.
const profileRecord = "profile"

// joined is a pack of a profile, joined with the directory of the pack.
type joined struct {
	*profilePack
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
func (one *profilePack) join(sources *packdir.Sources) (*joined, []string, error) {
	j := &joined{profilePack: one}
	version, tag := one.field("version"), one.field("tag")
	name, dir, others := find(sources, one.field("name"), version, tag)
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
		for _, field := range []struct{ name, value string }{{"version", version}, {"layer", one.field("layer")}} {
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
	case j.values == nil && at < 0:
		j.record.Values = hashOf(nil)
	case j.values == nil:
		j.record.Values = hashOf(j.files.Files[at].Text)
		j.entry.Content = append(j.entry.Content, layout.Text("ownValues"), node.True())
	case at < 0:
		j.files.Files = slices.Insert(j.files.Files, 1, packdir.File{Name: valuesFile, Text: []byte(j.values.Value)})
		j.record.Values = hashOf([]byte(j.values.Value))
	default:
		j.files.Files[at].Text = []byte(j.values.Value)
		j.record.Values = hashOf([]byte(j.values.Value))
	}
}

const valuesFile = "values.yaml"

// joinAll joins all packs of a profile, and returns the names of the packs that no source
// contains.
func (p *Profile) joinAll(sources *packdir.Sources, note func(string, ...any)) (all []*joined, missing []string, err error) {
	for i := range p.packs {
		one := &p.packs[i]
		j, others, err := one.join(sources)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, j)
		if j.source != nil || one.field("type") == "manifest" {
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
	p.noteMasked(note)
	return all, missing, nil
}

// NoteOfMissing returns the note about packs of the profiles in a file that no source contains.
func NoteOfMissing(path string, missing []string) string {
	return fmt.Sprintf("%s: no source has %s; their schemas, presets and requirements are unknown: name the folder of their directories with --source", path, strings.Join(missing, ", "))
}

// noteMasked adds a note about the variables and values that Palette has replaced with asterisks.
func (p *Profile) noteMasked(note func(string, ...any)) {
	var masked []string
	if variables := values.Field(p.spec, "variables"); variables != nil {
		for _, v := range variables.Content {
			if isMasked(values.Text(values.Field(v, "defaultValue"))) {
				masked = append(masked, "the variable "+values.Text(values.Field(v, "name")))
			}
		}
	}
	for i := range p.packs {
		if one := &p.packs[i]; one.values != nil {
			for n, line := range strings.Split(one.values.Value, "\n") {
				if at := strings.LastIndex(line, ": "); at >= 0 && isMasked(strings.Trim(line[at+2:], ` "'`+"\r")) {
					masked = append(masked, fmt.Sprintf("line %d of the values of %s", n+1, one.resource))
				}
			}
		}
	}
	if len(masked) > 0 {
		note("%s: Palette has masked %s; it stays as it is: set the value before you import the profile into Palette", p.Path, strings.Join(masked, ", "))
	}
}

// isMasked reports whether a text consists of the asterisks that Palette exports instead of a
// secret.
func isMasked(text string) bool { return len(text) >= 3 && strings.Trim(text, "*") == "" }

// profile plans the import of a profile.
func (im *importer) profile(p *Profile) error {
	packs, missing, err := p.joinAll(im.options.Sources, im.note)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		im.note("%s", NoteOfMissing(p.Path, missing))
	}
	record := pack.Imported{Version: values.Text(values.Field(p.spec, "version")), SHA256: map[string]string{profileRecord: hashOf(p.text)}}
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
	text, err := layout.Print("profile "+p.Name, func(style yaml.Style) (*yaml.Node, error) { return p.node(record, style), nil })
	if err != nil {
		return fmt.Errorf("%s: %w", p.Path, err)
	}
	return im.put(p.resource, "ClusterProfile", text, im.profiles, fmt.Sprintf("the profile %s with %s", p.Name, diag.Count(len(packs), "pack")))
}

// isImported reports whether the same profile was imported before, so that nothing is left to do.
// It returns an error if the profile or its packs have changed since then, unless Force is set.
func (im *importer) isImported(p *Profile, packs []*joined, record pack.Imported) (bool, error) {
	at := slices.IndexFunc(im.profiles, func(e existing) bool { return e.item.Name() == p.resource })
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
		at := slices.IndexFunc(im.there, func(e existing) bool { return e.item.Name() == j.resource })
		if at < 0 {
			changed = append(changed, j.resource)
		} else if then, _ := pack.ParseImported(im.there[at].item.Annotation(pack.ImportedAnnotation)); !then.Equal(j.record) {
			changed = append(changed, "the source of "+j.resource)
		}
	}
	if len(changed) == 0 {
		im.note("%s: %s is imported already; nothing to do", path, p.Name)
		return true, nil
	}
	return false, fmt.Errorf("%s: %s differs from what was imported (%s): use --force, which replaces the profile and its packs, and drops what you changed in them", path, p.Path, strings.Join(changed, ", "))
}

// node returns the ClusterProfile, with multi-line strings in a style.
func (p *Profile) node(record pack.Imported, style yaml.Style) *yaml.Node {
	packs := values.Field(p.spec, "packs")
	for i := range p.packs {
		packs.Content[i] = p.packs[i].entry
	}
	spec := layout.Clone(p.spec)
	layout.Restyle(spec, style)
	annotations := layout.Map(list.LocalConfigAnnotation, layout.Text("true"), pack.ImportedAnnotation, layout.Text(record.String()))
	return layout.Map("apiVersion", layout.Text(pack.GroupVersion), "kind", layout.Text("ClusterProfile"), "metadata", layout.Map("name", layout.Text(p.resource), "annotations", annotations), "spec", spec)
}

// joined plans to write the resource of a pack of a profile.
func (im *importer) joined(j *joined) error {
	r := &resource{form: im.options.Form, name: j.resource, record: j.record}
	for _, f := range j.files.Files {
		content, lines := string(f.Text), 0
		if !im.options.Exact {
			content, lines = trim(f)
		}
		if f.Name == valuesFile && lines > 0 {
			j.entry.Content = append(j.entry.Content, layout.Text("lineEnds"), lineEnds(string(f.Text), content))
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
		im.note("%s: %s", j.resource, note)
	}
	im.imported = append(im.imported, j.files)
	return im.put(j.resource, "pack "+j.files.Name, text, im.there, strings.TrimSpace(j.files.Name+" "+j.files.Version))
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
