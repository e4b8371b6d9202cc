//go:build unix

package foreign

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// shapes are entries of values that may be secrets, each with what no output may show of it. ~ is
// another letter in each place.
var shapes = []struct{ name, entry, part string }{
	{"a PEM block", `blob: "-----BEGIN PRIVATE KEY-----\nqa1w~x\n-----END PRIVATE KEY-----\n"`, "qa1w"},
	{"a JSON web token", `bearer: eyJhbGciOiJIUzI1.qb2w~x.c2ln`, "qb2w"},
	{"a prefix", `user: ghp_qc3w~x12345`, "qc3w"},
	{"the user of a URL", `site: "https://u:qd4w~x@example.com/"`, "qd4w"},
	{"the query of a URL", `hook: "https://example.com/?sig=qe5w~x"`, "qe5w"},
	{"a long run", `id: Qf6w~x9Kd83hsyQ2mZpl4Aa`, "Qf6w"},
	{"a password", `adminPassword: qg7w~x`, "qg7w"},
	{"a property of a ClusterServiceVersion", `password: qb2v~x`, "qb2v"},
	{"a number", `token: 70933151`, "70933151"},
	{"below credentials", `credentials: {user: qi8w~x}`, "qi8w"},
	{"a certificate", `tls-cert: qj9w~x`, "qj9w"},
	{"a variable of a container", `env: [{name: DB_PASSWORD, value: qk1w~x}]`, "qk1w"},
	{"a password of the schema", `door: ql2w~x`, "ql2w"},
	{"a licence", `licence: qm3w~x`, "qm3w"},
	{"a word of another language", `contraseña: qr1w~x`, "qr1w"},
	{"a comment", `keep: 1 # export DB_PASSWORD=qs2w~x`, "qs2w"},
	{"a flag", `args: [--token=qt3w~x]`, "qt3w"},
	{"a list of a variable", `more: [{key: token, value: [qu4w~x]}]`, "qu4w"},
	{"in place of a name", `namespace: ghp_qv5w~x12345`, "qv5w"},
	{"a name below a secret", `vaultSecret: {namespace: qw6w~x, kind: qw6w~y}`, "qw6w"},
	{"an assignment in place of a name", `pullPolicy: "password=qx7w~x"`, "qx7w"},
	{"beside a kind", `ref: {kind: Web, name: ghp_qy8w~x12345, password: qy8w~x}`, "qy8w"},
	{"behind a comment of kpt", `metadata: 1 # kpt-merge: ns/a, token=qz9w~x`, "qz9w"},
	{"beside a placeholder", `later: CHANGE_ME # token: qa1v~x`, "qa1v"},
	{"a passphrase in text", `pass_phrase_key: qn4w~x`, "qn4w"},
}

// sealed is in the data of a Secret, and sensitive in a variable that is.
const sealed, sensitive = "qo5w", "qp6w"

// bundle is a document of a catalog with the shapes in its properties, below lines that start with an indentation.
func bundle(indent, name, letter string) string {
	text := `schema: olm.bundle
name: NAME.v1.0.0
package: NAME
properties:
- {type: olm.package, value: {packageName: NAME, version: 1.0.0}}
- {type: olm.gvk.required, value: {group: NAME.example.com, version: v1, kind: Absent}}
- type: other
  value:
`
	return indent + strings.ReplaceAll(strings.TrimSuffix(strings.ReplaceAll(text, "NAME", name)+entries("    ", letter), "\n"), "\n", "\n"+indent) + "\n"
}

// entries are all shapes as lines of a mapping, below what indents them.
func entries(indent, letter string) string {
	var b strings.Builder
	for _, shape := range shapes {
		b.WriteString(indent + strings.ReplaceAll(shape.entry, "~", letter) + "\n")
	}
	return b.String()
}

// secrets writes what the commands below read, with the shapes in all places that hold values.
func secrets(t *testing.T, dir string) {
	t.Helper()
	const local = `metadata:
  name: NAME
  annotations: {config.kubernetes.io/local-config: "true"}
`
	named := func(name string) string { return strings.ReplaceAll(local, "NAME", name) }
	var schema, variables, defaults strings.Builder
	for _, shape := range shapes {
		key, value, _ := strings.Cut(strings.ReplaceAll(shape.entry, "~", "v"), ": ")
		format := "list:[a,b]"
		if key == "door" {
			format = "password"
		}
		schema.WriteString("    " + key + ": {schema: '{{ format \"${" + format + "}\" }}'}\n")
		if !strings.ContainsAny(value, "{[") && key != "door" {
			variables.WriteString("    " + key + ": " + strings.Trim(value, " ") + "\n")
		}
		defaults.WriteString(strings.ReplaceAll(shape.entry, "~", "d") + "\n")
	}
	schema.WriteString("    env.$[].value: {schema: '{{ format \"${list:[a,b]}\" }}'}\n")
	packJSON := `{"name": "web", "version": "1.0.0", "layer": "addon", "charts": ["charts/c"]}`
	read := `{{ .Values | toYaml }}`
	files := map[string]string{
		"p/Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - exec: apply-preset
    configMap:
      web: size:ha
` + strings.ReplaceAll(variables.String(), "    ", "      ") + `  - exec: resolve-macros
  - exec: inject-config
  validators:
  - exec: validate-pack-values
  - exec: check-dependencies
  - exec: check-resources
`,
		"p/web.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
` + named("web") + `spec:
  version: 1.0.0
  values: |
` + entries("    ", "v") + `    url: '{{ .spectro.var.adminPassword }}'
  schema: |
` + schema.String() +
			`  presets: |
    presets:
    - name: ha
      group: size
      add: |
` + entries("        ", "a"),
		"p/map.yaml": `apiVersion: v1
kind: ConfigMap
` + named("map") + `data:
  pack.json: '{"name": "map", "version": "1.0.0"}'
  values.yaml: |
` + entries("    ", "c") + "  schema.yaml: |\n" + schema.String(),
		"p/ours.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
` + named("ours") + `spec:
  packRef: {name: web}
  values:
` + entries("    ", "o"),
		"bad/twice.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
` + named("twice") + `spec:
  packRef: {name: map}
  values: |
` + entries("    ", "t") + entries("    ", "u"),
		"bad/broken.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
` + named("broken") + `spec:
  packRef: {name: map}
  values: |
` + entries("    ", "b") + "   x: 'y\n",
		"p/cluster.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
` + named("one") + `spec:
  system:
    cluster: {name: one}
  variables:
` + variables.String(),
		"p/secret.yaml": `apiVersion: v1
kind: Secret
metadata: {name: s}
data:
  any: ` + sealed + `
stringData:
  other: ` + sealed + "\n",
		"p/target.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: target, annotations: {kpt.dev/config-injection: required}}
data:
` + variables.String(),
		"dir/pack.json": packJSON,
		"dir/values.yaml": `charts:
  c:
` + entries("    ", "w"),
		"dir/schema.yaml": strings.ReplaceAll(schema.String(), "    ", "charts.c."),
		"dir/charts/c/Chart.yaml": `apiVersion: v2
name: c
version: 1.0.0
`,
		"dir/charts/c/values.yaml":        defaults.String(),
		"dir/charts/c/templates/a.yaml":   read,
		"dir/charts/c/templates/b.yaml":   "{{ if .Values.blob }}{{ fail (printf \"set it: %v\" .Values) }}{{ end }}",
		"dir/charts/c/values.schema.json": `{"properties": {"blob": {"type": "integer"}, "adminPassword": {"type": "integer"}, "user": {"enum": [1]}}}`,
		"sets/set.yaml": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: v}
spec:
  upstream: {repo: a, package: p, workspaceName: v1}
  downstream: {repo: r, package: p}
  packageContext:
    data:
` + strings.ReplaceAll(variables.String(), "    ", "      "),
		"olm/bundles.yaml": `apiVersion: v1
kind: ConfigMap
` + named("bundles") + `data:
  bundle.yaml: |
` + bundle("    ", "first", "g") + "    ---\n" + bundle("    ", "second", "h"),
		"olm/csv.yaml": `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: third.v1.0.0
  annotations:
    olm.properties: '[{"type": "other", "value": {"token": "qb2vx"}}, {"type": "olm.package.required", "value": {"packageName": "none", "versionRange": ">1"}}]'
spec:
  version: 1.0
  nativeAPIs: [{group: a.example.com, version: v1, kind: Absent}]
  install:
    strategy: deployment
    spec:
` + entries("      ", "i"),
		"results.yaml": `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata: {name: r}
exitCode: 1
items:
- exec: validate-pack-values
  exitCode: 1
  results:
  - {message: bad, severity: error, resourceRef: {apiVersion: packs.kpt.dev/v1alpha1, kind: PackValues, name: ours}, field: {path: spec.values.door}, file: {path: ours.yaml}}
`,
		"main.tf": `locals {
  values = <<EOT
` + entries("", "f") + `EOT
}
resource "spectrocloud_cluster_profile" "site" {
  name = "Site"
  pack {
    name   = "web"
    tag    = "1.0.0"
    values = local.values
  }
}
`,
		"profile.json": `{"metadata": {"name": "Site"}, "spec": {"version": "1.0.0", "template": {"type": "add-on", "packs": [{"name": "web", "layer": "addon", "version": "1.0.0", "values": ` + strconv.Quote(entries("", "j")) + `}]}, "variables": [{"name": "pin", "isSensitive": true, "format": "number", "defaultValue": "` + sensitive + `"}]}}`,
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for old, new := range map[string]string{"p": "before/r/p", "dir": "older"} {
		if err := os.CopyFS(filepath.Join(dir, new), os.DirFS(filepath.Join(dir, old))); err != nil {
			t.Fatal(err)
		}
	}
	for name, letter := range map[string]string{"before/r/p/web.yaml": "v", "before/r/p/ours.yaml": "o", "older/values.yaml": "w"} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.ReplaceAll(text, []byte("w"+letter+"x"), []byte("wzx")), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What may be a secret is in no output, be it a terminal's or that of a record.
func TestSecrets(t *testing.T) {
	work := t.TempDir()
	secrets(t, work)
	t.Chdir(work)
	t.Setenv("CI", "")
	commands := [][]string{
		{"check", "p", "--charts", "dir", "--template"}, {"check", "profile.json"}, {"check", "main.tf"}, {"check", "p", "--as-written"}, {"check", "p", "--source", "dir"},
		{"list", "values", "p"}, {"list", "values", "dir"}, {"list", "presets", "p"}, {"list", "macros", "p"}, {"list", "packs", "p"}, {"init", "cluster", "p"},
		{"fix", "p", "--dry-run"}, {"upgrade", "p", "dir"}, {"import", "older", "--to", "old"}, {"upgrade", "old", "dir", "--template", "--from", "older"}, {"upgrade", "old", "dir"}, {"template", "dir"}, {"images", "dir"},
		{"fleet", "--set", "sets", "--upstream", "p", "--template", "--against", "before", "--charts", "dir"}, {"render", "p", "--to", "rendered"},
		{"import", "dir", "--to", "imported"}, {"import", "main.tf", "--to", "fromtf", "--source", "dir"}, {"import", "profile.json", "--to", "fromprofile"}, {"export", "p", "--to", "out"},
	}
	for _, format := range packfntest.Formats {
		commands = append(commands, []string{"check", "p", "--format", format}, []string{"check", "bad", "--format", format}, []string{"check", "bad/twice.yaml", "p/map.yaml", "--format", format}, []string{"check", "olm", "--format", format}, []string{"check", "dir", "--format", format}, []string{"check", "dir", "--template", "--format", format}, []string{"report", "results.yaml", "--package", "p", "--format", format})
	}
	for _, format := range packfntest.FleetFormats {
		commands = append(commands, []string{"fleet", "--set", "sets", "--upstream", "p", "--against", "before", "--format", format})
	}
	for _, shape := range shapes {
		key, _, _ := strings.Cut(shape.entry, ":")
		commands = append(commands, []string{"why", "web", key, "p"}, []string{"why", "web", "charts.c." + key, "dir"})
	}
	commands = append(commands, []string{"why", "web", "env.0.value", "p"}, []string{"why", "web", "charts.c.more.0.value.0", "dir"})
	hidden := map[string]int{}
	look := func(args []string, audience, output string) {
		hidden[audience] += strings.Count(output, "•••")
		for line := range strings.Lines(output) {
			for _, shape := range shapes {
				if strings.Contains(line, shape.part) {
					t.Errorf("%q, %s: shows %s: %.300q", args, audience, shape.name, line)
				}
			}
			if strings.Contains(line, sealed) || strings.Contains(line, sensitive) {
				t.Errorf("%q, %s: shows a Secret or a variable of a profile: %.300q", args, audience, line)
			}
		}
	}
	for _, args := range commands {
		var stdout, stderr bytes.Buffer
		if exit := cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(""), &stdout, &stderr); exit > 1 {
			t.Errorf("%q: exit code %d: %s", args, exit, stderr.String())
		}
		shown, notes := onTerminal(t, args...)
		isDeployed := args[0] == "template" || args[0] == "images" // manifests as they are deployed
		for audience, output := range map[string]string{"a record": stdout.String(), "a terminal": shown, "notes": stderr.String() + notes} {
			if isDeployed && audience != "notes" {
				continue
			}
			look(args, audience, output)
		}
	}
	for _, f := range suite.All() {
		var stdout, stderr bytes.Buffer
		cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, []string{f.Name}, strings.NewReader(list(t, "p")), &stdout, &stderr)
		_, results, _ := strings.Cut(stdout.String(), "\nresults:")
		look([]string{f.Name}, "results", results+stderr.String())
	}
	for audience, least := range map[string]int{"a record": 200, "a terminal": 200} {
		if hidden[audience] < least {
			t.Errorf("%s: %d values are hidden: the commands hardly tell of any", audience, hidden[audience])
		}
	}
}

// onTerminal returns what a command prints to a terminal, and its notes.
func onTerminal(t *testing.T, args ...string) (shown, notes string) {
	t.Helper()
	out, in, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	done := make(chan string)
	go func() {
		text, _ := io.ReadAll(out) // the end is an error
		done <- string(text)
	}()
	var stderr bytes.Buffer
	cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(""), in, &stderr)
	in.Close()
	return <-done, stderr.String()
}
