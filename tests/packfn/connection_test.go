package packfn

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
)

var commandName = regexp.MustCompile(`(?m)^  ([a-z-]+) `)

// No command opens a socket of the network unless a registry is named. The list has every
// command that the help names.
func TestNoConnection(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-o", os.DevNull, program, "version").Run()
	}
	switch {
	case err != nil && os.Getenv("REQUIRE_STRACE") != "":
		t.Fatal(err)
	case err != nil:
		t.Skipf("the system calls of packfn are not looked at: strace: %v", err)
	}
	dir := t.TempDir()
	packfn(t, dir, "import", testPack("vault-0.6.0"), "--to", "platform", "--kptfile", "--exec").want(t, 0)
	write(t, filepath.Join(dir, "results.yaml"), `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: fnresults
exitCode: 0
items: []
`)
	example := filepath.Join(root, "examples")
	// A template and a schema that ask the network.
	chart := filepath.Join(dir, "web/charts/web")
	write(t, filepath.Join(dir, "web/pack.json"), `{"name": "web", "version": "1.0.0", "charts": ["charts/web"]}`)
	write(t, filepath.Join(dir, "web/values.yaml"), "charts: {web: {a: 1}}\n")
	write(t, filepath.Join(chart, "Chart.yaml"), `apiVersion: v2
name: web
version: 1.0.0
`)
	write(t, filepath.Join(chart, "values.schema.json"), `{"properties": {"a": {"$ref": "http://127.0.0.1:1/a.json"}}}`)
	write(t, filepath.Join(chart, "templates/a.yaml"), `a: {{ getHostByName "localhost.example.com" }}{{ lookup "v1" "Secret" "a" "b" }}`)
	commands := [][]string{
		{"template", "web"}, {"images", "web"}, {"check", "--template", "web"},
		{"import", testPack("vault-0.6.0"), "--to", "again"}, {"export", "platform", "--to", "out"}, {"check", "platform"}, {"fix", "--dry-run", "platform"},
		{"render", "platform"}, {"upgrade", "platform", testPack("vault-0.7.0")}, {"report", "results.yaml"}, {"explain", "values/format"},
		{"init", "cluster", "platform"}, {"why", "vault", "image.tag", "platform"}, {"schema", "vault", "platform"}, {"list", "packs", "platform"}, {"list", "values", "platform"}, {"completion", "bash"}, {"version"}, {"help"}, {"config"}, {"lsp"},
		{"fleet", "--set", filepath.Join(example, "expand-variant-set-fleet"), "--upstream", "blueprints/platform=" + filepath.Join(example, "inject-config-fleet")},
	}
	for _, f := range suite.All() {
		commands = append(commands, []string{f.Name, "platform/vault.yaml"})
	}
	for _, match := range commandName.FindAllStringSubmatch(run(t, dir, "", program, "--help").stdout, -1) {
		if match[1] != "packfn" && !slices.ContainsFunc(commands, func(args []string) bool { return args[0] == match[1] }) {
			t.Errorf("the command %s is not tried", match[1])
		}
	}
	for _, args := range commands {
		trace := filepath.Join(dir, "trace")
		got := run(t, dir, "", strace, slices.Concat([]string{"-f", "-q", "-e", "trace=socket,connect,execve", "-o", trace, program}, args)...)
		text, err := os.ReadFile(trace)
		if err != nil || !strings.Contains(string(text), "execve(") {
			t.Fatalf("%q: nothing is traced: %v\n%s%s", args, err, got.stdout, got.stderr)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "AF_INET") {
				t.Errorf("%q opens a connection: %s", args, line)
			}
		}
	}
	// What is looked for is seen where there is a connection.
	trace := filepath.Join(dir, "trace")
	run(t, dir, "", strace, "-f", "-q", "-e", "trace=socket,connect", "-o", trace, program, "list", "packs", "oci://127.0.0.1:1/base")
	if text, err := os.ReadFile(trace); err != nil || !strings.Contains(string(text), "AF_INET") {
		t.Errorf("a connection to a registry is not seen: %v", err)
	}
}
