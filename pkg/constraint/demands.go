package constraint

import (
	"slices"

	"github.com/krm-packs/functions/pkg/internal/version"
)

// Demand is a requirement of a bundle on the version of a package.
type Demand struct {
	// By names the bundle, with its place.
	By string
	// Wants names the versions, to follow "requires": `>=1.0.0 <2.0.0`.
	Wants string
	// Accepts reports whether a version is one of them.
	Accepts version.Demand
	// Thresholds are the lowest releases at which Accepts may change.
	Thresholds []version.Version
}

// Demands returns the requirements of the bundles, by package. It leaves out
// requirements below `any`, because an alternative can satisfy them.
func (s *Set) Demands() map[string][]Demand {
	demands := map[string][]Demand{}
	for _, r := range s.readings {
		for _, required := range r.candidate.requirements {
			demand(r.candidate.bundle, required.constraint, true, demands)
		}
	}
	return demands
}

// leafDemand returns what a package constraint requires, or else that it must not hold.
func leafDemand(b *Bundle, c *Constraint, isWanted bool) Demand {
	bounds := c.Range
	d := Demand{By: b.title(), Wants: bounds.String(), Accepts: bounds.Accepts, Thresholds: bounds.thresholds()}
	if !isWanted {
		d.Wants = "none of " + d.Wants
		d.Accepts = func(v version.Version) bool { return !bounds.Accepts(v) }
	}
	return d
}

// demand adds what a constraint requires of packages to into. isWanted is false below `not`, where a
// constraint must not hold.
func demand(b *Bundle, c *Constraint, isWanted bool, into map[string][]Demand) {
	switch c.Kind {
	case KindPackage:
		into[c.Package] = append(into[c.Package], leafDemand(b, c, isWanted))
	case KindAll, KindNot:
		if c.Kind == KindNot {
			if !isWanted {
				return // one of several is enough
			}
			isWanted = false
		} else if !isWanted && len(c.Children) > 1 {
			return
		}
		for _, child := range c.Children {
			demand(b, child, isWanted, into)
		}
	case KindAny:
		if !isWanted || len(c.Children) == 1 {
			for _, child := range c.Children {
				demand(b, child, isWanted, into)
			}
		}
	}
}

// alternative returns what a constraint requires of a package in its alternatives, which
// is not in the result of Demands. It returns nil if there are none.
func alternative(b *Bundle, root *Constraint, name string) *Demand {
	leaves := 0
	root.each(func(leaf *Constraint) {
		if leaf.Kind == KindPackage && leaf.Package == name {
			leaves++
		}
	})
	mandatory := map[string][]Demand{}
	if demand(b, root, true, mandatory); len(mandatory[name]) == leaves {
		return nil
	}
	d, ok := projected(b, root, name, true)
	if !ok {
		return nil
	}
	return &d
}

// projected returns what the parts of a constraint that are about a package require of it,
// as if all others could be satisfied. It is false if there are none.
func projected(b *Bundle, c *Constraint, name string, isWanted bool) (d Demand, ok bool) {
	if c.Kind == KindPackage && c.Package == name {
		return leafDemand(b, c, isWanted), true
	}
	all := c.Kind == KindAll == isWanted // all parts must hold, and not one of them
	if c.Kind == KindNot {
		all, isWanted = isWanted, !isWanted
	}
	for _, child := range c.Children {
		other, found := projected(b, child, name, isWanted)
		switch {
		case !found:
		case !ok:
			d, ok = other, true
		default:
			d = d.join(other, all)
		}
	}
	return d, ok
}

// join returns a demand for what both accept, or else for what one of them accepts.
func (d Demand) join(other Demand, both bool) Demand {
	one, word := d, " or "
	d.Accepts = func(v version.Version) bool { return one.Accepts(v) || other.Accepts(v) }
	if both {
		word = " and "
		d.Accepts = func(v version.Version) bool { return one.Accepts(v) && other.Accepts(v) }
	}
	d.Wants = one.Wants + word + other.Wants
	d.Thresholds = slices.Concat(one.Thresholds, other.Thresholds)
	return d
}
