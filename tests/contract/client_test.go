package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/pkg/function"
)

// A pass is exit 0, says nothing on standard error, and gives the list back.
func TestPass(t *testing.T) {
	input := list(deployment, goodPack)
	got := start(t, "validate-pack-values", input)
	if got.exit != 0 || got.stderr != "" || got.stdout != input {
		t.Errorf("exit %d, standard error %q, output:\n%s", got.exit, got.stderr, got.stdout)
	}
}

// Warnings and infos do not fail a run, and are not printed.
func TestWarningsPass(t *testing.T) {
	warned := files("warned", "pack.json", packJSON, "values.yaml", "a: 1\n", "schema.yaml", `b:
  schema: '{{ format "${number}" }}'
`)
	got := start(t, "validate-pack-values", list(warned))
	if got.exit != 0 || got.stderr != "" {
		t.Errorf("exit %d, standard error %q", got.exit, got.stderr)
	}
	wants(t, got.results(t), "values/key-not-in-values", "warned", "b: ")
}

// A failure gives the whole list back too, with the annotations that it came
// with, and each error on a line of standard error.
func TestFailure(t *testing.T) {
	input := list(deployment, badPack, goodPack)
	got := start(t, "validate-pack-values", input)
	if got.exit != 1 || !strings.HasPrefix(got.stdout, input) {
		t.Errorf("exit %d, output:\n%s", got.exit, got.stdout)
	}
	want := "error: bad.yaml: ConfigMap bad: data[values.yaml]: replicas: must be a decimal number, got a string of 4 characters (values.yaml line 1) [values/format]\n"
	if got.stderr != want {
		t.Errorf("got  %q\nwant %q", got.stderr, want)
	}
	for _, r := range got.results(t) {
		if strings.ContainsAny(r.Message, "\r\n") || !strings.HasSuffix(r.Message, "["+r.Tags["rule"]+"]") {
			t.Errorf("message %q is not one line that ends with its rule", r.Message)
		}
	}
}

// The functions before may have failed; that is not ours.
func TestEarlierResults(t *testing.T) {
	earlier := `results:
- message: earlier
  severity: error
  unknown: kept
`
	for _, name := range programs {
		got := start(t, name, list(deployment)+earlier)
		results := got.results(t)
		if got.exit != 0 || len(results) == 0 || results[0].Message != "earlier" || !strings.Contains(got.stdout, "unknown: kept") {
			t.Errorf("%s: exit %d, results %+v", name, got.exit, results)
		}
	}
}

// Without items there is nothing to do, which is said, and the list is written
// as an empty one.
func TestNothingToDo(t *testing.T) {
	for _, name := range programs {
		for _, input := range []string{
			`apiVersion: config.kubernetes.io/v1
kind: ResourceList
`,
			`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
`,
			`apiVersion: config.kubernetes.io/v1alpha1
kind: ResourceList
items:
`,
			`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList"}`,
		} {
			got := start(t, name, input)
			if got.exit != 0 || !strings.Contains(got.stdout, "items: []\n") {
				t.Errorf("%s: exit %d, output %q", name, got.exit, got.stdout)
			}
			wants(t, got.results(t), "nothing-to-do", "")
		}
	}
}

// kpt fn eval sends an empty ConfigMap when there is no configuration, kpt fn
// render sends none.
func TestNoConfiguration(t *testing.T) {
	input := list(goodPack)
	for _, config := range []string{
		"",
		`functionConfig:
  metadata:
    name: function-input
  data: {}
  kind: ConfigMap
  apiVersion: v1
`,
		"functionConfig: {}\n",
		"functionConfig:\n",
	} {
		if got := start(t, "validate-pack-values", input+config); got.exit != 0 || got.stdout != input+config {
			t.Errorf("with %q: exit %d, output:\n%s", config, got.exit, got.stdout)
		}
	}
}

// The functionConfig leaves as it came, and is not a resource to work on even when
// its file is among the items.
func TestConfigurationAmongTheItems(t *testing.T) {
	config := `apiVersion: fn.kpt.dev/v1alpha1
kind: ValidatePackValues
metadata:
  name: validate # ours
spec:
  targets:
  - selector: {name: validate}
    path: spec
    schema: {nothing: {schema: '{{ required }}'}}
`
	input := list(config, goodPack) + "functionConfig:\n  " + strings.ReplaceAll(strings.TrimSpace(config), "\n", "\n  ") + "\n"
	got := start(t, "validate-pack-values", input)
	if got.exit != 0 || !strings.HasPrefix(got.stdout, input) {
		t.Errorf("exit %d, output:\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

// Running a function on its own output changes nothing.
func TestTwice(t *testing.T) {
	for _, name := range programs {
		for _, input := range []string{
			list(deployment, goodPack),
			`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}]}`,
		} {
			first := start(t, name, input)
			items, _, _ := strings.Cut(first.stdout, "results:")
			second := start(t, name, items)
			if second.stdout != first.stdout {
				t.Errorf("%s: the second run gives\n%s\nand not\n%s", name, second.stdout, first.stdout)
			}
		}
	}
}

// The same input gives the same bytes, whatever the environment.
func TestNoEnvironment(t *testing.T) {
	input := list(badPack, deployment)
	first := start(t, "validate-pack-values", input)
	t.Setenv("TZ", "Asia/Tokyo")
	t.Setenv("LANG", "de_DE.UTF-8")
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if second := start(t, "validate-pack-values", input); second != first {
		t.Errorf("%+v\nand not\n%+v", second, first)
	}
}

// Absolute paths of packages distinguish their files but are not shown.
func TestPackagePath(t *testing.T) {
	sub := strings.Replace(badPack, "    internal", "    internal.config.kubernetes.io/package-path: '/home/somebody/package'\n    internal", 1)
	got := start(t, "validate-pack-values", list(sub))
	if got.exit != 1 || strings.Contains(got.stdout[strings.Index(got.stdout, "results:"):]+got.stderr, "somebody") {
		t.Errorf("exit %d, or the path is shown:\n%s%s", got.exit, got.stdout, got.stderr)
	}
}

// A message that asks for something absent names what was meant, or else says that a
// selector may hide it.
func TestHiddenBySelector(t *testing.T) {
	override := `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: over
spec:
  packRef: {name: valt}
  values: {a: b}
`
	got := start(t, "validate-pack-values", list(override, goodPack))
	wants(t, got.results(t), "input/invalid", "over", `"valt"`, `Did you mean "vault"?`)
	got = start(t, "validate-pack-values", list(strings.Replace(override, "valt", "prometheus", 1), goodPack))
	wants(t, got.results(t), "input/invalid", "over", `"prometheus"`, "selector")
}

func TestArguments(t *testing.T) {
	for _, name := range programs {
		if docs := functions.Docs(name); len(docs.Readme) == 0 || len(docs.Metadata) == 0 {
			t.Errorf("functions/%s/README.md or metadata.yaml is missing: UPDATE=1 go test ./functions/suite -run TestDocuments writes the second", name)
			continue
		}
		help := start(t, name, "", "--help")
		_, more, _ := strings.Cut(help.stdout, "\nMore: https://github.com/krm-packs/functions/blob/main/")
		if _, err := os.Stat("../../" + strings.TrimSpace(more)); help.exit != 0 || more == "" || err != nil || strings.Count(help.stdout, "\n") > 20 {
			t.Errorf("%s --help: exit %d, %q", name, help.exit, help.stdout)
		}
		doc := start(t, name, "", "--doc")
		if doc.exit != 0 || !strings.Contains(doc.stdout, "apiVersion: fn.kpt.dev/v1alpha1") || !strings.Contains(doc.stdout, `"image": "`+function.Image(name)+`"`) {
			t.Errorf("%s --doc: exit %d, %q", name, doc.exit, doc.stdout)
		}
		flag := start(t, name, "", "--hlep")
		if flag.exit != 1 || flag.stdout != "" || !strings.Contains(flag.stderr, "--hlep") {
			t.Errorf("%s --hlep: %+v", name, flag)
		}
	}
}

// With files as arguments a function prints its results for people.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, bad := write("good.yaml", goodPack), write("bad.yaml", deployment+"---\n"+badPack)
	config := write("config.yaml", `apiVersion: fn.kpt.dev/v1alpha1
kind: ValidatePackValues
metadata: {name: c}
spec: {severity: {values/format: warning}}
`)

	if got := start(t, "validate-pack-values", "", good); got.exit != 0 || got.stdout != "validate-pack-values: 0 errors, 0 warnings, 0 notes in 1 resource\n" {
		t.Errorf("a good pack: %+v", got)
	}
	got := start(t, "validate-pack-values", "", good, bad)
	if got.exit != 1 || !strings.Contains(got.stdout, "error: "+bad+": ConfigMap bad: data[values.yaml]: replicas: ") || !strings.Contains(got.stdout, "1 error, 0 warnings, 0 notes in 3 resources") {
		t.Errorf("a bad pack: %+v", got)
	}
	if got := start(t, "validate-pack-values", "", bad, config); got.exit != 0 || !strings.Contains(got.stdout, "warning: ") {
		t.Errorf("with a configuration: %+v", got)
	}
	if got := start(t, "validate-pack-values", "", filepath.Join(dir, "absent.yaml")); got.exit != 1 || !strings.Contains(got.stderr, "absent.yaml") {
		t.Errorf("an absent file: %+v", got)
	}
}

// A function that changes resources prints them, and its results beside them.
func TestFilesOfMutators(t *testing.T) {
	path := filepath.Join(t.TempDir(), "packs.yaml")
	pack := files("a", "pack.json", packJSON, "values.yaml", `x: '{{ .spectro.pack.vault.y }}' # why
y: 1
`)
	if err := os.WriteFile(path, []byte(deployment+"---\n"+pack), 0o600); err != nil {
		t.Fatal(err)
	}
	got := start(t, "resolve-macros", "", path)
	want := deployment + "---\n" + strings.Replace(pack, "'{{ .spectro.pack.vault.y }}' # why", "'1' # why # kpt-macro: {{ .spectro.pack.vault.y }}", 1)
	if got.exit != 0 || got.stdout != want || got.stderr != "changed: "+path+`: ConfigMap a
resolve-macros: 0 errors, 0 warnings, 0 notes in 2 resources
` {
		t.Errorf("%+v\nwant %s", got, want)
	}
}

// packfn runs every function by its name.
func TestPackfn(t *testing.T) {
	input := list(deployment)
	for _, name := range programs {
		if got, want := start(t, "packfn", input, name), start(t, name, input); got != want {
			t.Errorf("packfn %s: %+v, want %+v", name, got, want)
		}
		if got := start(t, "packfn", "", name, "--help"); got.exit != 0 || got.stdout == "" {
			t.Errorf("packfn %s --help: %+v", name, got)
		}
	}
	if got := start(t, "packfn", "", "validate-pack-value"); got.exit != 2 || !strings.Contains(got.stderr, `did you mean "validate-pack-values"`) {
		t.Errorf("a misspelt name: %+v", got)
	}
	if got := start(t, "packfn", ""); got.exit != 1 || !strings.Contains(got.stderr, "standard input is empty") {
		t.Errorf("no name: %+v", got)
	}
}

// No result, message or line shows what may be a secret.
func TestSecrets(t *testing.T) {
	const secret = "hunter2-S3cr3t"
	item := files("odd", "pack.json", packJSON,
		"values.yaml", "token: "+secret+"\nlist: ["+secret+"]\nmode: "+secret+"\nfixed: "+secret+"\nport: "+secret+"\n",
		"schema.yaml", `token:
  schema: '{{ required | format "${string:/^x/}" }}'
list:
  schema: '{{ format "${password}" }}'
mode:
  schema: '{{ format "${list:[a,b]}" }}'
port:
  schema: '{{ format "${number:[1-2]}" }}'
fixed:
  schema: '{{ readonly | format "${ipv4} - ${ipv4}" }}'
`)
	override := `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: over
spec:
  packRef: {name: vault}
  values: {fixed: other-` + secret + "}\n"
	broken := files("broken", "pack.json", packJSON, "values.yaml", "token: '"+secret+"\n")
	got := start(t, "validate-pack-values", list(item, override, broken))
	results := got.results(t)
	if len(results) < 6 {
		t.Errorf("only %d results: %+v", len(results), results)
	}
	if tail := got.stdout[strings.Index(got.stdout, "\nresults:"):] + got.stderr; strings.Contains(tail, secret) {
		t.Errorf("the secret is shown:\n%s", tail)
	}
}

// A write error is one for every program and flag: one line, and an exit code that is
// not 0.
func TestFullDisk(t *testing.T) {
	for _, name := range programs {
		for _, args := range [][]string{nil, {"--help"}, {"--version"}, {"--doc"}} {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			var stderr strings.Builder
			cmd := exec.Command(filepath.Join(bin, name), args...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(list(deployment)), full, &stderr
			if err := cmd.Run(); err == nil || !strings.HasPrefix(stderr.String(), name+": writing ") || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("%s %v: got %v and %q", name, args, err, stderr.String())
			}
			full.Close()
		}
	}
}
