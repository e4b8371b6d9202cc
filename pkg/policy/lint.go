package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// lint returns what in the policies has no effect, and the TypeInstances that nothing
// uses. order are the scopes in use, workflow the WORKFLOW policies that a reference
// names.
func lint(x *Index, policies []*manifest.Policy, order []string, workflow map[string]bool) []diag.Finding {
	l := &linter{index: x, known: knownNames(x), hints: maxHints}
	for _, p := range policies {
		l.policy = p
		switch {
		case p.Scope == "": // reported
		case !slices.Contains(order, p.Scope):
			l.warn(rule.PolicyUnused, "spec.scope", diag.Say("the policy is not used: policyOrder does not have %s", p.Scope).Do("add the scope to policyOrder, or remove the policy"))
		case p.Scope == manifest.ScopeWorkflow && !workflow[p.Resource.Name]:
			l.warn(rule.PolicyUnused, "spec.scope", diag.Say("the policy is not used: no reference has %q in its workflowPolicies", p.Resource.Name).Do("add it to a reference, or remove the policy"))
		}
		for n, rule := range p.Interface.Rules {
			l.rule(fmt.Sprintf("spec.interface.rules[%d]", n), rule)
		}
		for n, rule := range p.TypeInstance.Rules {
			l.backendRule(fmt.Sprintf("spec.typeInstance.rules[%d].typeRef.path", n), rule.TypeRef.Path)
		}
	}
	l.instances(policies)
	l.steps()
	return l.findings
}

// linter collects the findings about parts of policies without an effect.
type linter struct {
	// index are the manifests, and known the names in them.
	index *Index
	known *known
	// policy is the policy that is looked at.
	policy *manifest.Policy
	// hints is the number of names that may still be compared.
	hints    hintBudget
	findings []diag.Finding
}

// known are the paths in a hub, each list sorted.
type known struct {
	// interfaces, implementations and attributes are the paths of the manifests of these kinds.
	interfaces, implementations, attributes []string
	// types are the paths of Types and of requirements.
	types []string
	// stored are the Types of everything that can be stored: of outputs and of
	// TypeInstances; storedBelow are the paths above them.
	stored, storedBelow []string
}

func has(sorted []string, path string) bool {
	_, found := slices.BinarySearch(sorted, path)
	return found
}

// knownNames collects the paths of a hub.
func knownNames(x *Index) *known {
	k := &known{}
	outputs := func(all map[string]manifest.TypedName) {
		for _, t := range all {
			k.stored = append(k.stored, t.TypeRef.Path)
		}
	}
	for _, i := range x.Hub.Interfaces {
		k.interfaces = append(k.interfaces, i.Path)
		outputs(i.Output.TypeInstances)
	}
	for _, a := range x.Hub.Attributes {
		k.attributes = append(k.attributes, a.Path)
	}
	for _, t := range x.Hub.Types {
		k.types = append(k.types, t.Path)
		k.stored = append(k.stored, t.Path)
	}
	for _, t := range x.Hub.TypeInstances {
		k.stored = append(k.stored, t.TypeRef.Path)
	}
	for _, i := range x.Hub.Implementations {
		k.implementations = append(k.implementations, i.Path)
		for path := range i.Attributes {
			k.attributes = append(k.attributes, path)
		}
		for _, item := range i.Requirements {
			k.types = append(k.types, item.TypeRef.Path)
		}
		outputs(i.AdditionalOutput.TypeInstances)
	}
	for _, path := range k.stored {
		for end := strings.LastIndexByte(path, '.'); end > 0; end = strings.LastIndexByte(path[:end], '.') {
			k.storedBelow = append(k.storedBelow, path[:end])
		}
	}
	for _, all := range []*[]string{&k.interfaces, &k.implementations, &k.attributes, &k.types, &k.stored, &k.storedBelow} {
		slices.Sort(*all)
		*all = slices.Compact(*all)
	}
	return k
}

// warn adds a finding about a field of the policy.
func (l *linter) warn(rule diag.Rule, field string, f diag.Finding) {
	l.findings = append(l.findings, f.About(l.policy.Resource, field).Of(rule))
}

// rule finds rules and constraints that match nothing. A policy may be for more than
// this package, so unknown paths are reported only when they are near a known one.
func (l *linter) rule(field string, r manifest.Rule) {
	m, at := r.Interface, field+".interface"
	switch {
	case m.Path == manifest.AnyInterface && m.Revision != "":
		l.warn(rule.PolicyUnreachableRule, at+".revision", diag.Say("the rule matches nothing: %s cannot have a revision", manifest.AnyInterface).Do("remove the revision"))
	case m.Path == manifest.AnyInterface || m.Path == "":
	case strings.Contains(m.Path, "*"):
		l.warn(rule.PolicyUnreachableRule, at+".path", diag.Say("the rule matches nothing: %q has an unsupported wildcard", m.Path).
			Do("write a rule for each Interface, or one for "+manifest.AnyInterface))
	case !has(l.known.interfaces, m.Path):
		l.unreachable(at+".path", "Interface", m.Path, l.known.interfaces)
	case l.index.Interface(m) == nil && len(manifest.CheckRevision(m.Revision)) == 0:
		l.warn(rule.PolicyUnreachableRule, at+".revision", l.index.unknownInterface(m, ""))
	}
	for n, e := range r.OneOf {
		c, at := e.ImplementationConstraints, fmt.Sprintf("%s.oneOf[%d].implementationConstraints", field, n)
		l.unreachable(at+".path", "Implementation", c.Path, l.known.implementations)
		for a, m := range c.Attributes {
			l.unreachable(fmt.Sprintf("%s.attributes[%d].path", at, a), "attribute", m.Path, l.known.attributes)
		}
		for t, m := range c.Requires {
			l.unreachable(fmt.Sprintf("%s.requires[%d].path", at, t), "Type", m.Path, l.known.types)
		}
	}
}

// unreachable warns of a path that nothing has, if it is near one that something has.
func (l *linter) unreachable(field, noun, path string, known []string) {
	if path == "" || has(known, path) || !l.hints.take(len(known)) {
		return
	}
	if near := nearestPath(path, known); near != "" {
		f := diag.NotFound(noun, path, nil)
		f.Nearest = near // no proposal: it may be a path of another package
		f.Found, f.Unseen = fmt.Sprintf("%s in the package has the path %q", noun, path), ""
		l.warn(rule.PolicyUnreachableRule, field, f)
	}
}

// backendRule finds rules for TypeInstances with a misspelt path: what they are for
// would go to another storage backend.
func (l *linter) backendRule(field, path string) {
	pattern, findings := manifest.ParsePattern(path)
	if len(findings) > 0 {
		return // reported
	}
	if !pattern.Below {
		l.unreachable(field, "Type", path, l.known.stored)
		return
	}
	before := len(l.findings)
	l.unreachable(field, "Type", pattern.Prefix, l.known.storedBelow)
	if len(l.findings) > before {
		f := &l.findings[before]
		*f = f.Meant(path, f.Nearest+manifest.Wildcard, nil)
		f.Found = fmt.Sprintf("Type in the package is below the path %q", path)
	}
}

// steps finds backends that steps name for outputs that do not exist: the outputs that
// were meant would go to another storage backend.
func (l *linter) steps() {
	for _, i := range l.index.Hub.Implementations {
		known := maps.Clone(i.AdditionalOutput.TypeInstances)
		if known == nil {
			known = map[string]manifest.TypedName{}
		}
		isComplete := len(i.Implements) > 0 // else that was reported
		for _, ref := range i.Implements {
			on := l.index.Interface(manifest.RefMatch(ref))
			if isComplete = isComplete && on != nil; on != nil {
				maps.Copy(known, on.Output.TypeInstances)
			}
		}
		for _, output := range slices.Sorted(maps.Keys(i.Backends)) {
			if _, ok := known[output]; ok || !isComplete {
				continue
			}
			f := diag.NotFound("output", output, slices.Sorted(maps.Keys(known)))
			f.Found += fmt.Sprintf(", but a step names the backend %q for it", i.Backends[output])
			if f.Unseen = ""; f.Nearest == "" {
				f.Action = "correct the name, or remove the backend"
			}
			l.findings = append(l.findings, f.About(i.Resource, "spec.action").Of(rule.PolicyIgnoredField))
		}
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
			l.findings = append(l.findings, f.Do("name it in a policy, or remove it").About(t.Resource, "spec.typeRef").Of(rule.PolicyUnused))
		}
	}
}
