package contract

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room is a row of the table in ARCHITECTURE.md.
type room struct {
	order             int
	isFeature, isTool bool
}

// TestStructure compares the imports of all packages with ARCHITECTURE.md: each package
// has a row, imports only packages above it, and reads the harness in krm*.go alone. Tools may
// import all packages above them.
func TestStructure(t *testing.T) {
	const root, module, harness = "../..", "github.com/krm-packs/functions/", "pkg/function"
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string]room{}
	for i, row := range regexp.MustCompile("(?m)^\\| `(pkg/[^`]+)` \\| (feature:|tool:)?").FindAllStringSubmatch(string(text), -1) {
		rooms[row[1]] = room{i, row[2] == "feature:", row[2] == "tool:"}
	}
	// roomOf finds the row of a package: its own, or that of a package around it.
	roomOf := func(pkg string) (string, bool) {
		for ; pkg != "."; pkg = path.Dir(pkg) {
			if _, ok := rooms[pkg]; ok {
				return pkg, true
			}
		}
		return "", false
	}
	files, used := 0, map[string]bool{}
	err = filepath.WalkDir(filepath.Join(root, "pkg"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		files++
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		own, ok := roomOf(path.Dir(name))
		if !ok {
			t.Errorf("%s is in a package without a row in ARCHITECTURE.md", name)
			return nil
		}
		used[own] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			pkg, isOurs := strings.CutPrefix(imported, module)
			if !isOurs {
				if isClient(imported) && rooms[own].isFeature {
					t.Errorf("%s imports %s: only %s does", name, imported, harness)
				}
				continue
			}
			other, ok := roomOf(pkg)
			if !ok || other != own && rooms[other].order >= rooms[own].order {
				t.Errorf("%s imports %s, which is not above %s in ARCHITECTURE.md", name, pkg, own)
			}
			if rooms[own].isTool {
				continue
			}
			if rooms[other].isFeature && other != own && !(own == "pkg/variant/set" && other == "pkg/variant") {
				t.Errorf("%s imports the feature %s", name, other)
			}
			if other == harness && own != harness && !strings.HasPrefix(path.Base(name), "krm") {
				t.Errorf("%s imports %s: only krm*.go does", name, pkg)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("no files were read")
	}
	for name := range rooms {
		if !used[name] {
			t.Errorf("ARCHITECTURE.md has a row for %s, which does not exist", name)
		}
	}
}

// isClient reports whether an import is of the SDK or of kyaml.
func isClient(imported string) bool {
	return strings.HasPrefix(imported, "github.com/kptdev/krm-functions-sdk/") || strings.HasPrefix(imported, "sigs.k8s.io/kustomize/")
}

// TestSweeps: `make verify` runs the packages whose unit tests leave out inputs, and no others.
func TestSweeps(t *testing.T) {
	const root = "../.."
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	_, listed, _ := strings.Cut(string(makefile), "\nSWEEPS = ")
	listed, _, _ = strings.Cut(listed, "\n")
	sweeps := map[string]bool{}
	err = filepath.WalkDir(filepath.Join(root, "pkg"), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if strings.Contains(string(text), "cases.Some(") || strings.Contains(string(text), "cases.All()") {
			dir, _ := filepath.Rel(root, filepath.Dir(file))
			sweeps["./"+filepath.ToSlash(dir)] = true
		}
		return err
	})
	if got := slices.Sorted(maps.Keys(sweeps)); err != nil || !slices.Equal(got, strings.Fields(listed)) {
		t.Errorf("tests leave out inputs in %q, and SWEEPS lists %q: %v", got, listed, err)
	}
}

// TestDraws: packages with property tests draw as many inputs as all others.
func TestDraws(t *testing.T) {
	const root, rapid, draws = "../..", `"pgregory.net/rapid"`, `"github.com/krm-packs/functions/pkg/function/functiontest/draws"`
	has := map[string]map[string]bool{rapid: {}, draws: {}}
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			if dirs := has[spec.Path.Value]; dirs != nil {
				dirs[filepath.Dir(file)] = true
			}
		}
		return nil
	})
	if err != nil || len(has[rapid]) == 0 {
		t.Fatalf("%d packages with property tests: %v", len(has[rapid]), err)
	}
	for dir := range has[rapid] {
		if !has[draws][dir] {
			t.Errorf("no test in %s imports %s", dir, draws)
		}
	}
}
