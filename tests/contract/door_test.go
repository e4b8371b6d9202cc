package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// opening are what opens files or whole folders, also for writing, in the standard library and in
// libraries of this project. The names and kinds of files may be asked for everywhere (os.Stat,
// os.Lstat, os.ReadDir, filepath.WalkDir): nothing is read of a file, and what is no folder is not
// opened as one.
var opening = map[string]*regexp.Regexp{
	"os":                                    regexp.MustCompile(`^(Open|OpenFile|OpenInRoot|OpenRoot|ReadFile|DirFS|NewFile|CopyFS|Create|CreateTemp|WriteFile)$`),
	"io/fs":                                 regexp.MustCompile(`^ReadFile$`),
	"io/ioutil":                             regexp.MustCompile(`.`),
	"syscall":                               regexp.MustCompile(`^(Open|Openat|Creat)$`),
	"golang.org/x/sys/unix":                 regexp.MustCompile(`^(Open|Openat|Openat2|Creat)$`),
	"archive/zip":                           regexp.MustCompile(`^OpenReader$`),
	"text/template":                         regexp.MustCompile(`^(ParseFiles|ParseGlob)$`),
	"html/template":                         regexp.MustCompile(`^(ParseFiles|ParseGlob)$`),
	"crypto/tls":                            regexp.MustCompile(`^LoadX509KeyPair$`),
	"net/http":                              regexp.MustCompile(`^(ServeFile|FileServer|Dir)$`),
	"github.com/hashicorp/hcl/v2/hclparse":  regexp.MustCompile(`.`),
	"github.com/hashicorp/hcl/v2/hclsimple": regexp.MustCompile(`.`),
	"sigs.k8s.io/kustomize/kyaml/kio":       regexp.MustCompile(`^Local`),
	"sigs.k8s.io/kustomize/kyaml/filesys":   regexp.MustCompile(`^MakeFsOnDisk`),
	"helm.sh/helm/v4/pkg/chart/v2/loader":   regexp.MustCompile(`^(Load|LoadDir|LoadFile|Loader)$`),
}

// openers are the files, and the folders of programs, that may open others, and why.
var openers = map[string]string{
	"build/": "maintainers run it over this repository",
	"tests/": "these run over this repository, and over what they write",

	"pkg/internal/folder/folder.go":            "it is the one place",
	"pkg/packfn/internal/staging/staging.go":   "it writes, and opens the folder for that",
	"pkg/packfn/internal/staging/tree.go":      "it writes",
	"pkg/packfn/internal/registry/cache.go":    "it writes the cache",
	"pkg/packfn/internal/lsp/language/form.go": "the schemas are in the program",
	"pkg/packfn/internal/render/earlier.go":    "it makes a temporary copy a repository, and staging writes nothing of git",
	"pkg/function/functiontest/messages.go":    "tests",
	"pkg/internal/cases/cases.go":              "tests",
}

// opens returns what a file has that opens files.
func opens(t *testing.T, name string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]string{}
	for _, spec := range file.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		local := path.Base(of)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if imported[local] = of; local == "." && opening[of] != nil {
			found = append(found, "import . "+of)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && opening[imported[of.Name]] != nil && opening[imported[of.Name]].MatchString(s.Sel.Name) {
				found = append(found, imported[of.Name]+"."+s.Sel.Name)
			}
		}
		return true
	})
	return found
}

// climbing is a step of a walk up a tree.
var climbing = regexp.MustCompile(`(\w+)\s*:?=\s*(?:file)?path\.Dir\((\w+)\)`)

// All files are opened in one place, which rejects pipes, devices, links out of the folder
// and what is too large. All walks up a tree are in one place, which ends at the root.
func TestOneDoor(t *testing.T) {
	const root = "../.."
	found, packages := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		at := filepath.ToSlash(relative)
		top, _, _ := strings.Cut(at, "/")
		packages[path.Dir(at)] = true
		key := at
		if top += "/"; openers[top] != "" {
			key = top
		}
		for _, call := range opens(t, name) {
			if found[key] = true; openers[key] == "" {
				t.Errorf("%s has %s; read files by pkg/internal/folder, and write them by pkg/packfn/internal/staging", at, call)
			}
		}
		text, err := os.ReadFile(name)
		for _, step := range climbing.FindAllSubmatch(text, -1) {
			if string(step[1]) == string(step[2]) && openers[key] == "" {
				t.Errorf("%s has %s; walk up a tree by pkg/internal/parents", at, step[0])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pkg/internal/folder", "pkg/packfn/helm/engine", "functions/packfn", "functions/suite", "build/release", "tests/hostile"} {
		if !packages[name] {
			t.Errorf("%s was not looked at", name)
		}
	}
	for path := range openers {
		if !found[path] {
			t.Errorf("%s opens nothing; remove it from the list", path)
		}
	}
}

// The test sees what opens files, under any name of the package.
func TestOpens(t *testing.T) {
	for text, want := range map[string]string{
		`import "os"; var _, _ = os.ReadFile("a")`: "os.ReadFile", `import o "os"; var open = o.OpenFile`: "os.OpenFile",
		`import . "os"`: "import . os", `import "io/ioutil"; var _ = ioutil.Discard`: "io/ioutil.Discard", `import "os"; var _, _ = os.Stat("a")`: "",
		`import "html/template"; var _, _ = template.ParseFiles("a")`: "html/template.ParseFiles",
	} {
		name := filepath.Join(t.TempDir(), "a.go")
		if err := os.WriteFile(name, []byte("package a; "+text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(opens(t, name), " "); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

var (
	uses   = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*(\S.*)$`)
	pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// Actions of others are pinned by their commits, with the tag as a comment: a tag can be
// moved.
func TestPinnedActions(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	count, commits := 0, map[string]string{}
	for _, file := range append(files, "../../action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range uses.FindAllSubmatch(text, -1) {
			step := string(match[1])
			if strings.HasPrefix(step, "./") {
				continue
			}
			if count++; !pinned.MatchString(step) {
				t.Errorf("%s: uses %s; want OWNER/NAME@COMMIT # vX.Y.Z", filepath.Base(file), step)
				continue
			}
			name, commit, _ := strings.Cut(step, "@")
			if other := commits[name]; other != "" && other != commit {
				t.Errorf("%s has two versions: %s, %s", name, other, commit)
			}
			commits[name] = commit
		}
	}
	if count < 10 {
		t.Errorf("found %d actions", count)
	}
}

// No checkout leaves its token in the folder: the steps after it run code of the repository.
func TestCheckoutsKeepNoCredentials(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]any
				}
			}
		}
		if err := yaml.Unmarshal(text, &workflow); err != nil {
			t.Fatal(err)
		}
		for name, job := range workflow.Jobs {
			for _, step := range job.Steps {
				if !strings.HasPrefix(step.Uses, "actions/checkout@") {
					continue
				}
				if count++; step.With["persist-credentials"] != false {
					t.Errorf("%s: the checkout of the job %s has no persist-credentials: false", filepath.Base(file), name)
				}
			}
		}
	}
	if count < 5 {
		t.Errorf("found %d checkouts", count)
	}
}
