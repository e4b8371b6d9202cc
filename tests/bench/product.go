package main

import (
	"bufio"
	"fmt"
	"io"
)

const listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"

// warningHead returns the head of a list in which errors of a rule are warnings, because a
// program that fails is not measured.
func warningHead(rule string) string {
	return "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c\n  data:\n    severity: " + rule + "=warning\nitems:\n"
}

// overrideList is a ResourceList of one pack with many overrides.
func overrideList(overrides int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, listHead)
		fmt.Fprintf(out, packHead, 0)
		fmt.Fprint(out, "    pack.json: '{\"name\": \"pack-0000\", \"version\": \"1.4.0\"}'\n    values.yaml: 'z: 1'\n    schema.yaml: 'z: {schema: ''{{ format \"${number}\" }}''}'\n")
		for n := range overrides {
			fmt.Fprintf(out, "- apiVersion: packs.kpt.dev/v1alpha1\n  kind: PackValues\n  metadata:\n    name: o%d\n  spec:\n    packRef: {name: pack-0000}\n    values: {k%[1]d: 1}\n", n)
		}
		return out.Flush()
	}
}

// poolList is a ResourceList of packs that each request CPU, and of as many pools.
func poolList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, warningHead("resources/insufficient"), "- apiVersion: packs.kpt.dev/v1alpha1\n  kind: ClusterContext\n  metadata:\n    name: cluster-01\n  spec:\n    machinePools:\n")
		for n := range packs {
			fmt.Fprintf(out, "    - {name: p%d, role: worker, size: 1, capacity: {cpu: 1m, memory: 1Gi, diskSize: 1Gi}}\n", n)
		}
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			fmt.Fprintf(out, "    pack.json: '{\"name\": \"pack-%04d\", \"version\": \"1.4.0\", \"constraints\": {\"resources\": [{\"type\": \"cpu\", \"components\": [{\"resourceRequestParamRef\": \"r\", \"scheduleType\": \"worker\"}]}]}}'\n    values.yaml: 'r: 10m'\n", n)
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
		fmt.Fprint(out, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c\n  data:\n    pack-0000: x\nitems:\n")
		fmt.Fprintf(out, packHead, 0)
		fmt.Fprint(out, "    pack.json: '{\"name\": \"pack-0000\", \"version\": \"1.4.0\"}'\n    values.yaml: 'z: 1'\n    presets.yaml: |\n      presets:\n      - name: x\n        displayName: x\n        add: |\n")
		for n := range keys {
			fmt.Fprintf(out, "          key%d:\n            b: 2\n", n)
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
		fmt.Fprint(out, "    pack.json: '{\"name\": \"pack-0000\", \"version\": \"1.4.0\"}'\n    schema.yaml: 'z.$[]: {schema: ''{{ format \"${string:/((a?){30}){30}b/}\" }}''}'\n    values.yaml: |\n      z:\n")
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
		fmt.Fprint(out, listHead, "- apiVersion: config.porch.kpt.dev/v1alpha2\n  kind: PackageVariantSet\n  metadata: {name: s}\n  spec:\n    upstream: {repo: a, package: b, workspaceName: v1}\n    targets:\n")
		for n := range targets {
			fmt.Fprintf(out, "    - repositorySelector: {matchLabels: {id: \"%d\"}}\n      template: {downstream: {package: p%[1]d}}\n", n)
		}
		for n := range targets {
			fmt.Fprintf(out, "- apiVersion: config.porch.kpt.dev/v1alpha1\n  kind: Repository\n  metadata: {name: r%d, labels: {id: \"%[1]d\"}}\n", n)
		}
		return out.Flush()
	}
}
