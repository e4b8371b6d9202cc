package deploy

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Cluster is what charts learn of the cluster.
type Cluster struct {
	// Kubernetes is its version, "" if it is unknown: then that is what `helm template`
	// takes, and no chart is refused because of it.
	Kubernetes string
	// APIs are API versions that it has beyond those of Kubernetes, `cert-manager.io/v1` or
	// `cert-manager.io/v1/Issuer`.
	APIs []string
}

// ClusterOf returns what a package says of its cluster: the ClusterContext, and the
// properties olm.gvk of the ClusterContext and of the packs, which bring kinds along.
func ClusterOf(run pack.Run, packs []*pack.Pack) Cluster {
	var cluster Cluster
	if c, _ := pack.Cluster(run); c != nil {
		cluster.Kubernetes = c.System["kubernetes.version"]
		cluster.addAPIs(c.Properties)
	}
	for _, p := range packs {
		if p.Properties == nil {
			continue
		}
		if document, err := p.Properties.Document(); err == nil {
			root := document.Root()
			if list := values.Field(root, "properties"); list != nil {
				root = list
			}
			if root != nil && root.Kind == yaml.SequenceNode {
				cluster.addAPIs(root.Content)
			}
		}
	}
	slices.Sort(cluster.APIs)
	cluster.APIs = slices.Compact(cluster.APIs)
	return cluster
}

// addAPIs adds what properties provide. check-dependencies reports their faults.
func (c *Cluster) addAPIs(properties []*yaml.Node) {
	for _, n := range properties {
		if values.Text(values.Field(n, "type")) != "olm.gvk" {
			continue
		}
		field := func(name string) string { return values.Text(values.Field(n, "value", name)) }
		name, kind := field("version"), field("kind")
		if name == "" {
			continue
		}
		if group := field("group"); group != "" {
			name = group + "/" + name
		}
		c.APIs = append(c.APIs, name)
		if kind != "" {
			c.APIs = append(c.APIs, name+"/"+kind)
		}
	}
}
