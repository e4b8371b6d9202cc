package policy

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// ReadPolicy reads a policy, and returns what is wrong with it. What is right is
// there all the same.
func ReadPolicy(resource function.Resource, n *yaml.Node) (*Policy, []function.Finding) {
	r := &reader{resource: resource}
	p := &Policy{Resource: resource, PolicySpec: decodeSpec[PolicySpec](r, n, true)}
	for i, rule := range p.Interface.Rules {
		r.rule(fmt.Sprintf("spec.interface.rules[%d]", i), rule)
	}
	type backend struct{ id, field string }
	backends := map[RefMatch]backend{}
	for i, rule := range p.TypeInstance.Rules {
		field := fmt.Sprintf("spec.typeInstance.rules[%d]", i)
		if _, err := ParsePattern(rule.TypeRef.Path); rule.TypeRef.Path != "" && err != nil {
			r.invalid(field+".typeRef.path", "%v", err)
		}
		r.revision(field+".typeRef.revision", rule.TypeRef.Revision)
		if first, ok := backends[rule.TypeRef]; ok && first.id != rule.Backend.ID && rule.TypeRef.Path != "" {
			r.invalid(field+".typeRef", "%s has another backend in %s; remove one of them", rule.TypeRef, first.field)
		} else if !ok {
			backends[rule.TypeRef] = backend{rule.Backend.ID, field}
		}
	}
	p.understand(r.findings)
	if p.Scope == ScopeWorkflow && p.TypeInstance.Rules != nil {
		p.TypeInstance = TypeInstancePolicy{}
		r.findings = append(r.findings, function.Finding{
			Rule: RuleIgnoredField, Resource: resource, Field: "spec.typeInstance",
			Message: "spec.typeInstance: has no place in a policy of scope WORKFLOW and is ignored; move its rules to the GLOBAL or the ACTION policy, or remove them",
		})
	}
	return p, r.findings
}

// rule checks what a rule for an Interface says.
func (r *reader) rule(field string, rule Rule) {
	if !strings.Contains(rule.Interface.Path, "*") { // lint has more to say of wildcards
		r.path(field+".interface.path", rule.Interface.Path)
	}
	r.revision(field+".interface.revision", rule.Interface.Revision)
	for i, e := range rule.OneOf {
		at := fmt.Sprintf("%s.oneOf[%d]", field, i)
		c := e.ImplementationConstraints
		r.path(at+".implementationConstraints.path", c.Path)
		for n, m := range c.Attributes {
			r.match(fmt.Sprintf("%s.implementationConstraints.attributes[%d]", at, n), m)
		}
		for n, m := range c.Requires {
			r.match(fmt.Sprintf("%s.implementationConstraints.requires[%d]", at, n), m)
		}
		parameters, instances := map[string]bool{}, map[string]bool{}
		for n, p := range e.Inject.AdditionalParameters {
			r.once(parameters, fmt.Sprintf("%s.inject.additionalParameters[%d].name", at, n), p.Name)
			if countNodes(p.Value, maxParameterNodes) > maxParameterNodes {
				r.invalid(fmt.Sprintf("%s.inject.additionalParameters[%d].value", at, n), "holds more than %d keys and values", maxParameterNodes)
			}
		}
		for n, t := range e.Inject.AdditionalTypeInstances {
			r.once(instances, fmt.Sprintf("%s.inject.additionalTypeInstances[%d].name", at, n), t.Name)
		}
	}
}

// countNodes counts what is in a value, aliases followed, until it is more than the
// limit.
func countNodes(n *yaml.Node, limit int) int {
	count := 1
	if n = values.Resolve(n); n == nil {
		return count
	}
	for _, child := range n.Content {
		if count += countNodes(child, limit-count); count > limit {
			break
		}
	}
	return count
}

// once reports a name that is given twice.
func (r *reader) once(seen map[string]bool, field, name string) {
	if seen[name] && name != "" {
		r.invalid(field, "%q is given twice; remove one", name)
	}
	seen[name] = true
}

// understand notes which parts of the policy were not understood: a selection
// that depends on one is not made.
func (p *Policy) understand(findings []function.Finding) {
	const rules = "spec.interface.rules["
	for _, f := range findings {
		if f.Rule != RuleInvalid {
			continue
		}
		rest, inRule := strings.CutPrefix(f.Field, rules)
		number, rest, _ := strings.Cut(rest, "]")
		n, err := strconv.Atoi(number)
		if !inRule || err != nil || !strings.HasPrefix(rest, ".oneOf") {
			p.broken = true // nobody knows what it is about
			continue
		}
		if p.faulty == nil {
			p.faulty = map[int]bool{}
		}
		p.faulty[n] = true
	}
}

// Layers returns the policies that hold, from the highest priority to the
// lowest: the scopes in their order, and among the WORKFLOW policies those that
// are named, the outermost step first.
func Layers(policies []*Policy, order, workflow []string) []*Policy {
	var layers []*Policy
	for _, scope := range order {
		if scope == ScopeWorkflow {
			for _, name := range workflow {
				for _, p := range policies {
					if p.Scope == scope && p.Resource.Name == name {
						layers = append(layers, p)
						break
					}
				}
			}
			continue
		}
		for _, p := range policies {
			if p.Scope == scope {
				layers = append(layers, p)
			}
		}
	}
	return layers
}
