package packfn

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fixSchema = `type:
  schema: '{{ format "${list:[PACK,GIT]}" }}'
near:
  schema: '{{ format "${list:[aa,ab]}" }}'
name:
  schema: '{{ format "${string}" }}'
flag:
  schema: '{{ format "${boolean}" }}'
port:
  schema: '{{ format "${number:[1-5]}" }}'
`

// Fix writes what is certain, and nothing else.
func TestFix(t *testing.T) {
	dir := t.TempDir()
	indent := func(text string) string {
		return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
	}
	values := "# note: hunter2 \ntype: pack  # the type\nnear: ac\nname:   5\nflag: 'True'\nport: 70000\nserver:\n  memory: 256m\n  token: hunter2\n"
	file := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vault}\ndata:\n  pack.json: |\n    {\"name\": \"vault\", \"version\": \"1.0.0\", \"constraints\": {\"dependencies\": [{\"packName\": \"x\", \"type\": \"optionl\"}], \"resources\": [{\"type\": \"memory\", \"components\": [{\"resourceRequestParamRef\": \"server.memory\"}]}]}}\n" +
		"  values.yaml: |\n" + indent(values) + "  schema.yaml: |\n" + indent(fixSchema)
	file += "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: x}\nspec:\n  packref: {name: vault}\n  scope: Cluster\n  values: {}\n"
	context := "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec:\n  machinePools:\n  - {name: a, role: wrker, size: 1, capacity: {memory: 64Gi}}\r\n  - {name: b, role: control-plane, size: 1, schedulesWorkloads: true, capacity: {memory: 64Gi}}\n"
	write(t, filepath.Join(dir, "p/vault.yaml"), file)
	write(t, filepath.Join(dir, "p/cluster.yaml"), context)
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText+"pipeline:\n  validators:\n  - exec: validate-pack-values\n    configMap:\n      unknownKeys: Ignore\n      severity: values/formt=error\n")
	before := tree(t, dir)

	got := packfn(t, dir, "fix", "p", "--dry-run").want(t, 1, "would fix")
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Fatalf("--dry-run changes files:\n%s", diff)
	}
	if strings.Contains(got.stdout, "hunter2") || !strings.Contains(got.stdout, "+    type: PACK") && !strings.Contains(got.stdout, "+    type: •••") {
		t.Errorf("the diff:\n%s", got.stdout)
	}
	patch := packfn(t, dir, "fix", "p", "--dry-run", "--show-values").stdout
	packfn(t, dir, "fix", "p").want(t, 1, "fixed")
	want := map[string]string{}
	for name, text := range before {
		for _, pair := range [][2]string{
			{"type: pack  #", "type: PACK  #"}, {"name:   5\n", "name:   \"5\"\n"}, {"flag: 'True'", "flag: 'true'"}, {"256m", "256Mi"},
			{"packref:", "packRef:"}, {"scope: Cluster", "scope: cluster"}, {"role: wrker", "role: worker"}, {"unknownKeys: Ignore", "unknownKeys: ignore"},
		} {
			text = strings.Replace(text, pair[0], pair[1], 1)
		}
		want[name] = text
	}
	after := tree(t, dir)
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// The diff is a patch that makes the same of the files.
	copied := filepath.Join(dir, "copy")
	for name, text := range before {
		write(t, filepath.Join(copied, name), text)
	}
	write(t, filepath.Join(dir, "patch"), patch)
	if out, err := exec.Command("git", "-C", copied, "apply", "--whitespace=nowarn", filepath.Join(dir, "patch")).CombinedOutput(); err != nil {
		t.Errorf("git apply: %v\n%s\n%s", err, out, patch)
	}
	if diff := cmp.Diff(after["p/vault.yaml"], tree(t, copied)["p/vault.yaml"]); diff != "" {
		t.Errorf("the patch: (-want +got):\n%s", diff)
	}
	// There is nothing left to fix.
	if again := packfn(t, dir, "fix", "p").want(t, 1, "fixed 0 findings"); again.stdout != "" {
		t.Errorf("the second run prints %s", again.stdout)
	}
}

// A change that brings a new finding is left out, and the others are made.
func TestFixLeavesNothingWorse(t *testing.T) {
	dir := t.TempDir()
	// The role is misspelt, so that nothing is known of the pool, which is too small.
	write(t, filepath.Join(dir, "c.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec:\n  machinePools:\n  - {name: a, role: wrker, size: 1, capacity: {cpu: 10m}}\n")
	write(t, filepath.Join(dir, "p.yaml"), "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec:\n  constraints: {resources: [{type: cpu, minLimit: 1000}]}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: v}\nspec: {packRef: {name: p}, scope: Cluster, values: {}}\n")
	packfn(t, dir, "fix", ".").want(t, 1, "c.yaml:6 is not fixed: there would be c.yaml:6", "resources/insufficient", "fixed 1 finding;")
	got := tree(t, dir)
	if !strings.Contains(got["c.yaml"], "wrker") || !strings.Contains(got["p.yaml"], "scope: cluster") {
		t.Errorf("got %v", got)
	}
}

// --only limits the fixes, and without errors the exit code is 0.
func TestFixOnly(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v.yaml"), strings.Replace(packResource("registry:\n  token: xyz\n  port: 5000\n  kind: a\n"), "registry.token:", "registry.kind:\n      schema: '{{ format \"${list:[A,B]}\" }}'\n    registry.token:", 1))
	packfn(t, dir, "fix", "v.yaml", "--only", "values/required").want(t, 1, "fixed 0 findings")
	packfn(t, dir, "fix", "v.yaml", "--only", "values/format").want(t, 0, "fixed 1 finding;")
	if text := tree(t, dir)["v.yaml"]; !strings.Contains(text, "kind: A\n") {
		t.Errorf("got\n%s", text)
	}
}
