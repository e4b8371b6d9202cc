package contract

import (
	"fmt"
	"go/ast"
	"go/constant"
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

// isLimit matches the names of constants that may be limits.
var isLimit = regexp.MustCompile(`^(?:[Mm]ax|[Mm]ost|[Ll]ongest|[Ll]argest|[Ww]idest)[A-Z]|^(?:widest|mostVariants)$|Limit$`)

// Each limit of the code has a row in the table of SECURITY.md, with its value, and each row has a limit.
// testdata/no-limits.txt lists constants that reject nothing: they bound what is shown, kept or searched.
func TestLimits(t *testing.T) {
	const root = "../.."
	limits := constantsBelow(t, filepath.Join(root, "pkg"))
	text, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed, err := os.ReadFile("testdata/no-limits.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows, others := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(listed)) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			others[name] = true
			if _, ok := limits[name]; !ok {
				t.Errorf("testdata/no-limits.txt: there is no constant %s", name)
			}
		}
	}
	// | what is limited | 64 MiB | `internal/folder.MaxBytes` |
	row := regexp.MustCompile("(?m)^\\|[^|\n]*\\| ([0-9,]+(?: [KMG]iB| bytes)?) \\| `([a-zA-Z/.]+)` \\|$")
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		value, ok := limits[m[2]]
		switch {
		case !ok:
			t.Errorf("SECURITY.md: there is no constant %s", m[2])
		case value != numberIn(t, m[1]):
			t.Errorf("SECURITY.md: %s is %s there, and %d in the code", m[2], m[1], value)
		case rows[m[2]] || others[m[2]]:
			t.Errorf("%s is listed twice", m[2])
		}
		rows[m[2]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if !rows[name] && !others[name] {
			t.Errorf("%s (%d) has no row in the table of limits in SECURITY.md. If it rejects nothing, add it to testdata/no-limits.txt", name, limits[name])
		}
	}
}

// numberIn reads a number of a row: `1,000`, `64 MiB`, `4,096 bytes`.
func numberIn(t *testing.T, text string) int64 {
	t.Helper()
	number, unit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(strings.ReplaceAll(number, ",", ""), 10, 64)
	if err != nil {
		t.Error(err)
	}
	return n << map[string]int{"KiB": 10, "MiB": 20, "GiB": 30}[unit]
}

// constantsBelow returns the values of the constants that may be limits, by their packages below a folder and their names.
func constantsBelow(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	found := map[string]ast.Expr{} // by package and name
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		at, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, declared := range file.Decls {
			general, ok := declared.(*ast.GenDecl)
			if !ok || general.Tok != token.CONST {
				continue
			}
			for _, spec := range general.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, value := range spec.Values {
					found[filepath.ToSlash(at)+"."+spec.Names[i].Name] = value
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	limits := map[string]int64{}
	for name, value := range found {
		if at := strings.LastIndex(name, "."); isLimit.MatchString(name[at+1:]) {
			if n, ok := valueOf(value, name[:at], found); ok {
				limits[name] = n
			}
		}
	}
	return limits
}

// valueOf returns the value of an expression in a package, false if it is no whole number.
func valueOf(e ast.Expr, in string, all map[string]ast.Expr) (int64, bool) {
	n, ok := constant.Int64Val(constant.ToInt(evaluate(e, in, all)))
	return n, ok
}

func evaluate(e ast.Expr, in string, all map[string]ast.Expr) constant.Value {
	unknown := constant.MakeUnknown()
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return evaluate(e.X, in, all)
	case *ast.Ident:
		if other := all[in+"."+e.Name]; other != nil {
			return evaluate(other, in, all)
		}
	case *ast.SelectorExpr: // of another package, whose name is the end of its path
		for _, name := range slices.Sorted(maps.Keys(all)) {
			at := strings.LastIndex(name, ".")
			if name[at+1:] == e.Sel.Name && path.Base(name[:at]) == fmt.Sprint(e.X) {
				return evaluate(all[name], name[:at], all)
			}
		}
	case *ast.BinaryExpr:
		x, y := evaluate(e.X, in, all), evaluate(e.Y, in, all)
		if x.Kind() != constant.Int || y.Kind() != constant.Int {
			return unknown
		}
		switch e.Op {
		case token.SHL:
			shift, _ := constant.Uint64Val(y)
			return constant.Shift(x, token.SHL, uint(shift))
		case token.QUO:
			return constant.BinaryOp(x, token.QUO_ASSIGN, y)
		default:
			return constant.BinaryOp(x, e.Op, y)
		}
	}
	return unknown
}
