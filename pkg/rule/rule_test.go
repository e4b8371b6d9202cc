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

	"github.com/google/go-cmp/cmp"

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
			t.Errorf("%s has no message in tests/messages.txt: let a test report it with functiontest", r.ID)
		}
	}
}

// Tools decide by these properties of rules what they do with a finding.
func TestProperties(t *testing.T) {
	for name, tc := range map[string]struct {
		has  func(rule.Rule) bool
		want string
	}{
		"packfn fix leaves it to the user": {func(r rule.Rule) bool { return r.Manual }, `cluster-constraint/invalid cluster-constraint/unsatisfied
			constraint/invalid constraint/prerelease constraint/scope-differs constraint/top-level-not constraint/unknown-property constraint/unsatisfied
			dependency/above-max dependency/below-min dependency/invalid dependency/missing dependency/near-name dependency/not-supported dependency/untyped dependency/upgrade dependency/waiting
			pack/chart-name pack/cloud pack/images pack/missing-file pack/version requirement/elsewhere requirement/unsatisfied
			resources/insufficient resources/no-pool resources/summary resources/unresolved-ref resources/waiting
			schema/invalid values/chart-fails values/chart-version values/no-chart-values`},
		"it is an info about a pack that is not deployed": {func(r rule.Rule) bool { return r.Deployed }, "dependency/missing requirement/unsatisfied resources/no-pool values/placeholder values/required"},
		"it may be about what is not injected yet": {func(r rule.Rule) bool { return r.IsPending }, `dependency/waiting macro/defaulted macro/empty macro/unknown macro/unset macro/waiting
			policy/no-rule policy/waiting preset/waiting resources/no-pool resources/waiting variant-set/waiting`},
		"what it misses may exist": {func(r rule.Rule) bool { return r.MayExist }, "variant-set/repository-not-found variant-set/unmatched variant-set/unverified variant-set/upstream-not-found"},
		"it may only follow from a misspelt name": {func(r rule.Rule) bool { return r.Follows }, `context/ambiguous context/missing inject/unmatched kptfile/missing
			macro/kept macro/suspicious macro/unset macro/waiting nothing-to-do policy/no-rule policy/unsatisfied policy/unused requirement/unsatisfied
			resources/no-pool resources/summary variant-set/repository-not-found variant-set/unmatched variant-set/unverified variant-set/upstream-not-found`},
		"others can follow from it": {func(r rule.Rule) bool { return r.Cause }, "config/invalid input/invalid"},
		"it cannot be accepted":     {func(r rule.Rule) bool { return r.Fixed }, "config/invalid input/invalid internal/panic"},
	} {
		if diff := cmp.Diff(strings.Fields(tc.want), rule.IDs(tc.has)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
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
