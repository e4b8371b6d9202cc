package main

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	lists "github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// catalogs are catalogs of OLM, which others wrote.
var catalogs = []work{
	{name: "objects in JSON", size: 20_000, prepare: func(n int) func() {
		return split(strings.Repeat(`{"schema": "olm.bundle", "name": "\"{"}`+"\n", n), n)
	}},
	{name: "objects in JSON that are not closed", size: 20_000, prepare: func(n int) func() {
		return split(strings.Repeat("{\"a\": ", n), 1)
	}},
	{name: "what may be objects in JSON", size: 1000, prepare: func(n int) func() {
		return split(strings.Repeat(strings.Repeat(" ", 500)+"{\n", n), 1)
	}},
	{name: "marks of documents", size: 20_000, prepare: func(n int) func() {
		return split(strings.Repeat("---\n...\n", n), 0)
	}},
	{name: "candidates of one package that require another version", size: 500, prepare: func(n int) func() {
		return candidates(n, `package: a
properties:
- {type: olm.package.required, value: {packageName: a, versionRange: '>%[1]d.0.0 <%[1]d.0.0'}}
`)
	}},
	{name: "candidates that require what none is", size: 500, prepare: func(n int) func() {
		return candidates(n, `package: a%[1]d
properties:
- {type: olm.package.required, value: {packageName: b%[1]d, versionRange: '>0.0.0'}}
- {type: olm.gvk.required, value: {group: g%[1]d, version: v1, kind: K}}
`)
	}},
	{name: "candidates that exclude what others are", size: 500, prepare: func(n int) func() {
		return candidates(n, `package: a%[1]d
properties:
- type: olm.constraint
  value: {all: {constraints: [{package: {packageName: a0, versionRange: '>=0.0.0'}}, {not: {constraints: [{package: {packageName: a%[1]d, versionRange: '>=0.0.0'}}]}}]}}
`)
	}},
}

// split reads the documents of a text.
func split(text string, want int) func() {
	return func() { must(len(packfntest.Documents(text)) == want) }
}

// candidates checks the bundles of a catalog, whose text has their numbers.
func candidates(n int, format string) func() {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `---
schema: olm.bundle
name: x.v%[1]d.0.0
`+format, i)
	}
	all := packfntest.Documents(b.String())
	with := dependency.With{Candidates: &dependency.Candidates{
		Candidates: constraint.Candidates{Elsewhere: diag.Info},
		Catalogs: func(yield func(dependency.CatalogDocument) bool) {
			for i, d := range all {
				if !yield(dependency.CatalogDocument{Document: d, File: "catalog.yaml", Index: i}) {
					return
				}
			}
		},
	}}
	return func() {
		must(len(function.Evaluate(dependency.FunctionWith(with), &lists.List{}).Findings) > 0)
	}
}
