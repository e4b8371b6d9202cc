package dependency

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// constraintVersions are the versions of the kind Constraint that are read.
var constraintVersions = []string{olmGroup + "/v1", olmGroup + "/v2"}

// readKinds are the kinds of OLM that check-dependencies reads.
var readKinds = []list.GroupKind{{Group: olmGroup, Kind: "Constraint"}, {Group: olmGroup, Kind: "constraint"}, {Group: olmGroup, Kind: "ClusterServiceVersion"}}

// wantsConstraint reports whether an item is a constraint of the cluster. The proposal
// also has the kind in lower case.
func wantsConstraint(item *list.Item) bool {
	return item.Group() == olmGroup && strings.EqualFold(item.Kind(), "Constraint")
}

// clusterFacts reads the constraints and properties of the cluster. It returns nil if there are
// none.
func (p *processor) clusterFacts() *constraint.Cluster {
	var cluster *constraint.Cluster
	for _, item := range p.run.Items() {
		if !wantsConstraint(item) || p.isWaiting(item) {
			continue
		}
		p.run.Guard(item.Resource(), func() {
			if read := p.constraint(item); read != nil {
				cluster = join(cluster, read)
			}
		})
	}
	if p.cluster != nil && len(p.cluster.Constraints)+len(p.cluster.Properties) > 0 {
		entries := func(field string, nodes []*yaml.Node) []constraint.Entry {
			list := &yaml.Node{Kind: yaml.SequenceNode, Content: nodes}
			return entriesOf(list, "", &diag.Origin{Resource: p.cluster.Resource, Field: field, Name: field}, nil)
		}
		cluster = join(cluster, &constraint.Cluster{
			Constraints: entries("spec.constraints", p.cluster.Constraints),
			Properties:  entries("spec.properties", p.cluster.Properties),
		})
	}
	return cluster
}

// join adds facts of a cluster to others, which may be nil.
func join(cluster, more *constraint.Cluster) *constraint.Cluster {
	if cluster == nil {
		return more
	}
	cluster.Constraints = append(cluster.Constraints, more.Constraints...)
	cluster.Properties = append(cluster.Properties, more.Properties...)
	return cluster
}

// constraint reads a resource of the kind Constraint. It returns nil for one that cannot
// be read.
func (p *processor) constraint(item *list.Item) *constraint.Cluster {
	resource := item.Resource()
	if !slices.Contains(constraintVersions, item.APIVersion()) {
		p.invalid(diag.GotText(item.APIVersion(), diag.OneOf(constraintVersions)).About(resource, "apiVersion"))
		return nil
	}
	document, err := item.Document()
	if err != nil {
		p.invalid(diag.Unreadable(err).From(diag.Whole(resource)))
		return nil
	}
	spec := values.Field(document.Root(), "spec")
	return &constraint.Cluster{
		Constraints: p.clusterEntries(resource, spec, "constraints"),
		Properties:  p.clusterEntries(resource, spec, "properties"),
	}
}

// clusterEntries reads a field of a Constraint: the JSON of a list.
func (p *processor) clusterEntries(resource diag.Resource, spec *yaml.Node, field string) []constraint.Entry {
	report := func(f diag.Finding) {
		p.run.Report(f.Of(rule.ClusterConstraintInvalid))
		p.isUnread = true
	}
	for _, key := range pack.Misspelt(spec, field) {
		f := diag.Unknown("field", key.Value, nil)
		f.Nearest = field
		report(f.About(resource, "spec."+key.Value))
	}
	n := values.Field(spec, field)
	if values.IsNull(n) || n.Kind == yaml.ScalarNode && strings.TrimSpace(n.Value) == "" {
		return nil
	}
	const want = "a string that contains a JSON list of entries with type and value"
	o := &diag.Origin{Resource: resource, Field: "spec." + field, Name: "spec." + field, Embedded: true, Authored: true}
	if n.Kind != yaml.ScalarNode {
		report(diag.Got(values.KindOf(n), want).Do("write '[{\"type\": \"…\", \"value\": …}]'").From(o))
		return nil
	}
	read, err := values.ParseJSON(n.Value, sizedKey)
	if err != nil {
		report(diag.Unreadable(err).Want(want).From(o))
		return nil
	}
	root := read.Root()
	if root == nil {
		return nil
	}
	if root.Kind != yaml.SequenceNode {
		report(diag.Got(values.KindOf(root), want).In(o, "", values.At(root)))
		return nil
	}
	return entriesOf(root, "", o, read.Sizes())
}
