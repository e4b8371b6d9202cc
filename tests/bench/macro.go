package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/krm-packs/functions/tests/bench/generate"
)

// chains is how many chains of macros a pack has, each of chainLength: the
// first link reads the cluster, every other one the link before.
const (
	chains      = 8
	chainLength = 5
)

// macroList is a ResourceList of packs with macros, and the ClusterContext that
// they read.
func macroList(packs int) func(io.Writer) error { return macroPackage(packs, "", macroValues) }

// firstRender is the list of a package with the same packs, whose pipeline resolves macros.
func firstRender(packs int) func(io.Writer) error {
	return macroPackage(packs, kptfileItem, macroValues)
}

// secondRender is the list of this package after a render for another cluster.
func secondRender(packs int) func(io.Writer) error {
	return macroPackage(packs, kptfileItem, renderedValues)
}

// macroPackage is a ResourceList of packs with values, a ClusterContext and another item.
func macroPackage(packs int, other string, macros func(n int) string) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`, other, clusterItem)
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, `    pack.json: |
      {"name": "pack-%04d", "version": "1.4.0"}
    values.yaml: |
`, n)
			for line := range strings.Lines(generate.Values(n) + macros(n)) {
				fmt.Fprint(out, "      ", line)
			}
		}
		return out.Flush()
	}
}

// macroTextList is the values of these packs, as parse-packs reads them.
func macroTextList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for n := range packs {
			fmt.Fprint(out, generate.Values(n)+macroValues(n), "\x00")
		}
		return out.Flush()
	}
}

const clusterItem = `- apiVersion: packs.kpt.dev/v1alpha1
  kind: ClusterContext
  metadata:
    name: cluster-01
  spec:
    system:
      cluster:
        name: cluster-01
`

const kptfileItem = `- apiVersion: kpt.dev/v1
  kind: Kptfile
  metadata:
    name: shop
    annotations:
      internal.config.kubernetes.io/package-path: '/packages/shop'
      internal.config.kubernetes.io/path: 'Kptfile'
  pipeline:
    mutators:
    - image: ghcr.io/krm-packs/resolve-macros:v0.1.0
`

// macroValues are the macros of a pack.
func macroValues(n int) string {
	return chained(n, func(source, _ string) string { return `"` + source + `"` })
}

// renderedValues are the macros of a pack after a render for the cluster old.
func renderedValues(n int) string {
	return chained(n, func(source, result string) string { return `"` + result + `" # kpt-macro: ` + source })
}

func chained(n int, written func(source, result string) string) string {
	var b strings.Builder
	b.WriteString("\nmacros:\n")
	for chain := range chains {
		result := fmt.Sprintf("OLD-%d", n)
		fmt.Fprintf(&b, `  chain%d:
    link0: %s
`, chain, written(fmt.Sprintf("{{ .spectro.system.cluster.name | upper }}-%d", n), result))
		for link := 1; link < chainLength; link++ {
			result += fmt.Sprintf(".%d", link)
			source := fmt.Sprintf("{{ .spectro.pack.pack-%04d.macros.chain%d.link%d }}.%d", n, chain, link-1, link)
			fmt.Fprintf(&b, "    link%d: %s\n", link, written(source, result))
		}
	}
	return b.String()
}
