package pack

import (
	"testing"

	"github.com/krm-packs/functions/pkg/list"
)

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

// Items are wanted by their heads, and held when they are read. What only mentions a file
// is wanted, and not held.
func TestWants(t *testing.T) {
	for _, tc := range []struct {
		item         string
		wants, holds bool
	}{
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{}'}\n", true, true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nbinaryData: {pack.json: ''}\n", true, true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {readme: 'pack.json'}\n", true, false},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {packs.kpt.dev/values-of: a}}\n", true, true},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.jsn: '{}'}\n", true, false},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n", false, false},
		{"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\n", true, true},
		{"apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: a}\n", false, true},
		{"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n", false, false},
		{"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a, annotations: {packs.kpt.dev/source: cluster}}\n", false, true},
	} {
		item := list.FileItems([]byte(tc.item), "a.yaml")[0]
		document, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		if Wants(item) != tc.wants || Holds(item, document) != tc.holds {
			t.Errorf("%s: got %v and %v", tc.item, Wants(item), Holds(item, document))
		}
	}
}
