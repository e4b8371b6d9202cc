package dependency

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// cloudsOf returns the types of clouds that a pack is for, in order, or nil for any.
func cloudsOf(packJSON *yaml.Node) (clouds []string) {
	n := values.Field(packJSON, "cloudTypes")
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	for _, one := range n.Content {
		one = values.Resolve(one)
		if one.Kind != yaml.ScalarNode || one.Value == "all" {
			return nil
		}
		clouds = append(clouds, one.Value)
	}
	slices.Sort(clouds)
	return slices.Compact(clouds)
}

// checkCloud reports the chosen packs that are for clouds other than the cloud of the cluster.
// Packs with the same list of clouds share one finding.
func (p *processor) checkCloud() {
	if p.cluster == nil {
		return
	}
	cloud := p.cluster.System["cloud.type"]
	if cloud == "" || len(p.isChosen) == 0 {
		return
	}
	report := func(f diag.Finding) {
		p.run.Report(f.About(p.cluster.Resource, "spec.system.cloud.type").Of(rule.PackCloud))
	}
	if known := pack.CloudTypes(); !slices.Contains(known, cloud) && nearest.Misspelt(cloud, known) != "" {
		report(diag.GotName(cloud, known))
		return // no pack has this type in its list
	}
	var lists []string
	packs := map[string][]*Pack{}
	for _, one := range p.packs {
		if !p.isChosen[p.loaded[one]] || len(one.clouds) == 0 || slices.ContainsFunc(one.clouds, func(of string) bool { return isCloud(cloud, of) }) {
			continue
		}
		list := strings.Join(one.clouds, ", ")
		if packs[list] == nil {
			lists = append(lists, list)
		}
		packs[list] = append(packs[list], one)
	}
	for _, list := range lists {
		found := packs[list]
		types := `"` + strings.ReplaceAll(list, ", ", `", "`) + `"`
		f := diag.Say("the cluster's cloud is %q, but pack %q supports only %s (cloudTypes)", cloud, found[0].Name, types).For(found[0].Name)
		if len(found) > 1 {
			var names []string
			for _, one := range found {
				names = append(names, fmt.Sprintf("%q", one.Name))
			}
			f = diag.Say("the cluster's cloud is %q, but the packs %s support only %s (cloudTypes)", cloud, diag.SomeOf(names), types)
		}
		report(f.Do(fmt.Sprintf("use a pack for %q, or correct system.cloud.type of the ClusterContext", cloud)))
	}
}

// isCloud reports whether the type of a cluster's cloud is one of a pack. Both names of edge
// are of one cloud: older packs have the shorter one.
func isCloud(cloud, of string) bool {
	return strings.TrimSuffix(cloud, "-native") == strings.TrimSuffix(of, "-native")
}
