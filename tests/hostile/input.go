package main

import (
	"fmt"
	"strings"
)

// input is a hostile list: its text at a size, which counts what makes it expensive.
type input struct {
	name, function string
	// size is the smaller one of two that are measured. It is large enough to see what grows.
	size int
	// counted is the smallest one of three at which statements are counted.
	counted int
	// isExponent is true if the next size is the size plus one. Otherwise it is twice the size.
	isExponent bool
	// most is how many steps the smallest size may take. With it, growth is not checked: what
	// grows ends at a limit.
	most int64
	text func(n int) string
}

// next is the size at which an input is twice as expensive.
func (in input) next(size int) int {
	if in.isExponent {
		return size + 1
	}
	return 2 * size
}

var inputs = []input{
	// One key of a schema finds 2 to the power of n values. What is written allows so many.
	{"aliases", "validate-pack-values", 14, 10, true, 0, func(n int) string {
		var values, dollars strings.Builder
		values.WriteString("written: [" + strings.Repeat("x, ", 1000) + "]\n")
		values.WriteString("a0: &a0 [x, x]\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&values, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
		}
		dollars.WriteString(strings.Repeat(".$[]", n-1))
		return list("", pack(packJSON, "values.yaml", values.String(), "schema.yaml", fmt.Sprintf("a%d%s: {schema: '{{ format \"${number}\" }}'}\n", n-1, dollars.String())))
	}},
	{"keys of lists that are missing", "validate-pack-values", 5000, 125, false, 0, func(n int) string {
		schema := each(5, "a.$[].b.$[].c%d: {schema: '{{ required }}'}\n")
		return list("", pack(packJSON, "values.yaml", "a:\n"+strings.Repeat("- b: [1, 2, 3]\n", n), "schema.yaml", schema))
	}},
	{"hints in each finding", "validate-pack-values", 10_000, 250, false, 0, func(n int) string {
		schema := `a.$[]: {schema: '{{ format "${number}" | hints "` + strings.Repeat("h", 30_000) + "\" }}'}\n"
		return list("", pack(packJSON, "values.yaml", "a:\n"+each(n, "- x%d\n"), "schema.yaml", schema))
	}},
	{"findings in each element of a list", "validate-pack-values", 50_000, 1250, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", "a:\n"+strings.Repeat("- x\n", n), "schema.yaml", "a.$[]: {schema: '{{ format \"${number}\" }}'}\n"))
	}},
	{"findings at different keys", "validate-pack-values", 10_000, 250, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", "", "schema.yaml", each(n, "key%d: {schema: '{{ required }}'}\n")))
	}},
	{"keys that the values do not have", "validate-pack-values", 1000, 1000, false, 120_000_000, func(n int) string {
		return list(config("ValidatePackValues", "unknownKeys: warning\n"),
			pack(packJSON, "values.yaml", each(n, "somevaluekey%d: 1\n"), "schema.yaml", each(n, "othervaluekey%d: {schema: '{{ required }}'}\n")))
	}},
	{"keys that a chart does not read", "validate-pack-values", 1000, 60, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", `charts:
  c:
`+indented(indented(each(n, "key%d: 1\n"))), "chart-facts.yaml", `charts:
  c:
    reads:
`+indented(indented(indented(each(n, "read%d:\n"))))))
	}},
	{"charts that read keys at the root", "validate-pack-values", 1000, 250, false, 0, func(n int) string {
		facts := "charts:\n"
		for i := range n {
			facts += fmt.Sprintf("  c%d: {kubeVersion: '>=2', reads: {key%d: }}\n", i, i)
		}
		return list("", pack(packJSON, "values.yaml", each(n, "key%d: 1\n")+each(n, "charts.c%d.x: 1\n")+"charts:\n"+each(n, "  d%d: {}\n"), "chart-facts.yaml", facts),
			`apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c
spec:
  system:
    kubernetes.version: 1.30.0
`)
	}},
	{"keys that the schema does not have", "validate-pack-values", 4000, 250, false, 0, func(n int) string {
		return list(config("ValidatePackValues", "unknownKeys: warning\n"),
			pack(packJSON, "values.yaml", each(n, "key%d: 1\n"), "schema.yaml", each(n, "key%d: {schema: '{{ format \"${number}\" }}'}\n")))
	}},
	{"keys of the schema that no values have", "validate-pack-values", 4000, 250, false, 0, func(n int) string {
		return list(config("ValidatePackValues", "unknownKeys: warning\n"),
			pack(packJSON, "values.yaml", each(n, "key%d: 1\n"), "schema.yaml", each(n, "%d: {schema: '{{ format \"${number}\" }}'}\n")))
	}},
	{"keys that presets add", "validate-pack-values", 4000, 250, false, 0, func(n int) string {
		return list(config("ValidatePackValues", "unknownKeys: warning\n"),
			pack(packJSON, "values.yaml", "a: 1\n", "schema.yaml", each(n, "key%d: {schema: '{{ format \"${number}\" }}'}\n"),
				"presets.yaml", `presets:
- name: x
  displayName: x
  add:
`+indented(indented(each(n, "key%d: 1\n")))))
	}},
	{"ambiguous scalars", "check-dependencies", 50_000, 1250, false, 0, func(n int) string {
		return list("", `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c
spec:
  variables:
`+indented(indented(each(n, "V%d: on\n"))))
	}},
	{"a long name", "validate-pack-values", 1 << 20, 1 << 12, false, 0, func(n int) string {
		return list(config("ValidatePackValues", "packs: ["+strings.Repeat("b", n)+"]\n"), pack(`{"name":"`+strings.Repeat("a", n)+`","version":"1.0.0","layer":"addon"}`))
	}},
	{"unknown fields of the configuration", "validate-pack-values", 10_000, 60, false, 0, func(n int) string {
		return list(config("ValidatePackValues", each(n, "pack%d: x\n")), pack(packJSON))
	}},
	{"unknown names in the configuration", "validate-pack-values", 4000, 600, false, 200_000_000, unknownNames},
	{"unknown names below the limits of a comparison", "validate-pack-values", 1000, 200, false, 50_000_000, unknownNames},
	{"merges of merges", "validate-pack-values", 14, 10, true, 0, func(n int) string {
		var spec strings.Builder
		spec.WriteString("a0: &a0 {packs: 1, unknownKey: 1}\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&spec, "a%d: &a%d {<<: [*a%d, *a%d]}\n", i, i, i-1, i-1)
		}
		fmt.Fprintf(&spec, "<<: *a%d\n", n-1)
		return list(config("ValidatePackValues", spec.String()), pack(packJSON))
	}},
	{"pools without anything", "check-resources", 5000, 125, false, 0, func(n int) string {
		return list(config("CheckResources", "machinePools:\n"+strings.Repeat("- {}\n", n)), pack(packJSON))
	}},
	{"pools of unknown types", "check-resources", 4000, 600, false, 160_000_000, func(n int) string {
		return list(config("CheckResources", "machinePools:\n"+each(n, "- {name: p%d, role: worker, size: 1, instanceType: sometype%[1]d}\n")+
			"instanceTypes:\n"+each(n, "- {name: othertype%d, capacity: {cpu: \"1\"}}\n")), pack(packJSON))
	}},
	{"references to nothing", "check-resources", 3000, 300, false, 160_000_000, func(n int) string {
		components := strings.TrimSuffix(each(n, `{"resourceRequestParamRef":"some.path.request%d","scheduleType":"worker"},`), ",")
		return list(config("CheckResources", `machinePools:
- {name: w, role: worker, size: 1, capacity: {cpu: "1", memory: 1Gi, diskSize: 1Gi}}
`),
			pack(`{"name":"p","version":"1.0.0","layer":"addon","constraints":{"resources":[{"type":"cpu","components":[`+components+`]}]}}`,
				"values.yaml", each(n, "other%d: {path: {request: 1}}\n")))
	}},
	{"a preset that removes", "apply-preset", 1000, 100, false, 0, func(n int) string {
		removed := strings.TrimSuffix(each(n, "k%d.a,"), ",")
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
  remove: [`+removed+`]
  add: "z: 1"
`))
	}},
	{"an expensive expression", "expand-variant-set", 1000, 25, false, 0, func(n int) string {
		const ten = "[1,2,3,4,5,6,7,8,9,10]"
		return list("", `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: s
spec:
  upstream: {repo: a, package: b, revision: v1}
  targets:
  - repositories:
`+
			each(n, "    - {name: r%d}\n")+`    template:
      downstream: {packageExpr: "`+ten+".map(a,"+ten+".map(b,"+ten+`.map(c, target.repo + string(a*b*c)).join('')).join('')).join('').substring(0,5) + repoDefault"}
`)
	}},
	{"a huge pattern on a long text", "check-dependencies", 200_000, 20_000, false, 2_000_000, func(n int) string {
		return list("", pack(packJSON, "properties.yaml", `properties:
- {type: t, value: `+strings.Repeat("a", n)+"}\n",
			"dependencies.yaml", `dependencies:
- {type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.value.matches("((a?){30}){30}b0"))'}}}
`))
	}},
	{"results of earlier functions", "validate-pack-values", 20_000, 500, false, 0, func(n int) string {
		return list("", pack(packJSON)) + "results:\n" + strings.Repeat(`- message: 'registry.port: got 70000'
  severity: warning
  tags:
    rule: values/format
`, n)
	}},
	{"accepted findings", "validate-pack-values", 5000, 100, false, 0, func(n int) string {
		annotations := `  annotations:
    packs.kpt.dev/accept: |
` + each(n, "      values/required key%d: not used\n")
		text := pack(packJSON, "values.yaml", "", "schema.yaml", each(n, "key%d: {schema: '{{ required }}'}\n"))
		return list("", strings.Replace(text, "  name: p\n", "  name: p\n"+annotations, 1))
	}},
}

// waiting are injection points that wait in n packages, with as many packs as these may be
// for.
var waiting = []input{
	{"values that wait", "validate-pack-values", 1000, 50, false, 0, func(n int) string {
		return list("", points(n, "packs.kpt.dev/v1alpha1", "PackValues", "")...)
	}},
	{"values that wait, and macros", "resolve-macros", 1000, 50, false, 0, func(n int) string {
		return list("", points(n, "packs.kpt.dev/v1alpha1", "PackValues", "{packRef: {name: p}}")...)
	}},
	{"packs that wait", "check-dependencies", 1000, 50, false, 0, func(n int) string {
		return list("", points(n, "packs.kpt.dev/v1alpha1", "Pack", "")...)
	}},
	{"manifests that wait", "select-implementations", 1000, 50, false, 0, func(n int) string {
		return list("", points(n, "ocf.capact.io/v1alpha1", "TypeInstance", "")...)
	}},
}

// points are n packages with an injection point and a pack each.
func points(n int, version, kind, spec string) []string {
	var items []string
	for i := range n {
		const stored = `  annotations:
    internal.config.kubernetes.io/package-path: /p%d
    config.kubernetes.io/path: %s
`
		items = append(items,
			fmt.Sprintf(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p%d
`+stored, i, i, "Kptfile"),
			fmt.Sprintf("apiVersion: "+version+`
kind: `+kind+`
metadata:
  name: point%d
`+stored+`    kpt.dev/config-injection: required
spec: %s
`, i, i, "a.yaml", spec),
			fmt.Sprintf(`apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: q%d
`+stored+`spec:
  values: {x: '{{ .spectro.pack.q0.x }}{{ .spectro.pack.none.x }}'}
`, i, i, "b.yaml"))
	}
	return items
}

// manyFindings have a finding in each line of their values.
var manyFindings = []input{
	{"duplicate keys", "validate-pack-values", 100_000, 500, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", strings.Repeat("key: 1\n", n)))
	}},
	{"duplicate keys and macros", "resolve-macros", 100_000, 500, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", strings.Repeat("key: 1\n", n)))
	}},
	{"duplicate keys and components", "check-resources", 100_000, 500, false, 0, func(n int) string {
		return list("", pack(`{"name":"p","version":"1.0.0","layer":"addon","constraints":{"resources":[{"type":"cpu","components":[{"resourceRequestParamRef":"key"}]}]}}`,
			"values.yaml", strings.Repeat("key: 1\n", n)))
	}},
	{"duplicate keys and a preset", "apply-preset", 100_000, 500, false, 0, func(n int) string {
		return list(`apiVersion: v1
kind: ConfigMap
metadata:
  name: c
data:
  p: x
`,
			pack(packJSON, "values.yaml", strings.Repeat("key: 1\n", n), "presets.yaml", `presets:
- name: x
  displayName: x
  add: "z: 1"
`))
	}},
	{"different duplicate keys", "validate-pack-values", 100_000, 500, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", each(n/2, `key%d: 1
key%[1]d: 1
`)))
	}},
	{"unknown macros", "resolve-macros", 100_000, 250, false, 0, func(n int) string {
		return list("", pack(packJSON, "values.yaml", each(n, "key%d: \"{{ .spectro.x }}\"\n")))
	}},
}

// noFindings has as many lines of values without a fault.
var noFindings = input{"no findings", "validate-pack-values", 100_000, 2500, false, 0, func(n int) string {
	return list("", pack(packJSON, "values.yaml", each(n, "key%d: 1\n")))
}}

// unknownNames has as many names that no pack has as packs.
func unknownNames(n int) string {
	var packs []string
	for i := range n {
		packs = append(packs, pack(fmt.Sprintf(`{"name":"some-pack-%d","version":"1.0.0","layer":"addon"}`, i)))
	}
	return list(config("ValidatePackValues", "packs:\n"+each(n, "- other-pack-%d\n")), packs...)
}

const packJSON = `{"name":"p","version":"1.0.0","layer":"addon"}`

// each repeats a line with the numbers from 0.
func each(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

// config is a functionConfig of a kind.
func config(kind, spec string) string {
	return `apiVersion: fn.kpt.dev/v1alpha1
kind: ` + kind + `
metadata:
  name: c
spec:
` + indented(spec)
}

// pack is a ConfigMap with a pack.json and further files, by name and text.
func pack(json string, files ...string) string {
	text := `apiVersion: v1
kind: ConfigMap
metadata:
  name: p
data:
  pack.json: |
    ` + json + "\n"
	for at := 0; at < len(files); at += 2 {
		text += "  " + files[at] + ": |\n" + indented(indented(files[at+1]))
	}
	return text
}

// list is a ResourceList.
func list(config string, items ...string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
`)
	if config != "" {
		b.WriteString("functionConfig:\n" + indented(config))
	}
	b.WriteString("items:\n")
	for _, item := range items {
		b.WriteString("- " + strings.TrimPrefix(indented(item), "  "))
	}
	return b.String()
}

func indented(text string) string {
	if text == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
