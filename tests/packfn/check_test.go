package packfn

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// findings runs check and returns what it reports.
func findings(t *testing.T, dir string, exit int, args ...string) []packfntest.Finding {
	t.Helper()
	return readFindings(t, packfn(t, dir, append([]string{"check", "--format", "json"}, args...)...).want(t, exit))
}

// readFindings reads a report that a run printed as JSON.
func readFindings(t *testing.T, got outcome) []packfntest.Finding {
	t.Helper()
	var file packfntest.File
	if err := json.Unmarshal([]byte(got.stdout), &file); err != nil {
		t.Fatalf("%v\n%s%s", err, got.stdout, got.stderr)
	}
	return file.Findings
}

// facts are findings as lines that tests compare.
func facts(findings []packfntest.Finding) []string {
	facts := []string{}
	for _, f := range findings {
		facts = append(facts, fmt.Sprintf("%s %s %s:%d:%d", f.Severity, f.Rule, f.File, f.Line, f.Column))
	}
	return facts
}

// Check finds in each example what the four functions find one by one in the list that
// kpt sends them.
func TestCheckEqualsFunctions(t *testing.T) {
	examples, err := filepath.Glob(filepath.Join(root, "examples/*/Kptfile"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	total := 0
	for _, kptfile := range examples {
		dir := filepath.Dir(kptfile)
		want := oneByOne(t, dir)
		r, err := packfntest.Check([]string{dir}, packfntest.CheckOptions{Functions: suite.All(), Root: root})
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		all := len(want)
		want = slices.DeleteFunc(want, func(line string) bool { return strings.Contains(strings.Split(line, "\n")[1], "/waiting") })
		if r.HasSkipped("waiting") != (len(want) < all) {
			t.Errorf("%s: what is injected later is not recorded: %+v", dir, r.Skipped)
		}
		var got []string
		for _, f := range r.Findings {
			if slices.Contains([]string{"check-packs", "check-macros", "inject-config", "expand-variant-set"}, f.Function) {
				continue // check has it in addition
			}
			got = append(got, strings.Join([]string{string(f.Severity), f.Rule, f.Resource.String(), f.Field, withoutLines(f.Message)}, "\n"))
			if f.Resource != nil && (f.File == "" || f.Line == 0) {
				t.Errorf("%s: no line: %+v", filepath.Base(dir), f)
			}
		}
		slices.Sort(got)
		total += len(got)
		if diff := cmp.Diff(append([]string{}, want...), append([]string{}, slices.Compact(got)...)); diff != "" {
			t.Errorf("%s: (-functions +check):\n%s", filepath.Base(dir), diff)
		}
	}
	if total < 50 {
		t.Errorf("only %d findings in all examples", total)
	}
}

// embeddedLine matches what a message of a function says of a line of an embedded text. Check
// has the line of the file.
var embeddedLine = regexp.MustCompile(` line \d+|lines \d+ and \d+`)

func withoutLines(message string) string { return embeddedLine.ReplaceAllString(message, "") }

// oneByOne runs the functions over the list that kpt makes of a package.
func oneByOne(t *testing.T, dir string) []string {
	t.Helper()
	steps, err := packfntest.Steps(dir, suite.All())
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range suite.All() {
		if !f.Checks {
			continue
		}
		var configs []*yaml.Node
		for _, step := range steps {
			if step.Function.Name == f.Name {
				configs = append(configs, step.Config)
			}
		}
		if configs == nil {
			configs = append(configs, nil)
		}
		for _, config := range configs {
			l, err := list.Read(resourceList(t, dir, config))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range function.Evaluate(f, l).Findings {
				if f = f.WithLook(""); f.Rule != rule.NothingToDo { // as check says it, without selectors
					found = append(found, strings.Join([]string{string(f.Severity), f.Rule.ID, f.Resource().String(), f.Path(), withoutLines(f.Message())}, "\n"))
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// resourceList makes the list that kpt sends.
func resourceList(t *testing.T, dir string, config *yaml.Node) []byte {
	t.Helper()
	nodes, err := kio.LocalPackageReader{
		PackagePath: dir, PackageFileName: "Kptfile", IncludeSubpackages: true,
		MatchFilesGlob: append([]string{"Kptfile"}, kio.MatchAll...), PreserveSeqIndent: true, WrapBareSeqNode: true,
	}.Read()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	w := kio.ByteWriter{Writer: &b, KeepReaderAnnotations: true, WrappingKind: kio.ResourceListKind, WrappingAPIVersion: kio.ResourceListAPIVersion}
	if config != nil {
		w.FunctionConfig = yaml.NewRNode(config)
	}
	if err := w.Write(nodes); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

const schemaText = `registry.port:
  schema: '{{ required | format "${number:[5000-5005]}" }}'
registry.token:
  schema: '{{ required | format "${string:/^x/}" }}'
`

// local keeps a resource from the cluster, as a line of its metadata.
const local = "  annotations: {config.kubernetes.io/local-config: 'true'}\n"

// pack returns a pack as a ConfigMap.
func packResource(values string) string {
	block := func(text string) string {
		return "|\n    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
	}
	return `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
` + local + `data:
  pack.json: '{"name": "vault", "version": "1.0.0"}'
  values.yaml: ` + block(values) + "  schema.yaml: " + block(schemaText)
}

const kptfileText = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`

// Each format masks values, and goes to a file as it goes to the standard output. What is
// accepted is in no format for machines but JSON.
func TestCheckFormats(t *testing.T) {
	dir := t.TempDir()
	text := packResource(`registry:
  token: hunter2
  port: 70000
`)
	write(t, filepath.Join(dir, "a.yaml"), text)
	write(t, filepath.Join(dir, "b.yaml"), strings.Replace(text, local, `  annotations:
    config.kubernetes.io/local-config: 'true'
    packs.kpt.dev/accept: |
      values/format registry.port: the proxy maps it
      values/format registry.token: it is set
`, 1))
	for _, format := range packfntest.Formats {
		got := packfn(t, dir, "check", "a.yaml", "--format", format).want(t, 1)
		if strings.Contains(got.stdout, "hunter2") || got.stderr != "" || got.stdout == "" {
			t.Errorf("%s: %+v", format, got)
		}
		out := packfn(t, dir, "check", "a.yaml", "--format", format, "--output", "r/out").want(t, 1)
		if text := tree(t, dir)["r/out"]; out.stdout != "" || untimed(text) != untimed(got.stdout) {
			t.Errorf("%s --output: %q", format, text)
		}
		accepted := packfn(t, dir, "check", "b.yaml", "--format", format).want(t, 0)
		isShown := slices.Contains([]string{"json", "markdown", "html"}, format)
		if strings.Contains(accepted.stdout, "the proxy maps it") != isShown {
			t.Errorf("%s:\n%s", format, accepted.stdout)
		}
	}
}

// The schema that is published for the format json accepts it, and no other text.
func TestReportSchema(t *testing.T) {
	text := packfn(t, root, "check", "examples", "--format", "json").want(t, 1).stdout
	checkSchema(t, "report.json", text, strings.Replace(text, `"severity": "error"`, `"severity": "bad"`, 1))
}

// checkSchema fails unless a schema of build/schemas accepts a text, and rejects another
// one and what is nearly empty.
func checkSchema(t *testing.T, name, valid, invalid string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, "build/schemas", name))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := packfntest.ParseSchema(string(source))
	if err != nil {
		t.Fatal(err)
	}
	if valid == invalid {
		t.Fatal("the invalid text is the valid one")
	}
	for text, valid := range map[string]bool{valid: true, `{"format": "x"}`: false, invalid: false} {
		document, err := values.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		violations, err := schema.Validate(document.Root(), 3)
		if err != nil || (len(violations) == 0) != valid {
			t.Errorf("%.60s…: %v, %v", text, violations, err)
		}
	}
}

// All packs are checked at once.
func TestCheckAllPacks(t *testing.T) {
	all := packs(t)
	if got := packfn(t, t.TempDir(), append([]string{"check", "--format", "junit"}, all...)...); got.exit == 2 || strings.Count(got.stdout, "<testcase ") < len(all) {
		t.Errorf("all packs: exit %d, %d cases\n%s", got.exit, strings.Count(got.stdout, "<testcase "), got.stderr)
	}
}

// took is in the last line of a table: no two runs take the same time.
var took = regexp.MustCompile(`(?m) in \d[\w.µ]*(\. Checked .*)?$`)

func untimed(table string) string { return took.ReplaceAllString(table, "$1") }
