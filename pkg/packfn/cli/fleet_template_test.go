package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// A change of a value is shown as what it changes in the manifests, once for all clusters with it.
func TestFleetTemplate(t *testing.T) {
	inRepository(t)
	variant, err := os.ReadFile("clusters/edge-1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"edge-2", "edge-3"} {
		if err := os.WriteFile("clusters/"+name+".yaml", bytes.ReplaceAll(variant, []byte("edge-1"), []byte(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(old, new string) {
		t.Helper()
		text, err := os.ReadFile("platform/registry.yaml")
		if err != nil || !bytes.Contains(text, []byte(old)) {
			t.Fatal(old, err)
		}
		if err := os.WriteFile("platform/registry.yaml", bytes.ReplaceAll(text, []byte(old), []byte(new)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(exit int, args string) (string, string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if got := mainOf(&stdout, &stderr, strings.Fields(args)...); got != exit {
			t.Errorf("%s: exit code %d\n%s%s", args, got, stdout.String(), stderr.String())
		}
		return stdout.String(), stderr.String()
	}
	run(0, "fleet --like kpt --to before")
	edit("replicas: 2\n", "replicas: 4\n")
	for _, source := range []string{"", " --source ../packs", " --config none --set clusters --upstream platform --charts ../packs/registry-2.3.0"} {
		got, _ := run(0, "fleet --like kpt --against before --template"+source)
		if strings.Count(got, "+  replicas: 4") != 1 || !strings.Contains(got, "1 change in the manifests of 3 packages: edge-1/platform, edge-2/platform, edge-3/platform\n") || !strings.Contains(got, "Deployment/registry: changed") {
			t.Errorf("%s: got\n%s", source, got)
		}
	}
	// Without the charts each fault is said once.
	got, notes := run(1, "fleet --like kpt --against before --template --config none --set clusters --upstream platform")
	if strings.Count(notes, "\n") != 1 || !strings.Contains(notes, "name the directory of registry 2.3.0 with --charts") || !strings.Contains(got, "no manifest changes in 3 packages") {
		t.Errorf("without charts: got\n%s%s", got, notes)
	}
}
