package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What packfn writes beside its output is about what it did, or about what it printed. What is about an input is
// in the report, where machines read it. testdata/notes.txt has the notes, and those of commands without a report.
func TestNotes(t *testing.T) {
	text, err := os.ReadFile("testdata/notes.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		what, note, ok := strings.Cut(line, " | ")
		file, _, _ := strings.Cut(note, ": ")
		switch {
		case !ok || !slices.Contains([]string{"did", "printed", "input"}, what):
			t.Errorf("testdata/notes.txt: %q: a line is: did, printed or input | FILE: NOTE", line)
		case what == "input" && slices.Contains(reporting, file):
			t.Errorf("%s: %s has a report, which is the place for what is about an input", note, file)
		}
		listed[note] = true
	}
	found := notesOf(t, "../../pkg/packfn/cli/*.go", "")
	maps.Copy(found, notesOf(t, "../../pkg/packfn/internal/render/*.go", "render/"))
	maps.Copy(found, notesOf(t, "../../pkg/packfn/internal/sources/*.go", "sources/"))
	maps.Copy(found, notesOf(t, "../../pkg/packfn/internal/transfer/inputs.go", "transfer/"))
	for _, note := range slices.Sorted(maps.Keys(found)) {
		if !listed[note] {
			t.Errorf("%s: if it is about an input, make it a finding or something that was not checked; else add it to testdata/notes.txt", note)
		}
	}
	for _, note := range slices.Sorted(maps.Keys(listed)) {
		if !found[note] {
			t.Errorf("testdata/notes.txt: there is no %s", note)
		}
	}
}

// reporting are the files of the commands that print a report of checks.
var reporting = []string{"check.go", "fix.go", "fleet.go", "fleet_template.go", "render.go", "render_to.go", "render/render.go", "report.go"}

// notesOf returns the notes in some files: `check.go: "%s: nothing is written"`, or the list that noteAll
// gets. prefix stands before the names of the files.
func notesOf(t *testing.T, pattern, prefix string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name := ""
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident: // a parameter
				if _, isText := call.Args[0].(*ast.BasicLit); isText {
					name = f.Name
				}
			}
			if !slices.Contains([]string{"note", "noteAll", "Note"}, name) {
				return true
			}
			note := ""
			switch arg := call.Args[0].(type) {
			case *ast.BasicLit:
				note, _ = strconv.Unquote(arg.Value)
			case *ast.Ident:
				note = "all of " + arg.Name
			case *ast.SelectorExpr:
				note = "all of " + arg.X.(*ast.Ident).Name + "." + arg.Sel.Name
			}
			found[prefix+filepath.Base(file)+": "+note] = true
			return true
		})
	}
	return found
}
