package function

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

// A message that begins with the resource does not follow its name.
func TestResourceIsNamedOnce(t *testing.T) {
	for _, tc := range []struct{ message, want string }{
		{"A a: x", "error: A a: x [demo/error]\n"},
		{"A a can not be read", "error: A a can not be read [demo/error]\n"},
		{"A aa: x", "error: A a: A aa: x [demo/error]\n"},
		{"x", "error: A a: x [demo/error]\n"},
	} {
		f := demo(&stub{process: func(r *Run) {
			r.Report(Finding{Rule: "demo/error", Resource: Resource{Kind: "A", Name: "a"}, Message: tc.message})
		}})
		if _, stderr, _ := runWith(t, f, listStart+oneItem, false); stderr != tc.want {
			t.Errorf("got %q, want %q", stderr, tc.want)
		}
	}
	_, stderr, _ := runWith(t, demo(&stub{}), listStart+"- kind: Pack\n  metadata:\n    name: q\n", false)
	if want := "error: Pack q: the resource lacks apiVersion [input/invalid]\n"; stderr != want {
		t.Errorf("got %q, want %q", stderr, want)
	}
}

func TestRun(t *testing.T) {
	fail := &stub{wants: wantAll, process: func(r *Run) {
		for _, i := range r.Items() {
			r.Report(Finding{Rule: "demo/error", Resource: i.Resource(), Message: "bad\nluck"}, Finding{Rule: "demo/warning", Message: "careful"})
		}
	}}
	const result = "results:\n- message: careful [demo/warning]\n  severity: warning\n  tags:\n    rule: demo/warning\n" +
		"- message: bad luck [demo/error]\n  severity: error\n  resourceRef:\n    apiVersion: v1\n    kind: ConfigMap\n    name: one\n  tags:\n    rule: demo/error\n"
	big := string(bigList(300))
	tests := []struct {
		name, input, stdout, stderr string
		processor                   Processor
		code                        int
	}{
		{"pass", big, big, "", &stub{}, 0},
		{"fail", listStart + oneItem, listStart + oneItem + result, "error: ConfigMap one: bad luck [demo/error]\n", fail, 1},
		{"empty", "", "", "demo: standard input is empty: a function reads a ResourceList (try kpt fn eval, or name files as arguments)\n", &stub{}, 1},
		{"blank", "\n \n", "", "demo: standard input is empty: a function reads a ResourceList (try kpt fn eval, or name files as arguments)\n", &stub{}, 1},
		{"foreign", "kind: Pod\napiVersion: v1\n", "", "demo: the input is of kind \"Pod\", want ResourceList\n", &stub{}, 1},
		{"not YAML", "a: b: c\n", "", "demo: the input is not YAML: mapping values are not allowed in this context\n", &stub{}, 1},
		{"truncated", big[:strings.LastIndex(big, "apiVersion")+3], "", "", &stub{}, 1},
		{"panic in New", listStart + oneItem, listStart + oneItem, "", nil, 1},
	}
	for _, test := range tests {
		for _, pipe := range []bool{false, true} {
			name := test.name + " from a file"
			if pipe {
				name = test.name + " from a pipe"
			}
			t.Run(name, func(t *testing.T) {
				stdout, stderr, code := runWith(t, demo(test.processor), test.input, pipe)
				if code != test.code {
					t.Errorf("exit code %d, want %d", code, test.code)
				}
				if !strings.HasPrefix(stdout, test.stdout) || test.processor != nil && stdout != test.stdout {
					t.Errorf("got stdout\n%s\nwant\n%s", stdout, test.stdout)
				}
				switch {
				case test.stderr != "" && stderr != test.stderr:
					t.Errorf("got stderr %q, want %q", stderr, test.stderr)
				case test.code == 0 && stderr != "":
					t.Errorf("stderr on success: %q", stderr)
				case test.code != 0 && (strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n")):
					t.Errorf("stderr is not one line: %q", stderr)
				}
			})
		}
	}
}

func TestUnknownFlag(t *testing.T) {
	for _, flag := range []string{"--output", "-o", "-"} {
		stdout, stderr, code := runWith(t, demo(&stub{}), listStart, false, flag, "file.yaml")
		if want := "demo: unknown flag " + flag + "; it takes --help, --doc, or files to work on\n"; stderr != want || stdout != "" || code != 1 {
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
	if code := run(demo(&stub{}), Docs{}, nil, null, &stderr, &stderr); code != 1 || !strings.HasPrefix(stderr.String(), "demo: standard input is empty") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// brokenWriter takes nothing.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestBrokenOutput(t *testing.T) {
	var stderr bytes.Buffer
	if code := filter(demo(&stub{}), []byte(listStart+oneItem), brokenWriter{}, &stderr); code != 1 || stderr.String() != "demo: writing standard output: no space left\n" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// A value that can not be printed must not cost the client its package.
func TestUnprintableResult(t *testing.T) {
	input := listStart + oneItem
	stdout, stderr, code := evaluated(t, &stub{process: func(r *Run) {
		r.Report(Finding{Rule: "demo/warning", Message: "m", Field: "f", Current: func() {}})
	}}, input)
	if code != 1 || stdout != input || !strings.HasPrefix(stderr, "demo: the function failed") {
		t.Errorf("exit code %d, stderr %q, stdout\n%s", code, stderr, stdout)
	}
}

// --help and --doc are the SDK's, which writes to the process's own output.
func TestDocs(t *testing.T) {
	if args := os.Getenv("FUNCTION_TEST_ARGS"); args != "" {
		os.Args = append(os.Args[:1], args)
		os.Exit(Main(demo(&stub{}), Docs{
			Readme:   []byte("# demo\n\n<!--mdtogo:Short-->\nA short text.\n<!--mdtogo-->\n\n<!--mdtogo:Long-->\nA long text.\n<!--mdtogo-->\n"),
			Metadata: []byte("image: example.com/demo\ndescription: A demo.\n"),
		}))
	}
	for flag, want := range map[string]string{"--help": "A long text.", "-h": "A long text.", "--doc": `"description": "A demo."`} {
		command := exec.Command(os.Args[0], "-test.run=^TestDocs$")
		command.Env = append(os.Environ(), "FUNCTION_TEST_ARGS="+flag)
		out, err := command.Output()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, got\n%s", flag, err, out)
		}
	}
}
