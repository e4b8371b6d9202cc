package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// Candidates states that the bundles come from catalogs and repositories, and that many of them are
// versions of one operator: a cluster installs some of them. Each requirement must be satisfied by
// one of them, or by the facts of the cluster.
type Candidates struct {
	// Elsewhere is the severity of a finding about a package or an API that none of them has.
	Elsewhere diag.Severity
	// Door is advice, in the imperative, about the source of such a package.
	Door string
}

// chance is the possible result of a constraint if a cluster chooses among candidates.
type chance uint8

const (
	fails     chance = iota // no choice satisfies it
	elsewhere               // nothing of that name is among them
	possible                // some choice satisfies it
)

// chance returns what may come of a constraint of a candidate. Each leaf is looked at alone: the
// parts of a constraint may be satisfied by different candidates.
func (j *evaluator) chance(c *Constraint, owner int) chance {
	switch c.Kind {
	case KindAll, KindAny:
		known := possible
		if c.Kind == KindAny {
			known = fails
		}
		for _, child := range c.Children {
			if of := j.chance(child, owner); (of < known) == (c.Kind == KindAll) {
				known = of
			}
		}
		return known
	case KindNot:
		if slices.ContainsFunc(c.Children, func(child *Constraint) bool { return j.isForced(child, owner) }) {
			return fails
		}
		return possible
	}
	switch {
	case j.holds(c):
		return possible
	case j.isNamed(c):
		return fails
	}
	return elsewhere
}

// isForced reports whether every choice satisfies a constraint of a candidate: by that candidate
// itself, or by the facts of the cluster.
func (j *evaluator) isForced(c *Constraint, owner int) bool {
	isForced := func(child *Constraint) bool { return j.isForced(child, owner) }
	switch c.Kind {
	case KindAll:
		return !slices.ContainsFunc(c.Children, func(child *Constraint) bool { return !isForced(child) })
	case KindAny:
		return slices.ContainsFunc(c.Children, isForced)
	case KindNot:
		return !slices.ContainsFunc(c.Children, func(child *Constraint) bool { return j.chance(child, owner) != fails })
	}
	return j.forcing(c, owner) >= 0
}

// forcing returns what satisfies a leaf in every choice: the candidate that has the constraint, or
// the facts of the cluster. It is -1 for neither.
func (j *evaluator) forcing(c *Constraint, owner int) int {
	for _, i := range []int{owner, len(j.candidates) - 1} {
		if (i == owner || j.candidates[i].bundle == nil) && j.holdsOn(c, i) {
			return i
		}
	}
	return -1
}

// isNamed reports whether a candidate has what a leaf names: the package in any version, the API
// in any version, or the types of properties that a rule is about. It may be deprecated.
func (j *evaluator) isNamed(c *Constraint) bool {
	return j.names(c) || j.deprecated != nil && (j.deprecated.names(c) || j.deprecated.holds(c))
}

// names is [evaluator.isNamed] for a leaf, without the deprecated bundles.
func (j *evaluator) names(c *Constraint) bool {
	switch c.Kind {
	case KindPackage:
		return len(j.byPackage[c.Package]) > 0
	case KindGVK:
		if j.groupKinds == nil {
			j.groupKinds = map[GVK]bool{}
			for g := range j.byGVK {
				j.groupKinds[GVK{g.Group, "", g.Kind}] = true
			}
		}
		return j.groupKinds[GVK{c.GVK.Group, "", c.GVK.Kind}]
	case KindCEL:
		known := j.typesOfProperties()
		return !slices.ContainsFunc(typesIn(c.Rule), func(kind string) bool { _, isKnown := known[kind]; return !isKnown })
	}
	return false
}

// candidate checks the requirements of a candidate.
func (c *Checker) candidate(i int, r requirement) {
	b, root := c.candidates[i].bundle, r.constraint
	of := c.chance(root, i)
	single := c.alone(root)
	e := &explainer{evaluator: c.evaluator, options: c.options, alone: -1, owner: b, ownerIndex: i, root: root}
	switch {
	case of == possible && single < 0 && c.options.Scope == ScopeBundle:
		c.unsatisfied(b, r, true)
		return
	case of == possible:
		if single < 0 {
			c.report(b.at(c.difference(b, root, single), r.entry, root).Of(rule.ConstraintScopeDiffers))
		}
		c.reportPrereleases(b, r)
		return
	case single >= 0: // what excludes the bundle itself is installed by OLM, which asks another one
		f := diag.Say("OLM would install %s, because %s alone satisfies its constraint. With scope: set the constraint is violated, because the bundle itself or the cluster provides what it excludes", b, c.candidates[single].title())
		c.report(b.at(f.Do(c.scopeAdvice()), r.entry, root).Of(rule.ConstraintScopeDiffers))
		if c.options.Scope == ScopeBundle {
			return
		}
	}
	if c.options.IsPending {
		return
	}
	f := diag.Say("%s", e.requires(b, root)).Of(r.rule())
	if of == elsewhere {
		if f = f.Of(rule.RequirementElsewhere); !e.isMisspelt {
			f = f.Do(c.options.Candidates.Door)
		}
		f.Severity = c.options.Candidates.Elsewhere
		f.Tags = map[string]string{TagMissing: strings.Join(e.lacking, "; ")}
	}
	c.report(b.at(f, r.entry, e.blamed(root)))
}

// reportPrereleases reports the requirements that hold, but that only a prerelease satisfies.
func (c *Checker) reportPrereleases(b *Bundle, r requirement) {
	for _, leaf := range c.prereleases(r.constraint) {
		p, _ := c.matching(leaf)
		f := diag.Say("%s requires OLM package %q with version %s, which only a prerelease satisfies: %s is %s", b, leaf.Package, leaf.Range, c.candidates[p.candidate].title(), p.text)
		c.report(b.at(f, r.entry, r.constraint).Of(rule.ConstraintPrerelease))
	}
}

// clusterCandidates checks the constraints of the cluster, which some candidate of each package
// must satisfy. A package of which none does has the finding at the newest.
func (c *Checker) clusterCandidates() {
	seen := map[string]bool{}
	for _, r := range c.set.readings {
		if !c.isChecked(r.candidate.bundle) || len(r.candidate.packages) == 0 || seen[r.candidate.packages[0].name] {
			continue
		}
		name := r.candidate.packages[0].name
		seen[name] = true
		of := slices.DeleteFunc(slices.Clone(c.byPackage[name]), func(p provider) bool { return c.candidates[p.candidate].bundle == nil })
		if slices.ContainsFunc(of, func(p provider) bool { return c.isExempt(c.candidates[p.candidate]) }) {
			continue
		}
		newest := slices.MaxFunc(of, func(a, b provider) int { return a.semver.Compare(b.semver) }).candidate
		for _, required := range c.set.facts.requirements {
			isInstallable := func(p provider) bool {
				return c.holdsOn(required.constraint, p.candidate) || c.tooExpensiveOn(required.constraint, p.candidate) != nil
			}
			if !slices.ContainsFunc(of, isInstallable) {
				c.clusterConstraint(newest, required)
			}
		}
	}
}

// foundVersions describes the versions of a package among the candidates.
func (e *explainer) foundVersions(name string) string {
	known := e.versionsOf(name)
	count := len(known.releases) + len(known.prereleases)
	if count < 4 || count != len(e.byPackage[name]) {
		return e.foundPackage(e.byPackage[name])
	}
	var ends []provider
	for _, all := range [][]provider{known.releases, known.prereleases} {
		if len(all) > 0 {
			ends = append(ends, all[0], all[len(all)-1])
		}
	}
	bySemver := func(a, b provider) int { return a.semver.Compare(b.semver) }
	return fmt.Sprintf("its %d versions are from %s to %s", count, slices.MinFunc(ends, bySemver).text, slices.MaxFunc(ends, bySemver).text)
}
