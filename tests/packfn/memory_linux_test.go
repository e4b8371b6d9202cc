package packfn

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each program that has no memory left ends with one line: a function, packfn in place of one, and a command.
func TestOutOfMemory(t *testing.T) {
	const limit = "200000" // KiB
	dir := t.TempDir()
	input, file := strings.Builder{}, strings.Builder{}
	input.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig: {apiVersion: fn.kpt.dev/v1alpha1, kind: ValidatePackValues, metadata: {name: x}}
items:
`)
	for i := range 60_000 {
		item := fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {name: c%d}, data: {pack.json: '{\"name\": \"p%[1]d\", \"version\": \"1.0.0\"}', values.yaml: 'key: value'}}\n", i)
		input.WriteString("- " + item)
		file.WriteString("---\n" + item)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{filepath.Join(filepath.Dir(program), "validate-pack-values")}, {program}, {program, "check", dir}} {
		command := exec.Command("sh", append([]string{"-c", "ulimit -d " + limit + ` && exec "$0" "$@"`}, args...)...)
		command.Stdin = strings.NewReader(input.String())
		var stderr strings.Builder
		command.Stderr = &stderr
		command.Run()
		if got := stderr.String(); command.ProcessState.ExitCode() != 2 || !strings.HasPrefix(got, "out of memory: ") || strings.Count(got, "\n") != 1 {
			t.Errorf("%v: exit code %d, want 2 and one line:\n%.500s", args[0], command.ProcessState.ExitCode(), got)
		}
	}
}
