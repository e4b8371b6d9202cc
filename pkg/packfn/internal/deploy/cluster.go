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

// Cluster contains the facts about the cluster that charts can read.
type Cluster struct {
	// Kubernetes is the version of the cluster, or "" if it is unknown. Charts are rendered with
	// the default version of `helm template` then, and no chart is rejected because of its
	// version.
	Kubernetes string
	// APIs are API versions in addition to the API versions of Kubernetes, such as
	// `cert-manager.io/v1` or `cert-manager.io/v1/Issuer`.
	APIs []string
}

// ClusterOf returns the facts about the cluster in a package. They come from the ClusterContext,
// and from the olm.gvk properties of the ClusterContext and of the packs, which provide kinds.
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

// StandIn returns a ClusterContext with these facts, or nil if there are none. APIs without a
// kind are left out, because olm.gvk requires a kind.
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
