package contract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/tests/e2e"
)

// programs are the names of the functions, and bin is the folder that they are in.
var (
	programs []string
	bin      string
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		root, err := filepath.Abs("../..")
		if err == nil {
			err = e2e.Watch(root)
		}
		if err == nil {
			bin, programs, err = e2e.BuildFunctions(root)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		// packfn is the others under one name; it has a test of its own.
		programs = slices.DeleteFunc(programs, func(name string) bool { return name == "packfn" })
		return m.Run()
	}())
}

// outcome is what a run of a program left.
type outcome struct {
	stdout, stderr string
	exit           int
}

// start runs a program with an input.
func start(t *testing.T, name, input string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", name, err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s: still running after ten minutes", name)
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// result is what a client reads of a result.
type result struct {
	Message     string
	Severity    string
	ResourceRef struct{ Kind, Name string } `yaml:"resourceRef"`
	Field       struct{ Path string }
	Tags        map[string]string
}

// results reads the results of an output.
func (o outcome) results(t *testing.T) []result {
	t.Helper()
	var list struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Results    []result
	}
	// Items may be malformed, and leave as they came.
	head, _, _ := strings.Cut(o.stdout, "\nitems:")
	_, tail, _ := strings.Cut(o.stdout, "\nresults:")
	if err := yaml.Unmarshal([]byte(head+"\nresults:"+tail), &list); err != nil {
		t.Fatalf("the output is not YAML: %v", err)
	}
	if list.APIVersion != "config.kubernetes.io/v1" || list.Kind != "ResourceList" {
		t.Fatalf("the output is a %s %s", list.APIVersion, list.Kind)
	}
	return list.Results
}

// wants fails the test unless some result is of a rule, about a resource, and
// its message holds all of the texts.
func wants(t *testing.T, results []result, rule, name string, texts ...string) {
	t.Helper()
	for _, r := range results {
		if r.Tags["rule"] == rule && r.ResourceRef.Name == name &&
			!slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(r.Message, text) }) {
			return
		}
	}
	t.Errorf("no result of %s about %q that says %q in %+v", rule, name, texts, results)
}

// list makes a ResourceList of items in block form.
func list(items ...string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
	for _, item := range items {
		for i, line := range strings.Split(strings.TrimRight(item, "\n"), "\n") {
			switch {
			case i == 0:
				b.WriteString("- ")
			case line != "":
				b.WriteString("  ")
			}
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// files makes a ConfigMap of files.
func files(name string, texts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: v1
kind: ConfigMap
metadata:
  name: %s
  annotations:
    internal.config.kubernetes.io/path: '%s.yaml'
    internal.config.kubernetes.io/index: '0'
data:
`, name, name)
	for i := 0; i < len(texts); i += 2 {
		fmt.Fprintf(&b, "  %s: |\n", texts[i])
		for line := range strings.Lines(texts[i+1]) {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

const packJSON = `{"name": "vault", "version": "1.0.0", "layer": "addon"}` + "\n"

// goodPack is a pack without a mistake, badPack one that validate-pack-values
// refuses: together with other input they show that the rest is processed.
var (
	goodPack = files("good", "pack.json", packJSON, "values.yaml", "replicas: 3 # three\n", "schema.yaml", `replicas:
  schema: '{{ required }}'
`)
	badPack = files("bad", "pack.json", packJSON, "values.yaml", "replicas: many\n", "schema.yaml", `replicas:
  schema: '{{ format "${number}" }}'
`)
)

// deployment is a resource that no function looks at.
const deployment = `# why it is here
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations: {config.kubernetes.io/path: 'web.yaml', note: "quoted"}
spec:

  replicas:   3 # aligned
`
