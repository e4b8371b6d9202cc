package starter

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/rule"
)

// isPackageName reports whether a name can be the name of a package that others import, and of its folder.
func isPackageName(name string) bool {
	return token.IsIdentifier(name) && types.Universe.Lookup(name) == nil && !slices.Contains([]string{"init", "internal", "main", "testdata", "vendor"}, name)
}

// checkRules returns an error if the package of the rules has one of the names that the function adds to it.
func (f *Function) checkRules() error {
	names := []string{f.Kind, f.Prefix + "Version", f.Prefix + "Waiting"}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%q cannot be a function, because its kind and one of its rules would have the name %s: choose other words", f.Name, name)
		}
	}
	for _, id := range []string{f.Family + "/version", f.Family + "/waiting"} {
		if by := rule.Of(id).By; by != "" {
			return fmt.Errorf("%q cannot be a function, because %s has the rule %s already: choose other words after the verb", f.Name, by, id)
		}
	}
	files, err := filepath.Glob(f.path("pkg/rule/*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := folder.ReadText(file)
		if err != nil {
			return err
		}
		for _, name := range names {
			if regexp.MustCompile(`(?m)^(?:const |func |type |var |\t)` + name + `\b`).Match(text) {
				return fmt.Errorf("%q cannot be a function, because pkg/rule/%s has the name %s already: choose other words", f.Name, filepath.Base(file), name)
			}
		}
	}
	return nil
}

// packageError is the error about the name of the function's Go package.
func (f *Function) packageError(because string) error {
	return fmt.Errorf("%q cannot be a function, because its Go package cannot be named %q%s: choose other words after the verb", f.Name, f.Feature, because)
}

// checkImport returns an error if a Go file that imports the package of the function has something else of its name:
//
//	import "fmt"                          // and pkg/fmt
//	vault := &pack.Pack{Name: "vault"}    // and pkg/vault
func (f *Function) checkImport(at string, text []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), at, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	isImported, isTaken := false, false
	for _, one := range file.Imports {
		imported, err := strconv.Unquote(one.Path.Value)
		if err != nil {
			return err
		}
		isOwn := imported == f.Module+"/pkg/"+f.Feature
		isImported, isTaken = isImported || isOwn, isTaken || !isOwn && path.Base(imported) == f.Feature
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			_, isName := n.X.(*ast.Ident)
			return !isName
		case *ast.Ident:
			isTaken = isTaken || n.Name == f.Feature && n != file.Name
		}
		return true
	})
	if isImported && isTaken {
		return f.packageError(", which is the name of something else in " + at)
	}
	return nil
}
