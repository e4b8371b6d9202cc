package policy_test

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/policy/manifest"
)

func Example() {
	parse := func(text string) *yaml.Node {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			panic(err)
		}
		return n.Content[0]
	}
	db, _ := manifest.ReadInterface(diag.Resource{}, parse("spec: {path: cap.interface.db, revision: 0.1.0}"))
	chart, _ := manifest.ReadImplementation(diag.Resource{}, parse("spec: {path: cap.implementation.chart, revision: 0.2.0, implements: [{path: cap.interface.db, revision: 0.1.0}]}"))
	rds, _ := manifest.ReadImplementation(diag.Resource{}, parse("spec: {path: cap.implementation.rds, revision: 0.1.0, attributes: {cap.attribute.aws: {revision: 0.1.0}}, implements: [{path: cap.interface.db, revision: 0.1.0}]}"))
	global, _ := manifest.ReadPolicy(diag.Resource{Name: "global"}, parse("spec: {scope: GLOBAL, interface: {rules: [{interface: {path: cap.*}, oneOf: [{implementationConstraints: {attributes: [{path: cap.attribute.aws}]}}]}]}}"))

	index, _ := policy.NewIndex(policy.Hub{
		Interfaces:      []*manifest.Interface{db},
		Implementations: []*manifest.Implementation{chart, rds},
	}, nil)
	merged := policy.Merge(index, policy.Layers([]*manifest.Policy{global}, []string{manifest.ScopeGlobal}, nil)...)
	selection := index.Select(merged, index.Interface(manifest.RefMatch{Path: "cap.interface.db"}))
	fmt.Println(selection.Outcome, selection.Implementation.Ref)
	for _, r := range selection.Rejected {
		fmt.Println(r.Implementation.Ref, r.Reasons[0])
	}
	// Output:
	// Selected cap.implementation.rds:0.1.0
	// cap.implementation.chart:0.2.0 does not have the attribute cap.attribute.aws
}
