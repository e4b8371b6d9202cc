package constraint

import "github.com/krm-packs/functions/pkg/version"

// Demand is what a bundle requires of the version of a package.
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

// Demands returns what the bundles require, by package. What is below `any` is not in
// it, because an alternative can satisfy it.
func Demands(bundles []*Bundle) map[string][]Demand { return Read(bundles, nil).Demands() }

// Demands is the function Demands for bundles that were read.
func (s *Set) Demands() map[string][]Demand {
	demands := map[string][]Demand{}
	for _, r := range s.readers {
		for _, required := range r.candidate.requirements {
			demand(r.candidate.bundle, required.constraint, true, demands)
		}
	}
	return demands
}

func demand(b *Bundle, c *Constraint, wanted bool, into map[string][]Demand) {
	switch c.Kind {
	case KindPackage:
		bounds := c.Range
		d := Demand{By: b.title(), Wants: bounds.String(), Accepts: bounds.Accepts, Thresholds: bounds.thresholds()}
		if !wanted {
			d.Wants = "none of " + d.Wants
			d.Accepts = func(v version.Version) bool { return !bounds.Accepts(v) }
		}
		into[c.Package] = append(into[c.Package], d)
	case KindAll, KindNot:
		if c.Kind == KindNot {
			if !wanted {
				return // one of several is enough
			}
			wanted = false
		} else if !wanted && len(c.Children) > 1 {
			return
		}
		for _, child := range c.Children {
			demand(b, child, wanted, into)
		}
	case KindAny:
		if !wanted || len(c.Children) == 1 {
			for _, child := range c.Children {
				demand(b, child, wanted, into)
			}
		}
	}
}
