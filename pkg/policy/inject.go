package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
)

// required are the TypeInstances that an element injects where they are required:
// its own, and the default ones of other Types.
func (m *Merged) required(e *MergedElement) []Instance {
	if len(m.Default) == 0 {
		return e.Required
	}
	all := slices.Clone(e.Required)
	for _, i := range m.Default {
		if _, own := e.required[i.TypeRef]; !own {
			all = append(all, i)
		}
	}
	return all
}

// binding is a TypeInstance that is injected for an item.
type binding struct {
	item     int
	instance Instance
}

// inject finds the items that TypeInstances are injected for: each goes to the
// first item of its Type. When that has no alias it is not injected.
func inject(i *Implementation, instances []Instance) []binding {
	var bindings []binding
	for _, instance := range instances {
		item, ok := i.first[instance.TypeRef]
		if ok && i.items[item].alias != "" && instance.TypeRef != (Ref{}) {
			bindings = append(bindings, binding{item, instance})
		}
	}
	return bindings
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

// injection returns what is injected into the Implementation that was selected,
// and what can not be.
func (x *Index) injection(m *Merged, e *MergedElement, i *Implementation) (Injection, []function.Finding) {
	var out Injection
	var findings []function.Finding
	fail := func(o Origin, field, format string, args ...any) {
		findings = append(findings, invalid(o.Policy.Resource, o.Field+field, format, args...))
	}
	aliases := map[string]Instance{}
	for _, b := range inject(i, m.required(e)) {
		alias := i.items[b.item].alias
		if first, ok := aliases[alias]; ok {
			fail(b.instance.Origin, "", "%s goes to the alias %q of %s, and so does %s of %s; remove one of them", b.instance, alias, i.Ref, first, first.Origin.place())
			continue
		}
		aliases[alias] = b.instance
		out.RequiredTypeInstances = append(out.RequiredTypeInstances, InjectedInstance{alias, b.instance.ID})
	}
	for _, p := range e.Parameters {
		declared, ok := i.AdditionalInput.Parameters[p.Name]
		if !ok {
			fail(p.Origins[0], ".name", "%s has no additional parameter %q%s%s", i.Ref, p.Name, nearest.Hint(p.Name, names(i.AdditionalInput.Parameters)), has(i.AdditionalInput.Parameters))
			continue
		}
		if t := x.types[declared.TypeRef]; t != nil && p.Value.Root() != nil {
			for _, v := range t.violations(p.Value.Root()) {
				fail(p.origin(v.path), ".value"+v.at, "%s", v.message)
			}
		}
		out.AdditionalParameters = append(out.AdditionalParameters, p)
	}
	given := map[string]bool{}
	for _, t := range e.Additional {
		declared, ok := i.AdditionalInput.TypeInstances[t.Name]
		switch {
		case !ok:
			fail(t.Origin, ".name", "%s has no additional TypeInstance %q%s%s", i.Ref, t.Name, nearest.Hint(t.Name, names(i.AdditionalInput.TypeInstances)), has(i.AdditionalInput.TypeInstances))
		case t.TypeRef == (Ref{}): // the id was reported
		case t.TypeRef != declared.TypeRef:
			fail(t.Origin, ".id", "%s is of the Type %s, but %s takes %s as %q", t.Instance, t.TypeRef, i.Ref, declared.TypeRef, t.Name)
		case given[t.Name]:
			fail(t.Origin, ".name", "%q is given twice; remove one", t.Name)
		default:
			given[t.Name] = true
			out.AdditionalTypeInstances = append(out.AdditionalTypeInstances, InjectedInstance{t.Name, t.ID})
		}
	}
	byName := func(a, b InjectedInstance) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(out.RequiredTypeInstances, byName)
	slices.SortFunc(out.AdditionalTypeInstances, byName)
	slices.SortFunc(out.AdditionalParameters, func(a, b MergedParameter) int { return cmp.Compare(a.Name, b.Name) })
	return out, findings
}

// String names a TypeInstance for people: its id and its description.
func (i Instance) String() string {
	text := fmt.Sprintf("the TypeInstance %q", i.ID)
	if i.Description != "" {
		text += fmt.Sprintf(" (%q)", i.Description)
	}
	return text
}

// place names an origin for people.
func (o Origin) place() string { return o.Policy.Resource.String() + " " + o.Field }

func names(all map[string]TypedName) []string { return slices.Sorted(maps.Keys(all)) }

// has lists what can be given.
func has(all map[string]TypedName) string {
	if len(all) == 0 {
		return ": it has none; remove the entry, or select another Implementation by a constraint"
	}
	return ": want " + function.OneOf(names(all))
}
