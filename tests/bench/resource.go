package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/krm-packs/functions/tests/bench/generate"
)

// resourceList is a ResourceList of packs whose components ask for CPU and
// memory, twenty requests each, and of a ClusterContext that has enough.
func resourceList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
		fmt.Fprintf(out, poolItem, max(100, packs/10))
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, `    pack.json: |
      {"name": "pack-%04d", "version": "1.4.0", "constraints": {"resources": [
        %s,
        %s,
        {"type": "diskSize", "minLimit": 10}
      ]}}
    values.yaml: |
`,
				n, resourceEntry("cpu"), resourceEntry("memory"))
			for line := range strings.Lines(generate.Values(n)) {
				fmt.Fprint(out, "      ", line)
			}
		}
		return out.Flush()
	}
}

// resourceTextList is the values of these packs, as parse-packs reads them.
func resourceTextList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for n := range packs {
			fmt.Fprint(out, generate.Values(n), "\x00")
		}
		return out.Flush()
	}
}

func resourceEntry(of string) string {
	var parts []string
	for _, name := range generate.Components {
		parts = append(parts, fmt.Sprintf(`{"resourceRequestParamRef": "%[1]s.resources.requests.%[2]s", "replicaCountParamRef": "%[1]s.replicas", "scheduleType": "worker"}`, name, of))
	}
	return fmt.Sprintf(`{"type": %q, "components": [%s]}`, of, strings.Join(parts, ", "))
}

const poolItem = `- apiVersion: packs.kpt.dev/v1alpha1
  kind: ClusterContext
  metadata:
    name: cluster-01
  spec:
    machinePools:
    - name: workers
      role: worker
      size: %d
      capacity:
        cpu: "64"
        memory: 256Gi
        diskSize: 1T
`
