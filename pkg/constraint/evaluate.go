package constraint

import "github.com/krm-packs/functions/pkg/celenv"

// judge evaluates constraints over candidates, each distinct one once.
type judge struct {
	candidates []*candidate
	byPackage  map[string][]provider
	byGVK      map[GVK][]int
	byLabel    map[string][]int
	rules      map[string]*ruleState
	set        map[string]bool
	single     map[string]bool
}

// provider is a candidate that provides a version of a package.
type provider struct {
	candidate int
	providedPackage
}

func newJudge(candidates []*candidate) *judge {
	j := &judge{
		candidates: candidates, byPackage: map[string][]provider{}, byGVK: map[GVK][]int{}, byLabel: map[string][]int{},
		rules: map[string]*ruleState{}, set: map[string]bool{}, single: map[string]bool{},
	}
	for i, c := range candidates {
		for _, p := range c.packages {
			j.byPackage[p.name] = append(j.byPackage[p.name], provider{i, p})
		}
		for _, g := range c.gvks {
			j.byGVK[g] = append(j.byGVK[g], i)
		}
		for _, l := range c.labels {
			j.byLabel[l] = append(j.byLabel[l], i)
		}
	}
	return j
}

func (c *candidate) variables() map[string]any {
	if c.bound == nil {
		list := c.list
		if list == nil {
			list = []any{}
		}
		c.bound = map[string]any{propertiesVariable: celenv.Value(list)}
		c.list = nil // which is in bound now
	}
	return c.bound
}

// holds reports whether the set satisfies a constraint, each leaf by whatever
// candidate.
func (j *judge) holds(c *Constraint) bool {
	known, ok := j.set[c.id]
	if !ok {
		known = j.holdsNow(c)
		j.set[c.id] = known
	}
	return known
}

func (j *judge) holdsNow(c *Constraint) bool {
	switch c.Kind {
	case KindAll:
		for _, child := range c.Children {
			if !j.holds(child) {
				return false
			}
		}
		return true
	case KindAny, KindNot:
		for _, child := range c.Children {
			if j.holds(child) {
				return c.Kind == KindAny
			}
		}
		return c.Kind == KindNot
	case KindCEL:
		return j.firstOf(c) >= 0
	}
	return len(j.providers(c)) > 0
}

// providers returns the candidates that satisfy a leaf that is no rule.
func (j *judge) providers(c *Constraint) []int {
	switch c.Kind {
	case KindPackage:
		var all []int
		for _, p := range j.byPackage[c.Package] {
			if p.within(c) && (len(all) == 0 || all[len(all)-1] != p.candidate) {
				all = append(all, p.candidate)
			}
		}
		return all
	case KindGVK:
		return j.byGVK[c.GVK]
	default:
		return j.byLabel[c.Label]
	}
}

func (p providedPackage) within(c *Constraint) bool {
	return !p.version.IsZero() && c.Range.Accepts(p.version)
}

// holdsOn reports whether one candidate satisfies all of a constraint.
func (j *judge) holdsOn(c *Constraint, i int) bool {
	switch c.Kind {
	case KindAll:
		for _, child := range c.Children {
			if !j.holdsOn(child, i) {
				return false
			}
		}
		return true
	case KindAny, KindNot:
		for _, child := range c.Children {
			if j.holdsOn(child, i) {
				return c.Kind == KindAny
			}
		}
		return c.Kind == KindNot
	case KindCEL:
		return j.rule(c, i) == isTrue
	case KindPackage:
		for _, p := range j.candidates[i].packages {
			if p.name == c.Package && p.within(c) {
				return true
			}
		}
		return false
	case KindGVK:
		for _, g := range j.candidates[i].gvks {
			if g == c.GVK {
				return true
			}
		}
		return false
	default:
		for _, l := range j.candidates[i].labels {
			if l == c.Label {
				return true
			}
		}
		return false
	}
}

// holdsAlone reports whether some candidate satisfies all of a constraint.
func (j *judge) holdsAlone(c *Constraint) bool {
	if len(c.Children) == 0 {
		return j.holds(c)
	}
	known, ok := j.single[c.id]
	if ok {
		return known
	}
	if some, limited := j.few(c); limited {
		for _, i := range some {
			if known = j.holdsOn(c, i); known {
				break
			}
		}
	} else {
		for i := range j.candidates {
			if known = j.holdsOn(c, i); known {
				break
			}
		}
	}
	j.single[c.id] = known
	return known
}

// few returns candidates among which are all that can satisfy a constraint alone,
// where the index knows: looking at every candidate for every constraint would
// be quadratic.
func (j *judge) few(c *Constraint) ([]int, bool) {
	switch c.Kind {
	case KindPackage, KindGVK, KindLabel:
		return j.providers(c), true
	case KindAll:
		var best []int
		limited := false
		for _, child := range c.Children {
			if some, ok := j.few(child); ok && (!limited || len(some) < len(best)) {
				best, limited = some, true
			}
		}
		return best, limited
	case KindAny:
		var union []int
		for _, child := range c.Children {
			some, ok := j.few(child)
			if !ok {
				return nil, false
			}
			union = append(union, some...)
		}
		return union, true
	}
	return nil, false
}

// prereleases returns the packages of a constraint that holds for which only
// prereleases are in range.
func (j *judge) prereleases(c *Constraint) []*Constraint {
	switch c.Kind {
	case KindPackage:
		for _, p := range j.byPackage[c.Package] {
			if p.within(c) && !p.version.IsPrerelease() {
				return nil
			}
		}
		return []*Constraint{c}
	case KindAll, KindAny:
		var all []*Constraint
		for _, child := range c.Children {
			if !j.holds(child) {
				continue
			}
			found := j.prereleases(child)
			if c.Kind == KindAny && len(found) == 0 {
				return nil
			}
			all = append(all, found...)
		}
		return all
	}
	return nil
}

// version of a package that satisfies a constraint, for messages.
func (j *judge) matching(c *Constraint) (provider, bool) {
	for _, p := range j.byPackage[c.Package] {
		if p.within(c) {
			return p, true
		}
	}
	return provider{}, false
}
