package deploy

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/list"
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

// StandIn returns a ClusterContext that says this of the cluster, nil if there is nothing to
// say. APIs without a kind are left out: olm.gvk names kinds.
func (c *Cluster) StandIn() *list.Item {
	if c.Kubernetes == "" && len(c.APIs) == 0 {
		return nil
	}
	spec := map[string]any{}
	if c.Kubernetes != "" {
		spec["system"] = map[string]string{"kubernetes.version": c.Kubernetes}
	}
	var properties []any
	for _, name := range c.APIs {
		above, kind := path.Split(name)
		group, version := path.Split(strings.TrimSuffix(above, "/"))
		if version != "" && kind != strings.ToLower(kind) {
			gvk := map[string]string{"group": strings.TrimSuffix(group, "/"), "version": version, "kind": kind}
			properties = append(properties, map[string]any{"type": typeGVK, "value": gvk})
		}
	}
	spec["properties"] = properties
	text, err := yaml.Marshal(map[string]any{
		"apiVersion": pack.GroupVersion, "kind": pack.ClusterContextKind, "metadata": map[string]string{"name": pack.StandIn}, "spec": spec,
	})
	if err != nil {
		panic(err) // texts can be printed
	}
	return list.FileItem(text, "", 0)
}

// typeGVK is the type of the properties that provide kinds.
const typeGVK = "olm.gvk"

// addAPIs adds what properties provide. check-dependencies reports their faults.
func (c *Cluster) addAPIs(properties []*yaml.Node) {
	for _, n := range properties {
		if values.Text(values.Field(n, "type")) != typeGVK {
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
