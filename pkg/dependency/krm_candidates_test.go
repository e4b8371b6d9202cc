package dependency

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/function/functiontest"
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

// Candidates are versions of operators: a cluster installs some of them.
func TestCandidates(t *testing.T) {
	const versions = `
schema: olm.bundle
name: blue.v1.0.0
properties: [{type: olm.package, value: {packageName: blue, version: 1.0.0}}]
---
schema: olm.bundle
name: blue.v1.1.0
properties: [{type: olm.package, value: {packageName: blue, version: 1.1.0}}]
---
{"schema": "olm.bundle", "name": "blue.v1.2.0", "properties": [{"type": "olm.package", "value": {"packageName": "blue", "version": "1.2.0"}}]}
{"schema": "olm.bundle", "name": "blue.v1.3.0-rc.1", "properties": [{"type": "olm.package", "value": {"packageName": "blue", "version": "1.3.0-rc.1"}}]}
---
schema: olm.bundle
name: green.v1.0.0
properties:
- {type: olm.gvk, value: {group: g.example.com, version: v1beta1, kind: Green}}
- {type: storage, value: {encrypted: true}}
---
`
	red := func(properties string) string {
		return versions + "schema: olm.bundle\nname: red.v1.0.0\nproperties:\n" + strings.ReplaceAll(strings.TrimSpace(properties), "\n\t", "\n")
	}
	for _, tc := range []struct {
		name, config, items, catalog string
		want                         []string
	}{
		{"what there is", "", "", red(`
	- {type: olm.package.required, value: {packageName: blue, versionRange: '>=1.1.0'}}
	- {type: olm.gvk.required, value: {group: g.example.com, version: v1beta1, kind: Green}}
	- {type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '>1.0.0'}}, {not: {constraints: [{gvk: {group: g.example.com, version: v1beta1, kind: Green}}]}}]}}}`), nil},
		{"no version of it", "", "", red(`- {type: olm.package.required, value: {packageName: blue, versionRange: '>=2.0.0'}}`), []string{
			`error requirement/unsatisfied olm.bundle/red.v1.0.0 catalog.yaml#5 properties[0].value bundle=red.v1.0.0`}},
		{"another version of the API", "", "", red(`- {type: olm.gvk.required, value: {group: g.example.com, version: v1, kind: Green}}`), []string{
			`error requirement/unsatisfied olm.bundle/red.v1.0.0 catalog.yaml#5 properties[0].value bundle=red.v1.0.0`}},
		{"nothing of the name", "", "", red(`
	- {type: olm.package.required, value: {packageName: bleu, versionRange: '>=2.0.0'}}
	- {type: olm.label.required, value: {label: secured}}
	- {type: olm.constraint, value: {any: {constraints: [{package: {packageName: blue, versionRange: '>2.0.0'}}, {gvk: {group: g, version: v1, kind: Grey}}]}}}
	- {type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == "certified")'}}}`), []string{
			`info requirement/elsewhere olm.bundle/red.v1.0.0 catalog.yaml#5 properties[0].value bundle=red.v1.0.0 missing="package \"bleu\""`,
			`info requirement/elsewhere olm.bundle/red.v1.0.0 catalog.yaml#5 properties[1].value bundle=red.v1.0.0 missing="label \"secured\""`,
			`info requirement/elsewhere olm.bundle/red.v1.0.0 catalog.yaml#5 properties[2].value.any bundle=red.v1.0.0 missing="API g/v1 Grey"`,
			"info requirement/elsewhere olm.bundle/red.v1.0.0 catalog.yaml#5 properties[3].value.cel bundle=red.v1.0.0 missing=\"a bundle for the rule `properties.exists(p, p.type == \\\"certified\\\")`\"",
		}},
		{"what a rule excludes", "", "", red(`
	- {type: storage, value: {encrypted: false}}
	- {type: olm.constraint, value: {all: {constraints: [{cel: {rule: 'properties.exists(p, p.type == "storage" && p.value.encrypted)'}}, {not: {constraints: [{cel: {rule: 'properties.exists(p, p.type == "storage" && !p.value.encrypted)'}}]}}]}}}
	- {type: olm.constraint, value: {all: {constraints: [{not: {constraints: [{all: {constraints: [{any: {constraints: [{package: {packageName: red, versionRange: '>=0.0.0'}}]}}]}}]}}]}}}`), []string{
			`warning constraint/scope-differs olm.bundle/red.v1.0.0 catalog.yaml#5 properties[1].value.all bundle=red.v1.0.0`,
			`error constraint/unsatisfied olm.bundle/red.v1.0.0 catalog.yaml#5 properties[1].value.all.constraints[1].not.constraints[0].cel bundle=red.v1.0.0`,
			`warning constraint/scope-differs olm.bundle/red.v1.0.0 catalog.yaml#5 properties[2].value.all bundle=red.v1.0.0`,
			`error constraint/unsatisfied olm.bundle/red.v1.0.0 catalog.yaml#5 properties[2].value.all.constraints[0].not.constraints[0].all.constraints[0].any.constraints[0].package bundle=red.v1.0.0`,
		}},
		{"one bundle for all of it", spec("scope: bundle"), "", red(`
	- {type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '1.0.0'}}, {gvk: {group: g.example.com, version: v1beta1, kind: Green}}]}}}
	- {type: olm.constraint, value: {all: {constraints: [{package: {packageName: blue, versionRange: '1.0.0'}}, {not: {constraints: [{package: {packageName: red, versionRange: '>=0.0.0'}}]}}]}}}`), []string{
			`error constraint/unsatisfied`, `warning constraint/scope-differs`,
		}},
		{"a constraint of the cluster", "", certified, red(`- {type: certified, value: true}`), []string{
			`error cluster-constraint/unsatisfied`, `error cluster-constraint/unsatisfied`,
		}},
		{"what is no bundle", "", "", versions + "{}\n---\n[]\n---\nschema: [\n---\napiVersion: v1\nkind: Secret\n---\nschema: olm.bundel\n", []string{
			`error input/invalid`, `error input/invalid`, `error input/invalid`, `error input/invalid`, `error input/invalid`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, outcome := functiontest.RunList(t, FunctionWith(candidatesOf(tc.catalog)), functiontest.List(tc.config, tc.items))
			got := functiontest.Facts(outcome.Findings)
			if len(tc.want) > 0 && strings.Count(tc.want[0], " ") == 1 { // the rules only
				for i, text := range got {
					got[i] = strings.Join(strings.Fields(text)[:2], " ")
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
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
	const catalog = "schema: olm.channel\nname: stable\n---\nschema: olm.bundle\nname: green.v1.0.0\npackage: green\nproperties:\n- {type: olm.gvk, value: {group: g, version: v1, kind: K}}\n---\nschema: olm.bundle\n"
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
