package contract

import (
	"os/exec"
	"strings"
	"testing"
)

// Only packfn links Helm's engine, which would make each function three times as large.
func TestHelm(t *testing.T) {
	links := func(pkg string) bool {
		t.Helper()
		command := exec.Command("go", "list", "-deps", pkg)
		command.Dir = "../.."
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v", pkg, err)
		}
		return strings.Contains(string(output), "helm.sh/helm/")
	}
	for _, name := range programs {
		if links("./functions/" + name) {
			t.Errorf("%s links Helm", name)
		}
	}
	// Its commands start a process for that, so tests and tools that use them do not, either.
	if links("./pkg/packfn/cli") {
		t.Error("pkg/packfn/cli links Helm")
	}
	if !links("./functions/packfn") {
		t.Error("packfn does not link Helm, so this test shows nothing")
	}
}
