package cli

import (
	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

func (c *commands) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema PACK [PATH…]",
		Short: "Print the JSON Schema of the values of a pack, for editors and forms",
		Long: `Print the JSON Schema (draft-07) of the values of a pack.

It has what schema.yaml accepts, the hints, and the keys of the pack's own values and of
what its charts read. Other keys stay allowed. The pack's own values are defaults, unless they
may be secrets. What a JSON Schema cannot say is accepted: packfn check checks it.`,
		GroupID:           "packages",
		Example:           "  packfn schema vault packs/vault-0.6.0 > vault.schema.json",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: c.completePack(false),
		RunE: func(_ *cobra.Command, args []string) error {
			p, options, err := c.packNamed(args[0], args[1:])
			if err != nil {
				return err
			}
			note := func(f *diag.Finding) {
				c.note("%s: %s", p.Place(options, f.Origin, f.Key, f.Position), f.Message())
			}
			read, findings := p.Facts()
			for i := range findings {
				note(&findings[i])
			}
			if read == nil && len(findings) == 0 {
				c.note("%s: what its charts read is unknown: import its directory again, which adds that, or name the directory", p.Name)
			}
			schema, faults, err := inventory.JSONSchema(p.Pack, read)
			if err != nil {
				return err
			}
			for i := range faults {
				note(&faults[i])
			}
			return report.WriteJSON(c.out, schema)
		},
	}
}
