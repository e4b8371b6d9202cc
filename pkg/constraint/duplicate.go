package constraint

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// duplicates reports what a bundle provides that another one provides, too. Which of them
// is reported does not depend on the order of the bundles.
func (c *Checker) duplicates(i int) {
	b := c.candidates[i].bundle
	add := func(other int, what string) {
		c.report(b.about(diag.Say("%s also provides %s, but OLM installs only one of them", c.candidates[other].title(), what).Do("remove one").Of(rule.ProviderDuplicate)))
	}
	mine := map[string]bool{}
	reported := false
	for _, p := range c.candidates[i].packages {
		mine[p.name] = true
		first := c.first(packageKey(p.name), c.providersOf(p.name))
		if first == i || reported {
			continue
		}
		reported = true
		if other := c.candidates[first].bundle; other != nil && other.IsPack && b.IsPack {
			if c.options.AreApart == nil || !c.options.AreApart(b.Resource, other.Resource) {
				c.report(b.about(packTwice(b, other)))
			}
		} else {
			add(first, fmt.Sprintf("OLM package %q", p.name))
		}
	}
	// Bundles of one package have the same APIs, which need not be said.
	sibling := func(other int) bool {
		return slices.ContainsFunc(c.candidates[other].packages, func(p providedPackage) bool { return mine[p.name] })
	}
	seen := map[GVK]bool{}
	for _, g := range c.candidates[i].gvks {
		if first := c.first(apiKey(g), slices.Values(c.byGVK[g])); first != i && !seen[g] && !sibling(first) {
			seen[g] = true
			add(first, "API "+g.String())
		}
	}
}

// first returns the first provider of something, by its file and name; the cluster's
// virtual operator comes first. A key names it.
func (c *Checker) first(key string, providers iter.Seq[int]) int {
	known, ok := c.firstProviders[key]
	if !ok {
		known = slices.MinFunc(slices.Collect(providers), func(i, j int) int { return c.candidates[i].compare(c.candidates[j]) })
		c.firstProviders[key] = known
	}
	return known
}

// compare orders candidates by where they are and by their names.
func (c *candidate) compare(other *candidate) int {
	switch {
	case c.bundle == nil:
		return -1
	case other.bundle == nil:
		return 1
	}
	return cmp.Or(c.bundle.Resource.Compare(other.bundle.Resource), cmp.Compare(c.bundle.Name, other.bundle.Name))
}

// packTwice reports a pack that is in the package twice: in two versions, though a
// cluster can run only one, or in one version.
func packTwice(b, other *Bundle) diag.Finding {
	if b.Version != other.Version {
		return diag.Say("the package also has version %s of this pack: %s", other.Version, other.Resource.InFile()).
			Do("remove one of them").Of(rule.PackDuplicate)
	}
	f := diag.Say("the package also has another copy of this pack and version: %s", other.Resource.InFile()).Do("remove one of them").Of(rule.PackDuplicate)
	f.Severity = diag.Warning
	return f
}
