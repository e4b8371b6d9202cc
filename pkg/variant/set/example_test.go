package set_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// A set becomes one PackageVariant for each Repository that its selector finds.
func Example() {
	document, err := values.Parse(`
metadata: {name: fleet}
spec:
  upstream: {repo: catalog, package: monitoring, workspaceName: v3}
  targets:
  - repositorySelector: {matchLabels: {env: prod}}
    template:
      labelExprs:
      - {key: region, valueExpr: "repository.labels['region']"}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	inventory := &set.Inventory{}
	for name, region := range map[string]string{"cluster-01": "us-east-1", "cluster-02": "eu-west-1"} {
		inventory.Add(&set.Object{
			APIVersion: set.RepositoryAPIVersion, Kind: set.RepositoryKind, Name: name,
			Labels: map[string]string{"env": "prod", "region": region},
		})
	}
	expander, invalid := set.New(set.Read(document.Root()), set.NewEnvironment())
	expansion, found := expander.Expand(inventory, 0)
	for _, v := range expansion.Variants {
		fmt.Println(v.Name, v.Spec.Labels)
	}
	for _, f := range append(invalid, found...) {
		fmt.Println(f.Level(), f.Rule.ID)
	}
	// Output:
	// fleet-cluster-01-monitoring map[region:us-east-1]
	// fleet-cluster-02-monitoring map[region:eu-west-1]
	// warning variant-set/unverified
}
