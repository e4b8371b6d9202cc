package sets

import (
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

// contents describes what decides which files belong together.
type contents struct {
	// packs are the names of the packs, required the packs that these require, and overridden the
	// packs whose values are overridden.
	packs, required, overridden map[string]bool
	// clusters is the number of ClusterContexts.
	clusters int
	// hasManifests and hasPolicies report whether there are manifests and policies of Capact.
	hasManifests, hasPolicies bool
}

// contentsOf returns the contents of resources. Resources that cannot be read contribute nothing.
func contentsOf(items []*list.Item) contents {
	s := &surveyor{contents{packs: map[string]bool{}, required: map[string]bool{}, overridden: map[string]bool{}}}
	l := &list.List{Items: items}
	function.Evaluate(function.Function{Name: "packfn", New: func() function.Processor { return s }}, l)
	return s.contents
}

// surveyor collects the contents of a list of resources.
type surveyor struct{ contents }

func (*surveyor) Config() any { return &struct{}{} }

func (*surveyor) Wants(item *list.Item) bool {
	return pack.Wants(item) || pack.IsCluster(item) || item.Group() == manifest.Group
}

// Process collects the packs with what they require, the overrides, and the ClusterContexts.
func (s *surveyor) Process(run *function.Run) {
	set := pack.Load(run, pack.Choice{}, func(one *pack.Pack, metadata *yaml.Node) {
		dependencies, _ := dependency.Read(metadata)
		for _, d := range dependencies {
			if d.Type == dependency.Required {
				s.required[d.Pack] = true
			}
		}
	})
	for _, all := range [][]*pack.Pack{set.Packs, set.Waiting} {
		for _, one := range all {
			s.packs[one.Name] = true
		}
	}
	for _, item := range run.Items() {
		run.Guard(item.Resource(), func() {
			switch isCapact := item.Group() == manifest.Group; {
			case pack.IsCluster(item):
				s.clusters++
			case isCapact:
				s.hasPolicies = s.hasPolicies || item.Kind() == "Policy"
				s.hasManifests = s.hasManifests || item.Kind() != "Policy"
			default:
				if name := pack.Overridden(item); name != "" {
					s.overridden[name] = true
				}
			}
		})
	}
}
