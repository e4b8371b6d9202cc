package set

import (
	"fmt"
	"slices"
	"strings"
)

// MaxVariants is the number of variants above which a set is refused.
const MaxVariants = 1_000_000

// Expander makes the variants of a set. Its expressions are compiled.
type Expander struct {
	set      *Set
	criteria []criterion
	makers   []*maker
	// namesUpstream says that an expression may see the name of the upstream.
	namesUpstream bool
}

// Expansion is what a set comes to.
type Expansion struct {
	// Variants are in the order of their names.
	Variants []Variant
	// Matches say how many variants each target makes.
	Matches []Match
}

// Match is the number of variants of one target.
type Match struct {
	// Path is the criterion of the target: `spec.targets[0].repositorySelector`.
	Path  string
	Count int
}

// New validates a set and compiles its expressions. It returns all faults, and no
// expander when the set can not be expanded.
func New(s *Set, environment *Environment) (*Expander, []Fault) {
	f := s.validate()
	c := &compiler{Environment: environment, faults: &f}
	e := &Expander{set: s}
	for i := range s.Targets {
		t := &s.Targets[i]
		one := criterion{Target: t}
		var ignored faults // told by validate
		switch {
		case t.RepositorySelector != nil:
			one.selector = t.RepositorySelector.compile(&ignored, "")
		case t.ObjectSelector != nil:
			one.selector = t.ObjectSelector.compile(&ignored, "")
		}
		e.criteria = append(e.criteria, one)
		e.makers = append(e.makers, c.compile(t.Template, targetPath(i)+".template"))
	}
	e.namesUpstream = c.namesUpstream
	if f = s.read(f); f.fail() {
		return nil, f
	}
	return e, f
}

// Expand makes the variants of the set. All targets are tried; with any fault
// that is no warning the expansion is not to be used. maxTargets is the largest
// number of variants that is allowed, 0 for no limit of the caller's.
func (e *Expander) Expand(inventory *Inventory, maxTargets int) (*Expansion, []Fault) {
	var f faults
	x := &Expansion{}
	var all []candidate
	for i := range e.criteria {
		field, _, _ := e.criteria[i].what()
		path := targetPath(i) + "." + field
		found := e.candidates(i, inventory, MaxVariants-len(all))
		x.Matches = append(x.Matches, Match{path, len(found)})
		if len(found) == 0 {
			f.add(RuleUnmatched, path, "%s", e.unmatched(i, inventory))
		}
		if all = append(all, found...); len(all) >= MaxVariants {
			f.invalid("spec.targets", "there are more than %d variants, which is more than a set can make", MaxVariants)
			return x, f
		}
	}
	if maxTargets > 0 && len(all) > maxTargets {
		f.invalid("spec.targets", "the targets make %d variants, more than maxTargets (%d) of the configuration allows; narrow the targets or raise maxTargets", len(all), maxTargets)
	}
	l := e.lookups(inventory, &f)
	costs := newCosts()
	x.Variants = make([]Variant, len(all))
	for i := range all {
		x.Variants[i] = e.render(&all[i], l, costs, &f)
	}
	l.unverified(&f)
	e.duplicates(x.Variants, &f)
	if !f.fail() {
		e.name(x.Variants)
	}
	slices.SortStableFunc(x.Variants, func(a, b Variant) int { return strings.Compare(a.Name, b.Name) })
	return x, f
}

// unmatched says why a target may have matched nothing.
func (e *Expander) unmatched(i int, inventory *Inventory) string {
	_, kind, name := e.criteria[i].what()
	what := kind.kind
	if name != "" {
		what += fmt.Sprintf(" %q", name)
	}
	space := namespace(e.set.Namespace)
	there := len(inventory.names(kind, space))
	elsewhere := len(inventory.of(kind)) - there
	hold := fmt.Sprintf("the list holds %d of the kind in it", there)
	switch {
	case there == 0 && elsewhere == 0:
		hold = fmt.Sprintf("the list holds none of %s %s", kind.apiVersion, kind.kind)
	case elsewhere > 0:
		hold += fmt.Sprintf(" and %d in other namespaces", elsewhere)
	}
	return fmt.Sprintf("matches no %s in the namespace %s; %s, and a selector of the function may hide others", what, space, hold)
}

// duplicates tells which variants are for the same package in the same
// repository.
func (e *Expander) duplicates(all []Variant, f *faults) {
	first := make(map[[2]string]*Variant, len(all))
	for i := range all {
		v := &all[i]
		if v.Repo == "" || v.Package == "" {
			continue // could not be made, which is told
		}
		pair := [2]string{v.Repo, v.Package}
		if earlier := first[pair]; earlier != nil {
			f.add(RuleDuplicate, v.from.path, "%s: the package %q in the repository %q is made by %s too (%s); remove one of the targets, or give one another package in its template", v.from, v.Package, v.Repo, earlier.from.path, earlier.from)
			continue
		}
		first[pair] = v
	}
}

// name names the variants. Those that would have one name have the hash of what
// differs.
func (e *Expander) name(all []Variant) {
	count := make(map[string]int, len(all))
	for i := range all {
		v := &all[i]
		v.Name = variantName(e.set.Name, v.Repo, v.Package)
		count[v.Name]++
	}
	for i := range all {
		if v := &all[i]; count[v.Name] > 1 {
			v.Name = distinctName(e.set.Name, v.Repo, v.Package)
		}
	}
}
