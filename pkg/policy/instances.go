package policy

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

// CheckInstances returns the ids in a policy that no TypeInstance has, and the
// backends that are no storage.
func (x *Index) CheckInstances(p *Policy) []function.Finding {
	var findings []function.Finding
	var ids []string
	for _, t := range x.Hub.TypeInstances {
		ids = append(ids, t.ID)
	}
	hints := hintBudget(maxHints)
	check := func(field, id string) *TypeInstance {
		field += ".id"
		t := x.instances[id]
		if t == nil && id != "" { // an empty one was reported
			hint := ""
			if hints.take(len(ids)) {
				hint = nearest.Hint(id, ids)
			}
			findings = append(findings, invalid(p.Resource, field, "no TypeInstance in the list has the id %q%s; add a TypeInstance with its typeRef, or mend the id; %s", id, hint, mayHide))
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
		t := check(field, rule.Backend.ID)
		if t == nil {
			continue
		}
		if message := x.storage(t.TypeRef); message != "" {
			i := Instance{ID: rule.Backend.ID, Description: rule.Backend.Description}
			findings = append(findings, invalid(p.Resource, field+".id", "%s %s", i, message))
		}
	}
	return findings
}
