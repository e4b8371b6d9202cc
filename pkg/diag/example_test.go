package diag_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
)

func Example() {
	format := diag.Rule{ID: "values/format", Severity: diag.Error}
	origin := &diag.Origin{
		Resource: diag.Resource{Kind: "ConfigMap", Name: "vault"},
		Field:    "data[values.yaml]", Name: "values.yaml", Embedded: true,
	}

	f := diag.Got("70000", "a number from 5000 to 5005").Of(format).In(origin, "registry.port", diag.Position{Line: 14, Column: 9})
	fmt.Println(f.Level(), f.Resource(), f.Path())
	fmt.Println(f.Message())

	f = diag.Unknown("field", "replica", []string{"name", "replicas"}).Of(format).From(origin).At("pools[0].replica", diag.Position{Line: 3})
	fmt.Println(f.Message())

	// Output:
	// error ConfigMap vault data[values.yaml]
	// registry.port: must be a number from 5000 to 5005, got 70000 (values.yaml line 14)
	// pools[0].replica: unknown field "replica" (values.yaml line 3). Did you mean "replicas"?
}
