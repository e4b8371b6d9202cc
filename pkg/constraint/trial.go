package constraint

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Change is a change of the bundles: one gets another version or is replaced, or one is
// added.
type Change struct {
	// Bundle is the bundle that changes; nil adds one.
	Bundle *Bundle
	// Package is a package that the bundle provides, and Version its new version.
	Package, Version string
	// Content replaces or adds the bundle. If it is nil, everything but the version stays.
	Content *Bundle
}

// Obstacle returns why a change is not possible, or "" if it is: a requirement that is
// satisfied now would fail, or something that the new content requires is missing. Call it
// before you suggest a version.
//
// It considers everything that Check reports as an error, in the scope of the options. If
// rules exceed the cost limit, that is the obstacle.
func (c *Checker) Obstacle(change Change) string {
	before := c.meter
	defer func() {
		c.trials.Spend(c.meter.Spent() - before.Spent())
		c.meter = before
	}()
	if c.trials.Left() == 0 {
		return "its rules cost too much to be sure"
	}
	t, obstacle := c.trial(change)
	if t == nil || obstacle != "" {
		return obstacle
	}
	for _, r := range t.affected(change) {
		isReplaced := change.Content != nil && t.at == r.candidate && !c.isShared[r.constraint.id]
		if !isReplaced && c.satisfied(r.constraint) && !t.satisfied(r.constraint) {
			return r.title(c.candidates[r.candidate]) + " would not be satisfied"
		}
	}
	if change.Content != nil {
		for _, r := range t.candidate.requirements {
			if !t.satisfied(r.constraint) {
				return "it requires " + (&explainer{evaluator: c.evaluator, alone: -1}).what(r.constraint) + ", which is missing"
			}
		}
	}
	if change.Bundle != nil && !c.isChecked(change.Bundle) {
		return ""
	}
	return t.clusterObstacle()
}

// trial is the bundles after a change.
type trial struct {
	*Checker
	// at is the index of the candidate that changes, or of the one that is added.
	at int
	// candidate is the candidate after the change.
	candidate *candidate
	// known caches the results of constraints after the change, and rules the results of rules on the
	// candidates that do not change.
	known map[string]bool
	rules map[string]bool
}

// trial makes a change. It returns nil if the change concerns no bundle.
func (c *Checker) trial(change Change) (t *trial, obstacle string) {
	if c.index == nil {
		c.indexRequirements()
	}
	t = &trial{Checker: c, at: len(c.candidates), known: map[string]bool{}, rules: map[string]bool{}}
	if change.Bundle != nil {
		var ok bool
		if t.at, ok = c.index[change.Bundle]; !ok {
			return nil, ""
		}
	}
	if change.Content == nil {
		if change.Bundle == nil {
			t.candidate = newPackage(change.Package, change.Version)
			return t, ""
		}
		t.candidate = c.candidates[t.at].withVersion(change.Package, change.Version)
		if !change.Bundle.IsPack {
			if _, err := semver.Parse(change.Version); err != nil {
				return nil, "OLM does not read it: want three numbers"
			}
		}
		return t, ""
	}
	r := &reader{parser: parser{rules: c.set.rules}, reading: reading{candidate: &candidate{bundle: change.Content}}, invalid: rule.ConstraintInvalid}
	if r.read(); slices.ContainsFunc(r.reported, func(f diag.Finding) bool { return f.Level() == diag.Error }) {
		return nil, "it has properties or dependencies that cannot be read"
	}
	t.candidate = r.candidate
	return t, ""
}

// newPackage returns a candidate that provides only a package.
func newPackage(name, text string) *candidate {
	p := providedPackage{name: name, text: text}
	p.read()
	return &candidate{packages: []providedPackage{p}}
}

// withVersion returns a copy of a candidate with another version of a package.
func (c *candidate) withVersion(name, text string) *candidate {
	changed := &candidate{bundle: c.bundle, packages: slices.Clone(c.packages), gvks: c.gvks, labels: c.labels, list: slices.Clone(c.list)}
	for i := range changed.packages {
		if p := &changed.packages[i]; p.name == name {
			p.text = text
			p.read()
			if p.property < len(changed.list) && changed.list[p.property] != nil {
				changed.list[p.property] = withVersion(changed.list[p.property], text)
			}
		}
	}
	return changed
}

// withVersion returns a property olm.package, as rules see it, with another version.
func withVersion(property ref.Val, text string) ref.Val {
	value := property.(traits.Mapper).Get(types.String("value"))
	fields, _ := value.Value().(map[string]any)
	fields = maps.Clone(fields)
	fields["version"] = text
	return ruleProperty(typePackage, fields)
}

// satisfied reports whether a constraint holds in the scope of the options.
func (c *Checker) satisfied(root *Constraint) bool {
	if c.options.Scope == ScopeBundle {
		return c.alone(root) >= 0
	}
	return c.holds(root)
}

// satisfied reports whether a constraint holds after the change.
func (t *trial) satisfied(root *Constraint) bool {
	if t.options.Scope == ScopeBundle {
		return t.alone(root)
	}
	return t.holds(root)
}

// holds is [evaluator.holds] after the change.
func (t *trial) holds(c *Constraint) bool {
	holds, known := t.known[c.id]
	if known {
		return holds
	}
	switch c.Kind {
	case KindAll:
		holds = !slices.ContainsFunc(c.Children, func(child *Constraint) bool { return !t.holds(child) })
	case KindAny:
		holds = slices.ContainsFunc(c.Children, t.holds)
	case KindNot:
		holds = !slices.ContainsFunc(c.Children, t.holds)
	case KindCEL:
		holds = t.holdsOnOthers(c) || t.holdsOn(c)
	default:
		holds = t.holdsOn(c) || slices.ContainsFunc(t.providers(c), func(i int) bool { return i != t.at })
	}
	t.known[c.id] = holds
	return holds
}

// holdsOnOthers reports whether a candidate that does not change satisfies a rule.
func (t *trial) holdsOnOthers(c *Constraint) bool {
	first := t.firstOf(c)
	if first < 0 || first != t.at {
		return first >= 0
	}
	for i := first + 1; i < len(t.candidates); i++ {
		if t.rule(c, i) == isTrue {
			return true
		}
	}
	return false
}

// alone reports whether a candidate satisfies all of a constraint after the change.
func (t *trial) alone(c *Constraint) bool {
	single := t.Checker.alone(c)
	if single >= 0 && single != t.at || t.holdsOn(c) {
		return true
	}
	if single < 0 {
		return false
	}
	for i := range t.candidates {
		if i != t.at && t.evaluator.holdsOn(c, i) {
			return true
		}
	}
	return false
}

// holdsOn reports whether the candidate that changes satisfies all of a constraint.
func (t *trial) holdsOn(c *Constraint) bool {
	switch c.Kind {
	case KindAll:
		return !slices.ContainsFunc(c.Children, func(child *Constraint) bool { return !t.holdsOn(child) })
	case KindAny:
		return slices.ContainsFunc(c.Children, t.holdsOn)
	case KindNot:
		return !slices.ContainsFunc(c.Children, t.holdsOn)
	case KindPackage:
		return slices.ContainsFunc(t.candidate.packages, func(p providedPackage) bool { return p.name == c.Package && p.within(c) })
	case KindGVK:
		return slices.Contains(t.candidate.gvks, c.GVK)
	case KindLabel:
		return slices.Contains(t.candidate.labels, c.Label)
	}
	holds, known := t.rules[c.Rule]
	if !known {
		held, cost, err := c.program.EvaluateTerms(context.Background(), t.candidate.data())
		t.spend(cost)
		holds = err == nil && held == len(c.program.Terms())
		t.rules[c.Rule] = holds
	}
	return holds
}

// clusterObstacle returns which constraint of the cluster does not allow the change.
func (t *trial) clusterObstacle() string {
	if t.isExempt(t.candidate) {
		return ""
	}
	isNew := t.at == len(t.candidates)
	for _, r := range t.set.facts.requirements {
		if !t.holdsOn(r.constraint) && (isNew || t.isExempt(t.candidates[t.at]) || t.evaluator.holdsOn(r.constraint, t.at)) {
			return fmt.Sprintf("%s does not allow it%s", clusterTitle(r.entry), said(r.constraint))
		}
	}
	return ""
}

// isChecked reports whether findings about a bundle are wanted. Without a choice in the options, all
// are.
func (c *Checker) isChecked(b *Bundle) bool {
	return c.options.IsChecked == nil || b == nil || c.options.IsChecked(b)
}

// isExempt reports whether one of the packages that a candidate provides is exempt by the options.
func (c *Checker) isExempt(one *candidate) bool {
	return c.options.IsExempt != nil && slices.ContainsFunc(one.packages, func(p providedPackage) bool { return c.options.IsExempt(p.name, p.text) })
}

// owned is a requirement of a candidate.
type owned struct {
	requirement
	// candidate is the index of the candidate that has the requirement.
	candidate int
}

// title names a requirement in messages.
func (o owned) title(by *candidate) string {
	if o.declared == typeConstraint {
		return "a constraint of " + by.title() + said(o.constraint)
	}
	return "a requirement of " + by.title()
}

// affected returns the requirements that a change may affect: those about anything that
// the candidate provides before or after it, and those with rules.
func (t *trial) affected(change Change) []owned {
	keys := map[string]bool{packageKey(change.Package): true}
	if change.Content != nil {
		t.candidate.addKeys(keys)
		if t.at < len(t.candidates) {
			t.candidates[t.at].addKeys(keys)
		}
	}
	all := slices.Clone(t.withRules)
	seen := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		for _, o := range t.byKey[key] {
			if !seen[o.constraint.id] {
				seen[o.constraint.id] = true
				all = append(all, o)
			}
		}
	}
	return all
}

func packageKey(name string) string { return "package " + name }
func labelKey(label string) string  { return "label " + label }
func apiKey(g GVK) string           { return "API " + g.String() }

// Provided names the package, the API or the label of a leaf, as [Bundle.Provided] does.
func (c *Constraint) Provided() string {
	switch c.Kind {
	case KindGVK:
		return apiKey(c.GVK)
	case KindLabel:
		return labelKey(c.Label)
	}
	return packageKey(c.Package)
}

// Provided names the APIs and labels that a bundle provides by its properties.
func (b *Bundle) Provided() []string {
	r := &reader{parser: parser{rules: newRules()}, reading: reading{candidate: &candidate{bundle: b}}}
	for _, e := range b.Properties {
		if kind := values.Text(values.Field(e.Node, "type")); kind == typeGVK || kind == typeLabel {
			r.property(e, false)
		}
	}
	var all []string
	for _, g := range r.candidate.gvks {
		all = append(all, apiKey(g))
	}
	for _, l := range r.candidate.labels {
		all = append(all, labelKey(l))
	}
	return all
}

// addKeys adds the keys of what a candidate provides.
func (c *candidate) addKeys(keys map[string]bool) {
	for _, p := range c.packages {
		keys[packageKey(p.name)] = true
	}
	for _, g := range c.gvks {
		keys[apiKey(g)] = true
	}
	for _, l := range c.labels {
		keys[labelKey(l)] = true
	}
}

// indexRequirements finds the candidates of bundles, and the requirements that are about
// something or that have rules, each distinct one once.
func (c *Checker) indexRequirements() {
	c.index, c.byKey, c.isShared = map[*Bundle]int{}, map[string][]owned{}, map[string]bool{}
	owners := map[string]int{}
	for i, r := range c.set.readings {
		b := r.candidate.bundle
		c.index[b] = i
		if !c.isChecked(b) {
			continue
		}
		for _, required := range r.candidate.requirements {
			if first, known := owners[required.constraint.id]; known {
				c.isShared[required.constraint.id] = c.isShared[required.constraint.id] || first != i
				continue
			}
			owners[required.constraint.id] = i
			keys, hasRule := map[string]bool{}, false
			required.constraint.each(func(leaf *Constraint) {
				hasRule = hasRule || leaf.Kind == KindCEL
				keys[leaf.Provided()] = true
			})
			if o := (owned{required, i}); hasRule {
				c.withRules = append(c.withRules, o)
			} else {
				for key := range keys {
					c.byKey[key] = append(c.byKey[key], o)
				}
			}
		}
	}
}

// each calls a function for each leaf of a constraint.
func (c *Constraint) each(visit func(leaf *Constraint)) {
	if len(c.Children) == 0 {
		visit(c)
	}
	for _, child := range c.Children {
		child.each(visit)
	}
}
