package dependency

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/rule"
)

// Context contains the facts that packs are checked against.
type Context struct {
	// Packs are all packs there are; any of them can satisfy a dependency.
	Packs []*Pack
	// Kubernetes is the version of the cluster's Kubernetes, or nil if it is not known. It is used
	// for a pack named kubernetes when there is none.
	Kubernetes *Pack
	// without is what has the version, if it is not known, see [diag.Finding.Without].
	without string
	// IsKubernetesPending reports whether the version of the cluster's Kubernetes is still to be
	// injected.
	IsKubernetesPending bool
	// Installed are the packs that run today. Their dependencies of type upgrade bound the
	// versions of Packs.
	Installed []*Pack
	// advisor finds the version to use. If it is nil, advice is based only on the demands of the
	// packs.
	advisor *advisor
	// IsUnread reports whether some pack could not be read, so that a missing pack may be that one.
	IsUnread bool
	// IsPending reports whether packs are still to be injected, so that a missing pack may be one
	// of them.
	IsPending bool
}

// Check returns a finding for each requirement of packs that is not satisfied. A finding about a
// version is at that version. Its tags name the pack that requires another version.
func Check(packs []*Pack, context Context) []diag.Finding {
	c := &checker{Context: context, byName: map[string][]*Pack{}, unreadable: map[*Pack]comparison{}}
	for _, p := range context.Packs {
		c.byName[p.Name] = append(c.byName[p.Name], p)
	}
	if len(c.byName["kubernetes"]) == 0 && context.Kubernetes != nil {
		c.byName["kubernetes"] = []*Pack{context.Kubernetes}
	}
	if c.advisor == nil {
		c.advisor = newAdvisor(nil)
		for _, p := range context.Packs {
			c.advisor.addPack(p)
		}
		for _, p := range context.Installed {
			c.advisor.addInstalled(p)
		}
	}
	c.others = newOthers(context.Packs)
	for _, p := range packs {
		for i := range p.Dependencies {
			if d := &p.Dependencies[i]; d.Type != Upgrade {
				c.dependency(p, d)
			}
		}
	}
	for _, installed := range context.Installed {
		for i := range installed.Dependencies {
			if d := &installed.Dependencies[i]; d.Type == Upgrade {
				c.upgrade(installed, d, packs)
			}
		}
	}
	c.reportUnreadable()
	return c.findings
}

// checker checks the dependencies of packs.
type checker struct {
	Context
	// byName are the packs by their names.
	byName map[string][]*Pack
	// others are the names of the other packs, for suggestions.
	others others
	// unreadable are the packs whose versions cannot be parsed, with the first comparison that needed
	// one.
	unreadable map[*Pack]comparison
	// names are the names of all packs and offers, collected at their first use. near maps unknown
	// names to the known names that were probably meant, or to "" if there is none.
	names []string
	// near caches the intended names.
	near map[string]string
	// findings are the findings so far.
	findings []diag.Finding
}

// report adds a finding about a field of a dependency.
func (c *checker) report(f diag.Finding, p *Pack, d *Dependency, field string) {
	c.findings = append(c.findings, f.In(p.Origin, diag.Join(d.Path, field), d.position(field)).For(p.Name))
}

// reportVersion adds a finding about the version of a pack. field is the field of the
// dependency that it does not satisfy.
func (c *checker) reportVersion(f diag.Finding, found, by *Pack, d *Dependency, field string) {
	key := found.VersionKey
	if key == "" {
		key = "version"
	}
	f = f.In(found.Origin, key, found.VersionAt)
	if found != c.Kubernetes {
		f = f.For(found.Name)
	}
	if found.Version != "" {
		f.Current = found.Version
	}
	f.Tags = map[string]string{tagRequirer: by.Name, tagDependency: diag.Join(d.Path, field)}
	c.findings = append(c.findings, f)
}

// dependency checks one dependency of a pack.
func (c *checker) dependency(p *Pack, d *Dependency) {
	if d.IsUntyped {
		f := diag.Missing("").Want("required, optional or notSupported").Do("set it; without it the dependency is optional").Of(rule.DependencyUntyped)
		f.Proposed = string(Optional)
		c.report(f, p, d, "type")
	}
	if d.Pack == p.Name && layersMatch(d.Layer, p.Layer) && d.Type != NotSupported {
		return // the pack itself satisfies it
	}
	var found []*Pack
	for _, other := range c.byName[d.Pack] {
		if other != p && d.matches(other) {
			found = append(found, other)
		}
	}
	if len(found) == 0 {
		switch {
		case d.Type == Optional:
			c.nearName(p, d)
		case d.Type == Required && !c.IsPending && !(c.IsKubernetesPending && d.Pack == "kubernetes"):
			c.missing(p, d)
		}
		return
	}
	if d.isUnchecked || d.Range.IsOpen() {
		return
	}
	for _, other := range found {
		c.compare(p, d, other)
	}
}

// compare compares the version of a pack with a dependency on it.
func (c *checker) compare(p *Pack, d *Dependency, found *Pack) {
	v, ok := c.versionOf(found, d, p)
	if !ok {
		return
	}
	if d.accepts(v) {
		return
	}
	requirer := p.title(d.position(""))
	accepted := fmt.Sprintf("%s, which %s requires", d.Range, requirer)
	if d.Type == Optional {
		accepted = fmt.Sprintf("%s, the only versions that %s works with", d.Range, requirer)
	}
	has := fmt.Sprintf("%q %s, but the package has %s", found.Name, d.Range, found.Version)
	if found == c.Kubernetes {
		has = fmt.Sprintf("Kubernetes %s, but the cluster has %s", d.Range, found.Version)
	}
	sentence := requirer + " requires " + has
	if d.Type == Optional {
		sentence = requirer + " works only with " + has
	}
	broken, field := rule.DependencyNotSupported, ""
	switch {
	case d.Type == NotSupported:
		sentence = requirer + " does not support " + has
		accepted = fmt.Sprintf("%s, because %s does not support %s", outside(d.Range), requirer, d.Range)
	case d.Range.Place(v) == version.Below:
		broken, field = rule.DependencyBelowMin, "minVersion"
	default:
		broken, field = rule.DependencyAboveMax, "maxVersion"
	}
	advice := c.advisor.advise(Question{Name: d.Pack, Layer: layerOf(d, found), Bundle: found.Bundle})
	f := advice.apply(diag.Got(found.Version, accepted).Saying("%s", sentence)).Of(broken)
	if d.Type == NotSupported && f.Action == "" {
		f.Action = fmt.Sprintf("change the version or remove the pack %q", found.Name)
	}
	c.reportVersion(f, found, p, d, field)
}

// layerOf returns the layer that a message names: the one in the dependency, or else the pack's.
func layerOf(d *Dependency, other *Pack) string {
	if d.Layer != "" {
		return d.Layer
	}
	return other.Layer
}

// versionOf parses the version of a pack for another one that depends on it. One that
// cannot be parsed is a fault of that pack, which is reported once.
func (c *checker) versionOf(p *Pack, d *Dependency, by *Pack) (version.Version, bool) {
	v, err := p.version(d.isKubernetes() || isKubernetes(p.Name, p.Layer))
	if err == nil {
		return v, true
	}
	// Which of several dependents is named must not depend on the order of the packs.
	asked := comparison{by, d}
	if first := c.unreadable[p]; first.by == nil || asked.text() < first.text() {
		c.unreadable[p] = asked
	}
	return v, false
}

// comparison is the dependency of a pack that another pack's version is compared with.
type comparison struct {
	// by is the pack that depends on it, and d its dependency.
	by *Pack
	d  *Dependency
}

func (q comparison) text() string {
	return fmt.Sprint(q.by.title(diag.Position{}), q.d.Path, q.d.Range)
}

// reportUnreadable reports versions that cannot be compared.
func (c *checker) reportUnreadable() {
	for _, p := range append(slices.Clone(c.Packs), c.Kubernetes) {
		q, ok := c.unreadable[p]
		if !ok {
			continue
		}
		f := diag.GotText(p.Version, "")
		if p.Version == "" {
			f = diag.Missing("")
		}
		f.Accepted = fmt.Sprintf("%s (to compare it with %s, which %s requires)", version.Form, q.d.Range, q.by.title(q.d.position("")))
		c.reportVersion(f.Of(rule.DependencyInvalid), p, q.by, q.d, "")
	}
}

// upgrade checks the packs that replace an installed one.
func (c *checker) upgrade(installed *Pack, d *Dependency, packs []*Pack) {
	if d.isUnchecked || d.Range.IsOpen() {
		return
	}
	for _, p := range c.byName[d.Pack] {
		if !d.matches(p) || !slices.Contains(packs, p) {
			continue
		}
		v, ok := c.versionOf(p, d, installed)
		if !ok || d.Range.Place(v) == version.Within {
			continue
		}
		f := diag.Got(p.Version, fmt.Sprintf("%s, the only versions that the installed %s can be upgraded to", d.Range, nameAndVersion(installed))).
			Saying("the installed %s can be upgraded only to %s, but the package has %s", nameAndVersion(installed), d.Range, p.Version)
		f = c.advisor.advise(Question{Name: d.Pack, Layer: layerOf(d, p), Bundle: p.Bundle}).apply(f)
		c.reportVersion(f.Of(rule.DependencyUpgrade), p, installed, d, "")
	}
}
