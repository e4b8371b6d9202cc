package packfn

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

const (
	pairPack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: vault\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  version: 1.0.0\n" +
		"  schema:\n    port:\n      schema: '{{ format \"${number:[5000-5005]}\" }}'\n  values: |\n    port: 5000\n    cpu: 1500m\n    memory: 12Gi\n" +
		"  presets:\n  - name: ha\n    add: |\n      port: 5001\n  - name: small\n    add: |\n      port: 5002\n" +
		"  constraints:\n    resources:\n    - type: cpu\n      components:\n      - resourceRequestParamRef: cpu\n    - type: memory\n      components:\n      - resourceRequestParamRef: memory\n"
	pairContext = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  machinePools:\n  - name: workers\n    role: worker\n    size: 1\n    instanceType: big\n" +
		"  instanceTypes:\n  - name: big\n    capacity:\n      cpu: 4\n      memory: 16Gi\n"
	pairOverride = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: site\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  packRef:\n    name: vault\n  values: |\n    port: 5003\n"
	pairJSON     = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: vault\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\ndata:\n  pack.json: |\n    {\n      \"name\": \"vault\",\n      \"version\": \"1.0.0\",\n      \"constraints\": {\n        \"resources\": [\n          {\"type\": \"cpu\", \"components\": [{\"resourceRequestParamRef\": \"cpu\", \"scheduleType\": \"worker\"}]}\n        ]\n      }\n    }\n  values.yaml: |\n    cpu: 1500m\n"
	pairSet      = "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  name: fleet\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  upstream:\n    repo: catalog\n    package: shop\n    revision: 1\n  targets:\n  - repositories:\n    - name: east\n"
	pairVariant  = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: shop\n  namespace: default\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\nspec:\n  upstream:\n    repo: catalog\n    package: shop\n    revision: 1\n  downstream:\n    repo: east\n    package: shop\n  injectors:\n  - kind: ClusterContext\n    name: east\n"
	pairPoint    = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: cluster\n  annotations:\n    kpt.dev/config-injection: required\nspec: {}\n"
	pairObject   = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: east\n  namespace: default\n  annotations:\n    packs.kpt.dev/source: cluster\nspec:\n  system:\n    cloud:\n      region: eu\n"
)

// swap replaces texts of a document, each of which it has.
func swap(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("no %q", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// corrections are those of the first mistakes that hide the second one, which the next run tells.
var corrections = map[string][]string{
	"a comma too many, and an enum":                    {"\"1.0.0\",,", "\"1.0.0\","},
	"a missing comma, and a misspelt key":              {"\"1.0.0\"", "\"1.0.0\","},
	"a kind, and an instance type":                     {"ClusterContxt", "ClusterContext"},
	"the kind of an override, and its value":           {"kind: PackValue\n", "kind: PackValues\n"},
	"a field of the functionConfig, and what it has":   {"machinPools", "machinePools"},
	"a field of an upstream, and its missing revision": {"pakage", "package"},
	"the name of a preset, and a value":                {"valt", "vault"},
	"an annotation, and a value":                       {"value-of", "values-of"},
	"a file, and a value in it":                        {"value.yaml", "values.yaml"},
	"the pack of an override, and its value":           {"valut", "vault"},
	"the kind of a set, and its target":                {"PackageVariantSets", "PackageVariantSet"},
	"a role, and a size that cannot fit":               {"wroker", "worker"},
}

// Of two mistakes check reports the first at its line, and so does the function that kpt runs. The
// other one is told with it, or once the first is corrected.
func TestPairsOfMistakes(t *testing.T) {
	join := func(documents ...string) string { return strings.Join(documents, "---\n") }
	const config = "apiVersion: fn.kpt.dev/v1alpha1\nkind: "
	for _, tc := range []struct {
		name, function, documents, config string
		// first and second are in the lines at fault and in the messages.
		first, second [2]string
	}{
		{"a comma too many, and an enum", "check-resources", join(swap(t, pairJSON, "\"1.0.0\",", "\"1.0.0\",,", `"worker"}`, `"wrkr-only"}`), pairContext), "",
			[2]string{`"1.0.0",,`, `got ","`}, [2]string{"wrkr-only", "wrkr-only"}},
		{"a missing comma, and a misspelt key", "check-resources", join(swap(t, pairJSON, "\"1.0.0\",", "\"1.0.0\"", "resourceRequestParamRef", "resourceRequestParamReff"), pairContext), "",
			[2]string{`"constraints"`, `expected ","`}, [2]string{"ParamReff", "resourceRequestParamRef"}},
		{"a unit, and a size that cannot fit", "check-resources", join(swap(t, pairPack, "memory: 12Gi", "memory: 64GB"), pairContext), "",
			[2]string{"64GB", "64G"}, [2]string{"instanceType: big", "memory"}},
		{"a kind, and an instance type", "check-resources", join(pairPack, swap(t, pairContext, "kind: ClusterContext", "kind: ClusterContxt", "instanceType: big", "instanceType: m5.huge")), "",
			[2]string{"ClusterContxt", "ClusterContext"}, [2]string{"m5.huge", "m5.huge"}},
		{"the kind of an override, and its value", "validate-pack-values", join(pairPack, swap(t, pairOverride, "kind: PackValues", "kind: PackValue", "5003", "5300")), "",
			[2]string{"kind: PackValue\n", "PackValues"}, [2]string{"port: 5300", "5300"}},
		{"a field of the functionConfig, and what it has", "check-resources", pairPack, config + "CheckResources\nmetadata:\n  name: config\nspec:\n  machinPools:\n  - name: workers\n    role: worker\n    size: 1\n    capacity:\n      cpu: 1\n      memory: 16Gi\n",
			[2]string{"machinPools", "machinePools"}, [2]string{"cpu: 1\n", "1500m"}},
		{"the kind of an injector, and a namespace", "inject-config", join(pairPoint, swap(t, pairObject, "namespace: default", "namespace: clusters")), swap(t, pairVariant, "- kind: ClusterContext", "- kind: ClusterContxt"),
			[2]string{"spec: {}", `did you mean "ClusterContext"`}, [2]string{"spec: {}", "in namespace clusters"}},
		{"a field of an upstream, and its missing revision", "expand-variant-set", swap(t, pairSet, "package: shop", "pakage: shop", "    revision: 1\n", ""), "",
			[2]string{"pakage", "package"}, [2]string{"upstream:", "revision"}},
		{"the name of a preset, and a value", "apply-preset", join(pairPack, pairOverride), config + "ApplyPreset\nmetadata:\n  name: config\nspec:\n  presets:\n  - pack: vault\n    name: sma\n  - pack: valt\n    name: hha\n",
			[2]string{"pack: valt", "vault"}, [2]string{"name: hha", "ha"}},
		{"a macro, and another one", "resolve-macros", join(swap(t, pairPack, "cpu: 1500m", "cpu: '{{ .spectro.system.cluster.nmae }}-{{ .spectro.var.SIZE }}'"), pairContext), "",
			[2]string{"nmae", "cluster.name"}, [2]string{"SIZE", "SIZE"}},
		{"an annotation, and a value", "validate-pack-values", join(pairPack, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: site\n  annotations:\n    packs.kpt.dev/value-of: vault\n    config.kubernetes.io/local-config: \"true\"\ndata:\n  values.yaml: |\n    port: 5300\n"), "",
			[2]string{"value-of", "values-of"}, [2]string{"port: 5300", "5300"}},
		{"a file, and a value in it", "validate-pack-values", swap(t, pairJSON, "  values.yaml: |\n    cpu: 1500m\n", "  value.yaml: |\n    port: 5300\n  schema.yaml: |\n    port:\n      schema: '{{ format \"${number:[5000-5005]}\" }}'\n"), "",
			[2]string{"value.yaml", "values.yaml"}, [2]string{"port: 5300", "5300"}},
		{"the pack of an override, and its value", "validate-pack-values", join(pairPack, swap(t, pairOverride, "name: vault", "name: valut", "5003", "5300")), "",
			[2]string{"valut", "vault"}, [2]string{"port: 5300", "5300"}},
		{"the kind of a set, and its target", "expand-variant-set", swap(t, pairSet, "kind: PackageVariantSet", "kind: PackageVariantSets", "- repositories:\n    - name: east", "- repositorySelecter:\n      matchLabels: {}"), "",
			[2]string{"PackageVariantSets", "PackageVariantSet"}, [2]string{"repositorySelecter", "repositorySelector"}},
		{"a role, and a size that cannot fit", "check-resources", join(swap(t, pairPack, "1500m", "4500m"), swap(t, pairContext, "role: worker", "role: wroker")), "",
			[2]string{"wroker", "worker"}, [2]string{"instanceType: big", "cpu"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			entry := "  - exec: " + tc.function + "\n"
			if tc.config != "" {
				entry += "    configPath: config.yaml\n"
				write(t, filepath.Join(dir, "p/config.yaml"), tc.config)
			}
			list := "mutators"
			if strings.HasPrefix(tc.function, "check-") || strings.HasPrefix(tc.function, "validate-") {
				list = "validators"
			}
			write(t, filepath.Join(dir, "p/Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\npipeline:\n  "+list+":\n"+entry)
			write(t, filepath.Join(dir, "p/a.yaml"), tc.documents)
			exit := 1
			if tc.function == "inject-config" {
				exit = 0 // the point waits, with a warning
			}
			all, isNext := findings(t, dir, exit, "p"), false
			for _, f := range all {
				if strings.Contains(f.Message, "yaml line") || strings.Contains(f.Message, "values line") || strings.Contains(f.Message, "json line") {
					t.Errorf("a second line number: %s:%d: %s", f.File, f.Line, f.Message)
				}
			}
			if !has(all, tc.first, tc.documents, tc.config) {
				t.Errorf("no finding at %q says %q: got\n%s", tc.first[0], tc.first[1], strings.Join(lines(all), "\n"))
			}
			if !has(all, tc.second, tc.documents, tc.config) {
				isNext = true
				correction, isKnown := corrections[tc.name]
				if !isKnown {
					t.Fatalf("no finding at %q says %q: got\n%s", tc.second[0], tc.second[1], strings.Join(lines(all), "\n"))
				}
				documents := strings.Replace(tc.documents, correction[0], correction[1], 1)
				config := strings.Replace(tc.config, correction[0], correction[1], 1)
				if documents == tc.documents && config == tc.config {
					t.Fatalf("no %q", correction[0])
				}
				write(t, filepath.Join(dir, "p/a.yaml"), documents)
				if config != "" {
					write(t, filepath.Join(dir, "p/config.yaml"), config)
				}
				if all = findings(t, dir, 1, "p"); !has(all, tc.second, documents, config) {
					t.Errorf("after the correction no finding at %q says %q: got\n%s", tc.second[0], tc.second[1], strings.Join(lines(all), "\n"))
				}
				write(t, filepath.Join(dir, "p/a.yaml"), tc.documents)
				if config != "" {
					write(t, filepath.Join(dir, "p/config.yaml"), tc.config)
				}
			}
			args := []string{"fn", "eval", "p", "--exec", program + " " + tc.function}
			if tc.config != "" {
				args = append(args, "--fn-config", "p/config.yaml")
			}
			path, err := kpt()
			if err != nil {
				t.Fatal(err)
			}
			got := run(t, dir, "", path, args...)
			for i, want := range []string{tc.first[1], tc.second[1]} {
				if i == 1 && isNext {
					continue
				}
				if got.exit != exit || !strings.Contains(got.stderr, want) {
					t.Errorf("kpt does not print %q:\n%s", want, got.stderr)
				}
			}
		})
	}
}

// has reports whether a finding is on the line with a text, in one of some files, and says
// another text.
func has(all []packfntest.Finding, want [2]string, files ...string) bool {
	for _, f := range all {
		for _, file := range files {
			before, _, ok := strings.Cut(file, want[0])
			if ok && f.Line == strings.Count(before, "\n")+1 && strings.Contains(f.Message, want[1]) {
				return true
			}
		}
	}
	return false
}

// lines are the findings as lines.
func lines(all []packfntest.Finding) []string {
	var out []string
	for _, f := range all {
		out = append(out, strings.Join([]string{f.File, f.Rule, f.Message}, ": "))
	}
	return out
}
