package dependency

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Config is the spec of the kind CheckDependencies.
type Config struct {
	function.Options
	pack.Choice
	// Scope determines which bundles must satisfy a constraint: with set, the parts of a compound
	// constraint may be satisfied by different bundles; with bundle, one bundle must satisfy all of
	// it, as in OLM.
	Scope string `json:"scope" enum:"set,bundle" default:"set"`
	// Catalog contains the packs and bundles that could be chosen, for suggestions: text of YAML
	// documents, each an olm.bundle or the content of a pack.json.
	Catalog string `json:"catalog"`
	// Installed are the packs that run today, each the content of its pack.json. Their
	// entries of type upgrade bound the versions that can replace them.
	Installed []*yaml.Node `json:"installed"`
	// ClusterContext names the ClusterContext to use, if there are several.
	ClusterContext string `json:"clusterContext" absent:"the only ClusterContext"`
}

// packFields are the fields of a pack.json that matter here. Authors add others.
type packFields struct {
	// Name is the name that other packs refer to.
	Name    pack.Text `json:"name" required:"true"`
	Version pack.Text `json:"version" required:"true"`
	Layer   pack.Text `json:"layer"`
}

// installed reads the packs that run today.
func (p *processor) installed() []*Pack {
	var packs []*Pack
	for i, n := range p.config.Installed {
		path := fmt.Sprintf("spec.installed[%d]", i)
		if values.IsNull(n) || values.Resolve(n).Kind != yaml.MappingNode {
			p.run.ConfigInvalid(diag.Got(values.KindOf(n), "the content of a pack.json (name, version, constraints)").At(path, values.At(n)))
			continue
		}
		var fields packFields
		isReadable := true
		for _, f := range decode.Node(n, path, &fields) {
			if f.Kind != diag.KindUnknown && f.Kind != diag.KindDuplicate {
				isReadable = false
				p.run.ConfigInvalid(f)
			}
		}
		for f := range pack.Duplicates(values.Of(n)) {
			f.Key = diag.Join(path, f.Key)
			p.run.ConfigInvalid(f)
		}
		dependencies, findings := Read(n)
		for _, f := range findings {
			f.Key = diag.Join(path, f.Key)
			p.run.ConfigInvalid(f)
		}
		if isReadable {
			packs = append(packs, &Pack{Name: string(fields.Name), Version: string(fields.Version), Layer: string(fields.Layer), Dependencies: dependencies})
		}
	}
	return packs
}
