package constraint

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types/ref"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/rule"
)

// Scope determines which bundles must satisfy a constraint.
type Scope string

// The scopes. ScopeSet is the default.
const (
	// ScopeSet: each leaf must be satisfied by some bundle of the set.
	ScopeSet Scope = "set"
	// ScopeBundle: one bundle must satisfy all of a constraint, as in OLM's resolver.
	ScopeBundle Scope = "bundle"
)

// Options are the choices of a check.
type Options struct {
	// Scope is ScopeSet or ScopeBundle.
	Scope Scope
	// IsChecked reports whether a bundle is checked. If it is nil, all are checked. The bundles
	// that are not checked can still satisfy requirements.
	IsChecked func(*Bundle) bool
	// IsExempt reports whether cluster constraints do not apply to a version of a package, because
	// it is installed already. If it is nil, they apply to all.
	IsExempt func(packageName, version string) bool
	// AreApart reports whether two packs with the same name are meant to be installed beside each
	// other. If it is nil, none are.
	AreApart func(a, b diag.Resource) bool
	// Suggest returns what to do about a package, an API or a label that is missing or out
	// of range. Nil means nothing.
	Suggest func(Question) Suggestion
	// IsUnread reports whether some input could not be read and was reported, so that a missing
	// bundle or property may exist.
	IsUnread bool
	// Candidates is set if the bundles are candidates. It is nil if they are installed together.
	Candidates *Candidates
	// IsPending reports whether properties of the cluster are still to come. A requirement that
	// they may satisfy is not a finding.
	IsPending bool
}

// Question asks what to do about something that a bundle requires.
type Question struct {
	// Leaf is a constraint of the kind package, gvk or label.
	Leaf *Constraint
	// Demand holds the alternatives in which a package is required. It is nil if the result of
	// Demands contains everything.
	Demand *Demand
}

// Suggestion is the answer to a Question.
type Suggestion struct {
	// Package and Version are recommended. Version is "" if no version is certain.
	Package, Version string
	// Action is advice, in the imperative, or "" if there is none.
	Action string
}

// Set is bundles that were read, and the facts of their cluster.
type Set struct {
	candidates []*candidate // of the bundles that can be installed, then the cluster
	readings   []reading    // of those bundles
	deprecated []reading    // of the bundles that OLM does not install
	// facts is the cluster, which is a candidate, too.
	facts *candidate
	// findings are the faults in the constraints of the cluster.
	findings []diag.Finding
	// rules compiles CEL expressions.
	rules *celenv.Env
}

// ReadEach reads the properties and requirements of bundles that are made one after the other. It removes the
// entries of each after reading them, so that only one bundle at a time is in memory as
// nodes. cluster may be nil.
func ReadEach(bundles iter.Seq[*Bundle], cluster *Cluster) *Set {
	rules := newRules()
	s := &Set{facts: &candidate{}, rules: rules}
	shared := map[string]ref.Val{}
	for b := range bundles {
		r := &reader{parser: parser{rules: rules}, reading: reading{candidate: &candidate{bundle: b}}, invalid: rule.ConstraintInvalid, shared: shared}
		r.read()
		b.Properties, b.Dependencies, b.APIs = nil, nil, nil
		for i := range r.candidate.requirements {
			r.candidate.requirements[i].entry.Node, r.candidate.requirements[i].entry.Again = nil, nil
		}
		if r.candidate.isDeprecated {
			s.deprecated = append(s.deprecated, r.reading)
			continue
		}
		s.candidates, s.readings = append(s.candidates, r.candidate), append(s.readings, r.reading)
	}
	if cluster != nil {
		r := &reader{parser: parser{rules: rules}, reading: reading{candidate: s.facts}, invalid: rule.ClusterConstraintInvalid}
		for _, e := range cluster.Properties {
			r.property(e, true)
		}
		s.facts.requirements = nil // a cluster's properties require nothing
		for _, e := range cluster.Constraints {
			r.clusterConstraint(e)
		}
		s.findings = r.reported
		s.candidates = append(s.candidates, s.facts)
	}
	return s
}

// Checker checks a set of bundles. It is not safe for concurrent use.
type Checker struct {
	*evaluator
	// set is the set, and options are the choices of the check.
	set     *Set
	options Options
	// findings are the findings so far.
	findings []diag.Finding
	// firstProviders are the first candidates that provide something, by its key.
	firstProviders map[string]int
	// index, byKey, withRules and isShared belong to Obstacle: the candidates of bundles, the
	// requirements by their subjects, and the requirements that several bundles have.
	index     map[*Bundle]int
	byKey     map[string][]owned
	withRules []owned
	isShared  map[string]bool
	// trials is charged with all evaluations for Obstacle.
	trials meter.Meter
}

// Checker returns a checker of the set.
func (s *Set) Checker(options Options) *Checker {
	j := newEvaluator(s.candidates)
	j.deprecated = s.ofDeprecated()
	return &Checker{evaluator: j, set: s, options: options, firstProviders: map[string]int{}}
}

// Check checks all requirements of the bundles and all cluster constraints, and returns the
// violations in the order of the bundles. Findings about the cluster come first, except for rules
// that exceed the cost limit, which come last.
func (c *Checker) Check() []diag.Finding {
	c.findings = slices.Clone(c.set.findings)
	for i, r := range c.set.readings {
		b := r.candidate.bundle
		if !c.isChecked(b) {
			continue
		}
		c.findings = append(c.findings, r.reported...)
		for _, required := range r.candidate.requirements {
			c.requirement(i, required)
			c.unknownProperties(required.constraint, func(f diag.Finding, part *Constraint) diag.Finding { return b.at(f, required.entry, part) })
		}
		if c.options.Candidates != nil {
			continue
		}
		c.duplicates(i)
		if c.isExempt(r.candidate) {
			continue
		}
		for _, required := range c.set.facts.requirements {
			c.clusterConstraint(i, required)
		}
	}
	c.checkDeprecated()
	if c.options.Candidates != nil {
		c.clusterCandidates()
		c.limitsOfV1()
	}
	c.clusterRules()
	return c.findings
}

// clusterRules reports the rules of the cluster that exceeded their cost limit on a bundle, and the
// unknown types of properties.
func (c *Checker) clusterRules() {
	for _, r := range c.set.facts.requirements {
		c.unknownProperties(r.constraint, func(f diag.Finding, part *Constraint) diag.Finding {
			return f.In(r.entry.Origin, part.Key, part.At)
		})
		if leaf := overrunning(c.evaluator, r.constraint); leaf != nil {
			c.report(c.overrun(leaf).Of(rule.ClusterConstraintInvalid).In(r.entry.Origin, leaf.Key, leaf.At))
		}
	}
}

func (c *Checker) report(f diag.Finding) { c.findings = append(c.findings, f) }

// requirement checks one requirement of a bundle.
func (c *Checker) requirement(i int, r requirement) {
	b, root := c.candidates[i].bundle, r.constraint
	if r.declared == typeConstraint && root.Kind == KindNot {
		c.report(b.at(diag.Say("%s has a constraint of type not, which OLM accepts only within all or any: alone it selects nothing", b).
			Do("put it below all, next to the required constraints"), r.entry, root).Of(rule.ConstraintTopLevelNot))
	}
	if leaf := c.tooExpensive(root); leaf != nil {
		c.report(b.at(c.overrun(leaf), r.entry, leaf).Of(rule.ConstraintInvalid))
		return
	}
	if c.options.Candidates != nil {
		c.candidate(i, r)
		return
	}
	single := c.alone(root)
	set, alone := c.holds(root), single >= 0
	holds := set
	if c.options.Scope == ScopeBundle {
		holds = alone
	}
	if !holds && !c.mayHold(root) {
		c.unsatisfied(b, r, set)
	}
	if set != alone && !c.options.IsPending {
		c.report(b.at(c.difference(b, root, single), r.entry, root).Of(rule.ConstraintScopeDiffers))
	}
	if holds {
		c.reportPrereleases(b, r)
	}
}

// mayHold reports whether properties that are still to come may satisfy a constraint.
func (c *Checker) mayHold(root *Constraint) bool {
	// The cluster can satisfy any constraint alone.
	return c.options.IsPending && (c.options.Scope == ScopeBundle || c.may(root, true))
}

// scopeAdvice returns advice about a constraint that one bundle satisfies, and the set does not.
func (c *Checker) scopeAdvice() string {
	if c.options.Scope == ScopeBundle {
		return "change the constraint if what it excludes must not be there"
	}
	return "set scope: bundle to check as OLM does, or change the constraint"
}

// difference explains why the scopes disagree about a constraint, and suggests a change that keeps
// its meaning. single is the candidate that satisfies the constraint alone, or -1 if there is none.
func (c *Checker) difference(b *Bundle, root *Constraint, single int) diag.Finding {
	if single >= 0 {
		return diag.Say("OLM would install %s, because %s alone satisfies its constraint. With scope: set the constraint is violated by the bundles of the package: OLM may install what it excludes", b, c.candidates[single].title()).Do(c.scopeAdvice())
	}
	f := diag.Say("several bundles satisfy the constraint of %s together (scope: set), but no single one does, as OLM's resolver requires", b)
	if root.Kind == KindAll {
		return f.Do("split it into one constraint for each part")
	}
	return f.Do("let a single bundle satisfy all of one alternative")
}

// unsatisfied reports a requirement that does not hold. If set is true, all bundles together
// satisfy it, so that only a single bundle is missing.
func (c *Checker) unsatisfied(b *Bundle, r requirement, set bool) {
	e := &explainer{evaluator: c.evaluator, options: c.options, alone: -1, owner: b, root: r.constraint}
	if set {
		f := diag.Say("%s requires one bundle that satisfies the whole constraint (scope: bundle): %s%s; several satisfy it together, but no single one", b, e.what(r.constraint), said(r.constraint))
		c.report(b.at(f, r.entry, r.constraint).Of(r.rule()))
		return
	}
	leaf := e.blamed(r.constraint)
	f := e.advise(diag.Say("%s", e.requires(b, r.constraint)))
	if with := slices.DeleteFunc(slices.Clone(e.asked), func(s suggested) bool { return s.Version == "" }); len(with) == 1 {
		f.Tags = map[string]string{tagPackage: with[0].Package, tagVersion: with[0].Version}
	}
	c.report(b.at(f, r.entry, leaf).Of(r.rule()))
}

// overrun returns the finding for a rule that exceeded its cost limit.
func (c *Checker) overrun(leaf *Constraint) diag.Finding {
	if c.overspent() {
		return diag.Say("all rules together take more than the limit of %d steps for a run: whether this one holds is unknown", c.meter.Limit()).
			Do("look at fewer properties, or at each only once")
	}
	s := c.state(leaf)
	text := "on " + c.candidates[s.overruns[0]].title()
	if more := len(s.overruns) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if len(s.overruns) >= mostOverruns {
		text += ", so it was not tried on others"
	}
	return diag.Say("the rule %s exceeds the cost limit of %d %s: whether it holds is unknown", quoted(leaf.Rule), celenv.CostLimit, text).
		Do("look at fewer properties, or at each only once")
}

// clusterConstraint checks one bundle alone.
func (c *Checker) clusterConstraint(i int, r requirement) {
	b := c.candidates[i].bundle
	if c.tooExpensiveOn(r.constraint, i) != nil {
		return // reported once, for the constraint
	}
	if c.holdsOn(r.constraint, i) {
		return
	}
	where := clusterTitle(r.entry)
	e := &explainer{evaluator: c.evaluator, options: c.options, alone: i, owner: b}
	f := diag.Say("%s cannot be installed: %s", b, e.requires(where, r.constraint)).Of(rule.ClusterConstraintUnsatisfied)
	f.Tags = map[string]string{tagConstraint: where, tagConstraintKey: e.blamed(r.constraint).Key}
	c.report(b.about(f))
}

// clusterTitle names the resource of a constraint of the cluster.
func clusterTitle(e Entry) string {
	if e.Origin == nil || e.Origin.Resource.IsZero() {
		return "the cluster"
	}
	r := e.Origin.Resource
	if r.File == "" {
		return r.String()
	}
	return r.String() + " (" + r.File + ")"
}

// providersOf returns the candidates that provide a package.
func (c *Checker) providersOf(name string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, p := range c.byPackage[name] {
			if !yield(p.candidate) {
				return
			}
		}
	}
}

// Provider returns the first bundle that provides a package, or nil if there is none.
func (c *Checker) Provider(name string) *Bundle {
	if len(c.byPackage[name]) == 0 {
		return nil
	}
	return c.candidates[c.first(packageKey(name), c.providersOf(name))].bundle
}

// advise adds to a finding what to do about its requirement, which was explained.
func (e *explainer) advise(f diag.Finding) diag.Finding {
	var actions []string
	unseen := ""
	for _, asked := range e.asked {
		if asked.Action == "" {
			continue
		}
		text := asked.Action
		if e.parts > 1 {
			text = fmt.Sprintf("for %s, %s", asked.what, text)
		}
		actions = append(actions, text)
	}
	if e.missing > 0 {
		what, exists := "it", diag.ItExists
		if e.missing > 1 || len(actions) > 0 {
			what, exists = "what is missing", "if a part of it exists"
		}
		switch {
		case e.options.IsUnread:
			actions = append(actions, "add "+what+", or fix what cannot be read")
		default:
			actions = append(actions, "add "+what+" to the package")
			unseen = exists
		}
	}
	return f.Do(strings.Join(actions, "; ")).IfUnseen(unseen)
}
