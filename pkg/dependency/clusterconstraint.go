package dependency

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// facts are what is known of a cluster in OLM's terms: the virtual cluster
// operator.
type facts struct {
	properties, constraints []entry
	// given says that there is a virtual operator at all.
	given bool
}

// constraintVersions are the versions of the kind Constraint that are read.
var constraintVersions = []string{olmGroup + "/v1", olmGroup + "/v2"}

// wantsConstraint reports whether an item is a cluster constraint. The proposal
// writes the kind in lower case too.
func wantsConstraint(item *function.Item) bool {
	group, _, _ := strings.Cut(item.APIVersion(), "/")
	return group == olmGroup && strings.EqualFold(item.Kind(), "Constraint")
}

// facts reads the cluster constraints and properties of the list.
func (p *processor) facts() facts {
	var f facts
	for _, item := range p.run.Items() {
		if wantsConstraint(item) {
			resource := item.Resource()
			p.run.Guard(resource, func() { p.constraint(item, resource, &f) })
		}
	}
	if p.cluster != nil {
		for _, part := range []struct {
			field string
			nodes []*yaml.Node
			into  *[]entry
		}{{"spec.constraints", p.cluster.Constraints, &f.constraints}, {"spec.properties", p.cluster.Properties, &f.properties}} {
			o := &origin{resource: p.cluster.Resource, field: part.field, name: part.field, inResource: true}
			for i, n := range part.nodes {
				f.given = true
				*part.into = append(*part.into, entry{node: values.Resolve(n), key: fmt.Sprintf("[%d]", i), origin: o, where: whereFacts(p.cluster.Resource)})
			}
		}
	}
	return f
}

// constraint reads one resource of the kind Constraint.
func (p *processor) constraint(item *function.Item, resource function.Resource, f *facts) {
	if !slices.Contains(constraintVersions, item.APIVersion()) {
		p.run.LegacyInvalid(resource, "apiVersion", fmt.Sprintf("%s: got the version %q, want %s", whereFacts(resource), item.APIVersion(), function.OneOf(constraintVersions)))
		p.unread = true
		return
	}
	document, err := item.Document()
	if err != nil {
		p.run.LegacyInvalid(resource, "", fmt.Sprintf("%s can not be read: %v", resource, err))
		p.unread = true
		return
	}
	f.given = true
	spec := values.Field(document.Root(), "spec")
	for _, part := range []struct {
		field string
		into  *[]entry
	}{{"constraints", &f.constraints}, {"properties", &f.properties}} {
		n := values.Field(spec, part.field)
		for _, key := range pack.Slips(spec, part.field) {
			field := "spec." + key.Value
			p.clusterInvalid(&origin{resource: resource, field: field, name: field}, "", values.Position{}, fmt.Sprintf("%s: %s: unknown field (did you mean %q?)", whereFacts(resource), field, part.field))
		}
		if values.IsNull(n) || n.Kind == yaml.ScalarNode && strings.TrimSpace(n.Value) == "" {
			continue
		}
		field := "spec." + part.field
		o := &origin{resource: resource, field: field, name: field}
		if n.Kind != yaml.ScalarNode {
			p.clusterInvalid(o, "", values.Position{}, fmt.Sprintf("%s: %s: got %s, want JSON text of a list: quote it ('[…]')", whereFacts(resource), field, function.KindOf(n)))
			continue
		}
		list, at, err := parseJSON(n.Value)
		if err != nil {
			p.clusterInvalid(o, "", at, fmt.Sprintf("%s: %s is not JSON, so nothing of it counts: %v", whereFacts(resource), field, err))
			continue
		}
		root := list.Root()
		if root == nil {
			continue
		}
		if root.Kind != yaml.SequenceNode {
			p.clusterInvalid(o, "", values.At(root), fmt.Sprintf("%s: %s: got %s, want a list of entries with type and value", whereFacts(resource), field, function.KindOf(root)))
			continue
		}
		for i, item := range root.Content {
			*part.into = append(*part.into, entry{node: item, key: fmt.Sprintf("[%d]", i), origin: o, size: list.Sizes[item], where: whereFacts(resource)})
		}
	}
}

// clusterInvalid reports a fault of a cluster constraint.
func (p *processor) clusterInvalid(o *origin, key string, at values.Position, message string) {
	p.run.ReportLegacy(o.locateAt(function.Finding{Rule: string(constraint.RuleClusterInvalid), Message: message}, key, at))
	p.unread = true
}

// whereFacts names a resource with facts of the cluster, and its file.
func whereFacts(r function.Resource) string {
	if r.File == "" {
		return r.String()
	}
	return fmt.Sprintf("%s (%s)", r, r.File)
}
