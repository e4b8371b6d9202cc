package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/tests/e2e"
)

const root = "../.."

// documents are the documents whose commands run, as patterns.
var documents = []string{"README.md", "docs/*.md", "functions/*/README.md", "examples/*/README.md"}

// built returns the root of the project, and a PATH with the functions, kpt and kustomize.
func built(t *testing.T) (abs, path string) {
	t.Helper()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := e2e.Watch(abs); err != nil {
		t.Fatal(err)
	}
	bin, _, err := e2e.BuildFunctions(abs)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := e2e.BuildTools(abs)
	if err != nil {
		t.Fatal(err)
	}
	return abs, strings.Join([]string{bin, tools, os.Getenv("PATH")}, string(os.PathListSeparator))
}

func TestDocuments(t *testing.T) {
	abs, path := built(t)
	ran := 0
	for _, pattern := range documents {
		names, err := filepath.Glob(filepath.Join(abs, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			relative, _ := filepath.Rel(abs, name)
			t.Run("sources of "+relative, func(t *testing.T) { compareSources(t, abs, name) })
			t.Run(relative, func(t *testing.T) { ran += run(t, abs, name, path) })
		}
	}
	if ran == 0 {
		t.Error("no command ran")
	}
}

// firstCommand matches a row of the first table of the README: a command, and the rule of what it finds.
var firstCommand = regexp.MustCompile("(?m)^\\|[^|]+\\| `([^`|]+)` \\|[^|`]+\\(`([a-z-]+/[a-z-]+)`\\) \\|")

// Each command in the first table of the README finds what its row says.
func TestFirstCommands(t *testing.T) {
	abs, path := built(t)
	readme, err := os.ReadFile(filepath.Join(abs, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := firstCommand.FindAllStringSubmatch(string(readme), -1)
	if len(rows) != 5 {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		shell := exec.Command("bash", "-c", row[1])
		shell.Dir, shell.Env = abs, append(os.Environ(), "PATH="+path, "HOME="+t.TempDir(), "NO_COLOR=1")
		output, err := shell.CombinedOutput()
		if !strings.Contains(string(output), row[2]) {
			t.Errorf("%s: %v: no %s in\n%s", row[1], err, row[2], output)
		}
	}
}

// run runs the commands of a document and returns their number.
func run(t *testing.T, root, document, path string) int {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	var commands []command
	script := &strings.Builder{}
	for _, b := range blocksOf(lines) {
		if name := b.words["file"]; name != "" {
			fmt.Fprintf(script, "mkdir -p \"$(dirname '%[1]s')\" && cat >'%[1]s' <<'END OF FILE'\n%[2]s\nEND OF FILE\n", name, strings.Join(lines[b.begin:b.end], "\n"))
		}
		if b.language != "console" {
			continue
		}
		found := commandsOf(lines, b)
		if len(found) == 0 {
			t.Errorf("line %d: a console block without a command", b.begin)
		}
		for _, c := range found {
			if c.dir != "" {
				fmt.Fprintf(script, "pushd '%s' >/dev/null\n", c.dir)
			}
			// The separator keeps $? for the next command.
			fmt.Fprintf(script, "%s\nstatus=$?; printf '\\036%%s\\036' $status; (exit $status)\n", c.text)
			if c.dir != "" {
				fmt.Fprint(script, "popd >/dev/null\n")
			}
		}
		commands = append(commands, found...)
	}
	if len(commands) == 0 {
		return 0
	}
	dir := t.TempDir()
	for _, name := range []string{"examples", "docs/packs", "docs/packs-with-faults", "docs/profiles", "docs/bundles", "docs/repository", "docs/hub"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	shell := exec.Command("bash", "-c", script.String())
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+path, "HOME="+t.TempDir(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "NO_COLOR=1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} { // readers have told git who they are
		shell.Env = append(shell.Env, "GIT_"+who+"_NAME=reader", "GIT_"+who+"_EMAIL=reader@example.com")
	}
	output, err := shell.CombinedOutput()
	parts := strings.Split(string(output), "\x1e")
	if len(parts) != 2*len(commands)+1 {
		t.Fatalf("%d commands have %d outputs, %v:\n%s", len(commands), len(parts)/2, err, output)
	}
	for i, c := range slices.Backward(commands) {
		got, status := strings.TrimRight(parts[2*i], "\n"), parts[2*i+1]
		// Findings exit with 1. Everything above is a command that could not run.
		if status != "0" && status != "1" {
			t.Errorf("line %d: %s: exit code %s\n%s", c.begin, c.text, status, got)
		}
		if matches(strings.Join(lines[c.begin:c.end], "\n"), got) {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Errorf("line %d: %s prints\n%s", c.begin, c.text, got)
			continue
		}
		var now []string
		if got != "" {
			now = strings.Split(got, "\n")
		}
		lines = slices.Replace(lines, c.begin, c.end, now...)
	}
	if now := strings.Join(lines, "\n"); now != string(text) {
		if err := os.WriteFile(document, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return len(commands)
}

// compareSources compares the Go functions that a document shows with their files.
func compareSources(t *testing.T, root, document string) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, b := range slices.Backward(blocksOf(lines)) {
		from := b.words["from"]
		if from == "" {
			continue
		}
		name, function, _ := strings.Cut(from, "#")
		want, err := sourceOf(filepath.Join(root, name), function)
		if err != nil {
			t.Errorf("line %d: %v", b.begin, err)
			continue
		}
		if strings.Join(lines[b.begin:b.end], "\n") == want {
			continue
		}
		if os.Getenv("UPDATE") == "" {
			t.Errorf("line %d: %s is now\n%s", b.begin, from, want)
		}
		lines = slices.Replace(lines, b.begin, b.end, strings.Split(want, "\n")...)
	}
	if now := strings.Join(lines, "\n"); now != string(text) && os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(document, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sourceOf returns the source of a function.
func sourceOf(file, function string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, decl := range parsed.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == function {
			return string(text[f.Pos()-parsed.FileStart : f.End()-parsed.FileStart]), nil
		}
	}
	return "", fmt.Errorf("%s has no function %s", file, function)
}

// An output that differs is seen, and … and times are not compared.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		shown, got string
		want       bool
	}{
		{"a\nb", "a\nb\n", true},
		{"a\nb", "a\nc", false},
		{"a", "a\nb", false},
		{"a\n…\nc", "a\nb\nb\nc", true},
		{"a\n…", "b\na", false},
		{"passed in 20ms", "passed in 1.5s", true},
		{"passed in time", "passed in 1.5s", false},
		{"a.c", "abc", false},
	} {
		if got := matches(c.shown, c.got); got != c.want {
			t.Errorf("%q shows %q: got %v", c.shown, c.got, got)
		}
	}
}

// `make demo` shows the example of the README, and succeeds.
func TestDemo(t *testing.T) {
	command := exec.Command("bash", "tests/demo.sh")
	command.Dir = root
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	const finding = "demo/registry.yaml\n  37:15: error: "
	if !strings.Contains(string(output), finding) || !strings.Contains(string(readme), finding) {
		t.Errorf("the demo and the README do not both show %q:\n%s", finding, output)
	}
}
