package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// Via is the way in which a storage backend was found.
type Via string

// The ways to find a backend, in the order in which they are tried. The first one that finds a backend is used.
const (
	// ViaRuleInject: the Implementation enforces it, and the element injects it.
	ViaRuleInject Via = "rule-inject"
	// ViaDefaultInject: the Implementation enforces it, and the default injects it.
	ViaDefaultInject Via = "default-inject"
	// ViaExactRevision: a rule for the Type's path and revision.
	ViaExactRevision Via = "exact-revision"
	// ViaExact: a rule for the Type's path.
	ViaExact Via = "exact"
	// ViaPatternRevision: a rule for Types below a path, and the revision.
	ViaPatternRevision Via = "pattern-revision"
	// ViaPattern: a rule for Types below a path.
	ViaPattern Via = "pattern"
	// ViaBuiltIn: no rule; it is stored in the built-in storage of the Local Hub.
	ViaBuiltIn Via = "built-in"
)

// Backend is the storage of an output.
type Backend struct {
	// Output is the name of the output TypeInstance.
	Output string
	// TypeRef is the Type of the output.
	TypeRef manifest.Ref
	// ID is the id of the storage backend, or "" for the built-in one.
	ID string
	// Via is the way in which it was found.
	Via Via
	// Rule is the rule that decided, or "" if none did.
	Rule string
}

// output is an output TypeInstance.
type output struct {
	// name is the name of the TypeInstance, and typeRef its Type.
	name    string
	typeRef manifest.Ref
}

// outputs are the TypeInstances that an Implementation of an Interface makes.
func outputs(on *manifest.Interface, i *manifest.Implementation) []output {
	var all []output
	for name, t := range on.Output.TypeInstances {
		all = append(all, output{name, t.TypeRef})
	}
	for name, t := range i.AdditionalOutput.TypeInstances {
		if _, ok := on.Output.TypeInstances[name]; !ok {
			all = append(all, output{name, t.TypeRef})
		}
	}
	slices.SortFunc(all, func(a, b output) int { return cmp.Compare(a.name, b.name) })
	return all
}

// store finds where the outputs of the selected Implementation are stored, and
// reports TypeInstances that are no storage backends.
func (s *Selection) store(m *Merged) {
	e, i := s.element(), s.Implementation
	bound := bind(i, m.required(e)).bound
	for _, o := range outputs(s.Interface, i) {
		b := Backend{Output: o.name, TypeRef: o.typeRef, Via: ViaBuiltIn}
		if alias := i.Backends[o.name]; alias != "" {
			at := slices.IndexFunc(bound, func(b binding) bool { return i.Requirements[b.item].Alias == alias })
			if at < 0 {
				continue // an alias that does not exist, which was reported
			}
			from := bound[at].instance
			b.ID, b.Via = from.ID, ViaDefaultInject
			if slices.Contains(e.Required, from) {
				b.Via, b.Rule = ViaRuleInject, s.Rule.Interface.String()
			}
			for _, f := range s.index.checkStorage(from) {
				f.Found += fmt.Sprintf(" (alias %q of %s, for the output %q)", alias, i.Ref, o.name)
				s.fault(from.Origin, ".id", f)
			}
		} else if best, via := m.backendRule(o.typeRef); best != nil {
			b.ID, b.Via, b.Rule = best.Backend.ID, via, best.TypeRef.String()
			s.restOn(best.Origin.Policy.Resource, best.Origin.Field)
		}
		s.Backends = append(s.Backends, b)
	}
}

// backendRule returns the rule for TypeInstances of a Type, and how it was found: one for its path,
// else the longest pattern, each with the revision before those without. It is nil if there is
// none.
func (m *Merged) backendRule(t manifest.Ref) (*MergedBackend, Via) {
	for _, key := range []struct {
		match manifest.RefMatch
		via   Via
	}{{manifest.RefMatch(t), ViaExactRevision}, {manifest.RefMatch{Path: t.Path}, ViaExact}} {
		if b := m.backends[key.match]; b != nil {
			return b, key.via
		}
	}
	for _, tier := range []struct {
		revision string
		via      Via
	}{{t.Revision, ViaPatternRevision}, {"", ViaPattern}} {
		for end := strings.LastIndexByte(t.Path, '.'); end > 0; end = strings.LastIndexByte(t.Path[:end], '.') {
			if b := m.backends[manifest.RefMatch{Path: t.Path[:end] + manifest.Wildcard, Revision: tier.revision}]; b != nil {
				return b, tier.via
			}
		}
	}
	return nil, ViaBuiltIn
}
