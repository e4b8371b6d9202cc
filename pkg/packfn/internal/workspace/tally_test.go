package workspace

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
)

// What checks have read counts once, by its kind. What runs, and what only mutators have read, does not
// count.
func TestTally(t *testing.T) {
	items := list.FileItems([]byte(`apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: b}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: d}
---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: e}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: f}
---
apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata: {name: g}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: h}
---
apiVersion: fn.kpt.dev/v1alpha1
kind: CheckDependencies
metadata: {name: i}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: not-read}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: by-a-mutator}
`), "a.yaml")
	run := func(isCheck bool, items []*list.Item) *Run {
		var read []diag.Resource
		for _, item := range items {
			read = append(read, item.Resource())
		}
		return &Run{Step: pipeline.Step{Function: function.Function{Checks: isCheck}}, Outcome: function.Outcome{Wanted: read}}
	}
	var all Tally
	all.Add(run(true, items[:9]))
	all.Add(run(true, items[:3]))
	all.Add(run(false, items[10:]))
	const want = "1 pack, 1 override, 1 cluster, 1 bundle, 1 set, 1 variant, 1 policy and 1 resource"
	if got := all.Of(items).String(); got != want {
		t.Errorf("got %s", got)
	}
	if got := new(Tally).Of(items).String(); got != "" {
		t.Errorf("nothing is read: got %s", got)
	}
}
