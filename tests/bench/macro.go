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
func macroList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n", clusterItem)
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, "    pack.json: |\n      {\"name\": \"pack-%04d\", \"version\": \"1.4.0\"}\n    values.yaml: |\n", n)
			for line := range strings.Lines(generate.Values(n) + macroValues(n)) {
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

// macroValues are the macros of a pack.
func macroValues(n int) string {
	var b strings.Builder
	b.WriteString("\nmacros:\n")
	for chain := range chains {
		fmt.Fprintf(&b, "  chain%d:\n    link0: \"{{ .spectro.system.cluster.name | upper }}-%d\"\n", chain, n)
		for link := 1; link < chainLength; link++ {
			fmt.Fprintf(&b, "    link%d: \"{{ .spectro.pack.pack-%04d.macros.chain%d.link%d }}.%d\"\n", link, n, chain, link-1, link)
		}
	}
	return b.String()
}
