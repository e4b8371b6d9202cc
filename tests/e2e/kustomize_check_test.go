package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The checks that run over what kustomize builds.
var checksOfBuilds = map[string]string{"validate-pack-values": "ValidatePackValues", "check-dependencies": "CheckDependencies", "check-resources": "CheckResources"}

const (
	kustomizationHead = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
`
	componentHead = `apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
`
	clusterOf = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: NAME
spec:
  system:
    kubernetes:
      version: VERSION
  machinePools:
  - {name: workers, role: worker, size: 1, capacity: {cpu: CPU, memory: 8Gi}}
`
	overrideFor = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: NAME
spec:
  packRef:
    name: PACK
  scope: cluster
  values:
    VALUES
`
)

// generatorOf generates the ConfigMap of a pack directory.
func generatorOf(name, dir string) string {
	return fmt.Sprintf(`- name: %s
  files:
  - %[2]s/pack.json
  - %[2]s/values.yaml
  - %[2]s/schema.yaml
`, name, dir)
}

// packOf is a pack directory.
func packOf(dir, name string, files map[string]string) map[string]string {
	files[dir+"/pack.json"] = fmt.Sprintf(`{"name": %q, "version": "1.2.0", "layer": "addon", "constraints": {
  "dependencies": [{"packName": "dns", "minVersion": "2.0.0", "maxVersion": "3.0.0", "type": "optional"}, {"packName": "legacy", "type": "notSupported", "minVersion": "1.0.0", "maxVersion": "2.0.0"}],
  "resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "web.cpu", "replicaCountParamRef": "web.replicas", "scheduleType": "worker"}]}]}}`, name)
	files[dir+"/values.yaml"] = `web:
  port: 8080
  cpu: 500m
  replicas: 2
`
	files[dir+"/schema.yaml"] = `web.port:
  schema: '{{ required | format "${number:[8000-9000]}" }}'
web.cpu:
  schema: '{{ required }}'
`
	return files
}

func cluster(name, version, cpu string) string {
	return strings.NewReplacer("NAME", name, "VERSION", version, "CPU", cpu).Replace(clusterOf)
}

func override(name, pack, values string) string {
	return strings.NewReplacer("NAME", name, "PACK", pack, "VALUES", values).Replace(overrideFor)
}

// kustomizeCases are trees of kustomizations, of which nothing that checks read is patched.
func kustomizeCases() map[string]map[string]string {
	const base = "base/kustomization.yaml"
	dns := func(files map[string]string, version string) map[string]string {
		files["base/dns.yaml"] = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: dns
spec:
  version: ` + version + `
  values:
    zone: a
`
		return files
	}
	return map[string]map[string]string{
		"nothing wrong": packOf("base/shop", "shop", map[string]string{
			base:                      kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
		}),
		"values of the pack": func() map[string]string {
			files := packOf("base/shop", "shop", map[string]string{
				base:                      kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
				"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			})
			files["base/shop/values.yaml"] = `web:
  port: 80
  cpu: 500m
  replicas: 2
`
			return files
		}(),
		"values that are merged": packOf("base/shop", "shop", map[string]string{
			base: kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + `resources: [../base, cluster.yaml]
configMapGenerator:
- name: shop
  behavior: merge
  files: [values.yaml=mine.yaml]
`,
			"prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/mine.yaml": `# ours
web:
  port: 70
  replicas: 30
  cpu: 900m
`,
		}),
		"a ConfigMap that is replaced": packOf("prod/other", "shop", packOf("base/shop", "shop", map[string]string{
			base: kustomizationHead + `generatorOptions: {disableNameSuffixHash: true}
configMapGenerator:
` + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + `resources: [../base, cluster.yaml, values.yaml]
configMapGenerator:
` + generatorOf("shop", "other") + "  behavior: replace\n",
			"prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/values.yaml":  override("site", "shop", "web: {port: 22}"),
		})),
		"values of the overlay": packOf("base/shop", "shop", map[string]string{
			base: kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + `resources: [../base, cluster.yaml]
configMapGenerator:
- name: site
  options: {annotations: {packs.kpt.dev/values-of: shop}}
  files: [values.yaml=mine.yaml]
`,
			"prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/mine.yaml": `web:
  port: 70
`,
		}),
		"several overlays": packOf("base/shop", "shop", map[string]string{
			base:                     kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"dev/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "dev/cluster.yaml": cluster("dev", "1.30.0", "1"), "dev/values.yaml": override("dev", "shop", "web: {replicas: 1}"),
			"staging/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "staging/cluster.yaml": cluster("staging", "1.30.0", "1"), "staging/values.yaml": override("staging", "shop", "web: {replicas: 7}"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "8"), "prod/values.yaml": override("prod", "shop", "web: {port: 99}"),
		}),
		"components": packOf("base/shop", "shop", map[string]string{
			base:                       kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"large/kustomization.yaml": componentHead + "resources: [values.yaml]\n",
			"large/values.yaml":        override("large", "shop", "web: {replicas: 40}"),
			"open/kustomization.yaml": componentHead + `configMapGenerator:
- name: shop
  behavior: merge
  files: [values.yaml]
`,
			"open/values.yaml": `web:
  port: 1
  cpu: 100m
  replicas: 1
`,
			"dev/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\n",
			"dev/cluster.yaml":       cluster("dev", "1.30.0", "2"),
			"prod/kustomization.yaml": kustomizationHead + `resources: [../base, cluster.yaml]
components: [../large, ../open]
`,
			"prod/cluster.yaml": cluster("prod", "1.30.0", "2"),
			"staging/kustomization.yaml": kustomizationHead + `resources: [../base, cluster.yaml]
components: [../open]
`,
			"staging/cluster.yaml": cluster("staging", "1.30.0", "2"),
		}),
		"dependencies": packOf("base/shop", "shop", dns(map[string]string{
			base: kustomizationHead + `resources: [dns.yaml]
configMapGenerator:
` + generatorOf("shop", "shop"),
			"dev/kustomization.yaml":  kustomizationHead + "resources: [../base, cluster.yaml]\n",
			"dev/cluster.yaml":        cluster("dev", "1.30.0", "4"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, legacy.yaml]\n",
			"prod/cluster.yaml":       cluster("prod", "1.30.0", "4"),
			"prod/legacy.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: legacy
spec:
  version: 1.5.0
  values: {}
`,
		}, "1.9.0")),
		"patches of what no check reads": packOf("base/shop", "shop", map[string]string{
			base: kustomizationHead + `resources: [d.yaml]
configMapGenerator:
` + generatorOf("shop", "shop") + `patches:
- target: {kind: Widget}
  patch: '[{"op": "replace", "path": "/spec/replicas", "value": 3}]'
`,
			"base/d.yaml": `apiVersion: example.com/v1
kind: Widget
metadata: {name: d}
spec: {replicas: 1}
`,
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n",
			"prod/cluster.yaml":       cluster("prod", "1.30.0", "4"),
			"prod/values.yaml":        override("site", "shop", "web: {port: 9}"),
		}),
	}
}

// What `packfn check` finds in kustomizations, without kustomize, is what the functions find in what
// kustomize builds.
func TestCheckFindsWhatKustomizeBuilds(t *testing.T) {
	_, kustomize := pinned(t)
	bin, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	for name, files := range kustomizeCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			built, note := checkOfTree(t, bin, dir, files)
			want := builds(t, kustomize, bin, dir, files)
			if !slices.Equal(built, want) {
				t.Errorf("packfn check finds\n%s\nin what kustomize builds are\n%s", indent(strings.Join(built, "\n")), indent(strings.Join(want, "\n")))
			}
			if len(want) == 0 != (name == "nothing wrong") {
				t.Errorf("kustomize reports %q", want)
			}
			if strings.Contains(note, "not applied") {
				t.Errorf("got the note %s", note)
			}
		})
	}
}

// What kustomize changes, and check does not apply, is said.
func TestCheckSaysWhatItDoesNotApply(t *testing.T) {
	bin, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	for field, text := range map[string]string{
		"namePrefix": "namePrefix: prod-\n",
		"patches": `patches:
- target: {kind: ConfigMap}
  patch: '[{op: add, path: /data/values.yaml, value: "web: {port: 1}"}]'
`,
		"patchesStrategicMerge": `patchesStrategicMerge:
- |
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: shop}
  data: {values.yaml: 'web: {port: 1}'}
`,
		"replacements": `replacements:
- source: {kind: ConfigMap, name: shop}
  targets:
  - {select: {kind: ConfigMap}, fieldPaths: [data.x]}
`,
	} {
		files := packOf("base/shop", "shop", map[string]string{
			"base/kustomization.yaml": kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base]\n" + text,
		})
		if _, note := checkOfTree(t, bin, t.TempDir(), files); !strings.Contains(note, "tree/prod/kustomization.yaml: not applied: "+field+"; kustomize build, piped to packfn check -") {
			t.Errorf("%s: got the note %s", field, note)
		}
	}
}

// checkOfTree writes the files into the folder tree, and returns the errors that packfn check finds there,
// and what it has not checked.
func checkOfTree(t *testing.T, bin, dir string, files map[string]string) (found []string, notes string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, "tree", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	done, err := execute(dir, nil, filepath.Join(bin, allFunctions), "check", "tree")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range errorLine.FindAllStringSubmatch(done.stdout, -1) {
		found = append(found, withoutPlaces(match[1]))
	}
	slices.Sort(found)
	_, notes, _ = strings.Cut(done.stdout, "\nNot checked\n")
	return slices.Compact(found), notes
}

// builds returns the errors of the checks in what kustomize builds of the kustomizations that no other one
// names, and that are no components.
func builds(t *testing.T, kustomize Client, bin, dir string, files map[string]string) (found []string) {
	t.Helper()
	for _, root := range []string{"dev", "staging", "prod"} {
		if files[root+"/kustomization.yaml"] == "" {
			continue
		}
		for program, kind := range checksOfBuilds {
			at := filepath.Join(dir, "builds", root+"-"+program)
			text := fmt.Sprintf(`%sresources: [../../tree/%s]
transformers:
- |-
  apiVersion: fn.kpt.dev/v1alpha1
  kind: %s
  metadata:
    name: check
    annotations:
      config.kubernetes.io/function: |
        exec: {path: %s}
`, kustomizationHead, root, kind, filepath.Join(bin, program))
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(at, "kustomization.yaml"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			done, err := execute(at, Runner{Bin: bin}.path(), kustomize.Path, "build", "--enable-alpha-plugins", "--enable-exec", ".")
			if err != nil {
				t.Fatal(err)
			}
			before := len(found)
			for line := range strings.Lines(functionLines(done.stderr)) {
				if message, isError := strings.CutPrefix(strings.TrimSpace(line), "error: "); isError {
					found = append(found, withoutPlaces(message))
				}
			}
			if done.exit != 0 && len(found) == before {
				t.Fatalf("%s: %s: no function says why it fails: %s", root, program, done.stderr)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// errorLine is an error in a table of packfn.
var errorLine = regexp.MustCompile(`(?m)^ +(?:[0-9:]+ )?error: (.*)$`)

// places are the parts of a message that say where something is on disk, and in which sets.
var places = regexp.MustCompile(` \(with [^)]*\)| \([^()]*pack\.json( line \d+)?\)| line \d+(, column \d+)?`)

func withoutPlaces(message string) string { return places.ReplaceAllString(message, "") }
