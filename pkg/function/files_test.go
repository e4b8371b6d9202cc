package function

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

func TestRunFiles(t *testing.T) {
	const config = `apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata:
  name: c
`
	const one = `apiVersion: v1
kind: ConfigMap
metadata:
  name: one
`
	p := &stub{wants: func(i *list.Item) bool { return i.Kind() == "ConfigMap" }, process: func(r *Run) {
		for _, i := range r.Items() {
			document, err := i.Document()
			if err != nil {
				r.Report(diag.Unreadable(err).Of(rule.InputInvalid).About(i.Resource(), ""))
				continue
			}
			if severity := values.Text(values.Field(document.Root(), "data", "severity")); severity != "" {
				rules := map[string]diag.Rule{"error": demoError, "warning": demoWarning, "info": demoInfo}
				r.Report(diag.Say("as asked").Of(rules[severity]).About(i.Resource(), ""))
			}
		}
	}}
	tests := []struct {
		name   string
		files  []string // name, content
		args   []string // instead of the files
		stdout string   // a pattern
		stderr string   // a pattern
		code   int
	}{
		{name: "pass", files: []string{"a.yaml", one}, stdout: "demo: 0 errors, 0 warnings, 0 notes in 1 resource\n"},
		{
			name: "several documents",
			files: []string{
				"a.yaml",
				`# head
---
` + one + `---
# only a comment
---
` + one + `data:
  severity: error
...
--- # last
` + one + "data: {severity: warning}\n",
			},
			stdout: `error: a.yaml: ConfigMap one: as asked [demo/error]
warning: a.yaml: ConfigMap one: as asked [demo/warning]
demo: 1 error, 1 warning, 0 notes in 3 resources
`,
			code: 1,
		},
		{
			name: "JSON",
			files: []string{"a.json", `{
"apiVersion": "v1", "kind": "ConfigMap",
"metadata": {"name": "one"},
"data": {"severity":
"info"}}`},
			stdout: `info: a.json: ConfigMap one: as asked [demo/info]
demo: 0 errors, 0 warnings, 1 note in 1 resource
`,
		},
		{
			name:  "document on the line of its marker",
			files: []string{"a.yaml", "%YAML 1.1\n--- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {severity: info}}\n---\t\n"},
			stdout: `info: a.yaml: ConfigMap one: as asked [demo/info]
demo: 0 errors, 0 warnings, 1 note in 1 resource
`,
		},
		{
			name: "byte order mark and CRLF",
			files: []string{"a.yaml", "\ufeff---\r\n" + strings.ReplaceAll(one+`data:
  severity: info
---
`+one, "\n", "\r\n")},
			stdout: `info: a.yaml: ConfigMap one: as asked [demo/info]
demo: 0 errors, 0 warnings, 1 note in 2 resources
`,
		},
		{
			name: "text that looks like a head",
			files: []string{"a.yaml", `a: "b
kind: X
metadata:
"
apiVersion: v1
kind: ConfigMap
metadata: {name: one}
data: {severity: info}
`},
			stdout: `info: a.yaml: ConfigMap one: as asked [demo/info]
demo: 0 errors, 0 warnings, 1 note in 1 resource
`,
		},
		{
			name:  "block scalar with a line separator",
			files: []string{"a.yaml", one + "x: |\n  a\u2028  b\ndata:\n  severity: info\n"},
			stdout: `info: a.yaml: ConfigMap one: as asked [demo/info]
demo: 0 errors, 0 warnings, 1 note in 1 resource
`,
		},
		{
			name: "config among the files",
			files: []string{
				"a.yaml",
				one + `data:
  severity: error
`,
				"c.yaml",
				config + `spec:
  severity: {demo/error: info}
`,
			},
			stdout: `info: a.yaml: ConfigMap one: as asked [demo/error]
demo: 0 errors, 0 warnings, 1 note in 1 resource
`,
		},
		{
			name:  "faulty config",
			files: []string{"c.yaml", config + "spec: []\n"},
			stdout: `error: c.yaml: Demo c: spec: … [config/invalid]
demo: 1 error, 0 warnings, 0 notes in 0 resources
`,
			code: 1,
		},
		{
			name: "two configs", files: []string{"c.yaml", config, "d.yaml", config},
			stderr: "demo: d.yaml: …Demo…\n", code: 1,
		},
		{name: "missing file", args: []string{"none.yaml"}, stderr: "demo: none.yaml: no such file or directory\n", code: 1},
		{
			name: "not YAML",
			files: []string{"a.yaml", `a: b
 c: d
`},
			stdout: `error: a.yaml: …line 2, column 3) [input/invalid]
demo: 1 error, 0 warnings, 0 notes in 1 resource
`,
			code: 1,
		},
		{
			name:  "not a resource",
			files: []string{"a.yaml", "- a\n"},
			stdout: `error: a.yaml: … [input/invalid]
demo: 1 error, 0 warnings, 0 notes in 1 resource
`,
			code: 1,
		},
		{
			name: "comments only",
			files: []string{"a.yaml", `# a
---
`},
			stdout: "demo: 0 errors, 0 warnings, 0 notes in 0 resources\n",
		},
		{name: "empty", files: []string{"a.yaml", ""}, stdout: "demo: 0 errors, 0 warnings, 0 notes in 0 resources\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := test.args
			for n := 0; n < len(test.files); n += 2 {
				if err := os.WriteFile(test.files[n], []byte(test.files[n+1]), 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, test.files[n])
			}
			var stdout, stderr bytes.Buffer
			code := run(demo(p), Docs{}, args, os.Stdin, &stdout, &stderr)
			if code != test.code || !matches(test.stdout, stdout.String()) || !matches(test.stderr, stderr.String()) {
				t.Errorf("exit code %d, stderr %q, stdout\n%s\nwant\n%s", code, stderr.String(), stdout.String(), test.stdout)
			}
			for n := 0; n < len(test.files); n += 2 {
				if text, err := os.ReadFile(filepath.Clean(test.files[n])); err != nil || string(text) != test.files[n+1] {
					t.Errorf("%s was changed", test.files[n])
				}
			}
		})
	}
}

// acceptor is a processor that takes a configuration of another group.
type acceptor struct {
	stub
	given *list.Item
}

func (a *acceptor) ReadResource(item *list.Item) { a.given = item }

func TestRunFilesTakesOtherKinds(t *testing.T) {
	const own = `apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata:
  name: c
`
	const other = `apiVersion: other.dev/v1
kind: Other
metadata:
  name: a
`
	const newer = `apiVersion: other.dev/v2
kind: Other
metadata:
  name: a
`
	for _, test := range []struct {
		name, file string
		without    bool
		given      string
		resources  string
	}{
		{name: "the only one", file: other, given: "a", resources: "0 resources"},
		{name: "of another version", file: newer, resources: "1 resource"},
		{name: "one of two versions", file: newer + "---\n" + other, given: "a", resources: "1 resource"},
		{name: "several", file: other + "---\n" + other, resources: "2 resources"},
		{name: "beside one of the own kind", file: other + "---\n" + own, resources: "1 resource"},
		{name: "a function that does without", file: other, without: true, resources: "1 resource"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("a.yaml", []byte(test.file), 0o600); err != nil {
				t.Fatal(err)
			}
			p := &acceptor{}
			f := demo(p)
			f.Accepts, f.AcceptsFiles = []TypeMeta{{"other.dev/v1", "Other"}}, !test.without
			var stdout, stderr bytes.Buffer
			if code := run(f, Docs{}, []string{"a.yaml"}, os.Stdin, &stdout, &stderr); code != 0 {
				t.Fatalf("exit code %d: %s%s", code, &stdout, &stderr)
			}
			given := ""
			if p.given != nil {
				given = p.given.Name()
			}
			if given != test.given || !strings.HasSuffix(stdout.String(), " in "+test.resources+"\n") {
				t.Errorf("took %q, and said %q; want %q, %s", given, stdout.String(), test.given, test.resources)
			}
		})
	}
}

// A comment contains the path where a client would store a new resource: the annotation for clients
// would go with it into a cluster.
func TestRunFilesOfNewResources(t *testing.T) {
	const one = `apiVersion: v1
kind: ConfigMap
metadata:
  name: one
`
	for _, tc := range []struct{ added, want string }{
		{
			`  name: two
  annotations:
    internal.config.kubernetes.io/path: a/two.yaml
`,
			`# a/two.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: two
`,
		},
		{
			`  name: two
  annotations:
    a: b
    internal.config.kubernetes.io/path: a/two.yaml
`,
			`# a/two.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: two
  annotations:
    a: b
`,
		},
		{"  name: two\n", `apiVersion: v1
kind: ConfigMap
metadata:
  name: two
`},
	} {
		path := filepath.Join(t.TempDir(), "a.yaml")
		if err := os.WriteFile(path, []byte(one), 0o600); err != nil {
			t.Fatal(err)
		}
		p := &stub{process: func(r *Run) {
			r.Add(`apiVersion: v1
kind: ConfigMap
metadata:
` + tc.added)
		}}
		var stdout, stderr bytes.Buffer
		f := Function{Name: "demo", Kind: "Demo", Mutates: true, New: func() Processor { return p }}
		if code := runFiles(f, []string{path}, &stdout, &stderr); code != 0 {
			t.Errorf("exit %d: %s", code, stderr.String())
		}
		if diff := cmp.Diff(one+"---\n"+tc.want, stdout.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// A function that changes resources prints them to standard output, those that were
// removed left out, and its results to standard error.
func TestRunFilesOfAMutator(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.yaml")
	const a, b = `apiVersion: v1
kind: A
metadata: {name: a}
`, `apiVersion: v1
kind: B
metadata: {name: b}`
	if err := os.WriteFile(file, []byte(a+"---\n"+b), 0o600); err != nil {
		t.Fatal(err)
	}
	f := demo(&stub{wants: wantAll, process: func(r *Run) {
		r.Items()[0].Remove()
		r.Add(newResource)
		r.Report(diag.Say("m").Of(demoInfo))
	}})
	f.Mutates = true
	var stdout, stderr bytes.Buffer
	code := runFiles(f, []string{file}, &stdout, &stderr)
	if diff := cmp.Diff(b+"\n---\n"+newResource, stdout.String()); diff != "" || code != 0 {
		t.Errorf("exit code %d (-want +got):\n%s", code, diff)
	}
	if want := "removed: " + file + `: A a
added: ConfigMap new
info: m [demo/info]
demo: 0 errors, 0 warnings, 1 note in 3 resources
`; stderr.String() != want {
		t.Errorf("got %q, want %q", stderr.String(), want)
	}
}

// Only the changes of a run are printed for people: results describe the state, which a second run finds too.
func TestRunFilesPrintsChanges(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in.yaml", []byte(newResource+"data: {a: x}\n---\n"+newResource+"data: {a: b}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mutates := range []bool{true, false} {
		f := demo(&stub{wants: wantAll, process: func(r *Run) {
			for _, i := range r.Items() {
				setData(t, i) // the second one has this value
			}
			if added := r.Add(`apiVersion: v1
kind: B
metadata:
  name: b
  annotations:
    internal.config.kubernetes.io/path: b.yaml
`); added.Changed() {
				t.Error("what was added is changed")
			}
			r.Add(newResource).Remove()
		}})
		f.Mutates = mutates
		var stdout, stderr bytes.Buffer
		if code := runFiles(f, []string{"in.yaml"}, &stdout, &stderr); code != 0 {
			t.Errorf("exit code %d", code)
		}
		want := `changed: in.yaml: ConfigMap new
added: b.yaml: B b
demo: 0 errors, 0 warnings, 0 notes in 4 resources
`
		if !mutates {
			want = ""
		}
		if stderr.String() != want {
			t.Errorf("got %q, want %q", stderr.String(), want)
		}
	}
}

// Every write error fails the run: the output is not complete.
func TestRunFilesOfBrokenOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in.yaml", []byte(newResource), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, mutates := range []bool{true, false} {
		f := demo(&stub{})
		f.Mutates = mutates
		var stderr bytes.Buffer
		code := runFiles(f, []string{"in.yaml"}, brokenWriter{}, &stderr)
		if code != 1 || !strings.HasSuffix(stderr.String(), "demo: writing the output: no space left\n") {
			t.Errorf("exit code %d, %q", code, stderr.String())
		}
		if code := runFiles(f, []string{"in.yaml"}, io.Discard, brokenWriter{}); mutates && code != 1 {
			t.Errorf("results that cannot be written: exit code %d", code)
		}
	}
}
