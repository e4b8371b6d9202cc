package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// Lint returns what in the policies has no effect, and the TypeInstances that nothing
// uses. order are the scopes in use, workflow the WORKFLOW policies that a reference
// names.
func Lint(x *Index, policies []*manifest.Policy, order []string, workflow map[string]bool) []diag.Finding {
	l := &linter{index: x, known: knownNames(x), hints: maxHints}
	for _, p := range policies {
		l.policy = p
		switch {
		case p.Scope == "": // reported
		case !slices.Contains(order, p.Scope):
			l.warn(RuleUnused, "spec.scope", diag.Say("the policy is not used: policyOrder does not have %s", p.Scope).Do("add the scope to policyOrder, or remove the policy"))
		case p.Scope == manifest.ScopeWorkflow && !workflow[p.Resource.Name]:
			l.warn(RuleUnused, "spec.scope", diag.Say("the policy is not used: no reference has %q in its workflowPolicies", p.Resource.Name).Do("add it to a reference, or remove the policy"))
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
	policy   *manifest.Policy
	hints    hintBudget
	findings []diag.Finding
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
		for _, item := range i.Requirements {
			add(&k.types, k.typeSet, item.TypeRef.Path)
		}
	}
	for _, list := range [][]string{k.interfaces, k.implementations, k.attributes, k.types} {
		slices.Sort(list)
	}
	return k
}

func (l *linter) warn(rule diag.Rule, field string, f diag.Finding) {
	l.findings = append(l.findings, f.About(l.policy.Resource, field).Of(rule))
}

// rule finds rules and constraints that match nothing. A policy may be for more than
// this package, so unknown paths are reported only when they are near a known one.
func (l *linter) rule(field string, rule manifest.Rule) {
	m, at := rule.Interface, field+".interface"
	switch {
	case m.Path == manifest.AnyInterface && m.Revision != "":
		l.warn(RuleUnreachableRule, at+".revision", diag.Say("the rule matches nothing: %s cannot have a revision", manifest.AnyInterface).Do("remove the revision"))
	case m.Path == manifest.AnyInterface || m.Path == "":
	case strings.Contains(m.Path, "*"):
		l.warn(RuleUnreachableRule, at+".path", diag.Say("the rule matches nothing: %q has an unsupported wildcard", m.Path).
			Do("write a rule for each Interface, or one for "+manifest.AnyInterface))
	case !l.known.interfaceSet[m.Path]:
		l.constraint(at+".path", "Interface", m.Path, l.known.interfaces, l.known.interfaceSet)
	case l.index.Interface(m) == nil && len(manifest.CheckRevision(m.Revision)) == 0:
		l.warn(RuleUnreachableRule, at+".revision", l.index.unknownInterface(m, ""))
	}
	for n, e := range rule.OneOf {
		c, at := e.ImplementationConstraints, fmt.Sprintf("%s.oneOf[%d].implementationConstraints", field, n)
		l.constraint(at+".path", "Implementation", c.Path, l.known.implementations, l.known.implementationSet)
		for a, m := range c.Attributes {
			l.constraint(fmt.Sprintf("%s.attributes[%d].path", at, a), "attribute", m.Path, l.known.attributes, l.known.attributeSet)
		}
		for t, m := range c.Requires {
			l.constraint(fmt.Sprintf("%s.requires[%d].path", at, t), "Type", m.Path, l.known.types, l.known.typeSet)
		}
	}
}

func (l *linter) constraint(field, noun, path string, known []string, set map[string]bool) {
	if path == "" || set[path] || !l.hints.take(len(known)) {
		return
	}
	if near := nearestPath(path, known); near != "" {
		f := diag.NotFound(noun, path, nil).Propose(path, near)
		f.Found, f.Action = fmt.Sprintf("%s in the package has the path %q", noun, path), ""
		l.warn(RuleUnreachableRule, field, f)
	}
}

// instances finds the TypeInstances that no policy names and whose Type no
// Implementation requires.
func (l *linter) instances(policies []*manifest.Policy) {
	used, required := map[string]bool{}, map[manifest.Ref]bool{}
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
		for _, item := range i.Requirements {
			required[item.TypeRef] = true
		}
	}
	for _, t := range l.index.Hub.TypeInstances {
		if !used[t.ID] && !required[t.TypeRef] {
			f := diag.Say("nothing uses the TypeInstance %q: no policy names it, and no Implementation requires its Type %s", t.ID, t.TypeRef)
			l.findings = append(l.findings, f.Do("name it in a policy, or remove it").About(t.Resource, "spec.typeRef").Of(RuleUnused))
		}
	}
}
