package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
)

// required are the TypeInstances that an element injects for requirements: its own,
// and the default ones of other Types.
func (m *Merged) required(e *MergedElement) []Instance {
	if len(m.Default) == 0 {
		return e.Required
	}
	all := slices.Clone(e.Required)
	for _, i := range m.Default {
		if _, isReplaced := e.required[i.TypeRef]; !isReplaced {
			all = append(all, i)
		}
	}
	return all
}

// binding is a TypeInstance that is injected for a requirement.
type binding struct {
	// item is the index of the requirement, and instance is injected for it.
	item     int
	instance Instance
}

// bindings are the TypeInstances that are injected for requirements, and those that
// are too many: others have all aliases of their Type.
type bindings struct {
	// bound has one binding for each requirement that is satisfied by injection.
	bound   []binding
	surplus []Instance
}

// bind finds the requirements that TypeInstances are injected for: each goes to the
// first one of its Type that has an alias and no TypeInstance yet. Without an alias of
// its Type, it is not injected.
func bind(i *manifest.Implementation, instances []Instance) bindings {
	var out bindings
	for _, instance := range instances {
		isTaken := false
		for _, item := range i.OfPath(instance.TypeRef.Path) {
			if i.Requirements[item].TypeRef != instance.TypeRef || i.Requirements[item].Alias == "" {
				continue
			}
			if isTaken = out.has(item); !isTaken {
				out.bound = append(out.bound, binding{item, instance})
				break
			}
		}
		if isTaken {
			out.surplus = append(out.surplus, instance)
		}
	}
	return out
}

// has reports whether a TypeInstance is injected for a requirement.
func (b bindings) has(item int) bool {
	return slices.ContainsFunc(b.bound, func(b binding) bool { return b.item == item })
}

// ofType returns the binding of a Type.
func (b bindings) ofType(i *manifest.Implementation, ref manifest.Ref) binding {
	return b.bound[slices.IndexFunc(b.bound, func(b binding) bool { return i.Requirements[b.item].TypeRef == ref })]
}

// Injection is what is injected into an Implementation.
type Injection struct {
	// RequiredTypeInstances are known by their aliases.
	RequiredTypeInstances []InjectedInstance
	// AdditionalParameters are known by their names.
	AdditionalParameters []MergedParameter
	// AdditionalTypeInstances are known by their names.
	AdditionalTypeInstances []InjectedInstance
}

// InjectedInstance is a TypeInstance that is injected.
type InjectedInstance struct {
	// Name is its alias, or its name among the additional TypeInstances.
	Name string `json:"name"`
	// ID is the id of the TypeInstance.
	ID string `json:"id"`
}

// fault reports a fault of an entry of a policy.
func (s *Selection) fault(o Origin, field string, f diag.Finding) {
	s.Findings = append(s.Findings, f.About(o.Policy.Resource, o.Field+field).Of(rule.PolicyInvalid))
}

// inject finds what is injected into the selected Implementation, and reports what
// cannot be.
func (s *Selection) inject(m *Merged) {
	e, i := s.element(), s.Implementation
	bindings := bind(i, m.required(e))
	for _, b := range bindings.bound {
		s.Inject.RequiredTypeInstances = append(s.Inject.RequiredTypeInstances, InjectedInstance{i.Requirements[b.item].Alias, b.instance.ID})
	}
	for _, extra := range bindings.surplus {
		first := bindings.ofType(i, extra.TypeRef)
		s.fault(extra.Origin, "", diag.Say("%s has no alias to fill in %s, because %q is filled by %s (%s)", extra, i.Ref, i.Requirements[first.item].Alias, first.instance, first.instance.Origin).
			Do("remove one of the two TypeInstances"))
	}
	for _, p := range e.Parameters {
		declared, ok := i.AdditionalInput.Parameters[p.Name]
		if !ok {
			s.fault(p.Origins[0], ".name", undeclared("parameter", p.Name, i.AdditionalInput.Parameters, i))
			continue
		}
		s.checkParameter(p, declared.TypeRef)
		s.Inject.AdditionalParameters = append(s.Inject.AdditionalParameters, p)
	}
	s.injectAdditional(e, i)
	byName := func(a, b InjectedInstance) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(s.Inject.RequiredTypeInstances, byName)
	slices.SortFunc(s.Inject.AdditionalTypeInstances, byName)
	slices.SortFunc(s.Inject.AdditionalParameters, func(a, b MergedParameter) int { return cmp.Compare(a.Name, b.Name) })
}

// injectAdditional finds the additional TypeInstances, and reports what does not fit.
func (s *Selection) injectAdditional(e *MergedElement, i *manifest.Implementation) {
	for _, t := range e.Additional {
		declared, ok := i.AdditionalInput.TypeInstances[t.Name]
		switch {
		case !ok:
			s.fault(t.Origin, ".name", undeclared("TypeInstance", t.Name, i.AdditionalInput.TypeInstances, i))
		case t.TypeRef == (manifest.Ref{}): // the id was reported
		case t.TypeRef != declared.TypeRef:
			s.fault(t.Origin, ".id", diag.Got("a TypeInstance of "+t.TypeRef.String(), fmt.Sprintf("one of %s (as %s declares for %q)", declared.TypeRef, i.Ref, t.Name)))
		default:
			s.Inject.AdditionalTypeInstances = append(s.Inject.AdditionalTypeInstances, InjectedInstance{t.Name, t.ID})
		}
	}
}

// undeclared returns the finding about a parameter or TypeInstance that an Implementation does not
// declare.
func undeclared(noun, name string, declared map[string]manifest.TypedName, i *manifest.Implementation) diag.Finding {
	f := diag.NotFound(noun, name, slices.Sorted(maps.Keys(declared)))
	f.Found = fmt.Sprintf("additional %s named %q in %s", noun, name, i.Ref)
	if f.Unseen = ""; len(declared) == 0 {
		f.Action = "remove the entry: the Implementation has no additional " + noun + "s"
	}
	return f
}

// String names a TypeInstance for messages: its id and its description.
func (i Instance) String() string {
	text := fmt.Sprintf("TypeInstance %q", i.ID)
	if i.Description != "" {
		text += fmt.Sprintf(" (%q)", i.Description)
	}
	return text
}

// String names the place for messages.
func (o Origin) String() string { return o.Policy.Resource.String() + " " + o.Field }
