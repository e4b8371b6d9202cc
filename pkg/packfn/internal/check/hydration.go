package check

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/rule"
)

// checkMacros reports values of packages with macros that no step of the pipelines can resolve.
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
		r := runOf(macro.Checker(configs[dir]))
		r.items = u.ItemsIn(dir)
		c.run(u, &r)
	}
	c.checkUnresolved(u, dirs)
}

// checkUnresolved reports mistakes in macros, and how many macros remain, for resources outside
// of the folders in resolved, whose pipelines resolve macros.
func (c *checker) checkUnresolved(u *unit, resolved []string) {
	r := runOf(macro.Unresolved())
	mayHave := false
	for _, one := range u.Items() {
		isIn := func(dir string) bool { return pipeline.Within(workspace.PackageOf(one), dir) }
		if !slices.ContainsFunc(resolved, isIn) {
			r.items = append(r.items, one)
			mayHave = mayHave || one.Fault() == "" && macro.MayHaveMacros(one)
		}
	}
	if mayHave {
		c.run(u, &r)
	}
}

// selected returns the presets that pipeline steps select, by the name of the pack.
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

// left reports presets that are recorded in the values of a pack but that no step selects, or
// that the pack no longer contains. A step that selects a preset which the pack does not contain
// fails.
func left(one *pack.Pack, names []string) (findings []diag.Finding) {
	presets, faults := one.ReadPresets()
	selected, _ := preset.Choose(presets, names...)
	report := func(layer *pack.Source, f diag.Finding, do string) {
		findings = append(findings, f.Do(do+", or remove it from the annotation").
			About(layer.Resource, "metadata.annotations["+preset.RecordAnnotation+"]").For(one.Name).Of(rule.PresetLeft))
	}
	for _, layer := range append(one.Layers(), one.OwnValues()) {
		record, _ := preset.ParseRecord(layer.Annotation(preset.RecordAnnotation))
		for _, p := range presets {
			isSelected := func(c preset.Choice) bool { return c.Group == p.Group && c.Name == p.Name }
			if !record.Has(p) || slices.ContainsFunc(selected, isSelected) {
				continue
			}
			f := diag.Say("no step of the pipeline selects the preset %s, so nothing sets %s again, and an upgrade may drop it", p, diag.SomeOf(preset.Added(p)))
			report(layer, f, "select it with apply-preset")
		}
		isFaulty := func(p pack.Preset) bool { return len(p.Faults) > 0 }
		if len(faults) > 0 || one.Hides("presets.yaml") || slices.ContainsFunc(presets, isFaulty) { // a name may be missing
			continue
		}
		for _, name := range record.Names() {
			isNamed := func(known string) bool { return known == name || strings.HasSuffix(name, ":"+known) }
			if !slices.ContainsFunc(presets, func(p pack.Preset) bool { return preset.FullName(p) == name }) && !slices.ContainsFunc(names, isNamed) {
				f := diag.Say("the values have the preset %q, which the pack does not have any more, so nothing sets its values again, and an upgrade may drop them", name)
				report(layer, f, "write what you need of it into an override (PackValues)")
			}
		}
	}
	return findings
}
