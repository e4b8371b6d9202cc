package kptpackage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/kio/kioutil"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: x
`

func resource(name string) string {
	return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ` + name + "\n"
}

// The files are those that kpt's own reader finds, in its order.
func TestReadAsKpt(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{
		"Kptfile":                  kptfile,
		".krmignore":               "ignored\n*.skip.yaml\n\n/top.yaml\nsub/deep\n",
		"a.yaml":                   resource("a") + "---\n" + resource("b"),
		"b.yml":                    resource("c"),
		"c.json":                   `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d"}}`,
		"d.txt":                    "no",
		"x.skip.yaml":              resource("no"),
		"top.yaml":                 resource("no"),
		"folder/top.yaml":          resource("e"),
		"folder/Kptfile.yaml":      resource("f"),
		"ignored/a.yaml":           resource("no"),
		"sub/Kptfile":              kptfile,
		"sub/.krmignore":           "only.yaml\n",
		"sub/only.yaml":            resource("no"),
		"sub/x.skip.yaml":          resource("g"),
		"sub/deep/a.yaml":          resource("no?"),
		"sub/nested/Kptfile":       kptfile,
		"sub/nested/only.yaml":     resource("h"),
		"subpart/only.yaml":        resource("i"),
		"subpart/x.skip.yaml":      resource("no"),
		"zz/ignored/deep/file.yml": resource("no"),
	})
	p, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	packages := map[string]string{}
	for _, file := range p.Files {
		packages[file.Path] = file.Package
		for _, item := range file.Items() {
			got = append(got, file.Path+" "+item.Kind()+" "+item.Name())
		}
	}
	nodes, err := kio.LocalPackageReader{
		PackagePath: dir, PackageFileName: KptfileName, IncludeSubpackages: true,
		MatchFilesGlob: append([]string{KptfileName}, kio.MatchAll...), PreserveSeqIndent: true, WrapBareSeqNode: true,
	}.Read()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, n := range nodes {
		path, _, _ := kioutil.GetFileAnnotations(n)
		want = append(want, path+" "+n.GetKind()+" "+n.GetName())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-kpt +got):\n%s", diff)
	}
	if len(want) < 12 {
		t.Errorf("kpt reads %d resources", len(want))
	}
	for path, want := range map[string]string{"a.yaml": ".", "folder/top.yaml": ".", "sub/x.skip.yaml": "sub", "sub/nested/only.yaml": "sub/nested", "folder/Kptfile.yaml": "."} {
		if packages[path] != want {
			t.Errorf("%s is in %q, want %q", path, packages[path], want)
		}
	}
	if want := []string{"ignored", "sub/only.yaml", "subpart/only.yaml", "top.yaml", "x.skip.yaml", "zz/ignored"}; !slices.Equal(p.Ignored, want) {
		t.Errorf("ignored: got %v, want %v", p.Ignored, want)
	}
	if len(p.Kptfiles) != 3 || p.Kptfiles["sub/nested"] == nil {
		t.Errorf("packages: %v", p.Kptfiles)
	}
}

func TestSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"out/secret.yaml": resource("secret"), "p/a.yaml": resource("a"), "p/sub/b.txt": resource("b")})
	for link, target := range map[string]string{"p/out.yaml": "../out/secret.yaml", "p/in.yaml": "sub/b.txt", "p/folder": "../out", "link": "p"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, root := range []string{"p", "link"} {
		p, err := ReadParts(filepath.Join(dir, root))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range p.Files {
			got = append(got, file.Path)
		}
		if diff := cmp.Diff([]string{"a.yaml", "in.yaml"}, got); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", root, diff)
		}
		if err := errors.Join(p.Faults...); len(p.Faults) != 1 || !strings.Contains(err.Error(), root+"/out.yaml: line 1: the symbolic link leads out of the folder, to ../out/secret.yaml; kpt would read") {
			t.Errorf("%s: %v", root, p.Faults)
		}
	}
}

func TestReadFaults(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{
		"binary/sub/a.yaml": "a: \xff",
		"file.yaml":         "a",
		"wide/a.yaml":       "\xff\xfea\x00",
		"big-endian/a.yaml": "\xfe\xff\x00a",
		"directive/a.yaml": `# a

%YAML 1.1
---
a: 1
`,
		"dangling/x.txt":      "",
		"refused/sub/Kptfile": "~",
		"pattern/Kptfile":     kptfile,
		"pattern/.krmignore":  "a\n\n !/\n",
	})
	os.Symlink("absent", filepath.Join(dir, "dangling/a.yaml"))
	for path, want := range map[string]string{
		"binary": "sub/a.yaml: line 1: the file is not UTF-8: byte 4 is 0xff", "wide": "a.yaml: line 1: the file is UTF-16, as PowerShell's > writes it. Save it as UTF-8", "big-endian": "a.yaml: line 1: the file is UTF-16", "directive": "a.yaml: line 3: kpt rejects directives", "file.yaml": "is a file, not a folder", "absent": "no such file", "dangling": "dangling/a.yaml: the file is a symbolic link to nothing",
		"refused": "refused/sub/Kptfile: line 1: kpt rejects", "pattern": `.krmignore: kpt cannot read the pattern "!/"`,
	} {
		if _, err := Read(filepath.Join(dir, path)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", path, err, want)
		}
	}
}

func TestParseKptfile(t *testing.T) {
	k, err := ParseKptfile([]byte(kptfile + `pipeline:
  mutators:
  - image: ghcr.io/krm-packs/resolve-macros:v1.2.3@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
    tag: v2
    selectors:
    - kind: ConfigMap
      labels: {a: b}
    configMap: {a: 5}
  validators:
  - exec: "bin/check-resources --flag"
    configPath: sub/config.yaml
`))
	if err != nil || len(k.Mutators) != 1 || len(k.Validators) != 1 {
		t.Fatalf("%+v, %v", k, err)
	}
	for f, want := range map[*Function]string{&k.Mutators[0]: "resolve-macros", &k.Validators[0]: "check-resources", {Image: "localhost:5000/x/a"}: "a", {Exec: " "}: ""} {
		if got := f.Program(); got != want {
			t.Errorf("%+v: got %q, want %q", f, got, want)
		}
	}
	if m := k.Mutators[0]; m.Selectors[0].Labels["a"] != "b" || m.ConfigMap["a"] != "5" {
		t.Errorf("%+v", m)
	}
}

// What kpt rejects is an error that names the place.
func TestParseKptfileFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":      "it is empty",
		"# a":   "it is empty",
		"~":     "it is empty",
		"---\n": "it is empty",
		"[a]":   "line 1: kpt rejects the Kptfile: must be a map, got a list",
		"a: [":  "line 1",
		`apiVersion: v1
kind: Kptfile
`: "line 1: kpt rejects the Kptfile: apiVersion",
		kptfile + `pipeline:
  mutators: {}`: "pipeline.mutators: must be a list, got a map",
		kptfile + "pipeline: {mutators: [{image: a, exec: b}]}":                                           "line 5: kpt rejects the Kptfile: pipeline.mutators[0]: image and exec",
		kptfile + "pipeline: {validators: [{name: a}]}":                                                   "pipeline.validators[0]: set image or exec",
		kptfile + "pipeline: {validators: [{exec: a, configPath: ../x}]}":                                 "configPath: must be a path in the package",
		kptfile + "pipeline: {validators: [{exec: a, configPath: x, configMap: {a: b}}]}":                 "configPath and configMap",
		kptfile + "pipeline: {validators: [{exec: a, configRef: {kind: A, name: b}, configPath: x}]}":     "configRef and configPath",
		kptfile + "pipeline: {validators: [{exec: a, configRef: {kind: A, name: b}, configMap: {a: b}}]}": "configRef and configMap",
		kptfile + "pipeline: {validators: [{exec: a, configRef: {name: b}}]}":                             "configRef: it has no kind",
		kptfile + "pipeline: {validators: [{exec: a, configRef: {kind: A}}]}":                             "configRef: it has no name",
		kptfile + "pipeline: {validators: [{exec: a, configRef: {kind: A, nme: b}}]}":                     "line 5: kpt rejects the Kptfile: pipeline.validators[0].configRef.nme: unknown field \"nme\". Did you mean \"name\"?",
		kptfile + "pipeline: {validators: [{exec: a, configRef: {kid: A, nme: b}}]}":                      "configRef.kid: unknown field \"kid\". Did you mean \"kind\"?",
		kptfile + `pipeline:
  validators:
  - name: a
    exe: b
`: "line 8: kpt rejects the Kptfile: pipeline.validators[0].exe: unknown field \"exe\". Did you mean \"exec\"?",
		kptfile + "pipeline: {validators: [{exec: a}, {selector: [], imag: a}]}": "pipeline.validators[1].imag: unknown field \"imag\". Did you mean \"image\"?",
		kptfile + "pipeline: {validators: [{exec: a, exe: b}, {selector: []}]}":  "pipeline.validators[1]: set image or exec",
		kptfile + `pipeline:
  validators:
  - exec: a
    exclude:
    - kind: A
    - resourceFileRegexp: (a`: "line 10: kpt rejects the Kptfile: pipeline.validators[0].exclude[1].resourceFileRegexp: error parsing regexp",
		kptfile + "pipeline: {validators: [{exec: a, selectors: [{resourceFileRegexp: [a]}]}]}":                      "line 5: kpt rejects the Kptfile: pipeline.validators[0].selectors[0].resourceFileRegexp: must be a string, got a list",
		kptfile + "pipeline: {validators: [{exec: a, selectors: [{kind: A}], exclude: [{resourceFileRegexp: (a}]}]}": "pipeline.validators[0].exclude[0].resourceFileRegexp: error parsing regexp",
		kptfile + `x: 1
pipeline:
  validators:
  - image: A:b`: "line 8: kpt rejects the Kptfile: pipeline.validators[0].image: \"A:b\" is not a name",
		kptfile + `x: 1
x: 2
`: "line 6: kpt rejects the Kptfile: x: duplicate key",
		`info: [a]
apiVersion: v2
kind: Kptfile
`: "line 2: kpt rejects the Kptfile: apiVersion: ",
		`info: [a]
apiVersion: kpt.dev/v1
kind: Kptfil
`: "line 3: kpt rejects the Kptfile: kind: ",
		`apiVersion: v2
kind: Kptfile
info: [a]
`: "line 1: kpt rejects the Kptfile: apiVersion: ",
		kptfile + `x: 1
info: [a]
`: "line 6: kpt rejects the Kptfile: info: must be a map, got a list",
		kptfile + "info: {site: !!float x}\n": "rejects the Kptfile: cannot decode",
	} {
		if _, err := ParseKptfile([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Format is what kpt writes, and writes again.
func TestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\n": "a: 1\n",
		`a:   1   # note

b: "x"`: `a: 1 # note
b: "x"
`,
		`a:
  - 1
  - 2
`: `a:
  - 1
  - 2
`,
		`a:
- 1
`: `a:
- 1
`,
		"a: |\n  x \n": "a: \"x \\n\"\n",
	} {
		got, err := Format([]byte(text))
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, want %q, %v", text, got, want, err)
		}
	}
	if _, err := Format([]byte("a: [")); err == nil {
		t.Error("no error")
	}
}

// A field that the suite does not know is reported with its path, at its line, and
// everything else is read.
func TestUnknownFields(t *testing.T) {
	text := "# first\n---\n" + kptfile + `piplines: {}
pipeline:
  mutators:
  - exec: a
    whne: "true"
    selectors: [{kindd: A}]
status:
  renderStatus: {anything: [goes]}
upstream: {preserveExplicitNull: true}
`
	k, err := ParseKptfile([]byte(text))
	if err != nil || len(k.Mutators) != 1 || k.Name != "x" {
		t.Fatalf("%+v, %v", k, err)
	}
	var got []string
	for _, f := range k.Unknown {
		got = append(got, fmt.Sprintf("%s near %s at %s", f.Key, f.Nearest, k.At(f.Key)))
	}
	want := []string{
		"pipeline.mutators[0].selectors[0].kindd near kind at line 12: pipeline.mutators[0].selectors[0].kindd",
		"pipeline.mutators[0].whne near when at line 11: pipeline.mutators[0].whne",
		"piplines near pipeline at line 7: piplines",
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (&Kptfile{}).At("pipeline"); got != "pipeline" {
		t.Errorf("without a text: %q", got)
	}
}

// A folder that a killed run has left is not content.
func TestStagedFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.yaml", ".out.1" + staging.Suffix + "/a.yaml", "out" + staging.Suffix + "/a.yaml"} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("a: 1\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range p.Files {
		got = append(got, f.Path)
	}
	if want := []string{"a.yaml", "out" + staging.Suffix + "/a.yaml"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestConfigRef(t *testing.T) {
	for want, r := range map[string]ConfigRef{
		`v1/ConfigMap "a"`: {APIVersion: "v1", Kind: "ConfigMap", Name: "a"}, `A "b" in namespace "n"`: {Kind: "A", Name: "b", Namespace: "n"},
	} {
		if got := r.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The program is named by the first word of exec, or by the image.
func TestProgram(t *testing.T) {
	for want, all := range map[string][]Function{
		"":  {{}, {Exec: "'"}, {Exec: "''"}, {Exec: " "}},
		"a": {{Exec: "a"}, {Exec: "/bin/a -x b"}, {Exec: "'/my bin/a' b"}, {Exec: "a", Image: "b"}, {Image: "a"}, {Image: "a:v1"}, {Image: "example.com:5000/x/a"}, {Image: "example.com/x/a:v1@sha256:b"}, {Image: "a@sha256:b"}},
	} {
		for _, f := range all {
			if got := f.Program(); got != want {
				t.Errorf("%+v: got %q, want %q", f, got, want)
			}
		}
	}
}

// A file is a package of its own, with the folder that it is in.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"sub/a.yaml": "a: 1\n"})
	p, err := ReadFile(filepath.Join(dir, "sub/a.yaml"))
	if err != nil || p.Dir != filepath.Join(dir, "sub") || len(p.Files) != 1 || p.Files[0].Path != "a.yaml" || p.Files[0].Package != "." || string(p.Files[0].Text) != "a: 1\n" {
		t.Errorf("got %+v, %v", p, err)
	}
	if _, err := ReadFile(filepath.Join(dir, "absent.yaml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	for name, want := range map[string]string{"sub/a.yaml": "is a file, not a folder", "absent": "no such file"} {
		if _, err := Read(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if IsPackage(dir) || IsPackage(filepath.Join(dir, "absent")) {
		t.Error("a folder without a Kptfile is a package")
	}
	if err := os.Mkdir(filepath.Join(dir, "Kptfile"), 0o755); err != nil || IsPackage(dir) {
		t.Errorf("the Kptfile is a folder: got a package, %v", err)
	}
}

// Beside a field that is not known, a selector with an expression is read.
func TestUnknownBesideRegexp(t *testing.T) {
	k, err := ParseKptfile([]byte(kptfile + `x: 1
pipeline: {validators: [{exec: a, selectors: [{resourceFileRegexp: 'a+'}]}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(k.Unknown) != 1 || k.Unknown[0].Key != "x" || !k.Validators[0].Selectors[0].ResourceFileRegexp.MatchString("aa") {
		t.Errorf("got %+v", k)
	}
}

// An error about the folder names it as the user did. One about a folder in it ends nothing.
func TestErrorsOfFolders(t *testing.T) {
	r := reader{p: &Package{Dir: "p"}}
	failure := func(name string) error { return &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission} }
	if err := r.visit(".", nil, failure(".")); err == nil || err.Error() != "p: permission denied" || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
	if err := r.visit("a/b", nil, failure("a/b")); err != fs.SkipDir || len(r.p.Faults) != 1 || r.p.Faults[0].Error() != "p/a/b: permission denied" {
		t.Errorf("got %v, %v", err, r.p.Faults)
	}
}

// Each pattern of .krmignore is tried for each file, so there are not many.
func TestLargeIgnore(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
`,
		".krmignore": strings.Repeat("a\n", maxIgnore/2+1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), ".krmignore has 65538 bytes; the functions read at most 65536") {
		t.Errorf("got %v", err)
	}
}
