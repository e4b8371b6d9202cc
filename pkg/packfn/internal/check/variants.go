package check

import (
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
	variantset "github.com/krm-packs/functions/pkg/variant/set"
)

// checkVariants checks the PackageVariants and PackageVariantSets of a unit with the functions
// that read them. In-cluster objects may be missing, because they exist only in the cluster.
func (c *checker) checkVariants(u *unit, steps []pipeline.Step) {
	var hasSets, hasVariants bool
	for _, one := range u.Items() {
		isOurs := one.Group() == variant.Group
		hasSets = hasSets || isOurs && one.Kind() != variant.Kind && one.Kind() != variantset.RepositoryKind
		hasVariants = hasVariants || isOurs && one.Kind() == variant.Kind || pack.InCluster(one)
	}
	if hasVariants {
		c.runOver(u, rule.InjectConfig, rule.By(rule.InjectConfig), variant.NewChecker())
	}
	if !hasSets {
		return
	}
	c.readRest(u, func(dir string) bool {
		return u.set != nil && slices.ContainsFunc(u.set.Sources, func(one *sets.Source) bool { return one.Dir == dir })
	})
	for _, f := range c.Functions {
		if f.Name != rule.ExpandVariantSet {
			continue
		}
		runs := c.runsOf(u, f, steps)
		for i := range runs {
			if runs[i].Field == "" || !u.IsChanged() { // otherwise the render has reported its findings
				c.run(u, &runs[i])
			}
		}
	}
}

// ofSet adapts a finding of expand-variant-set for check: objects that may exist only in the
// cluster are not reported as missing.
func (u *unit) ofSet(f *diag.Finding) diag.Finding {
	out := *f
	switch f.Rule.ID {
	case rule.VariantSetUnverified.ID:
		out.Severity = diag.Info
	case rule.VariantSetUnmatched.ID:
		selector := u.selector(f)
		apiVersion, kind := values.Text(values.Field(selector, "apiVersion")), values.Text(values.Field(selector, "kind"))
		if selector == nil || slices.ContainsFunc(u.Items(), func(one *list.Item) bool { return one.Is(apiVersion, kind) }) {
			break
		}
		out = diag.Say("the objects could not be looked up: there is no %s (%s) among the files", kind, apiVersion).Of(rule.VariantSetUnverified)
		out.Origin, out.Key, out.Position, out.Severity = f.Origin, f.Key, f.Position, diag.Info
	}
	return out
}

// selector returns the objectSelector that a finding is about, or nil if there is none.
func (u *unit) selector(f *diag.Finding) *yaml.Node {
	const field = ".objectSelector"
	target, _, ok := strings.Cut(f.Path(), field)
	file := u.reporter.File(u.FileOf(f.Resource()))
	if !ok || file == nil {
		return nil
	}
	document := file.Document(f.Resource().Index)
	if document == nil {
		return nil
	}
	n, _ := place.Find(document.Root(), target+field)
	return n
}

// readRest adds files with resources of other tools to a set, which a PackageVariantSet may select, or
// the targets of a ValidatePackValues. isWanted reports whether the files of a directory are added.
func (c *checker) readRest(u *unit, isWanted func(dir string) bool) {
	if u.set == nil {
		return
	}
	files, items := slices.Clone(u.Files), u.Items()
	for _, dir := range slices.Sorted(maps.Keys(c.tree.Rest)) {
		if !isWanted(dir) {
			continue
		}
		for _, name := range c.tree.Rest[dir] {
			text, err := c.tree.Read(name)
			if err != nil || u.File(name) != nil { // it was read before
				continue
			}
			files = append(files, &kptpackage.File{Path: name, Package: ".", Text: text})
			items = append(items, list.Flat(text, name, nil)...)
		}
	}
	u.extend(c, files, items)
}

// readTargets adds the files below each ValidatePackValues of a set that has targets, because the
// resources that it selects may be of any kind:
//
//	kind: ValidatePackValues
//	spec:
//	  targets:
//	  - selector: {kind: HelmRelease}
//	    path: spec.values
func (c *checker) readTargets(u *unit) {
	var dirs []string
	for _, item := range u.Items() {
		if !item.Is(function.ConfigGroupVersion, schema.Function().Kind) {
			continue
		}
		if document, err := item.Document(); err == nil && values.Field(document.Root(), "spec", "targets") != nil {
			dirs = append(dirs, path.Dir(item.Resource().File))
		}
	}
	if len(dirs) > 0 {
		c.readRest(u, func(dir string) bool {
			return slices.ContainsFunc(dirs, func(above string) bool { return pipeline.Within(dir, above) })
		})
	}
}
