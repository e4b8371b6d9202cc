package policy_test

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/policy"
)

func Example() {
	parse := func(text string) *yaml.Node {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			panic(err)
		}
		return n.Content[0]
	}
	db, _ := policy.ReadInterface(function.Resource{}, parse("spec: {path: cap.interface.db, revision: 0.1.0}"))
	chart, _ := policy.ReadImplementation(function.Resource{}, parse("spec: {path: cap.implementation.chart, revision: 0.2.0, implements: [{path: cap.interface.db, revision: 0.1.0}]}"))
	rds, _ := policy.ReadImplementation(function.Resource{}, parse("spec: {path: cap.implementation.rds, revision: 0.1.0, attributes: {cap.attribute.aws: {revision: 0.1.0}}, implements: [{path: cap.interface.db, revision: 0.1.0}]}"))
	global, _ := policy.ReadPolicy(function.Resource{Name: "global"}, parse("spec: {scope: GLOBAL, interface: {rules: [{interface: {path: cap.*}, oneOf: [{implementationConstraints: {attributes: [{path: cap.attribute.aws}]}}]}]}}"))

	index, _ := policy.NewIndex(policy.Hub{
		Interfaces:      []*policy.Interface{db},
		Implementations: []*policy.Implementation{chart, rds},
	}, nil)
	merged := policy.Merge(index, policy.Layers([]*policy.Policy{global}, []string{policy.ScopeGlobal}, nil)...)
	selection := index.Select(merged, index.Interface(policy.RefMatch{Path: "cap.interface.db"}))
	fmt.Println(selection.Outcome, selection.Implementation.Ref)
	for _, r := range selection.Rejected {
		fmt.Println(r.Implementation.Ref, r.Reasons[0])
	}
	// Output:
	// Selected cap.implementation.rds:0.1.0
	// cap.implementation.chart:0.2.0 lacks the attribute cap.attribute.aws
}
