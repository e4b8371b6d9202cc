package constraint

import (
	"slices"

	"github.com/google/cel-go/common/types"

	"github.com/krm-packs/functions/pkg/internal/meter"
)

// evaluator evaluates constraints on candidates, each distinct one once.
type evaluator struct {
	// candidates are the bundles in their order, with the cluster as the last one.
	candidates []*candidate
	// byPackage, byGVK and byLabel have the candidates that provide something, as indexes.
	byPackage map[string][]provider
	// sorted has the versions of each package that was asked for.
	sorted     map[string]*versions
	byGVK      map[GVK][]int
	groupKinds map[GVK]bool // of all APIs, without their versions
	byLabel    map[string][]int
	// rules has the results of each CEL expression.
	rules map[string]*ruleState
	// set caches whether a constraint holds for the set, and single which candidate satisfies it
	// alone. The keys are the ids of constraints.
	set    map[string]bool
	single map[string]int
	// deprecated evaluates constraints on the bundles that OLM does not install. It is nil if there
	// are none.
	deprecated *evaluator
	// meter is charged with all evaluations.
	meter meter.Meter
	nearestNames
}

// newEvaluator indexes candidates. The budget for CEL grows with their number.
func newEvaluator(candidates []*candidate) *evaluator {
	j := &evaluator{
		candidates: candidates, byPackage: map[string][]provider{}, byGVK: map[GVK][]int{}, byLabel: map[string][]int{},
		sorted: map[string]*versions{}, rules: map[string]*ruleState{}, set: map[string]bool{}, single: map[string]int{},
	}
	j.meter.Grow(stepsOfCandidate * len(candidates))
	for i, c := range candidates {
		for at := range c.packages {
			p := &c.packages[at]
			j.byPackage[p.name] = append(j.byPackage[p.name], provider{i, p})
		}
		for _, g := range c.gvks {
			index(j.byGVK, g, i)
		}
		for _, l := range c.labels {
			index(j.byLabel, l, i)
		}
	}
	return j
}

// index notes who provides something. Those that do are in order, each once.
func index[K comparable](by map[K][]int, what K, i int) {
	if all := by[what]; len(all) == 0 || all[len(all)-1] != i {
		by[what] = append(all, i)
	}
}

// data returns the variables of rules, which are made at the first use.
func (c *candidate) data() map[string]any {
	if c.bound == nil {
		c.bound = map[string]any{propertiesVariable: types.NewRefValList(types.DefaultTypeAdapter, c.ruleProperties())}
	}
	return c.bound
}

// holds reports whether the set satisfies a constraint, each leaf by whatever
// candidate.
func (j *evaluator) holds(c *Constraint) bool {
	known, ok := j.set[c.id]
	if !ok {
		known = j.holdsNow(c)
		j.set[c.id] = known
	}
	return known
}

// holdsNow is [evaluator.holds] without the cache.
func (j *evaluator) holdsNow(c *Constraint) bool {
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
	if c.Kind == KindPackage {
		_, found := j.matching(c)
		return found
	}
	return len(j.providers(c)) > 0
}

// may reports whether one more candidate can make the set satisfy a constraint, or, unless
// wanted, not satisfy it.
func (j *evaluator) may(c *Constraint, wanted bool) bool {
	if len(c.Children) == 0 {
		return wanted || !j.holds(c)
	}
	ofChild := wanted != (c.Kind == KindNot)
	isDecisive := wanted == (c.Kind == KindAny) // one child decides, else all must
	return slices.ContainsFunc(c.Children, func(child *Constraint) bool { return j.may(child, ofChild) == isDecisive }) == isDecisive
}

// providers returns the candidates that satisfy a leaf that is not a rule.
func (j *evaluator) providers(c *Constraint) []int {
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

// within reports whether the range of a constraint accepts the version. A text that is no version is
// in no range.
func (p providedPackage) within(c *Constraint) bool {
	return p.isVersion && c.Range.accepts(p.semver)
}

// holdsOn reports whether one candidate satisfies all of a constraint.
func (j *evaluator) holdsOn(c *Constraint, i int) bool {
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
	default: // candidates are in order
		_, provides := slices.BinarySearch(j.providers(c), i)
		return provides
	}
}

// alone returns a candidate that satisfies all of a constraint, or -1 if there is none.
func (j *evaluator) alone(c *Constraint) int {
	known, ok := j.single[c.id]
	if ok {
		return known
	}
	known = -1
	if c.Kind == KindCEL {
		known = j.firstOf(c)
	} else if c.Kind == KindPackage {
		if p, ok := j.matching(c); ok {
			known = p.candidate
		}
	} else if some, limited := j.few(c, true); limited {
		if at := slices.IndexFunc(some, func(i int) bool { return j.holdsOn(c, i) }); at >= 0 {
			known = some[at]
		}
	} else {
		for i := range j.candidates {
			if j.holdsOn(c, i) {
				known = i
				break
			}
		}
	}
	j.single[c.id] = known
	return known
}

// few returns candidates among which are all that satisfy a constraint alone (or,
// unless wanted, do not satisfy it), where the index knows: looking at every
// candidate for every constraint would be quadratic.
func (j *evaluator) few(c *Constraint, wanted bool) (some []int, limited bool) {
	switch c.Kind {
	case KindPackage, KindGVK, KindLabel:
		if wanted {
			return j.providers(c), true
		}
	case KindAll, KindAny, KindNot:
		ofChildren := wanted != (c.Kind == KindNot)
		if wanted != (c.Kind == KindAny) {
			return j.fewOfAll(c.Children, ofChildren)
		}
		return j.fewOfAny(c.Children, ofChildren)
	}
	return nil, false
}

// fewOfAll is few for candidates that satisfy, or do not, all of several constraints.
func (j *evaluator) fewOfAll(children []*Constraint, wanted bool) (best []int, limited bool) {
	for _, child := range children {
		if some, ok := j.few(child, wanted); ok && (!limited || len(some) < len(best)) {
			best, limited = some, true
		}
	}
	return best, limited
}

// fewOfAny is few for candidates that satisfy, or do not, one of several constraints.
func (j *evaluator) fewOfAny(children []*Constraint, wanted bool) (union []int, limited bool) {
	for _, child := range children {
		some, ok := j.few(child, wanted)
		if !ok {
			return nil, false
		}
		union = append(union, some...)
	}
	return union, true
}

// prereleases returns the packages of a satisfied constraint where only
// prereleases are in range.
func (j *evaluator) prereleases(c *Constraint) []*Constraint {
	switch c.Kind {
	case KindPackage:
		if p, _ := j.matching(c); !p.isPrerelease {
			return nil
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
