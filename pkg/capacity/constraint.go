package capacity

import (
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Demands returns the requests of a pack for machine pools, from `constraints.resources` of its
// pack.json, and the faults of these constraints and of the values that they refer to. It reads the
// values only if a component refers to them. A constraint that cannot be read requests nothing. A
// pack without resource constraints has neither demands nor findings.
//
// isAccepted reports whether the user accepts a finding of [rule.ResourcesSuspiciousUnit]. The
// value is then used as it is written. nil accepts none.
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
	for _, entry := range pack.ReadConstraints(metadata.Root(), pack.Resources, r.invalid).Resources {
		r.entry(&entry)
	}
	return r.demands
}

// mayConstrain reports whether a pack.json may have resource constraints. A misspelt
// name still has one of its halves, and an escape may be any letter.
func mayConstrain(text string) bool {
	return slices.ContainsFunc([]string{"constraints", "reso", "rces", `\`}, func(part string) bool { return strings.Contains(text, part) })
}

// reader reads the resource constraints of one pack.
type reader struct {
	pack *pack.Pack
	// isAccepted reports whether the user accepts a finding, so that the value counts as right.
	isAccepted func(diag.Finding) bool
	// waits reports whether macros in the values may still be resolved.
	waits bool
	// found gets the findings, and demands are the demands so far.
	found   func(diag.Finding)
	demands []Demand

	// effective returns the values, or nil if they cannot be read, and paths the paths of their
	// scalars. Both are read when first needed.
	effective func() *pack.Effective
	paths     func() ([]string, map[string]*yaml.Node)
}

// report adds a finding about a place in pack.json.
func (r *reader) report(rule diag.Rule, at pack.Field, f diag.Finding) {
	origin := *r.pack.Metadata.Origin
	origin.Authored = origin.Authored || strings.HasPrefix(at.Path, "constraints.")
	r.found(f.In(&origin, at.Path, at.At).For(r.pack.Name).Of(rule))
}

func (r *reader) invalid(at pack.Field, f diag.Finding) { r.report(rule.ResourcesInvalid, at, f) }

// invalidName reports a name that is not among the options of a field.
func (r *reader) invalidName(at pack.Field) {
	f := diag.GotName(at.Node.Value, at.Options)
	r.invalid(at, f.Propose(at.Node.Value, f.Nearest))
}

// entry reads the constraint of one type of resource.
func (r *reader) entry(entry *pack.ResourceEntry) {
	of := r.entryType(entry.Type)
	for i := range entry.Components {
		r.component(of, &entry.Components[i])
	}
	if !entry.HasComponents() { // components replace a minLimit
		r.minLimit(of, entry)
	}
}

// entryType returns the type of an entry, or "" if it cannot be read.
func (r *reader) entryType(f pack.Field) Type {
	switch {
	case values.IsNull(f.Node):
		r.invalid(f, f.Missing(diag.OneOf(f.Options)))
	case f.Node.Kind != yaml.ScalarNode:
		r.invalid(f, diag.Got(values.KindOf(f.Node), diag.OneOf(f.Options)))
	case !slices.Contains(f.Options, f.Node.Value):
		r.invalidName(f)
	default:
		return Type(f.Node.Value)
	}
	return ""
}

// component reads one component of an entry.
func (r *reader) component(of Type, c *pack.Component) {
	roles, ok := r.roles(c.ScheduleType)
	request, hasRequest := r.request(of, c.Request)
	replicas, hasReplicas := r.replicas(c.Replicas)
	if ok && hasRequest && hasReplicas {
		request.Roles, request.Replicas = roles, replicas
		r.add(request)
	}
}

// roles reads the roles that a component runs on.
func (r *reader) roles(f pack.Field) (roles Role, ok bool) {
	switch {
	case f.IsEmpty(), values.Text(f.Node) == "all":
		return bothRoles, true
	case f.Node.Kind != yaml.ScalarNode:
		r.invalid(f, diag.Got(values.KindOf(f.Node), diag.OneOf(f.Options)))
	case f.Node.Value == "worker":
		return Worker, true
	case f.Node.Value == "master", f.Node.Value == "control-plane":
		return ControlPlane, true
	default:
		r.invalidName(f)
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
