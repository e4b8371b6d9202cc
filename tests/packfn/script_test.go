package packfn

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/rule"
)

const scripts = "testdata/script"

// TestScript runs the scripts in testdata/script, which its README describes.
func TestScript(t *testing.T) {
	testscript.RunT(inTurn{t}, testscript.Params{
		Dir:                scripts,
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			t := env.T().(inTurn).T
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			env.Values["t"] = t
			env.Setenv("PACKS", testPack(""))
			env.Setenv("PACKFN", program)
			env.Setenv("EXAMPLES", filepath.Join(root, "examples"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"packfn": runPackfn, "findings": runFindings, "facts": printFacts, "table": runTable, "runs": runCommands, "repository": toRepository, "kpt": runKpt},
	})
}

// inTurn is a test whose scripts run one after the other: a command runs in this process, and changes its folder.
type inTurn struct{ *testing.T }

func (t inTurn) Parallel()     {}
func (t inTurn) Verbose() bool { return testing.Verbose() }
func (t inTurn) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inTurn{t}) })
}

// runPackfn runs a command of packfn in the folder of a script. It must find no error, or with ! be unable to run.
func runPackfn(ts *testscript.TestScript, neg bool, args []string) {
	want := 0
	if neg {
		want = 2
	}
	exits(ts, want, args)
}

// runFindings runs a command of packfn that must find errors.
func runFindings(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: findings COMMAND…")
	}
	exits(ts, 1, args)
}

func exits(ts *testscript.TestScript, want int, args []string) {
	t := ts.Value("t").(*testing.T)
	t.Setenv("PATH", ts.Getenv("PATH"))
	got := packfn(t, ts.MkAbs("."), args...)
	fmt.Fprint(ts.Stdout(), got.stdout)
	fmt.Fprint(ts.Stderr(), got.stderr)
	if got.exit != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got.exit, want, got.stdout, got.stderr)
	}
}

// runKpt runs kpt, which must end with exit code 1 after !.
func runKpt(ts *testscript.TestScript, neg bool, args []string) {
	path, err := kpt()
	ts.Check(err)
	got := run(ts.Value("t").(*testing.T), ts.MkAbs("."), "", path, args...)
	fmt.Fprint(ts.Stdout(), got.stdout)
	fmt.Fprint(ts.Stderr(), got.stderr)
	if (got.exit == 1) != neg || got.exit > 1 {
		ts.Fatalf("exit code %d\n%s", got.exit, got.stderr)
	}
}

// printFacts runs a command that reports findings, and prints what [factsOf] says of them.
func printFacts(ts *testscript.TestScript, neg bool, args []string) {
	lines, exit := factsOf(ts.Value("t").(*testing.T), ts.MkAbs("."), args, false)
	fmt.Fprint(ts.Stdout(), lines)
	if (exit != 0) != neg {
		ts.Fatalf("exit code %d\n%s", exit, lines)
	}
}

// noteMessage adds the message of a rule that packfn has to the golden list of messages.
func noteMessage(f packfntest.Finding) {
	if strings.HasPrefix(rule.Of(f.Rule).By, "packfn ") || f.Function == "" {
		functiontest.Note(f.Rule, f.Message)
	}
}

// factsOf runs a command that reports findings. It returns one line for each finding, which has its message only if that
// is asked for, then one for each thing that was not checked, then what the command printed to standard error, and the exit code.
func factsOf(t *testing.T, dir string, args []string, hasMessages bool) (string, int) {
	t.Helper()
	got := packfn(t, dir, append(args, "--format", "json")...)
	var b strings.Builder
	if got.stdout != "" {
		var file packfntest.File
		if err := json.Unmarshal([]byte(got.stdout), &file); err != nil {
			t.Fatalf("%v\n%s", err, got.stdout)
		}
		for _, f := range file.Findings {
			noteMessage(f)
			fmt.Fprintf(&b, "%s %s %s:%d:%d", f.Severity, f.Rule, f.File, f.Line, f.Column)
			if f.Resource != nil {
				fmt.Fprintf(&b, " %s/%s", f.Resource.Kind, f.Resource.Name)
			}
			if f.Field != "" {
				b.WriteString(" " + f.Field)
			}
			if f.Current != nil {
				fmt.Fprintf(&b, " current %v", f.Current)
			}
			for _, e := range f.Fix() {
				fmt.Fprintf(&b, " %d:%d+%d %q", e.At.Line, e.At.Column, e.Length, e.New)
			}
			if hasMessages {
				b.WriteString(": " + f.Message)
			}
			b.WriteString("\n")
		}
		for _, s := range file.Skipped {
			fmt.Fprintf(&b, "skipped %s %s:%d", s.Reason, s.File, s.Line)
			if s.Resource != nil {
				fmt.Fprintf(&b, " %s/%s", s.Resource.Kind, s.Resource.Name)
			}
			b.WriteString(": " + s.Message + "\n")
		}
	}
	return strings.NewReplacer(dir+"/", "", dir, ".").Replace(b.String() + got.stderr), got.exit
}

// tableStyle says what a table prints: messages, and whether kpt rejects the package.
type tableStyle struct{ hasMessages, isByKpt bool }

// runTable runs a command of packfn for each folder of a script, and compares what it gives with the file want there.
// The README of the scripts says what else a folder has.
func runTable(ts *testscript.TestScript, neg bool, args []string) {
	var style tableStyle
	for ; len(args) > 0 && strings.HasPrefix(args[0], "-"); args = args[1:] {
		style.hasMessages = style.hasMessages || args[0] == "-messages"
		style.isByKpt = style.isByKpt || args[0] == "-kpt"
	}
	if neg || len(args) == 0 {
		ts.Fatalf("usage: table [-messages] [-kpt] COMMAND [ARGUMENT…]")
	}
	t := ts.Value("t").(*testing.T)
	name := filepath.Join(scripts, ts.Name()+".txtar")
	archive, err := txtar.ParseFile(name)
	ts.Check(err)
	cases, names := map[string]map[string]string{}, []string{}
	for _, file := range archive.Files {
		folder, rest, ok := strings.Cut(file.Name, "/")
		if !ok {
			continue
		}
		if cases[folder] == nil {
			cases[folder] = map[string]string{}
			names = append(names, folder)
		}
		cases[folder][rest] = string(file.Data)
	}
	isChanged := false
	for _, folder := range names {
		if folder == "all" {
			continue
		}
		t.Run(folder, func(t *testing.T) {
			want, got := cases[folder]["want"], runCase(t, cases["all"], cases[folder], args, style)
			if got == want {
				return
			}
			if os.Getenv("UPDATE") == "" {
				t.Errorf("%s", diff.Diff("want", []byte(want), "got", []byte(got)))
				return
			}
			isChanged = true
			at := slices.IndexFunc(archive.Files, func(file txtar.File) bool { return file.Name == folder+"/want" })
			if at < 0 {
				at = slices.IndexFunc(archive.Files, func(file txtar.File) bool { return strings.HasPrefix(file.Name, folder+"/") })
				archive.Files = slices.Insert(archive.Files, at, txtar.File{Name: folder + "/want"})
			}
			archive.Files[at].Data = []byte(got)
		})
	}
	if isChanged {
		ts.Check(os.WriteFile(name, txtar.Format(archive), 0o644))
	}
}

// runCase runs a command of packfn over the files of a case of a table, and returns what it gives: facts if the command
// reports findings, else what it prints, and how it changes the files.
func runCase(t *testing.T, all, own map[string]string, args []string, style tableStyle) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	maps.Copy(files, all)
	maps.Copy(files, own)
	for line := range strings.Lines(files["edit"]) {
		name, change, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		text, isThere := files[name]
		if change == "gone" && isThere {
			delete(files, name)
			continue
		}
		if to, isMove := strings.CutPrefix(change, "moved "); isMove {
			for old, text := range maps.Clone(files) {
				if below, ok := strings.CutPrefix(old, name+"/"); ok {
					delete(files, old)
					files[to+"/"+below] = text
				}
			}
			continue
		}
		if from, isCopy := strings.CutPrefix(change, "= "); isCopy {
			if text, isThere = all[from]; !isThere {
				t.Fatalf("edit: %s", line)
			}
			files[name] = text
			continue
		}
		before, after, isEdit := strings.Cut(change, " => ")
		if before = unescape(before); !ok || !isEdit || !strings.Contains(text, before) {
			t.Fatalf("edit: %s", line)
		}
		files[name] = strings.Replace(text, before, unescape(after), 1)
	}
	args = append(slices.Clone(args), strings.Fields(files["args"])...)
	newer := files["newer"]
	for _, name := range []string{"args", "edit", "newer", "want"} {
		delete(files, name)
	}
	for name, text := range files {
		if strings.HasPrefix(name, "_") { // a text for copies
			delete(files, name)
			continue
		}
		write(t, filepath.Join(dir, name), text)
	}
	if slices.Contains([]string{"check", "upgrade"}, args[0]) {
		text, exit := factsOf(t, dir, args, style.hasMessages)
		text += changesOf(t, dir, files)
		if style.isByKpt {
			return asKpt(t, dir, exit, newer) + text
		}
		return text
	}
	got := packfn(t, dir, args...)
	text := strings.NewReplacer(dir+"/", "", dir, ".").Replace(got.stdout+got.stderr) + changesOf(t, dir, files)
	if got.exit != 0 {
		text = fmt.Sprintf("exit code %d\n", got.exit) + text
	}
	return text
}

// unescape reads the form that the lines of edits have.
func unescape(text string) string {
	return strings.NewReplacer(`\n`, "\n", `\xff`, "\xff").Replace(text)
}

// changesOf returns how the files of a folder differ from those that were written.
func changesOf(t *testing.T, dir string, before map[string]string) string {
	t.Helper()
	after := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		after[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range before {
		names = append(names, name)
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		_, isLeft := after[name]
		switch text, ok := before[name]; {
		case !isLeft:
			fmt.Fprintf(&b, "removed %s\n", name)
		case !ok:
			fmt.Fprintf(&b, "+++ %s\n%s", name, after[name])
		case text != after[name]:
			changes := string(diff.Diff(name, []byte(text), name, []byte(after[name])))
			_, changes, _ = strings.Cut(changes, "\n") // the line with both names
			b.WriteString(changes)
		}
	}
	return b.String()
}
