package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tree is a copy of the project.
type tree struct{ dir string }

// copyTree copies what git knows and does not ignore, and the programs that the tests have built.
func copyTree(work string) (tree, error) {
	dir, err := filepath.Abs(filepath.Join(work, "tree"))
	if err != nil {
		return tree{}, err
	}
	if err = os.RemoveAll(dir); err != nil {
		return tree{}, err
	}
	list, err := exec.Command("git", "ls-files", "-z", "-co", "--exclude-standard").Output()
	if err != nil {
		return tree{}, fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if err = copyFile(name, filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return tree{}, err
		}
	}
	if tools, err := filepath.Abs(".cache/bin"); err == nil {
		if err = os.MkdirAll(filepath.Join(dir, ".cache"), 0o755); err != nil {
			return tree{}, err
		}
		if err = os.CopyFS(filepath.Join(dir, ".cache/bin"), os.DirFS(tools)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return tree{}, err
		}
	}
	return tree{dir}, nil
}

func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if err = os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&os.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, info.Mode())
}

// pkg is a package that is changed.
type pkg struct {
	path  string
	name  string
	fset  *token.FileSet
	files []*file
	info  *types.Info
}

type file struct {
	name   string // absolute
	short  string
	text   string
	syntax *ast.File
}

type listed struct {
	ImportPath, Dir, Name, Export string
	GoFiles                       []string
	TestGoFiles, XTestGoFiles     []string
	DepOnly                       bool
}

func list(dir string, args ...string) ([]listed, error) {
	command := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Name,Export,GoFiles,TestGoFiles,XTestGoFiles,DepOnly"}, args...)...)
	command.Dir = dir
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}

// load parses packages, with the types of their expressions.
func load(dir string, patterns []string) ([]*pkg, error) {
	all, err := list(dir, append([]string{"-export", "-deps"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, l := range all {
		exports[l.ImportPath] = l.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var packages []*pkg
	for _, l := range all {
		if l.DepOnly || l.Name == "main" {
			continue
		}
		p := &pkg{path: l.ImportPath, name: l.Name, fset: fset, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}}
		var syntax []*ast.File
		for _, name := range l.GoFiles {
			f := &file{name: filepath.Join(l.Dir, name)}
			f.short, _ = filepath.Rel(dir, f.name)
			text, err := os.ReadFile(f.name)
			if err != nil {
				return nil, err
			}
			f.text = string(text)
			if f.syntax, err = parser.ParseFile(fset, f.name, text, parser.ParseComments); err != nil {
				return nil, err
			}
			p.files = append(p.files, f)
			syntax = append(syntax, f.syntax)
		}
		conf := types.Config{Importer: imports}
		if _, err = conf.Check(p.path, fset, syntax, p.info); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

//go:embed runtime.go.txt
var runtimeText string

var fault = regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: (.*)$`)

// write writes the changed files, and returns the changes that compile.
func (c tree) write(packages []*pkg, mutants []*mutant) ([]*mutant, error) {
	paths := []string{"build", "-gcflags=-e"}
	for _, p := range packages {
		paths = append(paths, p.path)
		text := strings.NewReplacer("PACKAGE", p.name, "COUNT", strconv.Itoa(len(mutants))).Replace(runtimeText)
		if err := os.WriteFile(filepath.Join(filepath.Dir(p.files[0].name), "mutant_runtime.go"), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	for {
		for _, p := range packages {
			for _, f := range p.files {
				if err := os.WriteFile(f.name, []byte(f.changed(mutants)), 0o644); err != nil {
					return nil, err
				}
			}
		}
		command := exec.Command("go", paths...)
		command.Dir = c.dir
		out, err := command.CombinedOutput()
		if err == nil {
			return mutants, nil
		}
		before := len(mutants)
		for _, m := range fault.FindAllStringSubmatch(string(out), -1) {
			line, _ := strconv.Atoi(m[2])
			name := filepath.Join(c.dir, m[1])
			missing := strings.HasPrefix(m[3], "missing return")
			mutants = slices.DeleteFunc(mutants, func(m *mutant) bool {
				return m.file.name == name && (m.Line <= line && line <= m.lastLine || missing && m.returns == line)
			})
		}
		if len(mutants) == before {
			return nil, fmt.Errorf("the changed packages do not compile: %s", out)
		}
	}
}
