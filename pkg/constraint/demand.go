package constraint

import "github.com/krm-packs/functions/pkg/version"

// Demand is what a bundle asks of the version of a package, whatever else it may
// choose.
type Demand struct {
	Bundle *Bundle
	// Wants says what is asked, to follow "wants": `>=1.0.0 <2.0.0`.
	Wants string
	// Accepts judges a version.
	Accepts version.Demand
	// Turns are the least releases from which on the verdict may be another.
	Turns []version.Version
}

// Demands returns the demands of the bundles by the packages they are about:
// those that every way to satisfy them has, so none of what stands below any.
func Demands(bundles []*Bundle) map[string][]Demand { return Read(bundles, nil).Demands() }

// Demands is [Demands] for bundles that were read.
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
		d := Demand{Bundle: b, Wants: bounds.String(), Accepts: bounds.Accepts, Turns: bounds.turns()}
		if !wanted {
			d.Wants = "none of " + d.Wants
			d.Accepts = func(v version.Version) bool { return !bounds.Accepts(v) }
		}
		into[c.Package] = append(into[c.Package], d)
	case KindAll, KindNot:
		if c.Kind == KindNot {
			if !wanted {
				return // not of not asks for one of several things
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
