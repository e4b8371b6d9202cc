package suite

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// drawn makes lists of what all functions read. Most of it is right, so that functions
// that change things do so.
type drawn struct{ *rapid.T }

func (d drawn) one(of ...string) string { return rapid.SampledFrom(of).Draw(d.T, "one") }

// mostly returns the first text four times out of five.
func (d drawn) mostly(usual string, other ...string) string {
	if rapid.IntRange(0, 4).Draw(d.T, "rare") > 0 {
		return usual
	}
	return d.one(other...)
}

func (d drawn) pack(name string) string {
	text := fmt.Sprintf(`replicas: %s # how many
host: %s
list:
- a: %s
  b: 2
empty: %s
requests: {cpu: %s}
`,
		d.one("1", "3", "'2'", "010"), d.one("x", `"{{ .spectro.system.cluster.name }}.x"`, `'{{ .spectro.pack.vault.replicas }}'`, `"{{ .spectro.var.DOMAIN | default \"d\" }}"`),
		d.one("1", "true"), d.one("{}", "null", "''"), d.one("100m", "2", "256Mi"))
	presets := `- {name: ha, group: size, remove: ["list.$[].b"], add: {replicas: 5}}
- name: small
  group: size
  add: |
    # fewer
    replicas: 1
    empty: {a: 1}
- {name: other, add: {host: z}}
`
	schema := `replicas: {schema: '{{ required | format "${number:[1-9]}" }}'}
list.$[].a: {schema: '{{ format "${string}" }}'}
`
	block := func(text string) string { return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") }
	if d.one("files", "typed") == "files" {
		return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: %s-1
  annotations: {config.kubernetes.io/path: %[1]s.yaml}
data:
  pack.json: |
    {"name": %[1]q, "version": "1.0.%[2]s", "constraints": {"dependencies": [{"packName": %[3]q, "type": %[4]q, "minVersion": %[5]q}]}}
  values.yaml: |
    %[6]s
  schema.yaml: |
    %[7]s
  presets.yaml: |
    presets:
    %[8]s
`,
			name, d.one("0", "1"), d.one("vault", "redis", "kubernetes"), d.one("required", "optional", "notSupported"), d.one("0.1", "1.0.1", ""), block(text), block(schema), block(presets))
	}
	return fmt.Sprintf(`apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: %[1]s
  annotations: {config.kubernetes.io/path: %[1]s.yaml, packs.kpt.dev/accept: '%[2]s: so'}
spec:
  version: %[3]s
  constraints: {resources: [{type: cpu, components: [{resourceRequestParamRef: requests.cpu, replicaCountParamRef: replicas}]}]}
  values: |
    %[4]s
  schema: |
    %[5]s
  presets: |
    presets:
    %[6]s
`,
		name, d.one("values/format", "preset/overridden", "resources/invalid"), d.one("1.0.0", "2.0.0"), block(text), block(schema), block(presets))
}

// policies are files of an example: policies, and the manifests that they choose from.
var policies = []string{"hub.yaml", "policies.yaml", "instances.yaml"}

func read(file string) string {
	text, err := os.ReadFile("../../examples/select-implementations-layers/" + file)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// documents returns resources, one text each.
func (d drawn) documents() []string {
	variant := `upstream: {repo: a, package: b, revision: 1}
  downstream: {repo: c, package: p}
  packageContext: {data: {region: ` + d.one("a", "b") + `}, removeKeys: [old]}
  pipeline: {mutators: [{image: example.com/f:v1, name: first, configMap: {a: b}}]}
  injectors: [{name: east}]
`
	all := []string{
		`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
  annotations: {config.kubernetes.io/path: Kptfile}
pipeline:
  validators:
  - image: example.com/g:v1
`,
		`apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations: {config.kubernetes.io/path: package-context.yaml}
data:
  name: p
  old: x
`,
		`apiVersion: example.com/v1
kind: Thing
metadata:
  name: point
  annotations: {kpt.dev/config-injection: ` + d.one("required", "optional") + `}
spec: {}
`,
		`apiVersion: example.com/v1
kind: Thing
metadata:
  name: ` + d.mostly("east", "west") + `
  namespace: default
  annotations: {packs.kpt.dev/source: cluster}
spec:
  size: 3 # big
`,
		`apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: v
spec:
  ` + variant,
		`apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: s
spec:
  upstream: {repo: a, package: b, revision: 1}
  targets:
  - repositories: [{name: r}, {name: q, packageNames: [x, z]}]
    template:
      labelExprs: [{key: ` + d.one("l", "m") + ", valueExpr: " + d.mostly("target.repo", "\"'a'\"", "target.nothing") + "}]\n",
		`apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: c
spec:
  system: {cluster: {name: c1}, kubernetes: {version: "` + d.one("1.30.2", "1.0") + `"}}
  variables: {DOMAIN: example.com}
  machinePools: [{name: w, role: worker, size: 2, capacity: {cpu: "` + d.one("4", "1") + `", memory: 16Gi}}]
`,
	}
	for _, file := range policies {
		if file != "instances.yaml" || d.one("in", "out") == "in" {
			all = append(all, read(file))
		}
	}
	for _, name := range []string{"vault", "redis"} {
		if d.mostly("in", "out") == "in" {
			all = append(all, d.pack(name))
		}
	}
	if d.one("in", "out") == "in" {
		all = append(all, `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: upper
spec:
  packRef: {name: `+d.mostly("vault", "valt")+`}
  strategy: `+d.one("merge", "replace")+`
  values: |
    replicas: `+d.one("5", "9", "x")+"\n")
	}
	return all
}

// config returns the functionConfig for a function, or "" if it gets no functionConfig.
func (d drawn) config(kind string) string {
	specs := map[string][]string{
		"ValidatePackValues":    {"{unknownKeys: warning}", "{severity: {values/format: warning}}", "{packs: [vault]}"},
		"CheckDependencies":     {"{scope: bundle}", "{catalog: '{name: redis, version: 2.0.0}'}"},
		"CheckResources":        {"{packs: [vault]}"},
		"ApplyPreset":           {"{presets: [{pack: vault, name: ha}]}", "{presets: [{pack: vault, name: small}, {pack: vault, name: other}]}", "{presets: [{pack: vault, name: ha, into: upper}]}"},
		"ResolveMacros":         {"{missing: keep}", "{missing: error}", "{explain: true, resources: [{kind: Thing}]}"},
		"InjectConfig":          {"{writeStatus: true}", "{packageVariantRef: {name: v}}"},
		"ExpandVariantSet":      {"{prune: false}", "{writeStatus: true}", "{maxTargets: 2}"},
		"SelectImplementations": {"{references: [{name: db, interface: {path: cap.interface.database.postgresql.install}}]}"},
	}
	spec := d.one(append(specs[kind], "")...)
	if spec == "" && kind != "ApplyPreset" {
		return ""
	}
	if spec == "" {
		spec = specs[kind][0]
	}
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: " + kind + ", metadata: {name: config}, spec: " + spec + "}"
}

// Every function, run again over what it returned, changes no byte and finds the same.
func TestSecondRunsChangeNothing(t *testing.T) {
	changed := map[string]int{}
	draws.Same(t, func(r *rapid.T) {
		d := drawn{r}
		documents := strings.Join(d.documents(), "---\n")
		for _, f := range All() {
			config := d.config(f.Kind)
			input := functiontest.List(config, documents)
			first, outcome := functiontest.Evaluate(t, f, input)
			if first != input {
				changed[f.Name]++
			}
			second, again := functiontest.Evaluate(t, f, first)
			if diff := cmp.Diff(first, second); diff != "" {
				r.Fatalf("%s %s: the second run changes\n%s", f.Name, config, diff)
			}
			if diff := cmp.Diff(steadyMessages(outcome), steadyMessages(again)); diff != "" {
				r.Fatalf("%s %s: the second run finds\n%s", f.Name, config, diff)
			}
		}
	})
	for _, f := range All() {
		if f.Mutates && changed[f.Name] == 0 {
			t.Errorf("%s has changed nothing: the lists do not test it", f.Name)
		}
	}
	t.Logf("changes: %v", changed)
}

// steadyMessages returns the messages of a run, except the ones about what the run has changed.
func steadyMessages(o function.Outcome) []string {
	var all []string
	for i := range o.Findings {
		f := &o.Findings[i]
		if !slices.Contains([]string{"preset/reapplied", "macro/unrecorded"}, f.Rule.ID) {
			all = append(all, fmt.Sprintf("%s %s %s: %s", f.Severity, f.Rule.ID, f.Resource(), f.Message()))
		}
	}
	return all
}
