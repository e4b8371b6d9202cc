package transfer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/values"
)

// ExportProfile returns a ClusterProfile of a package with its packs in the format that Palette
// exports. If name is "", the package must contain exactly one. The values are the packs' own
// values, or their effective values if functions are given, see [Effective]. The notes are about
// differences from the imported profile.
func ExportProfile(p *kptpackage.Package, name string, functions []function.Function) (out []byte, notes []string, err error) {
	profile, err := findProfile(p, name)
	if err != nil {
		return nil, nil, err
	}
	packs, err := Packs(p)
	if functions != nil {
		packs, err = Effective(p, functions)
	}
	if err != nil {
		return nil, nil, err
	}
	document, err := profile.Document()
	if err != nil {
		return nil, nil, err
	}
	x := &profileExport{packs: packs, place: filepath.Join(p.Dir, profile.Resource().File)}
	root, err := palette.Export(values.Field(document.Root(), "spec"), x.pack)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", x.place, err)
	}
	if n := overrides(p); n > 0 && functions == nil {
		x.notes = append(x.notes, fmt.Sprintf("left out %s of the package; --effective merges overrides into the values", diag.Count(n, "override")))
	}
	out, err = layout.JSON(root)
	return out, x.notes, err
}

// findProfile returns the ClusterProfile with a name, or the only one if name is "".
func findProfile(p *kptpackage.Package, name string) (*list.Item, error) {
	var names []string
	var found []*list.Item
	for _, item := range itemsOf(p) {
		if !item.Is(pack.GroupVersion, "ClusterProfile") {
			continue
		}
		names = append(names, item.Name())
		if name == "" || item.Name() == name {
			found = append(found, item)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(names) == 0:
		return nil, fmt.Errorf("%s has no ClusterProfile; packfn import profile.json --to PACKAGE makes one", p.Dir)
	case len(found) == 0:
		f := diag.NotFound("ClusterProfile", name, names)
		return nil, fmt.Errorf("--profile: %s", f.Message())
	}
	return nil, fmt.Errorf("%s has %d ClusterProfiles: %s; name one with --profile", p.Dir, len(names), diag.AllOf(names))
}

// overrides counts the overrides of a package.
func overrides(p *kptpackage.Package) (n int) {
	for _, item := range itemsOf(p) {
		if pack.IsOverride(item) {
			n++
		}
	}
	return n
}

// profileExport sets the versions and values in a ClusterProfile that is exported.
type profileExport struct {
	// packs are the packs of the package, place is the file of the ClusterProfile for messages, and
	// notes are the differences from the imported profile.
	packs []Exported
	place string
	notes []string
}

// pack sets the version and the values of an entry of spec.packs.
func (x *profileExport) pack(entry *yaml.Node, i int) error {
	reference := values.Text(values.Field(entry, "packRef", "name"))
	at := slices.IndexFunc(x.packs, func(e Exported) bool { return e.Name == reference })
	if at < 0 {
		var names []string
		for _, e := range x.packs {
			names = append(names, e.Name)
		}
		f := pack.NoPackResource(reference, names)
		return fmt.Errorf("spec.packs[%d].packRef.name: %s", i, f.Message())
	}
	e := &x.packs[at]
	x.version(entry, e)
	own := values.Text(values.Field(entry, "ownValues")) == "true"
	content := (&packdir.Pack{Files: e.Files}).File(valuesFile)
	if content == nil {
		own = true
	} else if original := []byte(restoreLineEnds(string(content), values.Field(entry, "lineEnds"))); e.record.Values == hashOf(original) {
		content = original
	} else {
		own = false
	}
	if !own {
		layout.Remove(entry, "values")
		entry.Content = append(entry.Content, layout.Text("values"), layout.Text(string(content)))
	}
	return nil
}

// version updates the version in an entry if the pack was upgraded since the import.
func (x *profileExport) version(entry *yaml.Node, e *Exported) {
	n, tag := values.Field(entry, "version"), values.Field(entry, "tag")
	now := e.version()
	if n == nil || now == "" || n.Value == now {
		return
	}
	x.notes = append(x.notes, fmt.Sprintf("%s: the version of %s is %s, that of its resource; the profile has %s", x.place, e.Name, now, n.Value))
	if prefix, ok := strings.CutSuffix(values.Text(tag), ".x"); tag != nil && !(ok && strings.HasPrefix(now, prefix+".")) {
		*tag = *layout.Text(now)
	}
	*n = *layout.Text(now)
}

// version returns the version in pack.json.
func (e *Exported) version() string {
	metadata, err := values.Parse(string((&packdir.Pack{Files: e.Files}).File(packdir.Metadata)))
	if err != nil {
		return ""
	}
	return values.Text(values.Field(metadata.Root(), "version"))
}
