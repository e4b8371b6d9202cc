package language

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/cursor"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// options returns the form of the options in a functionConfig that is a ConfigMap or the
// configMap of a Kptfile. It returns nil if the position is in neither.
func (c *Query) options() *form {
	f := c.configured()
	if f == nil {
		return nil
	}
	made, spec := &form{Properties: map[string]*form{}}, c.forms.kind(function.ConfigGroupVersion, f.Kind).at(values.Keys("spec"))
	for _, name := range decode.FlatNames(f.New().Config()) {
		if of := spec.at(values.Keys(name)); of != nil { // lists and maps are strings here
			made.Properties[name] = &form{Description: of.Description, Enum: of.Enum}
			if slices.Equal(of.Type, oneOrMore{"boolean"}) {
				made.Properties[name].Enum = []any{"true", "false"}
			}
		}
	}
	if f.Name == rule.ApplyPreset {
		for _, p := range c.snapshot.set.Packs {
			var names []string
			for _, one := range presetsOf(p) {
				names = append(names, one.Name)
			}
			made.Properties[p.Name] = &form{Description: "The presets of the pack, separated by commas.", Enum: enumOf(names)}
		}
	}
	return made
}

// configured returns the function whose configuration contains the position, or nil if there is
// none.
func (c *Query) configured() *function.Function {
	t := c.site
	text, entry := t.whole, []values.Step(nil)
	switch {
	case t.document == kptfileDocument && len(t.path) >= 4 && t.path[3].Key == "configMap":
		entry = t.path[:3]
	case t.document == resourceDocument && t.head.kind == "ConfigMap" && len(t.path) > 0 && t.path[0].Key == "data":
		for dir := range parents.Of(filepath.Dir(t.file)) {
			if len(dir) < len(c.snapshot.dir) || entry != nil { // above the package
				break
			}
			kptfile := c.snapshot.files[filepath.Join(dir, kptfileDocument)]
			if kptfile == nil {
				continue
			}
			name, _ := filepath.Rel(dir, t.file)
			text = kptfile.text
			cursor.Entries(text, func(e cursor.Entry) {
				if pattern(e.Path[min(2, len(e.Path)):]) == "[].configPath" && path.Clean(e.Scalar(text)) == filepath.ToSlash(name) {
					entry = e.Path[:3]
				}
			})
		}
	}
	if entry == nil {
		return nil
	}
	var called kptpackage.Function
	cursor.Entries(text, func(e cursor.Entry) {
		if len(e.Path) != 4 || !slices.Equal(e.Path[:3], entry) {
			return
		}
		switch e.Path[3].Key {
		case "exec":
			called.Exec = e.Scalar(text)
		case "image":
			called.Image = e.Scalar(text)
		}
	})
	for _, f := range c.functions {
		if f.Name == called.Program() {
			return &f
		}
	}
	return nil
}
