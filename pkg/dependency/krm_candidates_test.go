package dependency

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/documents"
)

// candidatesOf returns the function with the documents of a catalog as candidates.
func candidatesOf(catalog string) With {
	return With{Candidates: &Candidates{
		Candidates: constraint.Candidates{Elsewhere: "info", Door: "name the catalog that has it with --catalog"},
		Catalogs: func(yield func(CatalogDocument) bool) {
			for i, d := range documents.Of(catalog) {
				reread := func(d documents.Document) (string, error) { return catalog[d.Start : d.Start+int64(d.Size)], nil }
				if !yield(CatalogDocument{Document: d, File: "catalog.yaml", Index: i, Reread: reread}) {
					return
				}
			}
		},
	}}
}

// A case is catalog.yaml, whose bundles are candidates for a cluster, with config.yaml and resources.yaml as in TestCases.
func TestCandidates(t *testing.T) {
	cases.Table(t, "candidates", func(t *testing.T, c *cases.Case) string {
		_, outcome := functiontest.RunList(t, FunctionWith(candidatesOf(c.Text("catalog.yaml"))), functiontest.List(c.Text("config.yaml"), c.Text("resources.yaml")))
		var b strings.Builder
		for i, facts := range functiontest.Facts(outcome.Findings) {
			fmt.Fprintf(&b, "%s: %s\n", facts, outcome.Findings[i].Message())
		}
		return b.String()
	})
}

// Packs of a set are checked with bundles that are checked elsewhere.
func TestOnlyPacks(t *testing.T) {
	const items = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  version: 1.0.0
  dependencies: [{type: olm.gvk, value: {group: g.example.com, version: v1, kind: Green}}, {type: olm.package, value: {packageName: green, version: '>=0.1.0'}}]
---
`
	_, outcome := functiontest.Evaluate(t, FunctionWith(With{OnlyPacks: true}), functiontest.List("", documentsOf(red, green, items)))
	if got := functiontest.Facts(outcome.Findings); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}

// The offers of a catalog are read again when they are asked for.
func TestReadOffers(t *testing.T) {
	const catalog = `schema: olm.channel
name: stable
---
schema: olm.bundle
name: green.v1.0.0
package: green
properties:
- {type: olm.gvk, value: {group: g, version: v1, kind: K}}
---
schema: olm.bundle
`
	offers, faults := ReadOffers(strings.NewReader(catalog), func(d documents.Document) (string, error) {
		return catalog[d.Start : d.Start+int64(d.Size)], nil
	})
	if len(offers) != 1 || offers[0].Name != "green" || len(offers[0].Content().Bundle.Properties) != 1 || !slices.Equal(offers[0].Provides, []string{"API g/v1 K"}) && len(offers[0].Provides) != 1 {
		t.Errorf("got %+v", offers)
	}
	if len(faults) != 1 {
		t.Errorf("faults: %+v", faults)
	}
}
