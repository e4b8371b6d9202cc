package functiontest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
)

var rule = diag.Rule{ID: "demo/rule", Severity: diag.Error}

// inModule makes the current folder a package of a module with a golden list, and
// returns the path of the list. No message is noted, and the run is a whole one.
func inModule(t *testing.T, golden string) string {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(root, "tests", "messages.txt")
	for path, text := range map[string]string{filepath.Join(root, "go.mod"): "module m\n", file: golden, filepath.Join(root, "pkg", "demo", "demo.go"): "package demo\n"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(root, "pkg", "demo"))
	t.Setenv("UPDATE", "")
	before := noted.byForm
	noted.byForm = map[string]string{}
	t.Cleanup(func() { noted.byForm = before })
	for _, name := range partial {
		setFlag(t, name, "")
	}
	return file
}

// setFlag sets a flag of the test for the time of the test.
func setFlag(t *testing.T, name, value string) {
	t.Helper()
	f := flag.Lookup(name)
	before := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Value.Set(before) }) //nolint:errcheck // it was its value
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const golden = messagesHead + `
## alpha

r: a

## demo

demo/rule: n
demo/rule: one

## zeta

r: z
`

func TestFinish(t *testing.T) {
	t.Run("the same", func(t *testing.T) {
		file := inModule(t, golden)
		Noted([]diag.Finding{diag.Say("one").Of(rule), diag.Say("n").Of(rule)})
		if code := finish(0, "demo"); code != 0 || read(t, file) != golden {
			t.Errorf("exit code %d, the list is\n%s", code, read(t, file))
		}
	})
	for name, tc := range map[string]struct {
		messages []string
		ofSome   int // the exit code after a run of some tests
	}{
		"another": {[]string{"one", "m"}, 1}, "one more": {[]string{"one", "n", "m"}, 1}, "one less": {[]string{"one"}, 0}, "none": {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			file := inModule(t, golden)
			for _, m := range tc.messages {
				Noted([]diag.Finding{diag.Say("%s", m).Of(rule)})
			}
			if code := finish(0, "demo"); code != 1 || read(t, file) != golden {
				t.Errorf("exit code %d, the list is\n%s", code, read(t, file))
			}
			for flag, want := range map[string]int{"test.run": tc.ofSome, "test.skip": tc.ofSome, "test.fuzz": 0, "test.bench": 0, "test.list": 0} {
				setFlag(t, flag, map[bool]string{true: "true", false: "x"}[flag == "test.list"])
				if code := finish(0, "demo"); code != want {
					t.Errorf("exit code %d with -%s", code, flag)
				}
				setFlag(t, flag, "")
			}
			if code := finish(2, "demo"); code != 2 {
				t.Errorf("exit code %d after tests that failed", code)
			}
		})
	}
	t.Run("update", func(t *testing.T) {
		file := inModule(t, golden)
		Noted([]diag.Finding{diag.Say("m").Of(rule), diag.Say("one").Of(rule)})
		t.Setenv("UPDATE", "1")
		if code := finish(1, "demo"); code != 1 || read(t, file) != golden {
			t.Errorf("tests that failed: exit code %d, the list is\n%s", code, read(t, file))
		}
		if code := finish(0, "demo"); code != 0 {
			t.Errorf("exit code %d", code)
		}
		if diff := cmp.Diff(strings.Replace(golden, "rule: n\n", "rule: m\n", 1), read(t, file)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if code := finish(0, "middle"); code != 0 || !strings.Contains(read(t, file), "\n\n## middle\n\ndemo/rule: m\ndemo/rule: one\n\n## zeta\n") {
			t.Errorf("a new section: exit code %d, the list is\n%s", code, read(t, file))
		}
		noted.byForm = map[string]string{}
		if code := finish(0, "middle"); code != 0 || strings.Contains(read(t, file), "middle") {
			t.Errorf("an empty section: exit code %d, the list is\n%s", code, read(t, file))
		}
	})
	t.Run("no section", func(t *testing.T) {
		file := inModule(t, messagesHead)
		if code := finish(0, "demo"); code != 0 || read(t, file) != messagesHead {
			t.Errorf("a package without messages: exit code %d", code)
		}
		Noted([]diag.Finding{diag.Say("m").Of(rule)})
		if code := finish(0, "demo"); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
	t.Run("no list", func(t *testing.T) {
		if err := os.Remove(inModule(t, golden)); err != nil {
			t.Fatal(err)
		}
		if code := finish(0, "demo"); code != 1 {
			t.Errorf("exit code %d", code)
		}
	})
}

// Of messages that differ in names and numbers only, the list has the shortest, in
// whatever order they come.
func TestNote(t *testing.T) {
	messages := []string{`unknown field "long-name". Available: 10`, `unknown field "b". Available: 5`, `unknown field "a". Available: 5`, "spec.long[2]: no", "a.b: no", "another: no", "a.c: no", "plain"}
	want := `demo/rule: a.b: no
demo/rule: another: no
demo/rule: plain
demo/rule: unknown field "a". Available: 5
`
	for range messages {
		messages = append(messages[1:], messages[0])
		file := inModule(t, messagesHead)
		for _, m := range messages {
			Noted([]diag.Finding{diag.Say("%s", m).Of(rule)})
		}
		t.Setenv("UPDATE", "1")
		if code := finish(0, "demo"); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		if diff := cmp.Diff(messagesHead+"\n## demo\n\n"+want, read(t, file)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}
