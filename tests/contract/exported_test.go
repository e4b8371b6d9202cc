package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// exportedFile lists the functions and methods of pkg that others can call.
const exportedFile = "testdata/exported.txt"

// TestExported compares the functions and methods of pkg that others can call with a list. Packages
// below a folder internal cannot be imported, so that their names promise nothing.
func TestExported(t *testing.T) {
	got := strings.Join(exported(t), "\n") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(exportedFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(exportedFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the exported functions and methods of pkg are not those of tests/contract/%s (-list +code):\n%s"+
			"The list is a promise to those who import pkg, see docs/controllers.md. A name that one package uses need not be exported, "+
			"and what only packages below pkg use belongs below pkg/internal or pkg/packfn/internal. If people should have the name, update the list by "+
			"UPDATE=1 go test -count=1 ./tests/contract -run TestExported", exportedFile, diff)
	}
}

// exported returns the exported functions of pkg, and the exported methods of exported types, each
// with its package, sorted.
func exported(t *testing.T) []string {
	t.Helper()
	const root = "../.."
	var names []string
	err := filepath.WalkDir(filepath.Join(root, "pkg"), func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "internal" || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := receiver(f.Recv.List[0].Type)
				if !ast.IsExported(of) {
					continue
				}
				name = of + "." + name
			}
			names = append(names, path.Clean(filepath.ToSlash(relative))+" "+name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return slices.Compact(names) // a function for each system has one name
}

// receiver returns the name of the type of a method.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.IndexListExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
