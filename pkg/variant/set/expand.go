package set

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/internal/cause"
)

// What the sets of a run may make together: MaxVariants, and not more than SomeVariants or
// VariantsOfEach for each target and for each object and revision that they may select. A
// short list of targets and repositories could make gigabytes.
const (
	MaxVariants    = 1_000_000
	SomeVariants   = 10_000
	VariantsOfEach = 50
)

// Expander makes the variants of a set. Its expressions are compiled.
type Expander struct {
	// set is the set.
	set *Set
	// criteria are the compiled selectors, and makers the compiled templates, one of each for a
	// target.
	criteria []criterion
	makers   []*maker
	// namesUpstream reports whether an expression can read the name of the upstream.
	namesUpstream bool
	// Budget limits the cost of the expressions, together with the expressions of other sets. If it
	// is nil, each expansion has its own budget.
	Budget *Budget
	// Keeps reports whether all of a variant is needed, which has no name yet. Of others
	// only the upstream, the downstream and the injectors are kept. Nil keeps all.
	Keeps func(*Variant) bool
	// faults are the errors of the set.
	faults []diag.Finding
}

// Expansion is the result of expanding a set.
type Expansion struct {
	// Variants are in the order of their names.
	Variants []Variant
	// Matches say how many variants each target makes.
	Matches []Match
}

// Match is the number of variants of one target.
type Match struct {
	// Path is the criterion of the target: `spec.targets[0].repositorySelector`.
	Path string
	// Count is the number of variants.
	Count int
}

// New validates a set and compiles its expressions. It returns all findings. The expander
// of a set with errors finds the others that there are; see [Expander.Expand].
func New(s *Set, environment *Environment) (*Expander, []diag.Finding) {
	f := s.validate()
	c := &compiler{Environment: environment, findings: &f}
	e := &Expander{set: s}
	for i := range s.Targets {
		t := &s.Targets[i]
		one := criterion{Target: t}
		switch {
		case t.RepositorySelector != nil:
			one.selector = t.RepositorySelector.selector()
		case t.ObjectSelector != nil:
			one.selector = t.ObjectSelector.selector()
		}
		e.criteria = append(e.criteria, one)
		e.makers = append(e.makers, c.compile(t.Template, targetPath(i)+".template"))
	}
	e.namesUpstream = c.namesUpstream
	all := cause.Join(s.unread, f)
	for _, finding := range all {
		if finding.Level() == diag.Error {
			e.faults = append(e.faults, finding)
		}
	}
	return e, all
}

// asPorch makes the expander ignore the fields that Porch ignores: the name of an
// objectSelector, and packageNames beside a selector, which only the document has.
func (e *Expander) asPorch() {
	for i := range e.criteria {
		if t := e.criteria[i].Target; e.criteria[i].selector != nil {
			if t.PackageNames = nil; t.ObjectSelector != nil {
				t.ObjectSelector.Name = ""
			}
		}
	}
}

// isFaulty reports whether the set has an error at one of the paths or below it.
func (e *Expander) isFaulty(paths ...string) bool {
	return slices.ContainsFunc(e.faults, func(f diag.Finding) bool {
		return slices.ContainsFunc(paths, func(path string) bool { return diag.Overlap(f.Key, path) && len(f.Key) >= len(path) })
	})
}

// hasFaultyCriterion reports whether it is unknown what the i-th target matches.
func (e *Expander) hasFaultyCriterion(i int) bool {
	path := targetPath(i)
	return slices.ContainsFunc(e.faults, func(f diag.Finding) bool {
		return diag.Overlap(f.Key, path) && !diag.Overlap(f.Key, path+".template") || f.Key == path
	})
}

// Expand makes the variants of the set. All targets are tried, those with errors in their
// templates, too. If [New] or Expand found an error, the expansion must not be used. maxTargets is
// the largest number of variants that is allowed, or 0 for no limit of the caller's.
func (e *Expander) Expand(inventory *Inventory, maxTargets int) (*Expansion, []diag.Finding) {
	var f findings
	x := &Expansion{}
	var all []candidate
	known := &knownLabels{inventory: inventory, space: e.set.Namespace}
	budget := e.Budget
	if budget == nil {
		budget = &Budget{}
	}
	most := budget.variantsLeft(len(e.criteria), inventory)
	for i := range e.criteria {
		if e.hasFaultyCriterion(i) {
			continue
		}
		field, _, _ := e.criteria[i].what()
		path := targetPath(i) + "." + field
		found := e.candidates(i, inventory, most+1-len(all))
		x.Matches = append(x.Matches, Match{path, len(found)})
		if names := e.withoutNamespace(found); names != nil {
			unknown := diag.Say("these match as cluster-scoped objects: %s", diag.AllOf(names)).Do("if they are not, set their namespace")
			unknown.Severity = diag.Info
			f.add(rule.VariantSetUnverified, path, unknown)
		}
		unknown := e.unknownLabels(i, inventory, known)
		for _, one := range unknown {
			f.add(rule.VariantSetUnmatched, path+"."+one.path, one.Finding)
		}
		if len(found) == 0 && len(unknown) == 0 {
			f.add(rule.VariantSetUnmatched, path, e.unmatched(i, inventory, known))
		}
		if all = append(all, found...); e.criteria[i].selector == nil {
			most += len(found) // each of them is written
		}
		if len(all) > most {
			f.invalid("spec.targets", diag.Got(fmt.Sprintf("more than %d variants of all sets", budget.made+most), "fewer").
				Do(fmt.Sprintf("narrow the targets: the limit is %d, or %d for each target and each resource that sets can select", SomeVariants, VariantsOfEach)))
			return x, f
		}
	}
	if maxTargets > 0 && len(all) > maxTargets {
		f.invalid("spec.targets", diag.Got(fmt.Sprintf("%d variants", len(all)), fmt.Sprintf("at most %d (maxTargets)", maxTargets)).Do("narrow the targets or raise maxTargets"))
	}
	l := e.lookups(inventory, &f)
	budget.grow(len(all))
	costs := newCosts(budget)
	x.Variants = make([]Variant, len(all))
	for i := range all {
		v := e.render(&all[i], l, costs, &f)
		if e.Keeps != nil && !e.Keeps(&v) {
			v.Spec = variant.Spec{Upstream: v.Spec.Upstream, Downstream: v.Spec.Downstream, Injectors: v.Spec.Injectors}
		}
		x.Variants[i] = v
		if object := all[i].object; object != nil && (i+1 == len(all) || all[i+1].object != object) {
			object.view = nil // the views of all objects take a third of the memory
		}
	}
	l.unverified(&f)
	e.duplicates(x.Variants, &f)
	if !variant.HasError(f) {
		e.notInPorch(x.Variants, &f)
		e.name(x.Variants)
	}
	slices.SortStableFunc(x.Variants, func(a, b Variant) int { return strings.Compare(a.Name, b.Name) })
	return x, f
}

// withoutNamespace returns the objects that match only if they are cluster-scoped.
func (e *Expander) withoutNamespace(found []candidate) []string {
	if variant.NamespaceOr(e.set.Namespace) == variant.DefaultNamespace {
		return nil
	}
	var names []string
	for _, c := range found {
		if c.object != nil && c.object.mayBeClusterScoped() {
			names = append(names, c.object.Kind+" "+c.object.Name)
		}
	}
	return slices.Compact(names)
}

// duplicates reports which variants are of the same package in the same repository.
func (e *Expander) duplicates(all []Variant, f *findings) {
	first := make(map[variant.Downstream]*Variant, len(all))
	for i := range all {
		v := &all[i]
		if v.Spec.Downstream.Repo == "" || v.Spec.Downstream.Package == "" {
			continue // could not be made, which was reported
		}
		earlier := first[v.Spec.Downstream]
		if earlier == nil {
			first[v.Spec.Downstream] = v
			continue
		}
		f.add(rule.VariantSetDuplicate, v.from.path, v.from.has(diag.Say("the package %q of the repository %q is also made by %s (%s)", v.Spec.Downstream.Package, v.Spec.Downstream.Repo, earlier.from.path, earlier.from).
			Do("remove one target, or give it another package in its template")))
	}
}

// notInPorch warns of variants that Porch does not make, because their names are none that
// a resource can have: once for each place that they come from.
func (e *Expander) notInPorch(all []Variant, f *findings) {
	known := map[string]bool{}
	for i := range all {
		v := &all[i]
		d := v.Spec.Downstream
		if d.Repo == "" || d.Package == "" || e.set.Name == "" || known[v.from.path] {
			continue // could not be made, which was reported; or reported
		}
		if name := porchName(e.set.Name, d.Repo, d.Package); !isSubdomain(name) {
			known[v.from.path] = true
			f.add(rule.VariantSetNotInPorch, v.from.path, v.from.has(diag.Say("Porch makes no %s for the package %q: the name %q is not valid", VariantKind, d.Package, name).
				Do("name a package without slashes and capital letters, or write the PackageVariant yourself")))
		}
	}
}

// name names the variants. Those that would have one name get the hash of what differs.
func (e *Expander) name(all []Variant) {
	count := make(map[string]int, len(all))
	for i := range all {
		v := &all[i]
		v.Name = variantName(e.set.Name, v.Spec.Downstream.Repo, v.Spec.Downstream.Package)
		count[v.Name]++
	}
	for i := range all {
		if v := &all[i]; count[v.Name] > 1 {
			v.Name = distinctName(e.set.Name, v.Spec.Downstream.Repo, v.Spec.Downstream.Package)
		}
	}
}
