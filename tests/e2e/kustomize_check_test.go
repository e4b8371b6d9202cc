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
	kustomizationHead = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
	componentHead     = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
	clusterOf         = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: NAME\nspec:\n  system:\n    kubernetes:\n      version: VERSION\n  machinePools:\n  - {name: workers, role: worker, size: 1, capacity: {cpu: CPU, memory: 8Gi}}\n"
	overrideFor       = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: NAME\nspec:\n  packRef:\n    name: PACK\n  scope: cluster\n  values:\n    VALUES\n"
)

// generatorOf generates the ConfigMap of a pack directory.
func generatorOf(name, dir string) string {
	return fmt.Sprintf("- name: %s\n  files:\n  - %[2]s/pack.json\n  - %[2]s/values.yaml\n  - %[2]s/schema.yaml\n", name, dir)
}

// packOf is a pack directory.
func packOf(dir, name string, files map[string]string) map[string]string {
	files[dir+"/pack.json"] = fmt.Sprintf(`{"name": %q, "version": "1.2.0", "layer": "addon", "constraints": {
  "dependencies": [{"packName": "dns", "minVersion": "2.0.0", "maxVersion": "3.0.0", "type": "optional"}, {"packName": "legacy", "type": "notSupported", "minVersion": "1.0.0", "maxVersion": "2.0.0"}],
  "resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "web.cpu", "replicaCountParamRef": "web.replicas", "scheduleType": "worker"}]}]}}`, name)
	files[dir+"/values.yaml"] = "web:\n  port: 8080\n  cpu: 500m\n  replicas: 2\n"
	files[dir+"/schema.yaml"] = "web.port:\n  schema: '{{ required | format \"${number:[8000-9000]}\" }}'\nweb.cpu:\n  schema: '{{ required }}'\n"
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
		files["base/dns.yaml"] = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: dns\nspec:\n  version: " + version + "\n  values:\n    zone: a\n"
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
			files["base/shop/values.yaml"] = "web:\n  port: 80\n  cpu: 500m\n  replicas: 2\n"
			return files
		}(),
		"values that are merged": packOf("base/shop", "shop", map[string]string{
			base:                      kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\nconfigMapGenerator:\n- name: shop\n  behavior: merge\n  files: [values.yaml=mine.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/mine.yaml": "# ours\nweb:\n  port: 70\n  replicas: 30\n  cpu: 900m\n",
		}),
		"a ConfigMap that is replaced": packOf("prod/other", "shop", packOf("base/shop", "shop", map[string]string{
			base:                      kustomizationHead + "generatorOptions: {disableNameSuffixHash: true}\nconfigMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\nconfigMapGenerator:\n" + generatorOf("shop", "other") + "  behavior: replace\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/values.yaml": override("site", "shop", "web: {port: 22}"),
		})),
		"values of the overlay": packOf("base/shop", "shop", map[string]string{
			base:                      kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\nconfigMapGenerator:\n- name: site\n  options: {annotations: {packs.kpt.dev/values-of: shop}}\n  files: [values.yaml=mine.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/mine.yaml": "web:\n  port: 70\n",
		}),
		"several overlays": packOf("base/shop", "shop", map[string]string{
			base:                     kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"dev/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "dev/cluster.yaml": cluster("dev", "1.30.0", "1"), "dev/values.yaml": override("dev", "shop", "web: {replicas: 1}"),
			"staging/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "staging/cluster.yaml": cluster("staging", "1.30.0", "1"), "staging/values.yaml": override("staging", "shop", "web: {replicas: 7}"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "8"), "prod/values.yaml": override("prod", "shop", "web: {port: 99}"),
		}),
		"components": packOf("base/shop", "shop", map[string]string{
			base:                       kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"large/kustomization.yaml": componentHead + "resources: [values.yaml]\n", "large/values.yaml": override("large", "shop", "web: {replicas: 40}"),
			"open/kustomization.yaml": componentHead + "configMapGenerator:\n- name: shop\n  behavior: merge\n  files: [values.yaml]\n", "open/values.yaml": "web:\n  port: 1\n  cpu: 100m\n  replicas: 1\n",
			"dev/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\n", "dev/cluster.yaml": cluster("dev", "1.30.0", "2"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\ncomponents: [../large, ../open]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "2"),
			"staging/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\ncomponents: [../open]\n", "staging/cluster.yaml": cluster("staging", "1.30.0", "2"),
		}),
		"dependencies": packOf("base/shop", "shop", dns(map[string]string{
			base:                     kustomizationHead + "resources: [dns.yaml]\nconfigMapGenerator:\n" + generatorOf("shop", "shop"),
			"dev/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml]\n", "dev/cluster.yaml": cluster("dev", "1.30.0", "4"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, legacy.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"),
			"prod/legacy.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: legacy\nspec:\n  version: 1.5.0\n  values: {}\n",
		}, "1.9.0")),
		"patches of what no check reads": packOf("base/shop", "shop", map[string]string{
			base:                      kustomizationHead + "resources: [d.yaml]\nconfigMapGenerator:\n" + generatorOf("shop", "shop") + "patches:\n- target: {kind: Widget}\n  patch: '[{\"op\": \"replace\", \"path\": \"/spec/replicas\", \"value\": 3}]'\n",
			"base/d.yaml":             "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: d}\nspec: {replicas: 1}\n",
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base, cluster.yaml, values.yaml]\n", "prod/cluster.yaml": cluster("prod", "1.30.0", "4"), "prod/values.yaml": override("site", "shop", "web: {port: 9}"),
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
		"namePrefix":            "namePrefix: prod-\n",
		"patches":               "patches:\n- target: {kind: ConfigMap}\n  patch: '[{op: add, path: /data/values.yaml, value: \"web: {port: 1}\"}]'\n",
		"patchesStrategicMerge": "patchesStrategicMerge:\n- |\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: shop}\n  data: {values.yaml: 'web: {port: 1}'}\n",
		"replacements":          "replacements:\n- source: {kind: ConfigMap, name: shop}\n  targets:\n  - {select: {kind: ConfigMap}, fieldPaths: [data.x]}\n",
	} {
		files := packOf("base/shop", "shop", map[string]string{
			"base/kustomization.yaml": kustomizationHead + "configMapGenerator:\n" + generatorOf("shop", "shop"),
			"prod/kustomization.yaml": kustomizationHead + "resources: [../base]\n" + text,
		})
		if _, note := checkOfTree(t, bin, t.TempDir(), files); !strings.Contains(note, "not applied: tree/prod/kustomization.yaml ("+field+"); kustomize build with the functions as transformers") {
			t.Errorf("%s: got the note %s", field, note)
		}
	}
}

// checkOfTree writes the files into the folder tree, and returns the errors that packfn check finds there,
// and its notes.
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
	return slices.Compact(found), done.stderr
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
			text := fmt.Sprintf("%sresources: [../../tree/%s]\ntransformers:\n- |-\n  apiVersion: fn.kpt.dev/v1alpha1\n  kind: %s\n  metadata:\n    name: check\n    annotations:\n      config.kubernetes.io/function: |\n        exec: {path: %s}\n", kustomizationHead, root, kind, filepath.Join(bin, program))
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
