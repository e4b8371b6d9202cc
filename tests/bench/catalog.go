package main

import (
	"bufio"
	"fmt"
	"io"
)

// catalogVersions is how many versions the catalog of a package has.
const catalogVersions = 10_000

// dependencyList is a ResourceList of packs that all require one pack, which is
// too old, with a catalog of its versions or without one.
func dependencyList(packs int, catalog bool) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: CheckDependencies
  metadata:
    name: check
  spec:
    severity:
      dependency/below-min: warning
`)
		if catalog {
			fmt.Fprint(out, "    catalog: |\n")
			for n := range catalogVersions {
				for _, line := range catalogDocument(n) {
					fmt.Fprint(out, "      ", line, "\n")
				}
			}
		}
		fmt.Fprint(out, "items:\n")
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, `    pack.json: |
      {"name": "pack-%04d", "version": "1.4.0", "constraints": {"dependencies": [
        {"packName": "core", "minVersion": "1.%d.0", "maxVersion": "40.%d", "type": "required"}
      ]}}
`, n, 1+n%50, n%40)
		}
		fmt.Fprintf(out, packHead, packs)
		fmt.Fprint(out, `    pack.json: |
      {"name": "core", "version": "1.0.0"}
`)
		return out.Flush()
	}
}

// catalogTexts is the documents of the catalog, as parse-packs reads them.
func catalogTexts(w io.Writer) error {
	out := bufio.NewWriter(w)
	for n := range catalogVersions {
		for _, line := range catalogDocument(n)[1:] {
			fmt.Fprint(out, line, "\n")
		}
		fmt.Fprint(out, "\x00")
	}
	return out.Flush()
}

// catalogDocument is the lines of one document: a pack or a bundle.
func catalogDocument(n int) []string {
	version := fmt.Sprintf("%d.%d.%d", n%100, n/100%10, n/1000)
	if n%2 == 0 {
		return []string{"---", "name: core", "version: " + version, "layer: addon"}
	}
	return []string{
		"---", "schema: olm.bundle", "name: core.v" + version, "package: core", "properties:",
		"- type: olm.package", "  value: {packageName: core, version: " + version + "}",
	}
}
