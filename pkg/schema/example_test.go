package schema_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// The check needs no ResourceList, only a schema, the pack's own values, and the
// values of a cluster on top of them.
func Example() {
	parse := func(name, text string) *values.Document {
		document, err := values.Parse(text)
		if err != nil {
			panic(err)
		}
		return document.From(&diag.Origin{Name: name, Embedded: true})
	}
	rules, faults := schema.Parse(parse("schema.yaml", `
registry.hostname:
  schema: '{{ required }}'
registry.port:
  schema: '{{ format "${number:[5000-5005]}" | hints "registry port" }}'
registry.type:
  schema: '{{ readonly }}'
`))
	own := parse("values.yaml", "registry: {hostname: '', port: 5000, type: PACK}")
	cluster := parse("cluster.yaml", "registry: {port: 70000, type: GIT}")
	findings := rules.Check(schema.Values{
		Tree:   values.Merge(values.Layer{Document: own}, values.Layer{Document: cluster}),
		Layers: []*values.Document{own, cluster},
		Own:    own,
	})
	for _, f := range append(faults, findings...) {
		fmt.Printf("%s [%s]\n", f.Message(), f.Rule.ID)
	}
	// Output:
	// registry.hostname is required, but empty (values.yaml line 1). Set it [values/required]
	// registry.port: must be a number from 5000 to 5005, got 70000 (registry port; cluster.yaml line 1) [values/format]
	// registry.type: must be the pack's own value (the key is read-only), got another value (cluster.yaml line 1). Remove it here [values/readonly]
}
