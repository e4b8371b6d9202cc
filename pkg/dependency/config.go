package dependency

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Config is the spec of the kind CheckDependencies.
type Config struct {
	function.Options
	pack.Choice
	// Scope says what a constraint of a bundle is judged on: set, the default, lets
	// the parts of a compound constraint be satisfied by different bundles; bundle
	// asks one bundle to satisfy all of it, as OLM does.
	Scope string `json:"scope" enum:"set,bundle"`
	// Catalog is what could be chosen and is not, for suggestions: text of YAML
	// documents, each an olm.bundle or the content of a pack.json.
	Catalog string `json:"catalog"`
	// Installed are the packs that run today, each the content of its pack.json.
	// Their entries of type upgrade bound what may replace them.
	Installed []*yaml.Node `json:"installed"`
	// ClusterContext names the ClusterContext that counts, where there are
	// several.
	ClusterContext string `json:"clusterContext"`
}

// installed reads the packs that run today.
func (p *processor) installed() []*Pack {
	var packs []*Pack
	for i, n := range p.config.Installed {
		path := fmt.Sprintf("spec.installed[%d]", i)
		if values.IsNull(n) || values.Resolve(n).Kind != yaml.MappingNode {
			what := "nothing"
			if n != nil {
				what = function.KindOf(n)
			}
			p.run.LegacyConfigInvalid(path, fmt.Sprintf("%s: got %s, want the content of a pack.json: name, version, constraints", path, what))
			continue
		}
		one := &Pack{Layer: values.Text(values.Field(n, "layer"))}
		readable := true
		for _, field := range []struct {
			name string
			into *string
		}{{"name", &one.Name}, {"version", &one.Version}} {
			value := values.Field(n, field.name)
			if *field.into = values.Text(value); *field.into == "" {
				readable = false
				found := "is required"
				if !values.IsNull(value) && value.Kind != yaml.ScalarNode {
					found = fmt.Sprintf("got %s, want text", function.KindOf(value))
				}
				p.run.LegacyConfigInvalid(path+"."+field.name, fmt.Sprintf("%s.%s: %s", path, field.name, found))
			}
		}
		for _, d := range values.Of(n).Duplicates() {
			p.run.LegacyConfigInvalid(path+"."+d.Path, fmt.Sprintf("%s.%s: the key is given twice; remove one", path, d.Path))
		}
		var problems []Problem
		one.Dependencies, problems = Read(n)
		for _, problem := range problems {
			p.run.LegacyConfigInvalid(path+"."+problem.Key, fmt.Sprintf("%s.%s: %s", path, problem.Key, problem.Message))
		}
		if readable {
			packs = append(packs, one)
		}
	}
	return packs
}
