package capacity

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The fields of pack.json that hold more than one value.
const (
	fieldConstraints = "constraints"
	fieldResources   = "resources"
	fieldComponents  = "components"
)

// Demands returns what a pack requests of machine pools by `constraints.resources` of
// its pack.json, and what is wrong with these constraints or with the values that they
// refer to. A constraint that cannot be read requests nothing. The values are read only if a
// component refers to them. A pack without resource constraints has neither demands nor
// findings.
//
// isAccepted says whether the user confirms the value of a finding of
// [rule.ResourcesSuspiciousUnit], which counts then; nil for none.
func Demands(p *pack.Pack, isAccepted func(diag.Finding) bool) ([]Demand, []diag.Finding) {
	var findings []diag.Finding
	demands := readDemands(p, isAccepted, false, func(f diag.Finding) { findings = append(findings, f) })
	return demands, findings
}

// readDemands is Demands that keeps no findings: a short text can have very many. When
// facts of the cluster wait for injection, findings about macros have [rule.ResourcesWaiting].
func readDemands(p *pack.Pack, isAccepted func(diag.Finding) bool, waits bool, found func(diag.Finding)) []Demand {
	if p.Metadata == nil || p.Metadata.Embedded && !mayConstrain(p.Metadata.Text()) {
		return nil // the common case, without parsing
	}
	metadata, err := p.Metadata.Mapping()
	if err != nil {
		found(diag.Unreadable(err).From(p.Metadata.Origin).For(p.Name).Of(rule.InputInvalid))
		return nil
	}
	r := reader{pack: p, isAccepted: isAccepted, waits: waits, found: found}
	r.effective, r.paths = sync.OnceValue(r.readValues), sync.OnceValues(r.scalarPaths)
	r.constraints(field{node: metadata.Root()})
	return r.demands
}

// mayConstrain reports whether a pack.json may have resource constraints. A misspelt
// name still has one of its halves, and an escape may be any letter.
func mayConstrain(text string) bool {
	return slices.ContainsFunc([]string{fieldConstraints, "reso", "rces", `\`}, func(part string) bool { return strings.Contains(text, part) })
}

// field is a place in pack.json.
type field struct {
	path string
	// node is what is there; nil when nothing is.
	node *yaml.Node
	// at is the position of the node, or of the mapping that does not have it.
	at values.Position
}

// child returns a field of a mapping.
func (f field) child(name string) field {
	child := field{diag.Join(f.path, name), values.Field(f.node, name), f.at}
	if child.node != nil {
		child.at = values.At(child.node)
	}
	return child
}

// isEmpty reports whether the field says no more than an absent one.
func (f field) isEmpty() bool {
	return values.IsNull(f.node) || f.node.Kind == yaml.ScalarNode && f.node.Value == ""
}

// missing makes a finding of a field that is absent or empty.
func (f field) missing(want string) diag.Finding {
	found := ""
	switch {
	case f.node == nil:
	case values.IsNull(f.node):
		found = "null"
	default:
		found = "empty"
	}
	return diag.Missing(found).Want(want)
}

// reader reads the resource constraints of one pack.
type reader struct {
	pack       *pack.Pack
	isAccepted func(diag.Finding) bool
	waits      bool
	found      func(diag.Finding)
	demands    []Demand

	// effective are the values, nil when they cannot be read, and paths those of their
	// scalars. Both are read when first needed.
	effective func() *pack.Effective
	paths     func() ([]string, map[string]*yaml.Node)
}

// report adds a finding about a place in pack.json.
func (r *reader) report(rule diag.Rule, at field, f diag.Finding) {
	r.found(f.In(r.pack.Metadata.Origin, at.path, at.at).For(r.pack.Name).Of(rule))
}

func (r *reader) invalid(at field, f diag.Finding) { r.report(rule.ResourcesInvalid, at, f) }

// invalidName reports a name that is not among the accepted ones.
func (r *reader) invalidName(at field, accepted []string) {
	f := diag.GotName(at.node.Value, accepted)
	r.invalid(at, f.Propose(at.node.Value, f.Nearest))
}

// isMapping reports whether a field that is there is a mapping. Anything else is a
// finding.
func (r *reader) isMapping(f field, want string) bool {
	if f.node.Kind == yaml.MappingNode {
		return true
	}
	r.invalid(f, diag.Got(values.KindOf(f.node), want))
	return false
}

// elements returns the elements of a list, none when nothing is there. Anything else is a
// finding, and it returns false.
func (r *reader) elements(f field, want string) ([]field, bool) {
	if values.IsNull(f.node) {
		return nil, true
	}
	if f.node.Kind != yaml.SequenceNode {
		r.invalid(f, diag.Got(values.KindOf(f.node), want))
		return nil, false
	}
	var elements []field
	for i, n := range f.node.Content {
		n = values.Resolve(n)
		elements = append(elements, field{fmt.Sprintf("%s[%d]", f.path, i), n, values.At(n)})
	}
	return elements, true
}

// slips reports misspelt names of fields that are not there. pack.json may have any
// field, but a constraint that no function reads would let everything pass.
func (r *reader) slips(f field, known ...string) {
	for _, name := range known {
		isCollection := slices.Contains([]string{fieldConstraints, fieldResources, fieldComponents}, name)
		for _, key := range pack.KeysLike(f.node, name, func(key string, value *yaml.Node) bool {
			// A single value under a name like that of a collection is the author's own.
			return nearest.IsSlip(key, name) && !(isCollection && value.Kind == yaml.ScalarNode)
		}) {
			finding := diag.Unknown("field", key.Value, nil)
			finding.Nearest = name
			r.invalid(field{diag.Join(f.path, key.Value), key, values.At(key)}, finding)
		}
	}
}

// constraints reads `constraints.resources`.
func (r *reader) constraints(root field) {
	r.slips(root, fieldConstraints)
	constraints := root.child(fieldConstraints)
	if values.IsNull(constraints.node) || !r.isMapping(constraints, "a mapping with resources and dependencies") {
		return
	}
	r.slips(constraints, fieldResources)
	entries, _ := r.elements(constraints.child(fieldResources), "a list of resources, each with a type")
	for _, entry := range entries {
		r.entry(entry)
	}
}

// entry reads the constraint of one type of resource.
func (r *reader) entry(entry field) {
	if !r.isMapping(entry, "a mapping with type, minLimit and components") {
		return
	}
	r.slips(entry, "type", "minLimit", fieldComponents)
	of := r.entryType(entry.child("type"))
	components, ok := r.elements(entry.child(fieldComponents), "a list of components")
	for _, component := range components {
		r.component(of, component)
	}
	if ok && len(components) == 0 { // components replace a minLimit
		r.minLimit(of, entry)
	}
}

// entryType returns the type of an entry, "" when it cannot be read.
func (r *reader) entryType(f field) Type {
	switch {
	case values.IsNull(f.node):
		r.invalid(f, f.missing(diag.OneOf(typeNames())))
	case f.node.Kind != yaml.ScalarNode:
		r.invalid(f, diag.Got(values.KindOf(f.node), diag.OneOf(typeNames())))
	case !slices.Contains(typeNames(), f.node.Value):
		r.invalidName(f, typeNames())
	default:
		return Type(f.node.Value)
	}
	return ""
}

// component reads one component of an entry.
func (r *reader) component(of Type, c field) {
	if !r.isMapping(c, "a mapping with resourceRequestParamRef, replicaCountParamRef and scheduleType") {
		return
	}
	r.slips(c, "resourceRequestParamRef", "replicaCountParamRef", "scheduleType")
	roles, ok := r.roles(c.child("scheduleType"))
	request, hasRequest := r.request(of, c.child("resourceRequestParamRef"))
	replicas, hasReplicas := r.replicas(c.child("replicaCountParamRef"))
	if ok && hasRequest && hasReplicas {
		request.Roles, request.Replicas = roles, replicas
		r.add(request)
	}
}

// roles reads the roles that a component runs on.
func (r *reader) roles(f field) (roles Role, ok bool) {
	accepted := []string{"worker", "master", "control-plane", "all"}
	switch {
	case f.isEmpty(), values.Text(f.node) == "all":
		return bothRoles, true
	case f.node.Kind != yaml.ScalarNode:
		r.invalid(f, diag.Got(values.KindOf(f.node), diag.OneOf(accepted)))
	case f.node.Value == "worker":
		return Worker, true
	case f.node.Value == "master", f.node.Value == "control-plane":
		return ControlPlane, true
	default:
		r.invalidName(f, accepted)
	}
	return 0, false
}

// add adds a demand, unless its type is unknown, which was reported.
func (r *reader) add(d Demand) {
	if d.Type != "" {
		d.Pack = r.pack
		r.demands = append(r.demands, d)
	}
}
