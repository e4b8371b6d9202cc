package function

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/heap"
)

// runWith runs a function as a program whose standard input is a file or a
// pipe.
func runWith(t *testing.T, f Function, input string, pipe bool, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var stdin *os.File
	if pipe {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			write.WriteString(input) //nolint:errcheck // a short write fails the test
			write.Close()
		}()
		stdin = read
	} else {
		path := filepath.Join(t.TempDir(), "stdin")
		if err := os.WriteFile(path, []byte(input), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		stdin = file
	}
	defer stdin.Close()
	var out, errs bytes.Buffer
	code = run(f, Docs{}, args, stdin, &out, &errs)
	return out.String(), errs.String(), code
}

// The garbage collector is set while a function runs.
func TestGrowthOfHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	const others = 57 // of the program that runs the function
	defer debug.SetGCPercent(debug.SetGCPercent(others))
	percent := func() int { now := debug.SetGCPercent(others); debug.SetGCPercent(now); return now }
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(f Function) int{
		"a list": func(f Function) int { _, _, code := runWith(t, f, listStart+oneItem, false); return code },
		"files":  func(f Function) int { return runFiles(f, []string{file}, io.Discard, io.Discard) },
	} {
		got := others
		code := run(demo(&stub{process: func(*Run) { got = percent() }}))
		if code != 0 || got < heap.Check.Least || got > heap.Check.Most || got == others || percent() != others {
			t.Errorf("%s: got %d %% and then %d %%, exit %d", name, got, percent(), code)
		}
	}
}

// An error is one line that names file, resource and path, each once.
func TestErrorLine(t *testing.T) {
	resource := diag.Resource{Kind: "A", Namespace: "n", Name: "a", File: "dir/a.yaml", PackagePath: "/secret"}
	embedded := &diag.Origin{Resource: resource, Field: "data[x]", Name: "x", Embedded: true}
	for want, f := range map[string]diag.Finding{
		"error: m [demo/error]\n":                                                          diag.Say("m"),
		"error: A a: m [demo/error]\n":                                                     diag.Say("m").About(diag.Resource{Kind: "A", Name: "a"}, ""),
		"error: dir/a.yaml: A n/a: spec.b: m\\u{1b} n [demo/error]\n":                      diag.Say("m\x1b\n n").About(resource, "spec.b"),
		"error: dir/a.yaml: A n/a: data[x]: b: must be n, got m (x line 3) [demo/error]\n": diag.Got("m", "n").In(embedded, "b", diag.Position{Line: 3}),
	} {
		stdout, stderr, code := runWith(t, demo(&stub{process: func(r *Run) { r.Report(f.Of(demoError)) }}), listStart+oneItem, false)
		if stderr != want || code != 1 {
			t.Errorf("got %q, want %q", stderr, want)
		}
		if strings.Contains(stdout, "secret") {
			t.Errorf("the path of a package is printed:\n%s", stdout)
		}
	}
}

func TestRun(t *testing.T) {
	fail := &stub{wants: wantAll, process: func(r *Run) {
		for _, i := range r.Items() {
			r.Report(diag.Say("bad\nluck").Of(demoError).About(i.Resource(), ""), diag.Say("careful").Of(demoWarning))
		}
	}}
	const result = `results:
- message: careful [demo/warning]
  severity: warning
  tags:
    rule: demo/warning
- message: bad luck [demo/error]
  severity: error
  resourceRef:
    apiVersion: v1
    kind: ConfigMap
    name: one
  tags:
    rule: demo/error
`
	big := listStart + strings.Repeat(oneItem+`  data:
    a: |
`+strings.Repeat("      b: c\n", 100), 300)
	tests := []struct {
		name, input, stdout, stderr string // stderr is a pattern
		processor                   Processor
		code                        int
	}{
		{"pass", big, big, "", &stub{}, 0},
		{"fail", listStart + oneItem, listStart + oneItem + result, "error: ConfigMap one: bad luck [demo/error]\n", fail, 1},
		{"empty", "", "", "demo: standard input is empty…\n", &stub{}, 1},
		{"blank", "\n \n", "", "demo: standard input is empty…\n", &stub{}, 1},
		{"another kind", `kind: Pod
apiVersion: v1
`, "", "demo: …ResourceList…\"Pod\"\n", &stub{}, 1},
		{"not YAML", "a: b: c\n", "", "demo: …not YAML: …\n", &stub{}, 1},
		{"truncated", big[:strings.LastIndex(big, "apiVersion")+3], "", "demo: …\n", &stub{}, 1},
		{"panic in New", listStart + oneItem, listStart + oneItem, "error: …nil pointer…[internal/panic]\n", nil, 1},
	}
	for _, test := range tests {
		for _, pipe := range []bool{false, true} {
			name := test.name + " from a file"
			if pipe {
				name = test.name + " from a pipe"
			}
			t.Run(name, func(t *testing.T) {
				stdout, stderr, code := runWith(t, demo(test.processor), test.input, pipe)
				if code != test.code || !matches(test.stderr, stderr) {
					t.Errorf("exit code %d, stderr %q; want %d, %q", code, stderr, test.code, test.stderr)
				}
				if !strings.HasPrefix(stdout, test.stdout) || test.processor != nil && stdout != test.stdout {
					t.Errorf("got stdout\n%s\nwant\n%s", stdout, test.stdout)
				}
			})
		}
	}
}

// Should the harness itself fail, the list leaves as it came: a client that finds none
// deletes the package.
func TestPanicOfTheHarness(t *testing.T) {
	const input = listStart + oneItem
	for name, f := range map[string]Function{
		"without New": {Name: "demo", Kind: "Demo"},
		"a result that cannot be printed": demo(&stub{process: func(r *Run) {
			f := diag.Say("m").Of(demoWarning).About(diag.Resource{Kind: "A"}, "f")
			f.Current = func() {}
			r.Report(f)
		}}),
	} {
		stdout, stderr, code := runWith(t, f, input, false)
		if code != 1 || !strings.HasPrefix(stdout, input) || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "the function failed") {
			t.Errorf("%s: exit code %d, stderr %q, stdout\n%s", name, code, stderr, stdout)
		}
	}
}

func TestUnknownFlag(t *testing.T) {
	for _, flag := range []string{"--output", "-o", "-"} {
		stdout, stderr, code := runWith(t, demo(&stub{}), listStart, false, flag, "file.yaml")
		if !matches("demo: …"+flag+"…--help…\n", stderr) || stdout != "" || code != 1 {
			t.Errorf("got %q, %q, exit code %d", stdout, stderr, code)
		}
	}
}

func TestNullDeviceIsEmpty(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var stderr bytes.Buffer
	if code := run(demo(&stub{}), Docs{}, nil, null, &stderr, &stderr); code != 1 || !matches("demo: standard input is empty…\n", stderr.String()) {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// Standard input that cannot be read is said as such, with the name of the program.
func TestUnreadableInput(t *testing.T) {
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	closed, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, stdin := range map[string]*os.File{"a folder": folder, "a closed file": closed} {
		for program, run := range map[string]func(stdout, stderr *bytes.Buffer) int{
			"demo": func(stdout, stderr *bytes.Buffer) int { return run(demo(&stub{}), Docs{}, nil, stdin, stdout, stderr) },
			"suite": func(stdout, stderr *bytes.Buffer) int {
				return serve("suite", byKind([]Function{demo(&stub{})}), stdin, stdout, stderr)
			},
		} {
			var stdout, stderr bytes.Buffer
			if code := run(&stdout, &stderr); code != 1 || stdout.Len() > 0 || !matches(program+": reading standard input: …\n", stderr.String()) {
				t.Errorf("%s, %s: exit code %d, %q, %q", program, name, code, stdout.String(), stderr.String())
			}
		}
	}
}

// brokenWriter takes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestBrokenOutput(t *testing.T) {
	var stderr bytes.Buffer
	if code := filter("demo", always(demo(&stub{})), []byte(listStart+oneItem), brokenWriter{}, &stderr); code != 1 || !matches("demo: …: no space left\n", stderr.String()) {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// --help is short and links the rest. --doc is the SDK's, which writes to the process's own output.
func TestDocs(t *testing.T) {
	if args := os.Getenv("FUNCTION_TEST_ARGS"); args != "" {
		os.Args = append(os.Args[:1], args)
		os.Exit(Main(demo(&stub{}), Docs{
			Readme: []byte("# demo\n\n<!--mdtogo:Short-->\nA short text.\n<!--mdtogo-->\n\n<!--mdtogo:Long-->\nA long text.\n<!--mdtogo-->\n"),
			Metadata: []byte(`image: example.com/demo
description: A demo.
`),
		}))
	}
	const help = `Usage: demo [FILE…]

A short text.
demo reads a ResourceList from standard input and prints it with its results, as kpt, kustomize and Porch ask for.
With files as arguments, it reads these, and prints the findings for people.
The functionConfig has the kind Demo (fn.kpt.dev/v1alpha1) or ConfigMap (v1).
The exit code is 1 if an error was found, otherwise 0.

Flags:
  -h, --help      print this text
      --doc       print the documentation and the metadata as JSON
      --version   print the version

More: https://github.com/krm-packs/functions/blob/main/functions/demo/README.md
`
	for flag, want := range map[string]string{"--help": help, "-h": help, "--doc": `"description": "A demo."`} {
		command := exec.Command(os.Args[0], "-test.run=^TestDocs$")
		command.Env = append(os.Environ(), "FUNCTION_TEST_ARGS="+flag)
		out, err := command.Output()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, got\n%s", flag, err, out)
		}
	}
}

// A mutator prints resources in place of findings.
func TestHelpOfAMutator(t *testing.T) {
	f := demo(&stub{})
	f.Mutates = true
	var out bytes.Buffer
	if code := printHelp(f, Docs{}, &out, &out); code != 0 || !strings.Contains(out.String(), "With files as arguments, it reads these, and prints their resources as changed; findings go to standard error.") {
		t.Errorf("exit code %d:\n%s", code, &out)
	}
}

// BenchmarkWantNone is a whole run of a function that wants none of 10,000 items.
func BenchmarkWantNone(b *testing.B) {
	input := []byte(listStart + strings.Repeat(oneItem+`  data:
    a: |
`+strings.Repeat("      b: c\n", 100), 10_000))
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		if code := filter("demo", always(demo(&stub{})), input, &out, &out); code != 0 {
			b.Fatalf("exit code %d", code)
		}
	}
}

func TestWithoutIndexes(t *testing.T) {
	for path, want := range map[string]string{"": "", "a.b": "a.b", "a[3].b": "a[].b", "[3].a[10].b": "[].a[].b", "data[x]": "data[x]"} {
		if got := withoutIndexes(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
}

// Standard input that never ends, or is very large, is an error, and nothing is written that a
// client would take for the package.
func TestLargeInput(t *testing.T) {
	const most = 2 << 20
	for name, size := range map[string]int{"nothing": 0, "the largest": most, "too large": most + 1} {
		file := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(file, bytes.Repeat([]byte("a"), size), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			writer.Write(bytes.Repeat([]byte("a"), size))
			writer.Close()
		}()
		for what, one := range map[string]*os.File{"a file": in, "a pipe": reader} {
			all, err := readAll(one, most)
			if (err != nil) != (size > most) || err == nil && len(all) != size || err != nil && err.Error() != "it has more than 2 MiB; select fewer resources, or split the package" {
				t.Errorf("%s from %s: %d bytes, %v", name, what, len(all), err)
			}
		}
		reader.Close()
	}
	sparse, err := os.Create(filepath.Join(t.TempDir(), "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	defer sparse.Close()
	if err := sparse.Truncate(1 << 42); err != nil { // ext4 has files of at most 16 TiB
		t.Fatal(err)
	}
	if _, err := readAll(sparse, most); err == nil {
		t.Error("a file of four tebibytes is read")
	}
}
