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
	"github.com/krm-packs/functions/pkg/diag"
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
		if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
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

const schemaText = "registry.port:\n  schema: '{{ required | format \"${number:[5000-5005]}\" }}'\nregistry.token:\n  schema: '{{ required | format \"${string:/^x/}\" }}'\n"

// local keeps a resource from the cluster, as a line of its metadata.
const local = "  annotations: {config.kubernetes.io/local-config: 'true'}\n"

// pack returns a pack as a ConfigMap.
func packResource(values string) string {
	block := func(text string) string {
		return "|\n    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
	}
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: vault\n" + local + "data:\n  pack.json: '{\"name\": \"vault\", \"version\": \"1.0.0\"}'\n  values.yaml: " + block(values) + "  schema.yaml: " + block(schemaText)
}

const kptfileText = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"

// The report names the line in the file, masks values, and ends with the right code.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, ".git"), 0o755)
	file := "# two resources\napiVersion: v1\nkind: Secret\nmetadata: {name: other}\n---\n" + packResource("# note\nregistry:\n  token: hunter2\n  port: 70000\n")
	write(t, filepath.Join(dir, "a/p/vault.yaml"), file)
	write(t, filepath.Join(dir, "a/p/Kptfile"), kptfileText)
	line := strings.Count(file[:strings.Index(file, "port: 70000")], "\n") + 1
	want := []string{
		fmt.Sprintf("error values/format a/p/vault.yaml:%d:14", line-1),
		fmt.Sprintf("error values/format a/p/vault.yaml:%d:13", line),
	}
	for _, args := range [][]string{{"p"}, {"."}, {}, {"p/vault.yaml"}} {
		if diff := cmp.Diff(want, facts(findings(t, filepath.Join(dir, "a"), 1, args...))); diff != "" {
			t.Errorf("%v: (-want +got):\n%s", args, diff)
		}
	}
	for _, format := range packfntest.Formats {
		got := packfn(t, dir, "check", "a/p", "--format", format).want(t, 1)
		if strings.Contains(got.stdout+got.stderr, "hunter2") {
			t.Errorf("%s shows a value:\n%s", format, got.stdout)
		}
		if got.stderr != "" || got.stdout == "" {
			t.Errorf("%s: %+v", format, got)
		}
		out := packfn(t, dir, "check", "a/p", "--format", format, "--output", "r/out").want(t, 1)
		if text := tree(t, dir)["r/out"]; out.stdout != "" || untimed(text) != untimed(got.stdout) {
			t.Errorf("%s --output: %q", format, text)
		}
		os.RemoveAll(filepath.Join(dir, "r"))
	}
	table := packfn(t, dir, "check", "a/p").stdout
	if want := fmt.Sprintf("    %d |       port: 70000\n       |             ^\n", line); !strings.Contains(table, want) || !strings.Contains(table, "token: •••") {
		t.Errorf("the table lacks %q:\n%s", want, table)
	}

	// Options.
	if got := findings(t, dir, 0, "a/p", "--severity", "values/format=warning"); len(got) != 2 || got[0].Severity != diag.Warning {
		t.Errorf("--severity: %v", facts(got))
	}
	if got := findings(t, dir, 0, "a/p", "--severity", "values/format=off"); len(got) != 0 {
		t.Errorf("--severity off: %v", facts(got))
	}
	if got := findings(t, dir, 0, "a/p", "--only", "values/required"); len(got) != 0 {
		t.Errorf("--only: %v", facts(got))
	}
	if got := findings(t, dir, 1, "a/p", "--packs", "vault"); len(got) != 2 {
		t.Errorf("--packs: %v", facts(got))
	}
	packfn(t, dir, "check", "a/p", "--format", "json", "-o", "base.json").want(t, 1)
	write(t, filepath.Join(dir, "a/p/vault.yaml"), "# moved\n\n"+strings.Replace(file, "  schema.yaml: |\n", "  schema.yaml: |\n    registry.more:\n      schema: '{{ required }}'\n", 1))
	if got := findings(t, dir, 1, "a/p", "--baseline", "base.json"); len(got) != 1 || got[0].Rule != "values/required" {
		t.Errorf("--baseline: %v", facts(got))
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

// The functionConfigs of a pipeline count, also in subpackages, and their faults have a
// line.
func TestCheckPipeline(t *testing.T) {
	dir := t.TempDir()
	bad := packResource("registry:\n  token: xyz\n  port: 70000\n")
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText+`pipeline:
  validators:
  - image: ghcr.io/krm-packs/validate-pack-values:v1
    configMap:
      severity: values/format=warning
  - exec: check-resources
    configPath: resources.yaml
  - exec: another-program
  - exec: check-dependencies
    configMap:
      skope: set
`)
	write(t, filepath.Join(dir, "p/resources.yaml"), "# config\napiVersion: fn.kpt.dev/v1alpha1\nkind: CheckResources\nmetadata:\n  name: r\nspec:\n  machinePool: []\n")
	write(t, filepath.Join(dir, "p/vault.yaml"), bad)
	write(t, filepath.Join(dir, "p/sub/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "p/sub/vault.yaml"), strings.ReplaceAll(bad, "vault", "other"))
	want := []string{
		"error config/invalid p/Kptfile:15:7",
		"warning resource/not-local p/resources.yaml:4:1",
		"error config/invalid p/resources.yaml:7:3",
		"warning values/format p/sub/vault.yaml:11:13",
		"warning values/format p/vault.yaml:11:13",
	}
	if diff := cmp.Diff(want, facts(findings(t, dir, 1, "p"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Two packages beside each other are two sets, and files outside of packages one.
	write(t, filepath.Join(dir, "q/a/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "q/a/v.yaml"), bad)
	write(t, filepath.Join(dir, "q/b/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "q/b/v.yaml"), bad)
	write(t, filepath.Join(dir, "q/loose/v.yaml"), bad)
	write(t, filepath.Join(dir, "q/config.yaml"), "apiVersion: fn.kpt.dev/v1alpha1\nkind: ValidatePackValues\nmetadata: {name: x}\nspec: {severity: {values/format: info}}\n")
	want = []string{"error values/format q/a/v.yaml:11:13", "error values/format q/b/v.yaml:11:13", "info values/format q/loose/v.yaml:11:13"}
	if diff := cmp.Diff(want, facts(findings(t, dir, 1, "q"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A pack directory is checked as it is: what a published pack cannot have is a note.
func TestCheckPackDirectories(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "packs/a-1/pack.json"), "{\n  \"name\": \"a\",\n  \"version\": \"1\",\n  \"constraints\": {\"dependencies\": [\n    {\"packName\": \"b\", \"type\": \"required\"}],\n    \"resources\": [{\"type\": \"cpu\", \"minLimit\": 100}]}\n}\n")
	write(t, filepath.Join(dir, "packs/a-1/values.yaml"), "registry:\n  port: 70000\n  token: \"\"\n")
	write(t, filepath.Join(dir, "packs/a-1/schema.yaml"), schemaText)
	write(t, filepath.Join(dir, "packs/a-1/charts/x/templates/a.yaml"), "{{ if }}\n")
	write(t, filepath.Join(dir, "packs/a-2/pack.json"), `{"name": "a", "version": "2"}`)
	want := []string{
		"info pack/catalogue packs/a-1/pack.json:1:1",
		"info resources/no-pool packs/a-1/pack.json:6:19",
		"info dependency/missing packs/a-1/pack.json:5:6",
		"error values/format packs/a-1/values.yaml:2:9",
		"info values/required packs/a-1/values.yaml:3:10",
	}
	byRule := func(facts []string) []string {
		var cut []string
		for _, f := range facts {
			before, _, _ := strings.Cut(f, ".json:")
			cut = append(cut, before)
		}
		slices.Sort(cut)
		return cut
	}
	for _, args := range [][]string{{"packs"}, {"packs/a-1"}} {
		want := byRule(want)
		if args[0] == "packs" {
			want = slices.Insert(want, 3, "info pack/catalogue packs/a-2/pack")
		}
		if diff := cmp.Diff(want, byRule(facts(findings(t, dir, 1, args...)))); diff != "" {
			t.Errorf("%v: (-want +got):\n%s", args, diff)
		}
	}
	for _, f := range findings(t, dir, 1, "packs/a-1", "--as-deployed") {
		if f.Severity != diag.Error {
			t.Errorf("--as-deployed: %s %s", f.Severity, f.Rule)
		}
	}
	all := packs(t)
	if got := packfn(t, dir, append([]string{"check", "--format", "junit"}, all...)...); got.exit == 2 || strings.Count(got.stdout, "<testcase ") < len(all) {
		t.Errorf("all packs: exit %d, %d cases\n%s", got.exit, strings.Count(got.stdout, "<testcase "), got.stderr)
	}
}

// The results that kpt saves become the findings that check reports.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	kpt, err := kpt()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileText)
	write(t, filepath.Join(dir, "p/vault.yaml"), "# note\n"+packResource("registry:\n  token: xyz\n  port: 70000\n"))
	write(t, filepath.Join(dir, "p/sub/vault.yaml"), "kind: Secret\napiVersion: v1\nmetadata: {name: s}\n---\n"+strings.ReplaceAll(packResource("registry:\n  token: xyz\n"), "vault", "other"))
	link := filepath.Join(dir, "validate-pack-values")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "", kpt, "fn", "eval", "p", "--exec", link, "--results-dir", "r").want(t, 1)
	got := packfn(t, dir, "report", "r/results.yaml", "--package", "p", "--format", "json").want(t, 1)
	var file packfntest.File
	if err := json.Unmarshal([]byte(got.stdout), &file); err != nil {
		t.Fatal(err)
	}
	want := findings(t, dir, 1, "p")
	if len(want) != 2 {
		t.Fatalf("check finds %v", facts(want))
	}
	if diff := cmp.Diff(facts(want), facts(file.Findings)); diff != "" {
		t.Errorf("(-check +report):\n%s", diff)
	}
	for i, f := range file.Findings {
		if withoutLines(f.Message) != withoutLines(want[i].Message) || f.Resource.String() != want[i].Resource.String() || f.Field != want[i].Field || f.Function != "validate-pack-values" {
			t.Errorf("got %+v, want %+v", f, want[i])
		}
	}
	if got := packfn(t, dir, "report", "r/results.yaml").want(t, 1); !strings.Contains(got.stdout, "vault.yaml\n  -: error: ConfigMap vault: data[values.yaml]: registry.port") {
		t.Errorf("without the package:\n%s", got.stdout)
	}
	for text, words := range map[string]string{
		"apiVersion: kpt.dev/v7\nkind: FunctionResultList\n": `unknown version "kpt.dev/v7". Available: "kpt.dev/v1"`,
		"apiVersion: v1\nkind: ConfigMap\n":                  `the kind must be FunctionResultList, the results that kpt saves, or PackageRevisionResources, got "ConfigMap"`,
		"a: [":                                               "line 1",
		"[]":                                                 "got a list",
	} {
		write(t, filepath.Join(dir, "bad.yaml"), text)
		packfn(t, dir, "report", "bad.yaml").want(t, 2, "bad.yaml: ", words)
	}
	write(t, filepath.Join(dir, "porch.yaml"), "apiVersion: porch.kpt.dev/v1alpha1\nkind: PackageRevisionResources\nmetadata: {name: x}\nstatus:\n  renderStatus:\n    error: ''\n    result:\n      exitCode: 1\n      items:\n      - image: ghcr.io/krm-packs/check-resources\n        exitCode: 1\n        results:\n        - {message: 'too small [resources/insufficient]', severity: error, file: {path: vault.yaml}}\n")
	if got := packfn(t, dir, "report", "porch.yaml", "--package", "p").want(t, 1); !strings.Contains(got.stdout, "p/vault.yaml\n  2:1: error: too small [resources/insufficient]") {
		t.Errorf("Porch's results:\n%s", got.stdout)
	}
	write(t, filepath.Join(dir, "other.yaml"), "apiVersion: kpt.dev/v1\nkind: FunctionResultList\nmetadata: {name: fnresults}\nexitCode: 1\nitems:\n- image: example.com/set-labels:v1\n  exitCode: 1\n  results:\n  - message: 'a warning\n\n      of two lines'\n    severity: Warning\n    file: {path: ../out.yaml}\n- exec: ./other arg\n  stderr: 'no such thing'\n  exitCode: 2\n")
	out := packfn(t, dir, "report", "other.yaml", "--package", "p").want(t, 1)
	for _, want := range []string{"warning: a warning of two lines [set-labels]", "other failed with exit code 2: no such thing [function/failed]"} {
		if !strings.Contains(out.stdout, want) {
			t.Errorf("lacks %q:\n%s", want, out.stdout)
		}
	}
}

// An accepted finding is a note with its reason, and in formats for machines it is left
// out. An acceptance without a finding is reported once.
func TestCheckAccepted(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(packResource("registry:\n  token: xyz\n  port: 70000\n"), local, "  annotations:\n    config.kubernetes.io/local-config: 'true'\n    packs.kpt.dev/accept: |\n      values/format registry.port: the proxy maps it\n      values/required registry.token: later\n", 1)
	write(t, filepath.Join(dir, "v.yaml"), text)
	want := []string{"warning accept/unused v.yaml:7:5", "info accepted v.yaml:15:13"}
	if diff := cmp.Diff(want, facts(findings(t, dir, 0, "v.yaml"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, format := range packfntest.Formats {
		args := []string{"check", "v.yaml", "--format", format}
		if format == "table" {
			args = append(args, "--notes")
		}
		got := packfn(t, dir, args...).want(t, 0)
		shown := slices.Contains([]string{"table", "json", "markdown", "html"}, format)
		if strings.Contains(got.stdout, "the proxy maps it") != shown {
			t.Errorf("%s:\n%s", format, got.stdout)
		}
	}
}

// took is the end of the table's last line: no two runs take the same time.
var took = regexp.MustCompile(` in \d[\w.µ]*\n$`)

func untimed(table string) string { return took.ReplaceAllString(table, "\n") }
