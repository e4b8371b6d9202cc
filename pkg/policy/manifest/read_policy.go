package manifest

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// ReadPolicy reads a policy, and returns its faults.
//
//	kind: Policy
//	spec:
//	  scope: GLOBAL
//	  interface:
//	    rules:
//	    - interface: {path: cap.interface.database.postgresql.install}
//	      oneOf:
//	      - implementationConstraints: {requires: [{path: cap.type.gcp.auth}]}
//	        inject: {requiredTypeInstances: [{id: 9ef2d44c}]}
func ReadPolicy(resource diag.Resource, n *yaml.Node) (*Policy, []diag.Finding) {
	r := newReader(resource)
	p := &Policy{Resource: resource, PolicySpec: decodeSpec[PolicySpec](r, n, policyMoves)}
	for i, rule := range p.Interface.Rules {
		r.rule(fmt.Sprintf("spec.interface.rules[%d]", i), rule)
	}
	r.backendRules(p.TypeInstance.Rules)
	if p.Scope == ScopeWorkflow && p.TypeInstance.Rules != nil {
		p.TypeInstance = TypeInstancePolicy{}
		f := diag.Say("a policy of scope WORKFLOW cannot have rules for TypeInstances: they are ignored").
			Do("move them to the GLOBAL or the ACTION policy, or remove them")
		r.findings = append(r.findings, f.In(r.origin, "spec.typeInstance", diag.Position{}).Of(rule.PolicyIgnoredField))
	}
	return p, r.findings
}

// backendRules checks the rules for TypeInstances. Two rules for the same Types must
// agree.
func (r *reader) backendRules(rules []BackendRule) {
	type backend struct{ id, field string }
	backends := map[RefMatch]backend{}
	for i, rule := range rules {
		field := fmt.Sprintf("spec.typeInstance.rules[%d]", i)
		if rule.TypeRef.Path == "" {
			continue // reported
		}
		_, findings := ParsePattern(rule.TypeRef.Path)
		r.add(field+".typeRef.path", findings...)
		r.add(field+".typeRef.revision", CheckRevision(rule.TypeRef.Revision)...)
		if first, ok := backends[rule.TypeRef]; !ok {
			backends[rule.TypeRef] = backend{rule.Backend.ID, field}
		} else if first.id != rule.Backend.ID {
			r.add(field+".typeRef", diag.Say("%s already has another backend in %s", rule.TypeRef, first.field).Do("remove one of the rules"))
		}
	}
}

// rule checks a rule for an Interface.
func (r *reader) rule(field string, rule Rule) {
	if !strings.Contains(rule.Interface.Path, "*") { // package policy reports wildcards
		r.add(field+".interface.path", CheckPath(rule.Interface.Path)...)
	}
	r.add(field+".interface.revision", CheckRevision(rule.Interface.Revision)...)
	for i, e := range rule.OneOf {
		at := fmt.Sprintf("%s.oneOf[%d]", field, i)
		constraints := at + ".implementationConstraints"
		c := e.ImplementationConstraints
		r.add(constraints+".path", CheckPath(c.Path)...)
		for n, m := range c.Attributes {
			r.ref(fmt.Sprintf("%s.attributes[%d]", constraints, n), m.Path, m.Revision)
		}
		for n, m := range c.Requires {
			r.ref(fmt.Sprintf("%s.requires[%d]", constraints, n), m.Path, m.Revision)
		}
		r.inject(at+".inject", e.Inject)
	}
}

// MaxParameterNodes bounds the keys and values of a parameter, aliases followed: they
// are written for each selection.
const MaxParameterNodes = 10_000

// inject checks what an element injects.
func (r *reader) inject(field string, inject Inject) {
	names := map[string]int{}
	for n, p := range inject.AdditionalParameters {
		at := fmt.Sprintf("%s.additionalParameters[%d]", field, n)
		r.once(names, field+".additionalParameters", n, p.Name)
		r.duplicates(at+".value", p.Value)
		if countNodes(p.Value, MaxParameterNodes) > MaxParameterNodes {
			r.add(at+".value", diag.Say("the value has more than %d keys and values", MaxParameterNodes))
		}
	}
	names = map[string]int{}
	for n, t := range inject.AdditionalTypeInstances {
		r.once(names, field+".additionalTypeInstances", n, t.Name)
	}
}

// duplicates reports duplicate keys of a value: readers disagree on which one counts.
// Lines are counted from the first line of the value, because clients print resources
// again.
func (r *reader) duplicates(field string, value *yaml.Node) {
	origin := &diag.Origin{Resource: r.origin.Resource, Field: field, Name: "the value", Embedded: true, Authored: true}
	var first int
	if value = values.Resolve(value); value != nil {
		first = value.Line - 1
	}
	for _, d := range values.Of(value).Duplicates() {
		d.First.Line, d.Second.Line = d.First.Line-first, d.Second.Line-first
		r.findings = append(r.findings, diag.Duplicate(d.First, d.Second).In(origin, d.Path, d.Second).Of(rule.PolicyInvalid))
	}
}

// countNodes counts the nodes of a value, and follows aliases. It stops when the count exceeds the limit.
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

// once reports a name that two entries of a list have.
func (r *reader) once(seen map[string]int, list string, n int, name string) {
	first, isDuplicate := seen[name]
	if !isDuplicate {
		seen[name] = n
		return
	}
	if name != "" {
		r.add(fmt.Sprintf("%s[%d].name", list, n), diag.Say("%q is already the name of %s[%d]", name, list[strings.LastIndexByte(list, '.')+1:], first).Do("remove one of the entries"))
	}
}
