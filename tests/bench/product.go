package main

import (
	"bufio"
	"fmt"
	"io"
)

const listHead = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`

// warningHead returns the head of a list in which errors of a rule are warnings, because a
// program that fails is not measured.
func warningHead(rule string) string {
	return `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: c
  data:
    severity: ` + rule + `=warning
items:
`
}

// overrideList is a ResourceList of one pack with many overrides.
func overrideList(overrides int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, listHead)
		fmt.Fprintf(out, packHead, 0)
		fmt.Fprint(out, `    pack.json: '{"name": "pack-0000", "version": "1.4.0"}'
    values.yaml: 'z: 1'
    schema.yaml: 'z: {schema: ''{{ format "${number}" }}''}'
`)
		for n := range overrides {
			fmt.Fprintf(out, `- apiVersion: packs.kpt.dev/v1alpha1
  kind: PackValues
  metadata:
    name: o%d
  spec:
    packRef: {name: pack-0000}
    values: {k%[1]d: 1}
`, n)
		}
		return out.Flush()
	}
}

// poolList is a ResourceList of packs that each request CPU, and of as many pools.
func poolList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, warningHead("resources/insufficient"), `- apiVersion: packs.kpt.dev/v1alpha1
  kind: ClusterContext
  metadata:
    name: cluster-01
  spec:
    machinePools:
`)
		for n := range packs {
			fmt.Fprintf(out, "    - {name: p%d, role: worker, size: 1, capacity: {cpu: 1m, memory: 1Gi, diskSize: 1Gi}}\n", n)
		}
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, `    pack.json: '{"name": "pack-%04d", "version": "1.4.0", "constraints": {"resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "r", "scheduleType": "worker"}]}]}}'
    values.yaml: 'r: 10m'
`, n)
		}
		return out.Flush()
	}
}

// missingList is a ResourceList of packs that each require one that is not there.
func missingList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, warningHead("dependency/missing"))
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, "    pack.json: '{\"name\": \"pack-%04d\", \"version\": \"1.4.0\", \"constraints\": {\"dependencies\": [{\"packName\": \"a-pack-with-a-long-name-%04[1]d\", \"type\": \"required\"}]}}'\n", n)
		}
		return out.Flush()
	}
}

// addingList is a ResourceList of one pack with a preset that adds many keys.
func addingList(keys int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: c
  data:
    pack-0000: x
items:
`)
		fmt.Fprintf(out, packHead, 0)
		fmt.Fprint(out, `    pack.json: '{"name": "pack-0000", "version": "1.4.0"}'
    values.yaml: 'z: 1'
    presets.yaml: |
      presets:
      - name: x
        displayName: x
        add: |
`)
		for n := range keys {
			fmt.Fprintf(out, `          key%d:
            b: 2
`, n)
		}
		return out.Flush()
	}
}

// matchingList is a ResourceList of one pack with a regex that Go must track in many states,
// over many values.
func matchingList(elements int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, warningHead("values/format"))
		fmt.Fprintf(out, packHead, 0)
		fmt.Fprint(out, `    pack.json: '{"name": "pack-0000", "version": "1.4.0"}'
    schema.yaml: 'z.$[]: {schema: ''{{ format "${string:/((a?){30}){30}b/}" }}''}'
    values.yaml: |
      z:
`)
		for range elements {
			fmt.Fprint(out, "      - aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n")
		}
		return out.Flush()
	}
}

// crossedList is a ResourceList of a PackageVariantSet with as many targets as there are
// Repositories, each of which selects one of them by its label.
func crossedList(targets int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, listHead, `- apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata: {name: s}
  spec:
    upstream: {repo: a, package: b, workspaceName: v1}
    targets:
`)
		for n := range targets {
			fmt.Fprintf(out, `    - repositorySelector: {matchLabels: {id: "%d"}}
      template: {downstream: {package: p%[1]d}}
`, n)
		}
		for n := range targets {
			fmt.Fprintf(out, `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: Repository
  metadata: {name: r%d, labels: {id: "%[1]d"}}
`, n)
		}
		return out.Flush()
	}
}
