package check

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
)

// checkMacros reports values of packages whose macros no step of their pipelines can resolve.
func (c *checker) checkMacros(u *unit, steps []pipeline.Step) {
	configs := map[string][]*yaml.Node{}
	var dirs []string
	for i := range steps {
		if s := &steps[i]; s.Mutator && s.Function.Name == macro.Function().Name {
			if configs[s.Package] == nil {
				dirs = append(dirs, s.Package)
			}
			configs[s.Package] = append(configs[s.Package], s.Config)
		}
	}
	for _, dir := range dirs {
		r := run{function: macro.Checker(configs[dir])}
		for _, one := range u.itemsOf(dir) {
			r.items = append(r.items, one.Item)
		}
		c.run(u, &r)
	}
	c.checkUnresolved(u, dirs)
}

// checkUnresolved reports mistakes in the macros of what is in none of the folders, whose pipelines
// resolve macros, and how many macros stay in a package.
func (c *checker) checkUnresolved(u *unit, resolved []string) {
	r := run{function: macro.Unresolved()}
	mayHave := false
	for _, one := range u.items() {
		if !slices.ContainsFunc(resolved, func(dir string) bool { return dir == "." || dir == one.pkg || strings.HasPrefix(one.pkg, dir+"/") }) {
			r.items = append(r.items, one.Item)
			mayHave = mayHave || one.Fault() == "" && macro.MayHaveMacros(one.Item)
		}
	}
	if mayHave {
		c.run(u, &r)
	}
}

// selected returns the presets that steps of pipelines select, by the names of packs.
func selected(steps []pipeline.Step) map[string][]string {
	names := map[string][]string{}
	for i := range steps {
		if s := &steps[i]; s.Mutator && s.Function.Name == preset.Function().Name {
			for _, r := range preset.Selected(s.Config) {
				names[r.Pack] = append(names[r.Pack], r.Name)
			}
		}
	}
	return names
}

// left reports the presets that the values of a pack have and no step selects.
func left(one *pack.Pack, names []string) (findings []diag.Finding) {
	presets, _ := one.ReadPresets()
	selected, _ := preset.Choose(presets, names...)
	for _, layer := range append(one.Layers(), one.OwnValues()) {
		record, _ := preset.ParseRecord(layer.Annotation(preset.RecordAnnotation))
		for _, p := range presets {
			isSelected := func(c preset.Choice) bool { return c.Group == p.Group && c.Name == p.Name }
			if !record.Has(p) || slices.ContainsFunc(selected, isSelected) {
				continue
			}
			f := diag.Say("no step of the pipeline selects the preset %s, so nothing sets %s again, and an upgrade may drop it", p, diag.SomeOf(preset.Added(p)))
			findings = append(findings, f.Do("select it with apply-preset, or remove it from the annotation").
				About(layer.Resource, "metadata.annotations["+preset.RecordAnnotation+"]").For(one.Name).Of(rule.PresetLeft))
		}
	}
	return findings
}
