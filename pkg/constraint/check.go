package constraint

import (
	"fmt"
	"iter"
	"slices"

	"github.com/krm-packs/functions/pkg/celenv"
)

// Scope says over what a constraint has to hold.
type Scope string

// The scopes. ScopeSet is the default.
const (
	// ScopeSet: each leaf has to be satisfied by some bundle of the set.
	ScopeSet Scope = "set"
	// ScopeBundle: one bundle has to satisfy all of a constraint, as in OLM's
	// resolver.
	ScopeBundle Scope = "bundle"
)

// Options are the choices of a check.
type Options struct {
	Scope Scope
	// Checked says which bundles are judged; nil means all. All can satisfy
	// those that are.
	Checked func(*Bundle) bool
	// Exempt says whether no cluster constraint concerns what provides a version of
	// a package, since it is installed already. Nil means that none is.
	Exempt func(packageName, version string) bool
	// Suggest returns the version of a package that all who need it accept, and
	// a sentence for the message; both may be "".
	Suggest func(packageName string) (version, why string)
	// Unread says that something could not be read, so that what is missing may
	// be there.
	Unread bool
}

// Set is bundles that were read, and what is known of their cluster.
type Set struct {
	candidates []*candidate // those of the bundles, then the cluster
	readers    []*reader
	facts      *candidate
	findings   []Finding
}

// Read reads the properties and requirements of bundles. cluster may be nil.
func Read(bundles []*Bundle, cluster *Cluster) *Set {
	return read(slices.Values(bundles), cluster, false)
}

// ReadEach is Read for bundles that are made one after the other. It takes the
// entries out of each once they are read, so that of a long sequence only one
// bundle at a time is there as nodes.
func ReadEach(bundles iter.Seq[*Bundle], cluster *Cluster) *Set {
	return read(bundles, cluster, true)
}

func read(bundles iter.Seq[*Bundle], cluster *Cluster, release bool) *Set {
	rules := newRules()
	s := &Set{facts: &candidate{}}
	for b := range bundles {
		r := &reader{parser: parser{rules: rules}, candidate: &candidate{bundle: b}, invalid: RuleInvalid}
		r.read()
		if release {
			b.Properties, b.Dependencies, b.APIs = nil, nil, nil
			for i := range r.candidate.requirements {
				r.candidate.requirements[i].entry.Node = nil
			}
		}
		s.candidates, s.readers = append(s.candidates, r.candidate), append(s.readers, r)
	}
	if cluster != nil {
		r := &reader{parser: parser{rules: rules}, candidate: s.facts, invalid: RuleClusterInvalid}
		for _, e := range cluster.Properties {
			r.property(e, true)
		}
		s.facts.requirements = nil // a cluster's properties require nothing
		for _, e := range cluster.Constraints {
			r.clusterConstraint(e)
		}
		s.findings = r.findings
		s.candidates = append(s.candidates, s.facts)
	}
	return s
}

// Check reads bundles and judges them; see [Read] and [Set.Check].
func Check(bundles []*Bundle, cluster *Cluster, options Options) []Finding {
	return Read(bundles, cluster).Check(options)
}

// Check judges all requirements of the bundles and all cluster constraints. The
// findings are in the order of the bundles; those of the
// cluster come first, but for rules that cost too much, which come last.
func (s *Set) Check(options Options) []Finding {
	c := &checker{judge: newJudge(s.candidates), facts: s.facts, options: options, findings: slices.Clone(s.findings)}
	for i, r := range s.readers {
		b := r.candidate.bundle
		if options.Checked != nil && !options.Checked(b) {
			continue
		}
		c.findings = append(c.findings, r.findings...)
		for _, required := range r.candidate.requirements {
			c.requirement(b, required)
		}
		c.duplicates(i)
		if options.Exempt != nil && slices.ContainsFunc(r.candidate.packages, func(p providedPackage) bool { return options.Exempt(p.name, p.text) }) {
			continue
		}
		for _, required := range s.facts.requirements {
			c.clusterConstraint(i, required)
		}
	}
	c.clusterOverruns()
	return c.findings
}

// clusterOverruns reports the rules of the cluster that exceeded their cost limit
// on a bundle that was judged.
func (c *checker) clusterOverruns() {
	for _, r := range c.facts.requirements {
		if leaf := overrunning(c.judge, r.constraint); leaf != nil {
			c.findings = append(c.findings, Finding{Rule: RuleClusterInvalid, Origin: r.entry.Origin, Key: leaf.Key, At: leaf.At, Subject: clusterWhere(r.entry),
				Message: fmt.Sprintf("%s: which bundles satisfy it is not known: %s", clusterWhere(r.entry), c.overrun(leaf))})
		}
	}
}

// checker collects findings.
type checker struct {
	*judge
	facts    *candidate
	options  Options
	findings []Finding
}

// requirement judges one requirement of a bundle.
func (c *checker) requirement(b *Bundle, r requirement) {
	root := r.constraint
	at := Finding{Bundle: b, Origin: r.entry.Origin, Key: root.Key, At: root.At, Subject: b.title()}
	add := func(rule Rule, message string) {
		f := at
		f.Rule, f.Message = rule, message
		c.findings = append(c.findings, f)
	}
	generic := r.declared == typeConstraint
	if generic && root.Kind == KindNot {
		add(RuleTopLevelNot, fmt.Sprintf("%s: the constraint is a not at the top level; OLM wants it within all or any, since it chooses nothing by itself: put it below all beside what is required", b.title()))
	}
	if leaf := c.tooExpensive(root); leaf != nil {
		c.findings = append(c.findings, Finding{Rule: RuleInvalid, Bundle: b, Origin: r.entry.Origin, Key: leaf.Key, At: leaf.At, Subject: b.title(),
			Message: fmt.Sprintf("%s: whether its constraint holds is not known: %s", b.title(), c.overrun(leaf))})
		return
	}
	single := c.alone(root)
	set, alone := c.holds(root), single >= 0
	holds := set
	if c.options.Scope == ScopeBundle {
		holds = alone
	}
	if !holds {
		c.unsatisfied(at, r, set)
	}
	if set != alone {
		message := "some bundles satisfy it together, but none satisfies all of it alone, as OLM's resolver requires; split it into one constraint for each part"
		if alone {
			message = fmt.Sprintf("over the list it does not hold, but %s satisfies it alone, and that is enough for OLM's resolver: it may install what the constraint excludes", c.candidates[single].title())
		}
		add(RuleScopeDiffers, fmt.Sprintf("%s: the constraint of type %s means one thing over the list and another in OLM's resolver: %s", b.title(), root.Kind, message))
	}
	if !holds {
		return
	}
	for _, leaf := range c.prereleases(root) {
		p, _ := c.matching(leaf)
		add(RulePrerelease, fmt.Sprintf("%s requires package %q in range %s, and only a prerelease is in it: %s is %s", b.title(), leaf.Package, leaf.Range, c.candidates[p.candidate].title(), p.text))
	}
}

// unsatisfied reports a requirement that does not hold. set says that it does
// over the whole list, so that only one bundle alone is wanting.
func (c *checker) unsatisfied(at Finding, r requirement, set bool) {
	e := &explainer{judge: c.judge, options: c.options, alone: -1, owner: at.Bundle}
	at.Rule = r.rule()
	if set {
		at.Message = fmt.Sprintf("%s requires one bundle that satisfies all of its constraint (scope: bundle): %s%s; several bundles satisfy it together, but none alone", at.Bundle.title(), e.what(r.constraint), said(r.constraint))
		c.findings = append(c.findings, at)
		return
	}
	leaf := e.blamed(r.constraint)
	at.Key, at.At = leaf.Key, leaf.At
	at.Message = fmt.Sprintf("%s requires %s", at.Bundle.title(), e.why(r.constraint))
	for i, text := range e.advice {
		if text == "" {
			continue
		}
		if e.parts > 1 {
			text = fmt.Sprintf("for package %q, %s", e.asked[i], text)
		}
		at.Message += "; " + text
	}
	if e.missing > 0 {
		what := "it"
		if e.missing > 1 {
			what = "what is missing"
		}
		at.Message += fmt.Sprintf("; add %s to the list, unless a selector of the function hides it", what)
		if c.options.Unread {
			at.Message += " or it stands in what could not be read"
		}
	}
	if len(e.asked) == 1 && leaf.Kind == KindPackage {
		at.Proposed = e.proposed[0]
	}
	c.findings = append(c.findings, at)
}

// overrun says that a rule exceeded its cost limit, and where.
func (c *checker) overrun(leaf *Constraint) string {
	if c.overspent() {
		return "all rules together cost more than the limit of a run; look at fewer properties, or at each once"
	}
	s := c.state(leaf)
	text := "on " + c.candidates[s.overruns[0]].title()
	if more := len(s.overruns) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if len(s.overruns) >= mostOverruns {
		text += ", so that it was not tried on any other"
	}
	return fmt.Sprintf("the rule %s costs more than the limit of %d allows %s; look at fewer properties, or at each once", quoted(leaf.Rule), celenv.CostLimit, text)
}

// clusterConstraint judges one bundle alone.
func (c *checker) clusterConstraint(i int, r requirement) {
	b := c.candidates[i].bundle
	where := clusterWhere(r.entry)
	f := Finding{Rule: RuleClusterUnsatisfied, Bundle: b, Tags: map[string]string{"constraint": where, "constraintKey": r.constraint.Key}}
	if c.tooExpensiveOn(r.constraint, i) != nil {
		return // told once, of the constraint
	}
	if c.holdsOn(r.constraint, i) {
		return
	}
	e := &explainer{judge: c.judge, options: c.options, alone: i, owner: b}
	f.Tags["constraintKey"] = e.blamed(r.constraint).Key
	f.Message = fmt.Sprintf("%s may not be installed: %s requires %s", b.title(), where, e.why(r.constraint))
	c.findings = append(c.findings, f)
}

// clusterWhere names where a constraint of the cluster stands.
func clusterWhere(e Entry) string {
	if e.Where == "" {
		return "the cluster"
	}
	return e.Where
}

// duplicates reports what a bundle provides that another before it provides.
func (c *checker) duplicates(i int) {
	b := c.candidates[i].bundle
	add := func(other int, what string) {
		c.findings = append(c.findings, Finding{Rule: RuleProviderDuplicate, Bundle: b,
			Message: fmt.Sprintf("%s and %s both provide %s; OLM installs one of them only: remove one", c.candidates[other].title(), b.title(), what)})
	}
	mine := map[string]bool{}
	told := false
	for _, p := range c.candidates[i].packages {
		mine[p.name] = true
		if first := c.byPackage[p.name][0].candidate; first < i && !told {
			told = true
			add(first, fmt.Sprintf("package %q", p.name))
		}
	}
	// Bundles of one package have the same APIs, which goes without saying.
	sibling := func(other int) bool {
		return slices.ContainsFunc(c.candidates[other].packages, func(p providedPackage) bool { return mine[p.name] })
	}
	seen := map[GVK]bool{}
	for _, g := range c.candidates[i].gvks {
		if first := c.byGVK[g][0]; first < i && !seen[g] && !sibling(first) {
			seen[g] = true
			add(first, "API "+g.String())
		}
	}
}
