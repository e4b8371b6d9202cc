package pack

import "testing"

// An item that represents an object in a cluster is neither a second set of facts
// nor a pack of the package.
func TestInCluster(t *testing.T) {
	const annotated = "metadata: {name: there, annotations: {packs.kpt.dev/source: cluster}}\n"
	p := load(t, "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: here}
spec: {}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
`+annotated+`---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
`+annotated+`---
apiVersion: v1
kind: ConfigMap
`+annotated+`data: {pack.json: '{'}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: p, annotations: {packs.kpt.dev/source: upstream}}
spec: {}
`)
	if len(p.Faults) > 0 || p.Cluster == nil || p.Cluster.Resource.Name != "here" {
		t.Fatalf("cluster %v, faults %q", p.Cluster, p.Faults)
	}
	if len(p.Set.Packs) != 1 || p.Set.Packs[0].Name != "p" {
		t.Errorf("got %d packs", len(p.Set.Packs))
	}
}
