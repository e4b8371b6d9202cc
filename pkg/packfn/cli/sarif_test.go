package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/report/reporttest"
)

// Every command that prints SARIF prints what its schema accepts, and a file and a line for each
// result: GitHub takes no other.
func TestSARIF(t *testing.T) {
	examples, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	inRepository(t)
	all, err := os.ReadDir(examples)
	if err != nil {
		t.Fatal(err)
	}
	commands := []string{
		"check .", "check drafts", "check drafts/fails --template", "check ../packs-with-faults", "check ../packs/cache-1.4.0 --as-deployed", "check ../profiles",
		"check drafts/charted.yaml", "check drafts/lacking", "check drafts/odd --template", "check drafts/requires --fail-on never", "check drafts/capact",
		"fix drafts/none", "render drafts/package", "render drafts/skipped drafts/mutated", "render platform --to -",
		"report drafts/results.yaml", "report drafts/failed.yaml", "report drafts/results.yaml --package drafts/mode",
		"fleet", "fleet --upstream x=platform", "fleet --upstream blueprints/platform=drafts/package", "fleet --upstream blueprints/platform=drafts/package --like kpt",
		"fleet --shard 0/1 -o made && report --merge made", "fleet --upstream x=platform --shard 0/1 -o made && report --merge made",
		"upgrade platform ../packs/registry-2.4.0", "upgrade drafts/requires ../packs/cache-1.5.0",
	}
	for _, one := range all {
		if dir := filepath.Join(examples, one.Name()); one.IsDir() {
			commands = append(commands, "check "+dir+" --config none", "check "+dir+" --as-written --config none", "fleet --set "+dir+" --upstream "+filepath.Join(examples, "inject-config-fleet"))
			if results := filepath.Join(dir, ".expected", "results.yaml"); isFile(results) {
				commands = append(commands, "report "+results, "report "+results+" --package "+dir)
			}
		}
	}
	if err := os.WriteFile("drafts/failed.yaml", []byte("apiVersion: kpt.dev/v1\nkind: FunctionResultList\nitems:\n- {exec: f, exitCode: 1, stderr: no}\n- exec: g\n  results:\n  - {message: a, severity: error}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	results := 0
	for _, line := range commands {
		var stdout, stderr bytes.Buffer
		steps := strings.Split(line, " && ")
		for i, command := range steps {
			args := strings.Fields(command)
			if i == len(steps)-1 {
				args = append(args, "--format", "sarif")
			}
			stdout.Reset()
			mainOf(&stdout, &stderr, args...)
		}
		if text := stdout.String(); strings.HasPrefix(text, "{") {
			results += reporttest.SARIF(t, line, text)
		}
		os.Remove("made")
	}
	if results < 100 {
		t.Errorf("only %d results", results)
	}
}

// A result without a file is in the file of results, at its line.
func TestSARIFOfResults(t *testing.T) {
	inRepository(t)
	var stdout, stderr bytes.Buffer
	mainOf(&stdout, &stderr, "report", "drafts/results.yaml", "--format", "sarif")
	if want := "\"uri\": \"drafts/results.yaml\"\n                },\n                \"region\": {\n                  \"startColumn\": 5,\n                  \"startLine\": 10\n"; !strings.Contains(stdout.String(), want) {
		t.Errorf("got %s", stdout.String())
	}
}
