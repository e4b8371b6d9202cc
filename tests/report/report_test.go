package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun reports on real runs of go test, over modules of one package.
func TestRun(t *testing.T) {
	const header = "package p\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"testing\"\n)\n\nvar _, _ = fmt.Print, os.Exit\n\n"
	const passing = "func TestGood(t *testing.T) { t.Log(\"said in a test that passes\") }\n"
	tests := map[string]struct {
		source string
		args   []string
		ok     bool
		last   string   // the last line
		says   []string // in the report
		not    []string // not in the report
	}{
		"passes": {
			source: header + passing + "func TestNote(t *testing.T) { fmt.Println(\"note: remarkable\") }\n",
			ok:     true, last: "2 passed, 0 failed, 0 skipped",
			says: []string{"ok   example.com/p", "note: remarkable\n"},
			not:  []string{"said in a test that passes"},
		},
		"fails": {
			source: header + passing + "func TestBad(t *testing.T) { t.Error(\"this is why\") }\n",
			last:   "1 passed, 1 failed, 0 skipped",
			says:   []string{"FAIL example.com/p TestBad\n", "this is why", "FAIL example.com/p 0."},
		},
		"skips": {
			source: header + passing + "func TestLater(t *testing.T) { t.Skip(\"no time today\") }\n",
			ok:     true, last: "1 passed, 0 failed, 1 skipped",
			says: []string{"skip example.com/p TestLater\n", "no time today"},
		},
		"skips for one reason": {
			source: header + passing + "func skip(t *testing.T) { t.Skip(\"no time today\") }\nfunc TestLater(t *testing.T) { skip(t) }\nfunc TestLast(t *testing.T) { skip(t) }\n",
			ok:     true, last: "1 passed, 0 failed, 2 skipped",
			says: []string{"skip 2 tests, example.com/p TestLater and others\nno time today\n"},
			not:  []string{"TestLast"},
		},
		"skips all": {
			source: header + "func TestLater(t *testing.T) { t.Skip(\"no time today\") }\n",
			last:   "0 passed, 0 failed, 1 skipped",
		},
		"does not build": {
			source: header + passing + "func TestBad(t *testing.T) { undefined() }\n",
			last:   "0 passed, 0 failed, 0 skipped",
			says:   []string{"undefined: undefined", "no test ran", "1 packages failed outside of their tests"},
		},
		"does not vet": {
			source: header + passing + "func TestBad(t *testing.T) { fmt.Printf(\"%d\", \"text\") }\n",
			last:   "0 passed, 0 failed, 0 skipped",
			says:   []string{"wrong type"},
		},
		"panics": {
			source: header + passing + "func TestBad(t *testing.T) { panic(\"at the disco\") }\n",
			last:   "1 passed, 1 failed, 0 skipped",
			says:   []string{"at the disco"},
		},
		"exits": {
			source: header + passing + "func TestBad(t *testing.T) { fmt.Println(\"goodbye\"); os.Exit(3) }\n",
			last:   "1 passed, 1 failed, 0 skipped",
			says:   []string{"goodbye", "FAIL example.com/p"},
		},
		"fails before its tests": {
			source: header + passing + "func TestMain(m *testing.M) { fmt.Println(\"not today\"); os.Exit(1) }\n",
			last:   "0 passed, 0 failed, 0 skipped",
			says:   []string{"not today", "1 packages failed outside of their tests"},
		},
		"has no tests": {
			source: "package p\n",
			last:   "0 passed, 0 failed, 0 skipped",
			says:   []string{"no test ran"},
		},
		"is called with an unknown flag": {
			source: header + passing,
			args:   []string{"-no-such-flag"},
			last:   "0 passed, 0 failed, 0 skipped",
			says:   []string{"no-such-flag"},
		},
		"is called for a package that is not there": {
			source: header + passing,
			args:   []string{"./missing"},
			last:   "0 passed, 0 failed, 0 skipped",
			says:   []string{"missing"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, content := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26.0\n", "p_test.go": test.source} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if test.args == nil {
				test.args = []string{"./..."}
			}
			var out, stderr bytes.Buffer
			if ok := run(dir, &out, &stderr, test.args...); ok != test.ok {
				t.Errorf("ok is %t", ok)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if last := lines[len(lines)-1]; last != test.last {
				t.Errorf("the last line is %q, want %q", last, test.last)
			}
			for _, text := range test.says {
				if !strings.Contains(out.String()+stderr.String(), text) {
					t.Errorf("%q is not in the report", text)
				}
			}
			for _, text := range test.not {
				if strings.Contains(out.String(), text) {
					t.Errorf("%q is in the report", text)
				}
			}
			if t.Failed() {
				t.Log(out.String() + stderr.String())
			}
		})
	}
}

const waiting = `package b

import (
	"io"
	"net"
	"os"
	"testing"
)

func TestB(t *testing.T) {
	c, err := net.Dial("tcp", os.Getenv("REPORT_ADDRESS"))
	if err != nil {
		t.Fatal(err)
	}
	io.ReadAll(c) // until it is closed
}
`

// The line of a package comes when its tests are done: the test of the second package ends when the line of the
// first one was printed.
func TestLinesComeAtOnce(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":      "module example.com/p\n\ngo 1.26.0\n",
		"a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(*testing.T) {}\n",
		"b/b_test.go": waiting,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	t.Setenv("REPORT_ADDRESS", listener.Addr().String())
	printed := make(chan struct{})
	go func() {
		if c, err := listener.Accept(); err == nil {
			<-printed
			c.Close()
		}
	}()
	reader, writer := io.Pipe()
	go func() {
		run(dir, writer, writer, "-timeout=5m", "./...")
		writer.Close()
	}()
	var lines []string
	for scanner := bufio.NewScanner(reader); scanner.Scan(); {
		if lines = append(lines, scanner.Text()); strings.HasPrefix(scanner.Text(), "ok   example.com/p/a ") {
			close(printed)
		}
	}
	if last := lines[len(lines)-1]; last != "2 passed, 0 failed, 0 skipped" {
		t.Errorf("got %s", strings.Join(lines, "\n"))
	}
}
