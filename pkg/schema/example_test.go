package schema_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// The check needs no ResourceList: a schema, the pack's own values, and what a
// cluster sets on top of them.
func Example() {
	document, err := values.Parse(`
registry.hostname:
  schema: '{{ required }}'
registry.port:
  schema: '{{ format "${number:[5000-5005]}" | hints "registry port" }}'
registry.type:
  schema: '{{ readonly }}'
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, problems := schema.Parse(document)
	for _, p := range problems {
		fmt.Printf("%s: %s: %s\n", p.Position, p.Key, p.Message)
	}
	own, _ := values.Parse("registry: {hostname: '', port: 5000, type: PACK}")
	cluster, _ := values.Parse("registry: {port: 70000, type: GIT}")
	for _, f := range rules.Check(schema.Values{
		Tree:   values.Merge(values.Layer{Document: own}, values.Layer{Document: cluster}),
		Layers: []*values.Document{own, cluster},
		Own:    own,
	}) {
		fmt.Printf("layer %d, %s: %s %s [%s]\n", f.Layer, f.Position, f.Key, f.Detail, f.Rule)
	}
	// Output:
	// layer 0, line 1, column 22: registry.hostname is required, but empty: set it [values/required]
	// layer 1, line 1, column 18: registry.port got 70000, want number in [5000-5005] [values/format]
	// layer 1, line 1, column 31: registry.type is read-only, but differs from the pack's own value: remove it here [values/readonly]
}
