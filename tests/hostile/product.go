package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/functions/suite"
)

// products are inputs in which each of many things could be compared with each of many others.
var products = slices.Concat(everyCollection(), []input{
	{"overrides of one pack", "validate-pack-values", 2000, 200, false, 0, func(n int) string {
		return list("", overridden(n, "a: 1\n")...)
	}},
	{"overrides of one pack and macros", "resolve-macros", 2000, 200, false, 0, func(n int) string {
		return list("", overridden(n, "a: '{{ .spectro.pack.p.z }}'\n")...)
	}},
	{"overrides of one pack and components", "check-resources", 2000, 200, false, 0, func(n int) string {
		return list("", overridden(n, "a: 1\n")...)
	}},
	{"overrides of one pack and a preset", "apply-preset", 2000, 200, false, 0, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`, overridden(n, "a: 1\n")...)
	}},
	{"many presets of one pack", "apply-preset", 500, 200, false, 5_000_000, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: `+strings.TrimSuffix(each(n, "x%d,"), ",")+"\n",
			pack(packJSON, "values.yaml", each(n, "k%d: 1\n"), "presets.yaml", "presets:\n"+each(n, "- {name: x%d, displayName: x, group: g%[1]d, remove: [], add: \"k%[1]d: 2\"}\n")))
	}},
	{"a preset that adds", "apply-preset", 2000, 200, false, 0, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`,
			pack(packJSON, "values.yaml", each(n, "k%d: {a: 1}\n"), "presets.yaml", `presets:
- name: x
  displayName: x
  add: |
`+each(n, "    k%d: {b: 2}\n")))
	}},
	{"a preset that adds new keys", "apply-preset", 2000, 200, false, 0, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`,
			pack(packJSON, "values.yaml", "z: 1\n", "presets.yaml", `presets:
- name: x
  displayName: x
  add: |
`+each(n, `    k%d:
      b: 2
`)))
	}},
	{"keys next to those that a preset adds", "apply-preset", 2000, 400, false, 30_000_000, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`,
			pack(packJSON, "values.yaml", each(n, "other%d: 1\n"), "presets.yaml", `presets:
- name: x
  displayName: x
  add: |
`+each(n, "    added%d: 1\n")))
	}},
	{"a preset that an earlier version of the suite recorded", "apply-preset", 2000, 200, false, 0, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`,
			recorded(`packs.kpt.dev/applied-presets: '[":x@0123456789ab@1.0.0"]'`,
				pack(packJSON, "values.yaml", each(n, "k%d: 1\n"), "presets.yaml", `presets:
- name: x
  displayName: x
  add: |
`+each(n, "    k%d: 2\n"))))
	}},
	{"packages that each have a preset", "apply-preset", 1000, 100, false, 0, func(n int) string {
		var items []string
		for i := range n {
			items = append(items, fmt.Sprintf(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: k
  annotations:
    internal.config.kubernetes.io/path: d%d/Kptfile
upstreamLock: {git: {commit: c%[1]d}}
`, i),
				recorded(fmt.Sprintf("internal.config.kubernetes.io/path: d%d/p.yaml", i),
					pack(packJSON, "values.yaml", "a: 1\n", "presets.yaml", `presets:
- {name: x, displayName: x, add: "a: 2"}
`)))
		}
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`, items...)
	}},
	{"keys that an earlier version of the suite recorded", "apply-preset", 2000, 200, false, 0, func(n int) string {
		leaves := strings.TrimSuffix(each(n, `"k%d":{"before":"-","after":"01234567"},`), ",")
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`,
			recorded(`packs.kpt.dev/applied-presets: '[":x@0123456789ab@1.0.0"]'
    packs.kpt.dev/preset-leaves: '{":x@0123456789ab@1.0.0":{"leaves":{`+leaves+`}}}'`,
				pack(packJSON, "values.yaml", "k: 1\n", "presets.yaml", `presets:
- name: x
  displayName: x
  add: |
    n: 2
`)))
	}},
	{"pools and packs", "check-resources", 500, 100, false, 0, func(n int) string {
		return list(config("CheckResources", "machinePools:\n"+each(n, "- {name: p%d, role: worker, size: 1, capacity: {cpu: \"1\", memory: 1Gi, diskSize: 1Gi}}\n")), requesting(n)...)
	}},
	{"pools that are too small for packs", "check-resources", 500, 100, false, 0, func(n int) string {
		return list(config("CheckResources", "machinePools:\n"+each(n, "- {name: p%d, role: worker, size: 1, capacity: {cpu: 1m, memory: 1Gi, diskSize: 1Gi}}\n")), requesting(n)...)
	}},
	{"dependencies on unknown packs", "check-dependencies", 2000, 100, false, 0, func(n int) string {
		packs := make([]string, n)
		for i := range packs {
			packs[i] = pack(fmt.Sprintf(`{"name":"some-pack-%d","version":"1.0.0","layer":"addon","constraints":{"dependencies":[{"packName":"other-pack-%d","type":"required"}]}}`, i, i))
		}
		return list("", packs...)
	}},
	{"dependencies on packs with long names", "check-dependencies", 4000, 1000, false, 0, func(n int) string {
		packs := make([]string, n)
		for i := range packs {
			packs[i] = pack(fmt.Sprintf(`{"name":"p%d","version":"1.0.0","constraints":{"dependencies":[{"packName":"a-name-of-another-length-%d","type":"required"}]}}`, i, i))
		}
		return list("", packs...)
	}},
	{"lists and keys below their elements", "validate-pack-values", 1000, 50, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", "a:\n"+strings.Repeat("- [1, 1, 1, 1]\n", n), "schema.yaml", each(n, "a.$[].$[].x%d: {schema: '{{ format \"${string}\" }}'}\n")))
	}},
	{"keys and required keys that are missing", "validate-pack-values", 5000, 100, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", each(n, "k%d: 1\n"), "schema.yaml", each(n, "z%d: {schema: '{{ required | format \"${number}\" }}'}\n")))
	}},
	{"a pattern for each element of a list", "validate-pack-values", 10_000, 5, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", "a:\n"+strings.Repeat("- "+strings.Repeat("a", 40)+"\n", n),
			"schema.yaml", "a.$[]: {schema: '{{ format \"${string:/((a?){30}){30}b/}\" }}'}\n"))
	}},
	{"targets that select a repository each", "expand-variant-set", 1000, 200, false, 0, func(n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: r%d
  labels: {id: "%[1]d"}
`, i)
		}
		return list("", append(items, `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: s
spec:
  upstream: {repo: a, package: b, revision: v1}
  targets:
`+
			each(n, `  - repositorySelector: {matchLabels: {id: "%d"}}
    template: {downstream: {package: d%[1]d}}
`))...)
	}},
	{"repositories that targets select", "expand-variant-set", 400, 400, false, 10_000_000, func(n int) string {
		repositories := make([]string, n)
		for i := range repositories {
			repositories[i] = fmt.Sprintf(`apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: r%d
  labels: {a: b}
`, i)
		}
		return list("", append(repositories, `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: s
spec:
  upstream: {repo: a, package: b, revision: v1}
  targets:
`+
			each(n, `  - repositorySelector: {matchLabels: {a: b}}
    template: {downstream: {package: d%d}}
`))...)
	}},
})

// overridden is a pack with as many overrides of its values.
func overridden(n int, values string) []string {
	items := []string{pack(`{"name":"p","version":"1.0.0","layer":"addon","constraints":{"resources":[{"type":"cpu","components":[{"resourceRequestParamRef":"z","scheduleType":"worker"}]}]}}`,
		"values.yaml", values+"z: 1\n", "schema.yaml", "z: {schema: '{{ format \"${number}\" }}'}\n", "presets.yaml", `presets:
- name: x
  displayName: x
  add: "z: 2"
`)}
	for i := range n {
		items = append(items, fmt.Sprintf(`apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: o%d
spec:
  packRef: {name: p}
  values: {k%[1]d: 1}
`, i))
	}
	return items
}

// recorded is a pack with annotations.
func recorded(annotations, pack string) string {
	return strings.Replace(pack, "metadata:\n", `metadata:
  annotations:
    `+annotations+"\n", 1)
}

// requesting are packs that each request some CPU.
func requesting(n int) []string {
	items := make([]string, n)
	for i := range items {
		items[i] = pack(fmt.Sprintf(`{"name":"p%d","version":"1.0.0","layer":"addon","constraints":{"resources":[{"type":"cpu","minimumRequirement":2,"components":[{"resourceRequestParamRef":"r","scheduleType":"worker"}]}]}}`, i), "values.yaml", "r: 10m\n")
	}
	return items
}

// everyCollection are all functions over lists in which all collections of a pack and of a set grow
// together.
func everyCollection() (all []input) {
	text := func(config string) func(n int) string {
		return func(n int) string {
			parts, set := map[string]string{}, ""
			for _, one := range ofPack {
				for name, part := range one.files(n) {
					parts[name] += part
				}
			}
			files := packOf(parts)
			var ofPack []string
			for _, path := range slices.Sorted(maps.Keys(files)) {
				if name := strings.TrimPrefix(path, "p/"); name != "pack.json" {
					ofPack = append(ofPack, name, files[path])
				}
			}
			for _, one := range ofSet {
				set += one.files(n)["list"]
			}
			items := strings.Split(strings.TrimPrefix(set, "---\n"), "---\n")
			return list(config, append(items, pack(files["p/pack.json"], ofPack...))...)
		}
	}
	for _, f := range suite.All() {
		config, size, most := "", 20, int64(0)
		switch f.Name {
		case "apply-preset":
			config = `apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: preset0
`
		case "check-dependencies": // names are compared with all others, up to a number of comparisons
			size, most = 320, 50_000_000
		}
		all = append(all, input{"every: " + f.Name, f.Name, 1000, size, false, most, text(config)})
	}
	return all
}
