package policy

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Via says how a storage backend was found.
type Via string

// The ways, the first that leads somewhere counts.
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

// Backend is where an output is stored.
type Backend struct {
	// Output is the name of the output TypeInstance.
	Output string
	// TypeRef is the Type of the output.
	TypeRef Ref
	// ID is the id of the storage backend, "" for the built-in one.
	ID string
	// Via says how it was found.
	Via Via
	// Rule is the rule that decided, "" when none did.
	Rule string

	// known says that there is a storage backend of the id.
	known bool
}

// output is an output TypeInstance.
type output struct {
	name    string
	typeRef Ref
}

// outputs are the TypeInstances that an Implementation of an Interface makes.
func outputs(on *Interface, i *Implementation) []output {
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

// outputsKey is the key of a step that says which of its artifacts are output
// TypeInstances.
const outputsKey = "capact-outputTypeInstances"

// enforced reads the backends that the steps of an action name, at any depth,
// and reports those whose alias no requirement bears.
func (r *reader) enforced(i *Implementation, aliases map[string]string) {
	i.enforced = map[string]string{}
	known := slices.Sorted(maps.Keys(aliases))
	seen := map[*yaml.Node]bool{}
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n = values.Resolve(n); n == nil || n.Kind == yaml.ScalarNode || seen[n] {
			return
		}
		seen[n] = true
		for at, child := range n.Content {
			if n.Kind == yaml.MappingNode && at%2 == 1 && n.Content[at-1].Value == outputsKey {
				for _, entry := range listOf(child) {
					name, alias := values.Text(values.Field(entry, "name")), values.Text(values.Field(entry, "backend"))
					if alias == "" {
						continue
					}
					if aliases[alias] == "" {
						r.invalid("spec.action", "the %s of %q name the backend %q, which is no alias in spec.requires%s; mend the name, or add the alias", outputsKey, name, alias, nearest.Hint(alias, known))
					}
					if first := i.enforced[name]; first != "" && first != alias {
						r.invalid("spec.action", "the %s of %q name the backend %q, and elsewhere %q; keep one of them", outputsKey, name, alias, first)
						continue
					}
					i.enforced[name] = alias
				}
			}
			walk(child)
		}
	}
	walk(i.Action)
}

func listOf(n *yaml.Node) []*yaml.Node {
	if n = values.Resolve(n); n != nil && n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return nil
}

// backends finds where the outputs of the selected Implementation are stored,
// and what is no storage backend.
func (x *Index) backends(m *Merged, rule *MergedRule, e *MergedElement, i *Implementation, on *Interface) ([]Backend, []function.Finding) {
	var all []Backend
	var findings []function.Finding
	bindings := inject(i, m.required(e))
	for _, o := range outputs(on, i) {
		b := Backend{Output: o.name, TypeRef: o.typeRef, Via: ViaBuiltIn}
		var from *Instance
		if alias := i.enforced[o.name]; alias != "" {
			at := slices.IndexFunc(bindings, func(b binding) bool { return i.items[b.item].alias == alias })
			if at < 0 {
				continue // it would have been rejected
			}
			from = &bindings[at].instance
			b.Via = ViaDefaultInject
			if slices.Contains(e.Required, *from) {
				b.Via, b.Rule = ViaRuleInject, rule.Interface.String()
			}
			if message := x.storage(from.TypeRef); message != "" {
				findings = append(findings, invalid(from.Origin.Policy.Resource, from.Origin.Field+".id", "%s is injected as the backend %q of %s, and %s", from, alias, i.Ref, message))
			}
		} else if best, via := m.backendRule(o.typeRef); best != nil {
			from = &best.Backend
			b.Via, b.Rule = via, best.TypeRef.String()
		}
		if from != nil {
			b.ID, b.known = from.ID, from.TypeRef != Ref{} && x.storage(from.TypeRef) == ""
		}
		all = append(all, b)
	}
	return all, findings
}

// backendRule returns the rule for TypeInstances of a Type and how it was found:
// one for its path, else the longest pattern, and with the revision before those
// without; nil when there is none.
func (m *Merged) backendRule(t Ref) (*MergedBackend, Via) {
	for _, key := range []struct {
		match RefMatch
		via   Via
	}{{RefMatch(t), ViaExactRevision}, {RefMatch{Path: t.Path}, ViaExact}} {
		if b := m.backends[key.match]; b != nil {
			return b, key.via
		}
	}
	for _, tier := range []struct {
		revision string
		via      Via
	}{{t.Revision, ViaPatternRevision}, {"", ViaPattern}} {
		for end := strings.LastIndexByte(t.Path, '.'); end > 0; end = strings.LastIndexByte(t.Path[:end], '.') {
			if b := m.backends[RefMatch{t.Path[:end] + wildcard, tier.revision}]; b != nil {
				return b, tier.via
			}
		}
	}
	return nil, ViaBuiltIn
}
