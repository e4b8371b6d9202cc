package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/cli"
)

// A collection is something of which an input can hold many. Work that compares each of one
// collection with each of another one is a product, which no limit of sizes bounds, so for each two
// collections of one input both grow together.
type collection struct {
	name string
	// files are the texts that n of them add to files, by the names of the files.
	files func(n int) map[string]string
}

// ofPack are the collections of a pack directory.
var ofPack = []collection{
	{"keys", func(n int) map[string]string { return map[string]string{"values.yaml": each(n, "key%d: 1\n")} }},
	{"keys in a map", func(n int) map[string]string {
		return map[string]string{"values.yaml": "map:\n" + indented(each(n, "key%d: text\n"))}
	}},
	{"maps in a list", func(n int) map[string]string {
		return map[string]string{"values.yaml": "list:\n" + each(n, "- {name: n%d, port: 1}\n")}
	}},
	{"lists in a list", func(n int) map[string]string {
		return map[string]string{"values.yaml": "lists:\n" + strings.Repeat("- [1, 1]\n", n)}
	}},
	{"charts", func(n int) map[string]string {
		return map[string]string{"values.yaml": "charts:\n" + each(n, "  chart%d: {image: a/b:1}\n")}
	}},
	{"macros", func(n int) map[string]string {
		return map[string]string{"values.yaml": each(n, "macro%d: '{{ .spectro.pack.p.end }}'\n")}
	}},
	{"comments", func(n int) map[string]string {
		return map[string]string{"values.yaml": strings.Repeat("# a comment\n", n)}
	}},
	{"duplicate keys", func(n int) map[string]string {
		return map[string]string{"values.yaml": strings.Repeat("twice: 1\n", n)}
	}},
	{"entries of the schema", func(n int) map[string]string {
		return map[string]string{"schema.yaml": each(n, "key%d: {schema: '{{ format \"${number}\" }}'}\n")}
	}},
	{"required keys that are missing", func(n int) map[string]string {
		return map[string]string{"schema.yaml": each(n, "missing%d: {schema: '{{ required }}'}\n")}
	}},
	{"read-only keys", func(n int) map[string]string {
		return map[string]string{"schema.yaml": each(n, "map.key%d: {schema: '{{ readonly }}'}\n")}
	}},
	{"keys below lists", func(n int) map[string]string {
		return map[string]string{"schema.yaml": each(n, "list.$[].key%d: {schema: '{{ format \"${number}\" }}'}\nlists.$[].$[].key%[1]d: {schema: '{{ format \"${string}\" }}'}\n")}
	}},
	{"presets", func(n int) map[string]string {
		return map[string]string{"presets.yaml": each(n, "- {name: preset%d, displayName: x, group: g%[1]d, remove: [], add: \"key%[1]d: 2\"}\n")}
	}},
	{"keys of a preset", func(n int) map[string]string {
		return map[string]string{"presets.yaml": `- name: large
  displayName: x
  group: large
  add: |
` + each(n, "    key%d: 2\n")}
	}},
	{"properties", func(n int) map[string]string {
		return map[string]string{"properties.yaml": each(n, "- {type: olm.label, value: {label: l%d}}\n")}
	}},
	{"dependencies on labels", func(n int) map[string]string {
		return map[string]string{"dependencies.yaml": each(n, "- {type: olm.label, value: {label: other%d}}\n")}
	}},
	{"dependencies on packs", func(n int) map[string]string {
		return map[string]string{"dependencies": each(n, `,{"packName":"other%d","type":"required"}`)}
	}},
	{"components", func(n int) map[string]string {
		return map[string]string{"components": each(n, `,{"resourceRequestParamRef":"map.key%d","scheduleType":"worker"}`)}
	}},
}

// packOf makes the files of a pack directory of parts of them.
func packOf(parts map[string]string) map[string]string {
	trim := func(name string) string { return strings.TrimPrefix(parts[name], ",") }
	files := map[string]string{
		"p/values.yaml": parts["values.yaml"] + "end: 1\n",
		"p/pack.json": `{"name":"p","version":"1.0.0","layer":"addon","constraints":{"dependencies":[` + trim("dependencies") +
			`],"resources":[{"type":"cpu","components":[` + trim("components") + `]}]}}`,
	}
	for name, head := range map[string]string{"schema.yaml": "", "presets.yaml": "presets:\n", "properties.yaml": "properties:\n", "dependencies.yaml": "dependencies:\n"} {
		if parts[name] != "" {
			files["p/"+name] = head + parts[name]
		}
	}
	return files
}

// ofSet are the collections of a list of manifests, bundles and sets: each is a number of resources.
var ofSet = []collection{
	{"Types", manifests("Type", "{}")},
	{"TypeInstances", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata: {name: i%d}
spec: {typeRef: {path: cap.type.t%[1]d, revision: 0.1.0}, value: {a: 1}}
`)}
	}},
	{"Interfaces", manifests("Interface", "{input: {}, output: {}}")},
	{"Implementations", manifests("Implementation", "{appVersion: 1.0.x, implements: [{path: cap.interface.n%d, revision: 0.1.0}], requires: {}, imports: [], action: {runnerInterface: a, args: {}}}")},
	{"Repositories", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: r%d, labels: {id: n%[1]d}}
spec: {}
`)}
	}},
	{"targets", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: s%d}
spec:
  upstream: {repo: a, package: b, revision: v1}
  targets:
  - repositorySelector: {matchLabels: {id: n%[1]d}}
    template: {downstream: {package: d%[1]d}}
`)}
	}},
	{"packs", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: p%d}
spec: {version: 1.0.0, layer: addon, values: 'a: 1'}
`)}
	}},
	{"overrides", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o%d}
spec: {packRef: {name: p%[1]d}, values: {b: 1}}
`)}
	}},
	{"bundles", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: v1
kind: ConfigMap
metadata: {name: b%d}
data:
  properties.yaml: |
    properties:
    - {type: olm.package, value: {packageName: b%[1]d, version: 1.0.0}}
  dependencies.yaml: |
    dependencies:
    - {type: olm.package, value: {packageName: other%[1]d, version: 1.0.0}}
`)}
	}},
	{"settings", func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: v1
kind: ConfigMap
metadata: {name: c%d}
data: {a: b}
`)}
	}},
}

// manifests returns a function that generates n Capact manifests of a kind.
func manifests(kind, spec string) func(n int) map[string]string {
	return func(n int) map[string]string {
		return map[string]string{"list": resources(n, `apiVersion: ocf.capact.io/v1alpha1
kind: `+kind+`
metadata: {name: n%d, annotations: {}}
spec: `+strings.ReplaceAll(spec, "%d", "%[1]d")+"\n")}
	}
}

// resources are documents with the numbers from 0.
func resources(n int, text string) string { return each(n, "---\n"+text) }

// hinted are the pairs in which names are compared with all others, up to a number of comparisons. At their size
// it is reached, and their steps have a limit instead.
var hinted = []string{
	"keys and required keys that are missing", "keys and read-only keys", "keys and keys below lists", "properties and dependencies on labels",
	"macros and entries of the schema", "macros and required keys that are missing", "macros and read-only keys", "macros and keys below lists",
}

const hintedSize, hintedSteps = 500, 40_000_000

// pairs are works for each two collections of one input, and for all of them.
func pairs() []work {
	var all []work
	both := func(collections []collection, files func(parts map[string]string) map[string]string, size int, args ...string) {
		name := strings.Join(args, " ")
		for i, one := range collections {
			for _, other := range collections[:i] {
				both := other.name + " and " + one.name
				made := onFiles("pair: "+name+" with "+both, size, files, []collection{other, one}, args)
				if slices.Contains(hinted, both) {
					made.size, made.most = hintedSize, hintedSteps
				}
				all = append(all, made)
			}
		}
	}
	every := func(collections []collection, files func(parts map[string]string) map[string]string, size int, args ...string) {
		all = append(all, onFiles("every: "+strings.Join(args, " "), size, files, collections, args))
	}
	set := func(parts map[string]string) map[string]string {
		return map[string]string{"all.yaml": strings.TrimPrefix(parts["list"], "---\n")}
	}
	both(ofPack, packOf, 30, "check", "p")
	both(ofSet, set, 15, "check", ".")
	for _, args := range [][]string{{"list", "values", "p"}, {"list", "presets", "p"}, {"list", "macros", "p"}, {"schema", "p", "p"}, {"why", "p", "map", "p"}, {"init", "override", "p", "p", "--all"}, {"import", "p", "--to", "package"}} {
		every(ofPack, packOf, 60, args...)
	}
	every(ofSet, set, 30, "check", ".", "--format", "json")
	inPackage := func(parts map[string]string) map[string]string {
		return map[string]string{
			"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators: [{exec: resolve-macros}]
  validators: [{exec: validate-pack-values}]
`,
			"all.yaml": strings.TrimPrefix(parts["list"], "---\n"),
		}
	}
	withSetters := func(parts map[string]string) map[string]string {
		parts["Kptfile"] = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators: [{exec: apply-setters, configPath: setters.yaml}]
`
		return parts
	}
	return append(all,
		onFiles("setters and markers", 1000, withSetters, []collection{
			{"setters", func(n int) map[string]string {
				return map[string]string{"setters.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: setters}\ndata:\n" + each(n, "  key%d: a.example.com\n")}
			}},
			{"markers", func(n int) map[string]string {
				return map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + each(n, "  a%d: x # kpt-set: ${key%[1]d}\n  b%[1]d: x # kpt-set: ${key0}-${other%[1]d}\n")}
			}},
		}, []string{"init", "parameters", "."}),
		onFiles("findings in many resources that a mutator changed", 1000, inPackage, []collection{
			{"packs", func(n int) map[string]string {
				return map[string]string{"list": resources(n, `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: p%d}
spec:
  version: 1.0.0
  layer: addon
  values: |
    a: '{{ .spectro.pack.p%[1]d.b }}'
    b: x
  schema: |
    a: {schema: '{{ format "${number}" }}'}
`)}
			}},
		}, []string{"check", "."}),
		onFiles("many keys and required keys of other lengths", 500, packOf, []collection{
			{"keys", func(n int) map[string]string { return map[string]string{"values.yaml": each(n, "key%d: 1\n")} }},
			{"required keys that are missing", func(n int) map[string]string {
				return map[string]string{"schema.yaml": each(n, "a-key-whose-name-has-another-length-%d: {schema: '{{ required }}'}\n")}
			}},
		}, []string{"check", "p"}),
		onFiles("many keys with entries of the schema", 500, packOf, []collection{
			{"keys", func(n int) map[string]string {
				return map[string]string{"values.yaml": each(n, "key%d: 1\n"), "schema.yaml": each(n, "key%d: {schema: '{{ format \"${number}\" }}'}\n")}
			}},
		}, []string{"list", "values", "p"}),
		onFiles("many keys beside one that many presets set", 200, packOf, []collection{
			{"keys", func(n int) map[string]string { return map[string]string{"values.yaml": each(n, "key%d: 1\n")} }},
			{"presets of one key", func(n int) map[string]string {
				return map[string]string{"presets.yaml": each(n, "- {name: preset%d, displayName: x, group: g%[1]d, remove: [], add: \"key0: 2\"}\n")}
			}},
		}, []string{"list", "values", "p"}),
	)
}

// onFiles is a command of packfn over files in which all collections have n parts.
func onFiles(name string, size int, files func(parts map[string]string) map[string]string, collections []collection, args []string) work {
	return work{name: name, size: size, prepare: func(n int) func() {
		parts := map[string]string{}
		for _, one := range collections {
			for _, part := range slices.Sorted(maps.Keys(one.files(n))) {
				parts[part] += one.files(n)[part]
			}
		}
		return func() {
			dir, err := os.MkdirTemp("", "pair")
			must(err == nil)
			defer os.RemoveAll(dir)
			for name, text := range files(parts) {
				path := filepath.Join(dir, name)
				must(os.MkdirAll(filepath.Dir(path), 0o700) == nil && os.WriteFile(path, []byte(text), 0o600) == nil)
			}
			before, err := os.Getwd()
			must(err == nil && os.Chdir(dir) == nil)
			defer os.Chdir(before)
			var said strings.Builder
			code := cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(""), nowhere{}, &said)
			if code > 1 {
				panic(fmt.Sprintf("%v: %s", args, said.String()))
			}
		}
	}}
}
