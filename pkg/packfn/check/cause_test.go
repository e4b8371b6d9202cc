package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One mistake is one finding, at one place, whichever functions meet it.
func TestOneMistake(t *testing.T) {
	const local = "metadata:\n  name: NAME\n  annotations: {config.kubernetes.io/local-config: \"true\"}\n"
	files := func(changed string, pairs ...string) map[string]string {
		all := map[string]string{
			"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {vault: \"Size:large\"}\n  - exec: resolve-macros\n" +
				"  validators:\n  - exec: validate-pack-values\n  - exec: check-resources\n  - exec: check-dependencies\n",
			"cluster.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\n" + strings.ReplaceAll(local, "NAME", "c") +
				"spec:\n  machinePools:\n  - name: w\n    role: worker\n    size: 3\n    capacity: {cpu: \"8\", memory: 32Gi}\n",
			"override.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\n" + strings.ReplaceAll(local, "NAME", "site") +
				"spec:\n  packRef:\n    name: vault\n  values: |\n    replicas: 5\n    address: x\n",
			"shop.yaml": "apiVersion: v1\nkind: ConfigMap\n" + strings.ReplaceAll(local, "NAME", "shop") +
				"data:\n  pack.json: |\n    {\"name\": \"shop\", \"version\": \"1.0.0\", \"layer\": \"addon\", \"constraints\": {\"dependencies\": [{\"packName\": \"vault\", \"minVersion\": \"0.5\", \"type\": \"required\"}]}}\n" +
				"  values.yaml: |\n    vault: '{{.spectro.pack.vault.address}}'\n",
			"vault.yaml": "apiVersion: v1\nkind: ConfigMap\n" + strings.ReplaceAll(local, "NAME", "vault") +
				"data:\n  pack.json: |\n    {\"name\": \"vault\", \"version\": \"1.0.0\", \"layer\": \"addon\", \"constraints\": {\"resources\": [{\"type\": \"cpu\", \"minLimit\": 1000, \"components\": [{\"resourceRequestParamRef\": \"cpu\", \"replicaCountParamRef\": \"replicas\", \"scheduleType\": \"worker\"}]}]}}\n" +
				"  values.yaml: |\n    address: \"\"\n    name: '{{.spectro.pack.shop.vault}}'\n    replicas: 1\n    cpu: 500m\n" +
				"  schema.yaml: |\n    address:\n      schema: '{{ required | format \"${string}\" }}'\n    replicas:\n      schema: '{{ format \"${number:[1-7]}\" }}'\n" +
				"  presets.yaml: |\n    presets:\n    - {name: large, displayName: Large, group: Size, remove: [], add: \"replicas: 3\\n\"}\n",
		}
		if len(pairs) == 0 {
			delete(all, changed)
		}
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(all[changed], pairs[i]) {
				t.Fatalf("%s has no %q", changed, pairs[i])
			}
			all[changed] = strings.Replace(all[changed], pairs[i], pairs[i+1], 1)
		}
		return all
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a text of an override", files("override.yaml", "replicas: 5", "replicas: [5"), "error values/invalid-yaml override.yaml:11"},
		{"values of an override", files("override.yaml", "values: |", "values:", "replicas: 5", "replicas: [5"), "error input/invalid override.yaml:11"},
		{"values of a pack", files("vault.yaml", "replicas: 1", "replicas: [1"), "error values/invalid-yaml vault.yaml:13"},
		{"a schema in a changed resource", files("vault.yaml", "schema: '{{ required", "schema: {{ required"), "error schema/invalid vault.yaml:16"},
		{"pack.json", files("vault.yaml", `"layer": "addon"`, `"layer" "addon"`), "error input/invalid vault.yaml:8"},
		{"the facts of the cluster", files("cluster.yaml", "size: 3", "size: [3"), "error input/invalid cluster.yaml:11"},
		{"the kind of an override", files("override.yaml", "PackValues", "PackValue"), "error input/invalid override.yaml:2"},
		{"the pack of an override", files("override.yaml", "name: vault", "name: valt"), "error input/invalid override.yaml:8"},
		{"no pack", files("vault.yaml"), "error dependency/missing shop.yaml:8"},
	} {
		for _, isRendered := range []bool{false, true} {
			got, notes := checked(t, Options{Rendered: isRendered}, tc.files)
			if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
				t.Errorf("%s: -want +got (rendered %v):\n%s", tc.name, isRendered, diff)
			}
			if strings.Contains(strings.Join(notes, "\n"), "cannot be read: ") {
				t.Errorf("%s: a note repeats the finding: %q", tc.name, notes)
			}
		}
	}
	if got, _ := checked(t, Options{Rendered: true}, files("vault.yaml", "replicas: 1", "replicas: 1")); len(got) > 0 {
		t.Errorf("right: %q", got)
	}
}
