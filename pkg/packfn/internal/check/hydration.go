package check

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/macro"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/preset"
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
