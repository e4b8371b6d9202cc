package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/build"
	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/helm"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
)

// The program of the tests renders charts, as packfn does.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

func mainOf(stdout, stderr io.Writer, args ...string) int {
	p := Program{Functions: suite.All(), Docs: functions.Docs, Schemas: build.Schemas(), Renderer: []string{os.Args[0], helm.Command}}
	return Main(p, args, strings.NewReader(""), stdout, stderr)
}

// modePack has a value that is wrong, one that an override replaces, and one with a macro.
const modePack = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: mode}
spec:
  version: 1.0.0
  values:
    mode: fast
    token: hunter2
    url: 'x {{ .spectro.macro.a }}'
  schema:
    mode: {schema: '{{ format "${list:[Fast,Slow]}" }}'}
    token: {schema: '{{ format "${string}" | hints "a secret" }}'}
  presets:
  - {name: ha, add: {mode: Slow}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: over}
spec:
  packRef: {name: mode}
  values: {token: hunter3}
`

// inRepository changes to a copy of the repository of the documents, with more packages and packs
// beside it.
func inRepository(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"repository", "packs", "packs-with-faults", "profiles"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS("../../../docs/"+name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "repository"))
	kptfile := func(mutators string) string {
		return "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n" + mutators
	}
	for name, text := range map[string]string{
		"drafts/mode/pack.yaml":  modePack,
		"drafts/package/Kptfile": kptfile("pipeline:\n  validators:\n  - exec: validate-pack-values\n"),
		"drafts/package/a.yaml":  modePack,
		"drafts/skipped/Kptfile": kptfile("  annotations:\n    kpt.dev/save-on-render-failure: \"true\"\npipeline:\n  validators:\n  - image: i/check-resources:v9.9.9\n    when: \"false\"\n  - exec: validate-pack-values\n"),
		"drafts/skipped/a.yaml":  modePack,
		"drafts/mutated/Kptfile": kptfile("pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {mode: ha}\n"),
		"drafts/mutated/a.yaml":  strings.Replace(modePack, "mode: fast", "mode: Fast", 1),
		"drafts/warned/Kptfile":  kptfile("pipeline:\n  validators:\n  - exec: validate-pack-values\n    configMap: {unknownKeys: warning}\n"),
		"drafts/warned/a.yaml":   strings.NewReplacer("mode: fast", "mode: Fast", "{token: hunter3}", "{tokens: {a: 1}}").Replace(modePack),
		"drafts/requires/a.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: cache}\nspec: {version: 1.4.0}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: registry}\nspec: {version: 2.3.0}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: holder}\nspec:\n  version: 1.0.0\n  constraints: {dependencies: [{packName: cache, maxVersion: '1.4', type: required}]}\n",
		"drafts/two/a.yaml":      modePack,
		"drafts/two/b.yaml":      "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
		"drafts/none/.gitkeep":   "",
		"drafts/local/Kptfile":   kptfile("  annotations: {config.kubernetes.io/local-config: \"true\"}\n"),
		"drafts/faulty.yaml":     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\ndata:\n  pack.json: '{\"name\": \"p\", \"version\": \"1.0.0\"}'\n  presets.yaml: |\n    presets: {a\n",
		"drafts/other.yaml":      "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nchecks: {asWritten: true, template: true}\n",
		"drafts/results.yaml": "apiVersion: kpt.dev/v1\nkind: FunctionResultList\nmetadata: {name: fnresults}\nexitCode: 1\nitems:\n- image: i/f:v1\n  exitCode: 1\n  results:\n" +
			"  - {message: \"a fault [a/b]\", severity: error, tags: {rule: a/b}, file: {path: pack.yaml}, resourceRef: {apiVersion: packs.kpt.dev/v1alpha1, kind: Pack, name: mode}, field: {path: metadata.name}}\n  - {message: \"another [a/c]\", severity: warning}\n",
		"drafts/capact/hub.yaml":                 "ocfVersion: 0.0.1\nrevision: 0.1.0\nkind: Interface\nmetadata: {prefix: cap.interface, name: a}\n---\nocfVersion: 0.0.1\nrevision: 0.1.0\nkind: Implementation\nmetadata: {prefix: cap.implementation, name: a}\nspec: {implements: [{path: cap.interface.a, revision: 0.1.0}]}\n",
		"drafts/capact/a.yaml":                   "interface: {rules: [{interface: {path: cap.*}, oneOf: [{implementationConstraints: {}}]}]}\n",
		"drafts/capact/b.yaml":                   "interface: {rules: []}\n",
		"drafts/warnings.yaml":                   "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nfailOn: warning\n",
		"drafts/old.yaml":                        "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nfail-on: any\n",
		"drafts/scopes.yaml":                     "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nchecks: {scopes: {capact/b.yaml: ACTION}}\n",
		"drafts/charted.yaml":                    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: charted}\ndata:\n  pack.json: '{\"name\": \"charted\", \"version\": \"1.0.0\", \"charts\": [\"charts/a\"]}'\n  values.yaml: 'a: 1'\n",
		"drafts/lacking/pack.json":               `{"name": "lacking", "version": "1.0.0", "charts": ["charts/a"]}`,
		"drafts/lacking/values.yaml":             "a: 1\n",
		"drafts/unclear.yaml":                    "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: unclear}\nspec:\n  version: 1.0.0\n  schema: {a: {schema: '{{ requird }}'}}\n  values: {a: 1}\n",
		"drafts/excludes.yaml":                   "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nexclude: ['[']\n",
		"drafts/odd/pack.json":                   `{"name": "odd", "version": "1.0.0", "layer": "addon", "charts": ["charts/c"]}`,
		"drafts/odd/values.yaml":                 "a: 1\n",
		"drafts/odd/charts/c/Chart.yaml":         "apiVersion: v2\nname: c\nversion: 1.0.0\n",
		"drafts/odd/charts/c/templates/a.yaml":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: \"\u202e\"}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n",
		"drafts/fails/pack.json":                 `{"name": "fails", "version": "1.0.0", "layer": "addon", "charts": ["charts/c"]}`,
		"drafts/fails/values.yaml":               "charts:\n  c:\n    a: 1\n",
		"drafts/fails/charts/c/Chart.yaml":       "apiVersion: v2\nname: c\nversion: 1.0.0\n",
		"drafts/fails/charts/c/values.yaml":      "a: 1\n",
		"drafts/fails/charts/c/templates/a.yaml": "a: {{ .Values.a }}\n{{ fail \"no\" }}\n",
		"drafts/wrong/packfn.yaml":               "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackfnConfig\nsorces: []\n",
		"drafts/wrong/a.yaml":                    modePack,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", "drafts/package/link.yaml"); err != nil {
		t.Fatal(err)
	}
}

// commandTest is a run of packfn in the repository of the documents.
type commandTest struct {
	// commands are run one after the other; exit, out and notes are those of the last one.
	commands string
	exit     int
	// out are words of the standard output; "!" before one says that it is not there. Without
	// words nothing is printed.
	out []string
	// notes are words of each line of the standard error.
	notes []string
}

func (tc commandTest) run(t *testing.T) {
	t.Helper()
	t.Run(tc.commands, func(t *testing.T) {
		inRepository(t)
		var stdout, stderr bytes.Buffer
		var exit int
		for command := range strings.SplitSeq(tc.commands, " && ") {
			stdout.Reset()
			stderr.Reset()
			exit = mainOf(&stdout, &stderr, strings.Fields(command)...)
		}
		if exit != tc.exit {
			t.Errorf("exit code %d, want %d", exit, tc.exit)
		}
		for _, word := range tc.out {
			absent, isAbsent := strings.CutPrefix(word, "!")
			if isAbsent && strings.Contains(stdout.String(), absent) || !isAbsent && !strings.Contains(stdout.String(), word) {
				t.Errorf("want %s", word)
			}
		}
		if len(tc.out) == 0 && stdout.Len() > 0 {
			t.Error("something is printed")
		}
		lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
		if stderr.Len() == 0 {
			lines = nil
		}
		isNoted := len(lines) == len(tc.notes)
		for i := 0; isNoted && i < len(lines); i++ {
			isNoted = strings.Contains(lines[i], tc.notes[i])
		}
		if !isNoted {
			t.Errorf("want the notes %q", tc.notes)
		}
		if t.Failed() {
			t.Logf("standard output:\n%.2000s\nstandard error:\n%.2000s", stdout.String(), stderr.String())
		}
	})
}

const clean = "0 errors, 0 warnings, 0 notes"

// masked is the note about masked values.
const masked = "--show-values shows them"

func TestCheckCommand(t *testing.T) {
	for _, tc := range []commandTest{
		{"check", 0, []string{clean + " in ", "!draft"}, []string{"1 excluded path; --verbose lists them"}},
		{"check --verbose", 0, []string{clean}, []string{"packs.yaml is not checked", "Chart.yaml is not checked", "deployment.yaml is not checked", "values.yaml is not checked", "docker-compose.yaml is not checked", "drafts is not checked: it is excluded"}},
		{"check platform", 0, []string{clean}, nil},
		{"check platform ../packs/registry-2.4.0 --packs registry", 0, []string{clean}, nil},
		{"check platform --packs none", 2, nil, []string{`--packs: no pack named "none". Available: "registry"`}},
		{"check none", 2, nil, []string{"packfn: none: no such file or directory"}},
		{"check platfrm", 2, nil, []string{`packfn: platfrm: no such file or directory (did you mean "platform"?)`}},
		{"check ./drafts/mod", 2, nil, []string{`(did you mean "./drafts/mode"?)`}},
		{"check drafts/none", 2, nil, []string{"drafts/none: no resource and no pack is here"}},
		{"check platform --format sraif", 2, nil, []string{`--format: must be "table", "github", "sarif", "junit", "json", "markdown" or "html", got "sraif". Did you mean "sarif"?`}},
		{"check platform --severity values/format", 2, nil, []string{"--severity values/format: want RULE=SEVERITY"}},
		{"check platform --severity values/format=eror", 2, nil, []string{`, got "eror"`}},
		{"check platform --only values/fromat", 2, nil, []string{`--only: unknown rule "values/fromat"`}},
		{"check platform --exclude [", 2, nil, []string{`: the pattern "["`}},
		{"check --config drafts/excludes.yaml", 2, nil, []string{`the pattern "["`}},
		{"check --exclude docker-compose.yaml --notes", 1, []string{"drafts/registry.yaml"}, []string{"drafts/package/link.yaml is a symbolic link", "1 excluded path", "the charts of 1 pack were not looked at (charted)"}},
		{"check drafts/mode", 1, []string{"7:11: error", "7 |     mode: •••", "1 error"}, nil},
		{"check drafts/mode/pack.yaml --format github", 1, []string{"::error file=drafts/mode/pack.yaml,line=7"}, nil},
		{"check drafts/mode --only values/required", 0, []string{clean}, nil},
		{"check drafts/mode --severity values/format=info", 0, []string{"1 note"}, nil},
		{"check drafts/mode --output report", 1, nil, nil},
		{"check drafts/mode --output packfn.yaml/report", 2, nil, []string{"not a directory"}},
		{"check drafts/mode --format json -o report && check drafts/mode --baseline report", 0, []string{clean}, nil},
		{"check drafts/mode --baseline none", 2, nil, []string{"packfn: none: no such file or directory"}},
		{"check drafts/mode --baseline packfn.yaml", 2, nil, []string{"packfn.yaml: not a report in the format json"}},
		{"check drafts/mutated", 0, []string{"2 notes (--notes shows them) in ", "!preset/applied"}, nil},
		{"check drafts/mutated --notes", 0, []string{"preset/applied", "!--notes"}, nil},
		{"check drafts/mutated --only preset/applied", 0, []string{"preset/applied", "!--notes"}, nil},
		{"check drafts/mutated --only preset/applied --notes=false", 0, []string{"1 note (--notes shows them)"}, nil},
		{"check drafts/mutated --as-written --quiet", 0, []string{"2 warnings", "!resource/not-local"}, nil},
		{"check drafts/mutated --as-written -q --fail-on warning", 1, []string{"resource/not-local"}, nil},
		{"check drafts/mutated --notes --quiet", 2, nil, []string{"--notes and --quiet exclude each other: remove one of them"}},
		{"check drafts/mutated --notes --format json", 2, nil, []string{"--notes is for the table: a report in the format json has all findings"}},
		{"check platform -o json", 2, nil, []string{"packfn: json is a format: --format json. A file of this name is --output ./json"}},
		{"check platform -o SARIF", 2, nil, []string{"sarif is a format: --format sarif. A file of this name is --output ./SARIF"}},
		{"check platform -o ./json", 0, nil, nil},
		{"check platform --rendered", 2, nil, []string{"unknown flag: --rendered (did you mean --as-written?)"}},
		{"check drafts/mutated --as-written --fail-on warning", 1, []string{"resource/not-local"}, nil},
		{"check drafts/mutated --as-written --config drafts/warnings.yaml", 1, []string{"resource/not-local"}, nil},
		{"check drafts/mutated --as-written --config drafts/warnings.yaml --fail-on error", 0, []string{"resource/not-local"}, nil},
		{"check drafts/mode --fail-on never", 0, []string{"1 error"}, nil},
		{"check none --fail-on never", 2, nil, []string{"no such file"}},
		{"check platform --fail-on warnings", 2, nil, []string{`--fail-on: must be "error", "warning" or "never", got "warnings". Did you mean "warning"?`}},
		{"check platform --fail-on any", 2, nil, []string{`--fail-on: must be "error", "warning" or "never", got "any". Did you mean "error"?`}},
		{"check drafts/mutated --as-written", 0, []string{"resource/not-local", "!preset/applied"}, nil},
		{"check drafts/mutated --config drafts/other.yaml", 0, []string{"resource/not-local", "!preset/applied"}, nil},
		{"check drafts/mutated --config drafts/other.yaml --as-written=false --notes", 0, []string{"preset/applied"}, nil},
		{"check drafts/fails", 0, []string{"!values/chart-fails"}, nil},
		{"check drafts/fails --template", 0, []string{"values/chart-fails"}, nil},
		{"check drafts/fails --config drafts/other.yaml", 0, []string{"values/chart-fails"}, nil},
		{"check drafts/fails --config drafts/other.yaml --template=false", 0, []string{"!values/chart-fails"}, nil},
		{"check ../packs/registry-2.4.0 --template", 0, []string{clean}, nil},
		{"check platform --template --timeout 0s", 2, nil, []string{", got 0s"}},
		{"check platform --template --kube-version x", 2, nil, []string{`, got "x"`}},
		{"check platform --timeout 0s", 0, []string{clean}, nil},
		{"check platform --kube-version x", 2, nil, []string{`, got "x"`}},
		{"check ../packs/cache-1.4.0 --kube-version 1.33.2", 1, []string{"ClusterContext --kube-version"}, nil},
		{"check platform --source none", 2, nil, []string{"packfn: none: no such file or directory"}},
		{"check platform --source oci://HOST", 2, nil, []string{"oci://HOST"}},
		{"check platform --config none", 0, []string{clean}, nil},
		{"check platform --config absent.yaml", 2, nil, []string{"--config: "}},
		{"check drafts/mode --config drafts/wrong/packfn.yaml", 2, nil, []string{`--config: drafts/wrong/packfn.yaml:3`}},
		{"check drafts/capact", 1, []string{"b.yaml", "also has the scope GLOBAL", "1 error"}, nil},
		{"check drafts/capact --notes --scope ACTION=drafts/capact/b.yaml", 0, []string{"policy/selected"}, nil},
		{"check drafts/capact --notes --config drafts/scopes.yaml", 0, []string{"policy/selected"}, nil},
		{"check drafts/capact --config drafts/scopes.yaml --scope GLOBAL", 1, []string{"also has the scope GLOBAL"}, nil},
		{"check drafts/capact --scope ACTON", 2, nil, []string{`, got "ACTON"`}},
		{"check drafts/capact --scope ACTION=none.yaml", 2, nil, []string{"packfn: --scope: none.yaml: no such file"}},
		{"import drafts/capact/hub.yaml drafts/capact/a.yaml --scope ACTION --to new --exec && check new --notes", 0, []string{"policy/selected", "(from ACTION)"}, nil},
		{"import drafts/capact ../packs/registry-2.4.0 --to both --exec && check both --only policy/invalid", 1, []string{"also has the scope GLOBAL"}, []string{"both: the pipeline stops"}},
		{"import drafts/capact/hub.yaml --scope ACTON --to new", 2, nil, []string{`, got "ACTON"`}},
		{"check ../packs-with-faults/safe-1.0.0", 0, []string{"0 errors"}, nil},
		{"check ../packs/registry-2.4.0 --as-deployed --config none", 0, []string{clean}, nil},
	} {
		tc.run(t)
	}
}

func TestFixCommand(t *testing.T) {
	for _, tc := range []commandTest{
		{"fix platform", 0, nil, []string{"fixed 0 findings; left: " + clean}},
		{"fix drafts/mode", 0, []string{"-    mode: •••", "+    mode: Fast", "token: •••"}, []string{masked, "fixed 1 finding; left: " + clean}},
		{"fix drafts/mode && check drafts/mode", 0, []string{clean}, nil},
		{"fix drafts/mode --dry-run && check drafts/mode", 1, []string{"1 error"}, nil},
		{"fix drafts/mode --dry-run --show-values", 0, []string{"-    mode: fast", "token: hunter2"}, []string{"would fix 1 finding; left: " + clean}},
		{"fix drafts/mode --only values/required --fail-on never", 0, nil, []string{"left: 1 error"}},
		{"fix drafts/mode --only values/required --fail-on new", 2, nil, []string{"must be \"error\", \"warning\" or \"never\""}},
		{"fix drafts/mode --only values/required", 1, nil, []string{"fixed 0 findings; left: 1 error"}},
		{"fix drafts/mode --packs none", 2, nil, []string{`no pack named "none"`}},
		{"fix none", 2, nil, []string{"packfn: none: no such file"}},
		{"fix platform --source none", 2, nil, []string{"packfn: none: no such file"}},
		{"fix", 0, nil, []string{"1 excluded path", "fixed 0 findings"}},
	} {
		tc.run(t)
	}
}

func TestConfigCommand(t *testing.T) {
	for _, tc := range []commandTest{
		{"config", 0, []string{"sources           ../packs ", "pack/catalogue=off, values/unknown-key=error  --severity    packfn.yaml:9", "checks.template   false  ", "default"}, nil},
		{"config --config drafts/scopes.yaml", 0, []string{"ACTION=capact/b.yaml", "--scope", "scopes.yaml:3"}, nil},
		{"config --config drafts/warnings.yaml", 0, []string{"failOn            warning  --fail-on", "warnings.yaml:3"}, nil},
		{"config --config drafts/old.yaml", 2, nil, []string{`Did you mean "failOn"?`}},
		{"config --config none", 0, []string{"sources           -      --source      default", "!packfn.yaml"}, nil},
		{"config --config drafts/excludes.yaml", 2, nil, []string{`the pattern "["`}},
		{"config x", 2, nil, []string{"got 1 argument. Usage: packfn config [flags]. See packfn config --help"}},
		{"config --config drafts/wrong/packfn.yaml", 2, nil, []string{"sorces"}},
	} {
		tc.run(t)
	}
	// The working directory is part of no repository with a configuration.
	t.Chdir(t.TempDir())
	var stdout, stderr bytes.Buffer
	if exit := mainOf(&stdout, &stderr, "config"); exit != 0 || !strings.HasPrefix(stderr.String(), "there is no packfn.yaml in the working directory") {
		t.Errorf("without a configuration: exit code %d, %s", exit, stderr.String())
	}
}

func TestListCommands(t *testing.T) {
	for _, tc := range []commandTest{
		{"list packs", 0, []string{"registry  2.3.0    addon  2        0          platform/registry.yaml:9:3"}, nil},
		{"list packs drafts/mode", 0, []string{"mode  1.0.0    -      1        1          drafts/mode/pack.yaml:4:1"}, nil},
		{"list packs drafts/local", 2, nil, []string{"packfn: drafts/local has no packs"}},
		{"list packs none", 2, nil, []string{"packfn: none: no such file"}},
		{"list packs --config drafts/excludes.yaml", 2, nil, []string{`the pattern "["`}},
		{"list packs --config absent", 2, nil, []string{"--config: "}},
		{"list packs oci://HOST", 2, nil, []string{"oci://HOST"}},
		{"list packs --outdated", 0, []string{"registry  2.3.0    2.4.0    2.4.0   -             platform/registry.yaml:9:3"}, nil},
		{"list packs --outdated --source ../packs drafts/requires", 0, []string{"cache     1.4.0    -        1.5.0   holder, its own requirements  drafts/requires/a.yaml", "registry  2.3.0    2.4.0    2.4.0   -  "}, []string{"holder: no source has a pack of this name"}},
		{"list packs --outdated --source ../packs ../packs/registry-2.4.0", 0, nil, []string{"no source has a newer version of a pack"}},
		{"list packs --outdated --config none", 2, nil, []string{"--outdated needs sources of packs: name them by --source, or by sources in packfn.yaml"}},
		{"list packs --outdated --source none", 2, nil, []string{"none: no such file"}},
		{"list packs --outdated none", 2, nil, []string{"none: no such file"}},
		{"list packs --source ../packs", 2, nil, []string{"--source is only for --outdated"}},
		{"list presets drafts/mode", 0, []string{"mode  ha      -        -             drafts/mode/pack.yaml:14:5"}, nil},
		{"render drafts/mutated && list presets drafts/mutated", 0, []string{"mode  ha      yes  "}, nil},
		{"list presets drafts/faulty.yaml", 2, nil, []string{`drafts/faulty.yaml:7:16: cannot be read`}},
		{"list values drafts/mode", 0, []string{"mode  mode   •••      Fast or Slow  ha       ", "token  •••      a string      -        a secret", "!hunter"}, []string{masked}},
		{"list values drafts/mode --show-values", 0, []string{"hunter2"}, nil},
		{"list macros drafts/mode", 0, []string{"mode  url  .spectro.macro.a  drafts/mode/pack.yaml:9:10"}, nil},
		{"list rules", 0, []string{"RULE  ", "values/format  ", "config/invalid                    error     all  "}, nil},
		{"list rules x", 2, nil, []string{"unknown command"}},
		{"list", 0, []string{"packfn list [command]"}, nil},
		{"list pack", 2, nil, []string{`unknown command "pack" (did you mean "packs"?); see packfn list --help`}},
		{"why mode token drafts/mode", 0, []string{"mode 1.0.0: token = •••\n\nlayers", "Pack mode        •••  \n", "PackValues over  •••  used\n", "schema: a string (drafts/mode/pack.yaml:12:5)\nhint: a secret\nread by: validate-pack-values\n", "!preset", "!macro"}, []string{masked}},
		{"why mode token drafts/mode --show-values", 0, []string{"token = hunter3", "hunter2"}, nil},
		{"why mode url drafts/mode", 0, []string{"drafts/mode/pack.yaml:9:10 ", "drafts/mode/pack.yaml:21:3 ", "macro: reads .spectro.macro.a (drafts/mode/pack.yaml:9:10)", "!schema", "!validate-pack-values"}, []string{masked}},
		{"why mode mode drafts/mode", 0, []string{"preset: ha sets it (drafts/mode/pack.yaml:14:5)"}, []string{masked}},
		{"render drafts/mutated && why mode mode drafts/mutated", 0, []string{"preset: ha sets it, applied ("}, nil},
		{"why registry charts.registry.port ../packs", 0, []string{"registry 2.3.0: charts.registry.port = 5000\n", "validate-pack-values\n\nregistry 2.4.0: "}, nil},
		{"why mode none drafts/mode", 2, nil, []string{`no value named "none"`}},
		{"why mod token drafts/mode", 2, nil, []string{`no pack named "mod" (did you mean "mode"?)`}},
		{"why mode token none", 2, nil, []string{"packfn: none: no such file"}},
		{"why mode", 2, nil, []string{"got 1 argument. Usage: packfn why PACK KEY [PATH…] [flags]. See packfn why --help"}},
		{"schema mode drafts/mode", 0, []string{`"title": "Values of mode 1.0.0"`, "!hunter"}, nil},
		{"schema registry", 0, []string{`"replicas"`}, nil},
		{"schema registry ../packs", 2, nil, []string{`2 packs are named "registry": ../packs/registry-2.3.0/pack.json:1, ../packs/registry-2.4.0/pack.json:1; name the path of one`}},
		{"schema charted drafts/charted.yaml", 0, []string{`"title"`}, []string{"charted: what its charts read is unknown: import its directory again"}},
		{"schema lacking drafts/lacking", 0, []string{`"title"`}, []string{"drafts/lacking/pack.json:1:"}},
		{"schema unclear drafts/unclear.yaml", 0, []string{`"title"`}, []string{"drafts/unclear.yaml:6:"}},
		{"schema mod drafts/mode", 2, nil, []string{`no pack named "mod" (did you mean "mode"?)`}},
		{"schema mode none", 2, nil, []string{"packfn: none: no such file"}},
		{"explain values/format", 0, []string{"values/format (error, validate-pack-values)\n\nA value does not match", "\n\nExample:\n\n    port: 70000", "\n\nFix:\n\n    "}, nil},
		{"explain [config/invalid]", 0, []string{"config/invalid (error, all)\n"}, nil},
		{"explain upgrade/format", 0, []string{"packfn upgrade)\n"}, nil},
		{"explain", 0, []string{"RULE  ", "values/format"}, nil},
		{"explain values/fromat", 2, nil, []string{`unknown rule "values/fromat"`}},
		{"version", 0, []string{"packfn v"}, nil},
		{"", 0, []string{"packfn [command]", "\n  apply-preset           Apply "}, nil},
		{"chek", 2, nil, []string{`unknown command "chek" (did you mean "check"?); see packfn --help`}},
		{"check --formt x", 2, nil, []string{"unknown flag: --formt (did you mean --format?); see packfn check --help"}},
		{"import x", 2, nil, []string{`required flag(s) "to" not set. Usage: packfn import PATH… --to PACKAGE [flags]. See packfn import --help`}},
		{"__complete explain values/form", 0, []string{"values/format\n", ":4\n"}, []string{"Completion ended with directive: ShellCompDirectiveNoFileComp"}},
		{"__complete check --format sa", 0, []string{"table\ngithub\nsarif\n", "html\n:4\n"}, []string{"Completion ended"}},
		{"__complete report --format ju", 0, []string{"table\n", "html\n:4\n"}, []string{"Completion ended"}},
		{"__complete report --fail-on n", 0, []string{"error\nwarning\nnever\nnew\n:4\n"}, []string{"Completion ended"}},
		{"__complete check --fail-on n", 0, []string{"error\nwarning\nnever\n:4\n"}, []string{"Completion ended"}},
		{"__complete check platform --packs reg", 0, []string{"registry\n:6\n"}, []string{"Completion ended"}},
		{"__complete check drafts/mode --packs x,", 0, []string{"x,mode\n:6\n"}, []string{"Completion ended"}},
		{"__complete check none --packs x", 0, []string{":6\n"}, []string{"Completion ended"}},
		{"__complete fix --only values/form", 0, []string{"values/format\n"}, []string{"Completion ended"}},
		{"__complete check --severity values/form", 0, []string{"values/format=\n"}, []string{"Completion ended"}},
		{"__complete check --severity values/inert=off,values/format=", 0, []string{"values/inert=off,values/format=error\nvalues/inert=off,values/format=warning\nvalues/inert=off,values/format=info\nvalues/inert=off,values/format=off\n:6"}, []string{"Completion ended"}},
		{"__complete images ../packs --pack reg", 0, []string{"cache\ncerts\n", "registry\n"}, []string{"Completion ended"}},
		{"__complete why reg", 0, []string{"registry\n:4\n"}, []string{"Completion ended"}},
		{"__complete why registry charts", 0, []string{"charts.registry.port\n", ":4\n"}, []string{"Completion ended"}},
		{"__complete why registry charts.registry.port p", 0, []string{":0\n", "!registry"}, []string{"Completion ended"}},
		{"__complete schema reg", 0, []string{"registry\n:4\n"}, []string{"Completion ended"}},
		{"__complete schema registry p", 0, []string{":0\n", "!charts"}, []string{"Completion ended"}},
		{"__complete upgrade platform --version 2.4.x reg", 0, []string{"registry\n:4\n"}, []string{"Completion ended"}},
		{"__complete upgrade platform reg", 0, []string{":0\n", "!registry"}, []string{"Completion ended"}},
		{"__complete fleet --like po", 0, []string{"porch\nkpt\n:4\n"}, []string{"Completion ended"}},
		{"__complete images --format j", 0, []string{"lines\njson\n:4\n"}, []string{"Completion ended"}},
		{"apply-preset", 2, nil, []string{"run apply-preset as the first argument"}},
	} {
		tc.run(t)
	}
}

// full is a standard output without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A command whose output cannot be written has failed, whatever it writes.
func TestOutputFails(t *testing.T) {
	inRepository(t)
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
