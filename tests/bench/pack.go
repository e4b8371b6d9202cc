package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/krm-packs/functions/tests/bench/generate"
)

// packList is a ResourceList of packs, each the ConfigMap of its files.
func packList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			for _, file := range []struct{ name, text string }{
				{
					"pack.json",
					fmt.Sprintf(`{
  "name": "pack-%04d",
  "version": "1.4.%d",
  "layer": "addon"
}
`, n, n%20),
				},
				{"values.yaml", generate.Values(n)},
				{"schema.yaml", generate.Schema(n % generate.Schemas)},
			} {
				fmt.Fprintf(out, "    %s: |\n", file.name)
				for line := range strings.Lines(file.text) {
					fmt.Fprint(out, "      ", line)
				}
			}
		}
		return out.Flush()
	}
}

// packTexts is the values of these packs and their distinct schemas, as
// parse-packs reads them.
func packTexts(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for n := range packs {
			fmt.Fprint(out, generate.Values(n), "\x00")
		}
		for n := range min(packs, generate.Schemas) {
			fmt.Fprint(out, generate.Schema(n), "\x00")
		}
		return out.Flush()
	}
}

const packHead = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: pack-%04[1]d
    annotations:
      config.kubernetes.io/local-config: "true"
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'packs/pack-%04[1]d.yaml'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/package-path: '/packages/shop'
      internal.config.kubernetes.io/path: 'packs/pack-%04[1]d.yaml'
      internal.config.kubernetes.io/seqindent: 'compact'
  data:
`

// editedValues are values of a pack as the program upgrade reads them: before, edited by the
// user, and in the newer version.
func editedValues(keys int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for n := range keys {
			fmt.Fprintf(out, "%d %d %d\n", n, n+1, n+n%2)
		}
		return out.Flush()
	}
}
