package policy

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// checkScopes returns the policies that are too many: there is at most one of scope
// GLOBAL and one of scope ACTION, and WORKFLOW policies have names of their own.
func checkScopes(policies []*manifest.Policy) []diag.Finding {
	var findings []diag.Finding
	first := map[string]*manifest.Policy{}
	isUsed := func(scope string) bool {
		return slices.ContainsFunc(policies, func(p *manifest.Policy) bool { return p.Scope == scope })
	}
	for _, p := range policies {
		key := p.Scope
		if p.Scope == manifest.ScopeWorkflow {
			key += " " + p.Resource.Name
		}
		other := first[key]
		switch {
		case p.Scope == "": // reported
		case other == nil:
			first[key] = p
		case p.Scope == manifest.ScopeWorkflow:
			f := diag.Say("%s is a WORKFLOW policy of the same name", other.Resource.InFile()).Do("rename one: references find policies by name")
			findings = append(findings, f.About(p.Resource, "metadata.name").Of(rule.PolicyInvalid))
		default:
			f := diag.Say("%s also has the scope %s, which only one policy can have", other.Resource.InFile(), p.Scope)
			actions := []string{"merge the policies", "remove one"}
			for _, scope := range []string{manifest.ScopeGlobal, manifest.ScopeAction} {
				if !isUsed(scope) {
					actions = append(actions, "give one the scope "+scope+", which is free")
				}
			}
			findings = append(findings, f.Do(strings.Join(actions, ", or ")).About(p.Resource, "spec.scope").Of(rule.PolicyInvalid))
		}
	}
	return findings
}
