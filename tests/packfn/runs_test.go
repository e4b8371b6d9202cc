package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// repository copies the repository of the documents, with the packages in testdata/drafts below it, and the packs beside
// it, and returns its folder.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"repository", "packs", "packs-with-faults", "profiles"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, "docs", name))); err != nil {
			t.Fatal(err)
		}
	}
	dir = filepath.Join(dir, "repository")
	if err := os.CopyFS(filepath.Join(dir, "drafts"), os.DirFS(filepath.Join(root, "tests/packfn/testdata/drafts"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// toRepository changes to a copy of the repository of the documents.
func toRepository(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Chdir(repository(ts.Value("t").(*testing.T))))
}

// A commandRun is what the last of some commands must give.
type commandRun struct {
	commands string
	exit     string
	// out are words of the standard output, and without are words that it does not have. Without words nothing is printed.
	out, without []string
	// notes are words of each line of the standard error.
	notes []string
}

// runCommands runs the commands of files of a script, each block in a copy of the repository of the documents.
func runCommands(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: runs FILE…")
	}
	t := ts.Value("t").(*testing.T)
	for _, name := range args {
		var environment []string
		var runs []*commandRun
		for line := range strings.Lines(ts.ReadFile(name)) {
			kind, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if kind == "env" {
				environment = append(environment, strings.ReplaceAll(text, "$WORK", ts.Getenv("WORK")))
				continue
			}
			if kind == "$" {
				runs = append(runs, &commandRun{commands: text, exit: "0"})
				continue
			}
			if len(runs) == 0 {
				ts.Fatalf("%s: a line before the first command: %s", name, line)
			}
			r := runs[len(runs)-1]
			switch kind {
			case "exit":
				r.exit = text
			case "out":
				r.out = append(r.out, unescape(text))
			case "no":
				r.without = append(r.without, unescape(text))
			case "note":
				r.notes = append(r.notes, text)
			default:
				ts.Fatalf("%s: unknown line: %s", name, line)
			}
		}
		for _, r := range runs {
			t.Run(r.commands, func(t *testing.T) {
				for _, variable := range environment {
					name, value, _ := strings.Cut(variable, "=")
					t.Setenv(name, value)
				}
				r.check(t)
			})
		}
	}
}

func (r *commandRun) check(t *testing.T) {
	t.Helper()
	dir := repository(t)
	var got outcome
	for command := range strings.SplitSeq(r.commands, " && ") {
		got = runIn(t, dir, strings.Fields(command)...)
	}
	if exit := fmt.Sprint(got.exit); exit != r.exit {
		t.Errorf("exit code %s, want %s", exit, r.exit)
	}
	for _, word := range r.out {
		if !strings.Contains(got.stdout, word) {
			t.Errorf("want %q", word)
		}
	}
	for _, word := range r.without {
		if strings.Contains(got.stdout, word) {
			t.Errorf("do not want %q", word)
		}
	}
	if len(r.out)+len(r.without) == 0 && got.stdout != "" {
		t.Error("something is printed")
	}
	lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
	if got.stderr == "" {
		lines = nil
	}
	isNoted := len(lines) == len(r.notes)
	for i := 0; isNoted && i < len(lines); i++ {
		isNoted = strings.Contains(lines[i], r.notes[i])
	}
	if !isNoted {
		t.Errorf("want the notes %q", r.notes)
	}
	if t.Failed() {
		t.Logf("standard output:\n%.2000s\nstandard error:\n%.2000s", got.stdout, got.stderr)
	}
}
