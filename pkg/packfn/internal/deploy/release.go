package deploy

import (
	"cmp"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/values"
)

// Release is a release of a chart to render.
type Release struct {
	// Name is the name for messages, and Resource the resource that describes the release.
	Name     string
	Resource diag.Resource
	// Chart is the chart, and Path its path on disk.
	Chart *chart.Chart
	Path  string
	// As and Namespace are the name of the release in Helm, and its namespace.
	As, Namespace string
	// Values are the values of the user, a map.
	Values *yaml.Node
	// IsHelm reports whether Helm deploys the release, and not Argo CD or kustomize with its engine.
	IsHelm bool
	// IsUnsure reports whether a part of the values is unknown.
	IsUnsure bool
	// Place sets the place of a finding about a value.
	Place func(f diag.Finding, path []values.Step) diag.Finding
}

// aboveChart is the number of keys above the values of a chart in the values of a pack, `charts.NAME`. The
// values of a release are put there, so that both are rendered alike.
const aboveChart = 2

// RenderRelease renders the chart of a release. It returns an error if nothing can be rendered. Faults of the
// chart are findings.
func (d *Deployer) RenderRelease(r *Release, cluster Cluster) (*Rendered, error) {
	cluster.Kubernetes = cmp.Or(d.Cluster.Kubernetes, cluster.Kubernetes)
	cluster.APIs = append(cluster.APIs, d.Cluster.APIs...)
	root := node.Map(node.Text("charts"), node.Map(node.Text(r.Chart.Name), r.Values))
	k := &rendering{Deployer: d, helm: helm.Pack{Renderer: d.Renderer}, values: &layers{root: root, release: r}, release: r, cluster: cluster,
		out: &Rendered{Pack: &pack.Pack{Name: r.As, Version: r.Chart.Version, Resource: r.Resource}, Release: r.Name, Namespace: r.Namespace, isHelm: r.IsHelm}}
	source := chart.Source{Chart: r.Chart, Key: r.Chart.Name, Path: r.Path}
	if err := k.chart(source); err != nil {
		return nil, err
	}
	if r.IsUnsure {
		for i := range k.out.Findings {
			k.out.Findings[i].Tags = map[string]string{TagUnsure: "true"}
		}
	}
	if err := k.suffixes(); err != nil {
		return nil, err
	}
	k.out.secrets = secrets(root, source.Has)
	k.images()
	return k.out, nil
}
