package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// One bad part ends no run: it is a finding at its place, and the rest is checked, fixed and
// rendered.
func TestOneBadPart(t *testing.T) {
	const head = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: x\n"
	const validators = head + "pipeline:\n  validators:\n  - exec: check-resources\n"
	wrong := packResource("port: seven\n")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"good/Kptfile": head, "good/vault.yaml": wrong,
		"duplicate/Kptfile": head + "info: {}\ninfo: {}\n", "duplicate/vault.yaml": wrong,
		"older/Kptfile": strings.Replace(head, "v1", "v1alpha1", 1), "older/vault.yaml": wrong,
		"config/Kptfile": validators + "    configPath: absent.yaml\n", "config/vault.yaml": wrong,
		"when/Kptfile": validators + "    when: '1 +'\n", "when/vault.yaml": wrong,
		"binary/Kptfile": head, "binary/vault.yaml": wrong, "binary/other.yaml": "a: \xff\n",
		"link/Kptfile": head, "link/vault.yaml": wrong,
		"half/packs.json": `{"name": "half", "version": "1.0.0"}`, "half/values.yaml": "a: 1\n",
		"pack/pack.json": `{"name": "pack", "version": "1.0.0"}`, "pack/values.yaml": "a: \xff\n",
		"loose.yaml": wrong,
	} {
		write(t, filepath.Join(dir, name), text)
	}
	if err := os.Symlink("nothing", filepath.Join(dir, "link/other.yaml")); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"duplicate/Kptfile:6 kpt rejects the Kptfile: info: duplicate key. Remove one",
		"older/Kptfile:1 kpt rejects the Kptfile: apiVersion: ",
		"config/Kptfile:7 pipeline.validators[0]: configPath absent.yaml does not exist in the package",
		"when/Kptfile:7 pipeline.validators[0]: when: ",
		"binary/other.yaml:0 the file is not UTF-8: byte 4 is 0xff",
		"link/other.yaml:0 the file is a symbolic link to nothing",
		"half:0 ", "pack/values.yaml:0 ", "loose.yaml:8 ",
	}
	for _, name := range []string{"good", "duplicate", "older", "config", "when", "binary", "link"} {
		want = append(want, name+"/vault.yaml:8 ")
	}
	found := func(r outcome) (lines []string) {
		for _, f := range readFindings(t, r) {
			lines = append(lines, fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Message))
		}
		return lines
	}
	has := func(lines []string, want ...string) {
		t.Helper()
		for _, one := range want {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, one) }) {
				t.Errorf("no finding %s in\n%s", one, strings.Join(lines, "\n"))
			}
		}
	}
	has(found(packfn(t, dir, "check", ".", "--format", "json").want(t, 1)), want...)
	if sarif := packfn(t, dir, "check", ".", "--format", "sarif").want(t, 1).stdout; strings.Count(sarif, `"ruleId"`) < len(want) {
		t.Errorf("SARIF has %d results", strings.Count(sarif, `"ruleId"`))
	}
	packfn(t, dir, "fix", ".").want(t, 1)
	// Of several packages that are named the others are rendered.
	mutated := head + "pipeline:\n  mutators:\n  - exec: resolve-macros\n"
	macro := packResource("mode: '{{ .spectro.var.mode }}'\n")
	context := "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {variables: {mode: fast}}\n"
	for _, name := range []string{"a", "b"} {
		write(t, filepath.Join(dir, name, "Kptfile"), mutated)
		write(t, filepath.Join(dir, name, "vault.yaml"), macro)
		write(t, filepath.Join(dir, name, "context.yaml"), context)
	}
	rendered := packfn(t, dir, "render", "a", "duplicate", "b", "--format", "json").want(t, 1, "duplicate: nothing is written", "a: 1 function ran, 1 file changed", "b: 1 function ran, 1 file changed")
	has(found(rendered), want[0])
	has(found(packfn(t, dir, "render", "duplicate", "--to", "out", "--format", "json").want(t, 1)), want[0])
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a package that kpt rejects is rendered")
	}
	for _, command := range []string{"template", "images"} {
		packfn(t, dir, command, "duplicate", "a").want(t, 1, "6:1: error: kpt rejects the Kptfile: info", "a/vault.yaml")
	}
}
