package packfn

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/reporttest"
)

// full is a standard output without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A command whose output cannot be written has failed, whatever it writes.
func TestOutputFails(t *testing.T) {
	t.Chdir(repository(t))
	for _, args := range []string{
		"check platform", "check drafts/mode --format json", "fix drafts/mode --dry-run", "config", "list packs", "list rules", "why registry charts.registry.port", "schema registry", "explain", "explain values/format", "version", "--help", "list",
		"images platform", "images platform --format json", "template platform", "render platform", "render platform --to -", "fleet", "fleet --format html", "fleet --format json", "report drafts/results.yaml",
		"upgrade platform ../packs/registry-2.4.0", "upgrade platform ../packs/registry-2.4.0 --template",
	} {
		var stderr bytes.Buffer
		if exit := mainOf(full{}, &stderr, strings.Fields(args)...); exit != 2 || !strings.HasSuffix(stderr.String(), "packfn: writing the output: no space left\n") {
			t.Errorf("%s: exit code %d, %s", args, exit, stderr.String())
		}
	}
}

// Every command that prints SARIF prints what its schema accepts, and a file and a line for each
// result: GitHub takes no other.
func TestSARIF(t *testing.T) {
	examples := filepath.Join(root, "examples")
	t.Chdir(repository(t))
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
			results := filepath.Join(dir, ".expected", "results.yaml")
			if _, err := os.Stat(results); err == nil {
				commands = append(commands, "report "+results, "report "+results+" --package "+dir)
			}
		}
	}
	if err := os.WriteFile("drafts/failed.yaml", []byte(`apiVersion: kpt.dev/v1
kind: FunctionResultList
items:
- {exec: f, exitCode: 1, stderr: no}
- exec: g
  results:
  - {message: a, severity: error}
`), 0o600); err != nil {
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
