package gotestsum

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun reports on real runs of go test, over packages of one file.
func TestRun(t *testing.T) {
	const header = "package p\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nvar _ = fmt.Print\n\n"
	const passing = "func TestGood(t *testing.T) { t.Log(\"said in a test that passes\") }\n"
	tests := map[string]struct {
		source string
		args   []string
		ok     bool
		says   []string
	}{
		"passes": {
			source: header + passing, ok: true,
			says: []string{"✓  example.com/p (", "DONE 1 tests in "},
		},
		"has notes": {
			source: header + passing + "func TestNote(t *testing.T) { fmt.Println(`note: \"a\" & <b\\c>`); fmt.Println(\"other\") }\n", ok: true,
			says: []string{"\nnote: \"a\" & <b\\c>\n"},
		},
		"skips": {
			source: header + passing + "func TestLater(t *testing.T) { t.Skip(\"no time today\") }\n", ok: true,
			says: []string{"SKIP: example.com/p TestLater", "no time today\n", "DONE 2 tests, 1 skipped in "},
		},
		"fails": {
			source: header + passing + "func TestBad(t *testing.T) { t.Error(\"this is why\") }\n",
			says:   []string{"FAIL: example.com/p TestBad", "this is why\n", "✖  example.com/p (", "DONE 2 tests, 1 failure in "},
		},
		"does not build": {
			source: header + passing + "func TestBad(t *testing.T) { undefined() }\n",
			says:   []string{"undefined: undefined", "DONE 0 tests, 1 failure, 1 error in "},
		},
		"skips all": {
			source: header + "func TestLater(t *testing.T) { t.Skip(\"no time today\") }\n",
			says:   []string{"no time today", "no test passed"},
		},
		"runs nothing": {
			source: header + passing, args: []string{"-run", "TestOther", "."},
			says: []string{"DONE 0 tests in ", "no test passed"},
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
			out, err := exec.Command("./run.sh", append([]string{"-C", dir}, test.args...)...).CombinedOutput()
			if _, failed := err.(*exec.ExitError); failed == test.ok || err != nil && !failed {
				t.Errorf("ok is not %t: %v", test.ok, err)
			}
			for _, text := range test.says {
				if !strings.Contains(string(out), text) {
					t.Errorf("%q is not in the report", text)
				}
			}
			if strings.Contains(string(out), "said in a test that passes") || strings.Contains(string(out), "other") {
				t.Error("the report has what a test that passes prints")
			}
			if t.Failed() {
				t.Log(string(out))
			}
		})
	}
}
