package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
)

// Lint returns what in the policies can have no effect, and the TypeInstances that
// nothing uses. order are the scopes that are used, workflow the WORKFLOW policies
// that a reference names.
func Lint(x *Index, policies []*Policy, order []string, workflow map[string]bool) []function.Finding {
	l := &linter{index: x, known: knownNames(x), hints: maxHints}
	for _, p := range policies {
		l.policy = p
		switch {
		case p.Scope == "": // reported
		case !slices.Contains(order, p.Scope):
			l.warn(RuleUnused, "spec.scope", "the policyOrder does not have %s, so that the policy is not used; add the scope there, or remove the policy", p.Scope)
		case p.Scope == ScopeWorkflow && !workflow[p.Resource.Name]:
			l.warn(RuleUnused, "spec.scope", "no reference names the policy in its workflowPolicies, so that it is not used; name it there, or remove it")
		}
		for n, rule := range p.Interface.Rules {
			l.rule(fmt.Sprintf("spec.interface.rules[%d]", n), rule)
		}
	}
	l.instances(policies)
	return l.findings
}

type linter struct {
	index    *Index
	known    known
	policy   *Policy
	hints    hintBudget
	findings []function.Finding
}

// known are the paths in a hub.
type known struct {
	interfaces, implementations, attributes, types []string
	interfaceSet, implementationSet                map[string]bool
	attributeSet, typeSet                          map[string]bool
}

func knownNames(x *Index) known {
	k := known{interfaceSet: map[string]bool{}, implementationSet: map[string]bool{}, attributeSet: map[string]bool{}, typeSet: map[string]bool{}}
	add := func(list *[]string, set map[string]bool, path string) {
		if !set[path] {
			set[path] = true
			*list = append(*list, path)
		}
	}
	for _, i := range x.Hub.Interfaces {
		add(&k.interfaces, k.interfaceSet, i.Path)
	}
	for _, a := range x.Hub.Attributes {
		add(&k.attributes, k.attributeSet, a.Path)
	}
	for _, t := range x.Hub.Types {
		add(&k.types, k.typeSet, t.Path)
	}
	for _, i := range x.Hub.Implementations {
		add(&k.implementations, k.implementationSet, i.Path)
		for path := range i.Attributes {
			add(&k.attributes, k.attributeSet, path)
		}
		for _, item := range i.items {
			add(&k.types, k.typeSet, item.typeRef.Path)
		}
	}
	for _, list := range [][]string{k.interfaces, k.implementations, k.attributes, k.types} {
		slices.Sort(list)
	}
	return k
}

func (l *linter) warn(rule, field, format string, args ...any) {
	l.findings = append(l.findings, function.Finding{Rule: rule, Resource: l.policy.Resource, Field: field, Message: field + ": " + fmt.Sprintf(format, args...)})
}

// rule finds rules and constraints that match nothing. A policy may well be for
// more than is in the list, so that unknown paths are told only when they are near
// a known one.
func (l *linter) rule(field string, rule Rule) {
	m, at := rule.Interface, field+".interface.path"
	switch {
	case m.Path == anyInterface && m.Revision != "":
		l.warn(RuleUnreachableRule, field+".interface.revision", "%s with a revision matches no Interface; remove the revision", anyInterface)
	case m.Path == anyInterface || m.Path == "":
	case strings.Contains(m.Path, "*"):
		l.warn(RuleUnreachableRule, at, "got %q, which matches no Interface: the only wildcard is %s, for every Interface; write a rule for each Interface, or that one", m.Path, anyInterface)
	case !l.known.interfaceSet[m.Path]:
		if near := l.nearest(m.Path, l.known.interfaces); near != "" {
			l.warn(RuleUnreachableRule, at, "no Interface in the list has the path %q (did you mean %q?)", m.Path, near)
		}
	case l.index.Interface(m) == nil:
		l.warn(RuleUnreachableRule, field+".interface.revision", "the Interface %s is in the list in %s only, not in %s", m.Path, revisionsOf(l.index.interfaces[m.Path]), m.Revision)
	}
	for n, e := range rule.OneOf {
		c, at := e.ImplementationConstraints, fmt.Sprintf("%s.oneOf[%d].implementationConstraints", field, n)
		l.constraint(at+".path", "no Implementation in the list has the path", c.Path, l.known.implementations, l.known.implementationSet)
		for a, m := range c.Attributes {
			l.constraint(fmt.Sprintf("%s.attributes[%d].path", at, a), "no Implementation in the list has the attribute", m.Path, l.known.attributes, l.known.attributeSet)
		}
		for t, m := range c.Requires {
			l.constraint(fmt.Sprintf("%s.requires[%d].path", at, t), "no Implementation in the list requires the Type", m.Path, l.known.types, l.known.typeSet)
		}
	}
}

func (l *linter) nearest(path string, known []string) string {
	if !l.hints.take(len(known)) {
		return ""
	}
	return nearestPath(path, known)
}

func (l *linter) constraint(field, what, path string, known []string, set map[string]bool) {
	if path == "" || set[path] {
		return
	}
	if near := l.nearest(path, known); near != "" {
		l.warn(RuleUnreachableRule, field, "%s %q (did you mean %q?)", what, path, near)
	}
}

// instances finds the TypeInstances that no policy names and whose Type no
// Implementation requires.
func (l *linter) instances(policies []*Policy) {
	used, required := map[string]bool{}, map[Ref]bool{}
	for _, p := range policies {
		for _, ref := range p.Interface.Default.Inject.RequiredTypeInstances {
			used[ref.ID] = true
		}
		for _, rule := range p.Interface.Rules {
			for _, e := range rule.OneOf {
				for _, ref := range e.Inject.RequiredTypeInstances {
					used[ref.ID] = true
				}
				for _, ref := range e.Inject.AdditionalTypeInstances {
					used[ref.ID] = true
				}
			}
		}
		for _, rule := range p.TypeInstance.Rules {
			used[rule.Backend.ID] = true
		}
	}
	for _, i := range l.index.Hub.Implementations {
		for _, item := range i.items {
			required[item.typeRef] = true
		}
	}
	for _, t := range l.index.Hub.TypeInstances {
		if !used[t.ID] && !required[t.TypeRef] {
			l.findings = append(l.findings, function.Finding{
				Rule: RuleUnused, Resource: t.Resource, Field: "spec.typeRef",
				Message: fmt.Sprintf("spec.typeRef: no policy names the TypeInstance %q, and no Implementation in the list requires its Type %s; name it in a policy, or remove it", t.ID, t.TypeRef),
			})
		}
	}
}
