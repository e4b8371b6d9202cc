package policy

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// checkInstances returns the ids in a policy that no TypeInstance has, and the
// backends that are not storage backends.
func (x *Index) checkInstances(p *manifest.Policy) []diag.Finding {
	var findings []diag.Finding
	var ids []string
	for _, t := range x.Hub.TypeInstances {
		ids = append(ids, t.ID)
	}
	add := func(field string, f diag.Finding) {
		findings = append(findings, f.About(p.Resource, field).Of(rule.PolicyInvalid))
	}
	hints := hintBudget(maxHints)
	check := func(field, id string) *manifest.TypeInstance {
		t := x.instances[id]
		if t == nil && id != "" { // a missing id was reported
			known := ids
			if !hints.take(len(ids)) {
				known = nil
			}
			f := diag.NotFound("TypeInstance", id, known)
			f.Found = fmt.Sprintf("TypeInstance has the id %q", id)
			if f.Accepted = ""; f.Nearest == "" {
				f.Action = "add the TypeInstance, or correct the id"
			}
			add(field+".id", f)
		}
		return t
	}
	for n, ref := range p.Interface.Default.Inject.RequiredTypeInstances {
		check(fmt.Sprintf("spec.interface.default.inject.requiredTypeInstances[%d]", n), ref.ID)
	}
	for r, rule := range p.Interface.Rules {
		for e, element := range rule.OneOf {
			at := fmt.Sprintf("spec.interface.rules[%d].oneOf[%d].inject.", r, e)
			for n, ref := range element.Inject.RequiredTypeInstances {
				check(fmt.Sprintf("%srequiredTypeInstances[%d]", at, n), ref.ID)
			}
			for n, ref := range element.Inject.AdditionalTypeInstances {
				check(fmt.Sprintf("%sadditionalTypeInstances[%d]", at, n), ref.ID)
			}
		}
	}
	for n, rule := range p.TypeInstance.Rules {
		field := fmt.Sprintf("spec.typeInstance.rules[%d].backend", n)
		if t := check(field, rule.Backend.ID); t != nil {
			for _, f := range x.checkStorage(Instance{ID: t.ID, Description: rule.Backend.Description, TypeRef: t.TypeRef}) {
				add(field+".id", f)
			}
		}
	}
	return findings
}
