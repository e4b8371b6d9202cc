package variant

import (
	"iter"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Ambiguous returns what an API server reads otherwise of a PackageVariant or an in-cluster object, see
// [decode.Ambiguous]. The metadata is for [decode.AmbiguousMetadata]. path is where n is in its resource.
func Ambiguous(n *yaml.Node, path string) iter.Seq[diag.Finding] {
	apiVersion, kind := values.Text(values.Field(n, "apiVersion")), values.Text(values.Field(n, "kind"))
	switch {
	case apiVersion == GroupVersion && kind == Kind:
		return decode.Ambiguous(n, path, new(file))
	case apiVersion == "v1" && kind == "ConfigMap":
		var configMap struct {
			Data map[string]string `json:"data" scalars:"secret"`
		}
		return decode.Ambiguous(n, path, &configMap)
	case apiVersion == pack.GroupVersion && pack.Kinds()[kind] != nil:
		return decode.Ambiguous(values.Field(n, "spec"), diag.Join(path, "spec"), pack.Kinds()[kind])
	}
	return func(func(diag.Finding) bool) {}
}

// reportAmbiguous reports what an API server reads otherwise of a resource. It has no positions, as
// the other findings: clients reprint resources.
func (p *processor) reportAmbiguous(origin *diag.Origin, all iter.Seq[diag.Finding]) {
	for f := range all {
		p.run.Report(f.In(origin, f.Key, diag.Position{}))
	}
}
