package rule_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

// Every row says all that its readers show.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rule.All() {
		if seen[r.ID] {
			t.Errorf("%s has two rows", r.ID)
		}
		seen[r.ID] = true
		if !slices.Contains([]diag.Severity{diag.Error, diag.Warning, diag.Info}, r.Severity) {
			t.Errorf("%s: the severity is %q", r.ID, r.Severity)
		}
		if strings.TrimSpace(r.Breaks) != r.Breaks || r.Breaks == "" || !strings.HasSuffix(r.Fix, ".") {
			t.Errorf("%s: the example is %q, the fix %q", r.ID, r.Breaks, r.Fix)
		}
		meanings := []string{r.Meaning}
		for _, own := range r.Own {
			if !r.IsBy(own.Function) || slices.Contains(meanings, own.Meaning) {
				t.Errorf("%s: the meaning of %q is of no reporter, or there twice", r.ID, own.Function)
			}
			meanings = append(meanings, own.Meaning)
		}
		for _, meaning := range meanings {
			if !regexp.MustCompile("^[^|\n]*[^|.\\s]$").MatchString(meaning) {
				t.Errorf("%s: the meaning %q is not part of a sentence, or of a table", r.ID, meaning)
			}
		}
	}
}

// The messages of each rule can be read in one sitting.
func TestMessages(t *testing.T) {
	text, err := os.ReadFile("../../tests/messages.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rule.All() {
		if r.ID != rule.InternalPanic.ID && !strings.Contains(string(text), "\n"+r.ID+": ") {
			t.Errorf("%s has no message in tests/messages.txt: let a test report it with functiontest, then run UPDATE=1 go test -count=1 on its package", r.ID)
		}
	}
}

// What flags of a row say together.
func TestFlags(t *testing.T) {
	for _, r := range rule.All() {
		switch {
		case r.Cause && r.Severity != diag.Error:
			t.Errorf("%s: others follow from it, and only from an error", r.ID)
		case r.Fixed && r.By != "":
			t.Errorf("%s: only rules of every function are Fixed", r.ID)
		case strings.HasSuffix(r.ID, "/waiting") && (!r.IsPending || r.Severity != diag.Info):
			t.Errorf("%s: it is about what is not injected yet: set IsPending, and diag.Info", r.ID)
		}
	}
}

// A variable is named after the id of its rule, so that both are found by one of them.
func TestNames(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			call, ok := spec.Values[0].(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			row, ok := call.Args[0].(*ast.CompositeLit)
			if !ok {
				return true
			}
			rows++
			id, err := strconv.Unquote(row.Elts[0].(*ast.KeyValueExpr).Value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.NewReplacer("/", "", "-", "").Replace(id)
			if got := spec.Names[0].Name; !strings.EqualFold(got, want) || got[0] != strings.ToUpper(want)[0] {
				t.Errorf("%s: the variable of %s is %s", name, id, got)
			}
			return true
		})
	}
	if rows != len(rule.All()) {
		t.Errorf("the files have %d rows, and there are %d", rows, len(rule.All()))
	}
}
