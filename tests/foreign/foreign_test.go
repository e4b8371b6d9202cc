package foreign

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// secret and pin are values that no output may have. The number is below a password.
const (
	secret = "Zq7Hunter2xW"
	pin    = "7093315517"
)

// names are names that something obeys.
var names = []string{
	"vault", "::error::x", "a\n::stop-commands::t", "a\r::add-mask::t", "x ##[group]y", "\x1b[2J\x1b]0;t\x07", "a\u202eb", "a\u2028b\u2029c\u0085d", "\u009b31m",
	"..", "../../outside/planted", ".git", ".GIT ", "CON", "/tmp/x", "a\x00b", strings.Repeat("n", 300), "<script>x</script>", "www.example.com @name `|", "\u2066a\u200f",
}

// TestMain is also the process that renders charts, and the one that evaluates Terraform.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == cli.EvaluateCommand {
		os.Exit(cli.Main(cli.Program{}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) == 2 && os.Args[1] == cli.RenderCommand {
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// Tests run the names above; make fuzz makes more of them.
func FuzzForeign(f *testing.F) {
	for _, name := range names {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !strings.Contains(name, secret) {
			try(t, name)
		}
	})
}

// plant writes a package, a pack directory, a set of variants and results with a name in
// all of their fields, and in the names of files where the file system takes it.
func plant(t *testing.T, dir, name string) {
	t.Helper()
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer("NAME", string(quoted), "SECRET", secret, "PIN", pin)
	file := "f.yaml"
	if probe := filepath.Join(dir, name+".yaml"); !strings.ContainsAny(name, "/\x00") && os.WriteFile(probe, nil, 0o600) == nil {
		os.Remove(probe)
		file = name + ".yaml"
	}
	for path, text := range map[string]string{
		"p/Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: NAME
  annotations: {a: NAME}
pipeline:
  mutators:
  - exec: apply-preset
    configMap: {NAME: NAME}
  validators:
  - exec: validate-pack-values
`,
		"p/" + file: `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: NAME
  annotations: {packs.kpt.dev/accept: NAME, packs.kpt.dev/presets: NAME}
spec:
  name: NAME
  version: NAME
  layr: NAME
  values: {NAME: SECRET, token: SECRET}
  schema: {NAME: {schema: NAME}}
  presets:
  - {name: NAME, group: NAME, grp: NAME, displayName: NAME, remove: [NAME], add: {NAME: SECRET}}
  constraints: {dependencies: [{packName: NAME, type: NAME, minVersion: NAME}]}
`,
		"p/one.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":NAME},"data":{"values.yaml":"token: SECRET\n","NAME2":"SECRET","pack.json":"{\"name\":\"x\",\"version\":\"1\",\"constraints\":{\"dependencies\":[{\"packName\":\"none\",\"type\":\"required\"}]}}"}}`,
		"p/flow.yaml": `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: NAME}
spec: {packRef: {name: NAME}, scope: NAME, values: {token: SECRET, NAME: SECRET}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: NAME}
spec: {variables: {NAME: SECRET}, machinePools: [{name: NAME, role: NAME, size: NAME}]}
`,
		"dir/pack.json":    `{"name": NAME, "version": NAME, "layer": NAME, "charts": ["charts/c.tgz", NAME], "constraints": {"dependencies": [{"packName": NAME}]}}`,
		"dir/values.yaml":  "NAME: SECRET\n",
		"lock/pack.json":   `{"name": "lock", "version": "1.0.0", "layer": NAME}`,
		"lock/values.yaml": "door: {pin: PIN, NAME: SECRET}\n",
		"lock/schema.yaml": "door: {schema: '{{ format \"${password}\" }}'}\n",
		"sets/set.yaml": `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: NAME
spec:
  upstream: {repo: NAME, package: p, workspaceName: NAME}
  downstream: {repo: NAME, package: NAME}
`,
		"results.yaml": `apiVersion: kpt.dev/v1
kind: FunctionResultList
metadata:
  name: NAME
exitCode: 1
items:
- image: NAME
  stderr: NAME
  exitCode: 1
  results:
  - {message: NAME, severity: NAME, resourceRef: {kind: NAME, name: NAME, namespace: NAME}, field: {path: NAME}, file: {path: NAME}, tags: {rule: NAME, key: NAME, pack: NAME}}
- exec: NAME
  stderr: NAME
  exitCode: 1
`,
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(fill.Replace(text)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	os.MkdirAll(filepath.Join(dir, "dir/charts"), 0o755)
	if err := os.WriteFile(filepath.Join(dir, "dir/charts/c.tgz"), archive(fill, name), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, outcome := range map[string]string{"all.shard": `"refused"`, "outcome.shard": "NAME"} {
		if err := os.WriteFile(filepath.Join(dir, file), zip([]byte(fill.Replace(shard(outcome)))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"p/link.yaml": "../../outside/canary", "dir/charts/link.tgz": "../../../outside/canary", "dir/presets.yaml": "../../outside/canary", "out/vault": "../../outside", "out/x": "../../outside"} {
		os.MkdirAll(filepath.Join(dir, filepath.Dir(link)), 0o755)
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
}

// shard is a shard of packfn fleet with NAME in all fields that are texts.
func shard(outcome string) string {
	const finding = `{"rule":NAME,"severity":"error","message":NAME,"function":NAME,"file":NAME,"line":1,"resource":{"apiVersion":NAME,"kind":NAME,"name":NAME,"namespace":NAME},"field":NAME,"key":NAME,"pack":NAME,"currentValue":NAME,"proposedValue":NAME,"tags":{NAME:NAME},"fingerprint":NAME,"related":[{"file":NAME,"message":NAME}],"source":NAME}`
	const key = `"00000000000000000000000000000000"`
	row := func(more string) string {
		return `{"row":{"variant":NAME,"repo":NAME,"package":NAME,"upstream":NAME,"outcome":` + outcome + `,"functions":[NAME],` + more + "}}\n"
	}
	return `{"format":"packfn.fleet-shard/v2","version":"` + function.Version() + `","shard":{"index":1,"of":1},"inputs":NAME,"sets":[` + finding + `],"notes":[NAME],` +
		`"graphs":[{"title":NAME,"nodes":[{"name":NAME,"version":NAME},{"name":NAME,"version":NAME}],"edges":[{"from":0,"to":1,"versions":NAME}]}],` +
		`"earlier":{"gone":[NAME],"hasOutcomes":true},"rows":4}` + "\n" +
		`{"finding":` + finding + "}\n" + `{"change":{"key":` + key + `,"files":[{"path":NAME,"text":NAME}]}}` + "\n" +
		row(`"reason":NAME,"since":{"is":"not rendered"}`) + row(`"findings":[0],"since":{"is":"changed"}`) +
		row(`"since":{"is":"changed","raw":"11111111111111111111111111111111","wasRefused":true}`) + row(`"since":{"is":"new"}`)
}

func zip(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		panic("a buffer takes everything")
	}
	return b.Bytes()
}

// list is a ResourceList of the resources of a folder, as kpt sends them.
func list(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(file, "link") {
			continue
		}
		for item := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n---\n") {
			b.WriteString("- " + strings.ReplaceAll(item, "\n", "\n  ") + "\n")
		}
	}
	return b.String()
}

// try runs the commands over what has a name planted.
func try(t *testing.T, name string) {
	above := t.TempDir()
	work := filepath.Join(above, "work")
	for _, dir := range []string{work, filepath.Join(above, "outside")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(above, "outside", "canary"), []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	plant(t, work, name)
	t.Chdir(work)
	before := outside(t, above)
	var commands [][]string
	for _, format := range packfntest.Formats {
		commands = append(commands, []string{"check", "p", "--format", format}, []string{"check", "dir", "p/flow.yaml", "p/one.json", "--format", format},
			[]string{"report", "results.yaml", "--format", format}, []string{"report", "results.yaml", "--package", "p", "--format", format},
			[]string{"fleet", "--set", "sets", "--upstream", "p", "--format", format})
	}
	for _, format := range packfntest.FleetFormats {
		commands = append(commands, []string{"report", "--merge", "all.shard", "--format", format}, []string{"report", "--merge", "outcome.shard", "--format", format})
	}
	commands = append(commands, []string{"check", "p", "--as-written"}, []string{"check", "p", "--charts", "dir"}, []string{"list", "macros", "dir"}, []string{"fleet", "--set", "sets", "--upstream", name + "/p=p"},
		[]string{"fleet", "--set", "sets", "--upstream", "p", "--against", "p"}, []string{"report", name}, []string{"import", "dir", "--to", "imported", "--name", name + "=dir"}, []string{"check", "--only", name}, []string{"check", name}, []string{"explain", name}, []string{"why", name, name, "p"}, []string{"why", "lock", "door.pin", "lock"}, []string{"list", "values", "lock"}, []string{"check", "lock"},
		[]string{"list", "packs", "p"}, []string{"list", "packs", "--outdated", "--source", "dir", "p"}, []string{"init", "cluster", "p"}, []string{"init", "cluster", "dir"}, []string{"list", "values", "p"}, []string{"list", "presets", "p"}, []string{"list", "macros", "p"}, []string{"list", "values", "dir"},
		[]string{"fix", "p", "--dry-run"}, []string{"export", "p", "--to", "out"}, []string{"export", "p", "--to", "out", "--force"}, []string{"export", "p", "--to", "effective", "--effective"},
		[]string{"import", "dir", "--to", "imported", "--kptfile"}, []string{"upgrade", "p", "dir"}, []string{"fleet", "--set", "sets", "--upstream", "p", "--to", "fleet"}, []string{"render", "p"},
		[]string{"template", "dir"}, []string{"template", "dir", "p", "--charts", "dir", "--to", "tree"}, []string{"images", "dir"}, []string{"images", "dir", "--format", "json"}, []string{"check", "dir", "--template"},
		[]string{"upgrade", "p", "dir", "--template", "--charts", "dir"}, []string{"template", name}, []string{"template", "dir", "--pack", name, "--kube-version", name})
	for _, args := range commands {
		var stdout, stderr bytes.Buffer
		cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(""), &stdout, &stderr)
		check(t, args[:1], stderr.String())            // it is never a page
		if args[0] != "fix" && args[0] != "template" { // a patch, and manifests as they are deployed
			check(t, args, stdout.String())
		}
	}
	// Lists leave as they came: only what people read is checked.
	for _, f := range suite.All() {
		for _, args := range [][]string{{f.Name}, {f.Name, "p/flow.yaml", "p/one.json"}} {
			var stdout, stderr bytes.Buffer
			cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(list(t, "p")), &stdout, &stderr)
			check(t, args, stderr.String())
		}
	}
	if diff := cmp.Diff(before, outside(t, above)); diff != "" {
		t.Errorf("written outside (-want +got):\n%s", diff)
	}
}

// check looks for what something obeys, and for the secret, in an output.
func check(t *testing.T, args []string, output string) {
	t.Helper()
	isGitHub := slices.Contains(args, "github")
	for line := range strings.SplitSeq(output, "\n") {
		text := line
		for _, command := range []string{"::error ", "::warning ", "::notice "} {
			if isGitHub && strings.HasPrefix(line, command) {
				text = strings.TrimPrefix(line, command)
			}
		}
		switch {
		case strings.Contains(text, secret), strings.Contains(text, pin):
			t.Errorf("%q: shows the value: %.300q", args, line)
		case strings.ContainsFunc(text, diag.IsHidden), strings.Contains(text, "##["), strings.HasPrefix(strings.TrimSpace(text), "::"):
			t.Errorf("%q: a line obeys a name: %.300q", args, line)
		case strings.Contains(text, "<script>x"):
			if slices.Contains(args, "html") {
				t.Errorf("%q: a page runs a name: %.300q", args, line)
			}
		}
	}
}

// outside is the tree of files that no command was given, with their contents.
func outside(t *testing.T, above string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(above, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == filepath.Join(above, "work") {
			return skipUnless(err)
		}
		files[path] = entry.Type().String()
		if entry.Type().IsRegular() {
			var text []byte
			text, err = os.ReadFile(path)
			files[path] += string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func skipUnless(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}
