package celenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

func newPatternEnv() *celenv.Env {
	return celenv.New(celenv.Variable("text", cel.StringType), celenv.Variable("list", cel.ListType(cel.StringType)), celenv.Regex())
}

// A pattern with repetitions in repetitions is a program of thousands of steps. The
// search ends before the call, not after it.
func TestHugePatternsAreNotCalled(t *testing.T) {
	env := newPatternEnv()
	variables := map[string]any{"text": strings.Repeat("a", 200_000), "list": []string{`((a?){30}){30}b0`}}
	for _, expression := range []string{
		`text.matches('((a?){30}){30}b0')`,
		`matches(text, '((a?){30}){30}b0')`,
		`list.exists(pattern, text.matches(pattern))`,
		`text.find('((a?){30}){30}b0') == ''`,
		`text.findAll('((a?){30}){30}b0') == []`,
		`text.findAll('((a?){30}){30}b0', 1) == []`,
		`''.matches('` + strings.Repeat(`(((x{10}){10}){10}y)`, 500) + `')`,
		`[1, 2].all(i, text.matches('((a?){30}){30}b0') || true)`,
	} {
		program, err := env.Compile(expression, celenv.Bool)
		if err != nil {
			t.Fatalf("%.80s: %v", expression, err)
		}
		if _, err := program.Evaluate(context.Background(), variables); !errors.Is(err, celenv.ErrTooExpensive) {
			t.Errorf("%.80s: got %v", expression, err)
		}
	}
}

func TestPatterns(t *testing.T) {
	env := newPatternEnv()
	variables := map[string]any{"text": strings.Repeat("a", 2000) + "b0", "list": []string{"("}}
	for expression, fault := range map[string]string{
		`text.matches('^a+b[0-9]$') && matches(text, '(a{3}){3}b') && !text.matches('^b')`:                                "",
		`'a1b22'.find('[0-9]+') == '1' && 'ab'.find('[0-9]') == ''`:                                                       "",
		`'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b22'.findAll('[0-9]+', 1) == ['1'] && 'a'.findAll('[0-9]') == []`: "",
		`list.all(p, text.matches(p))`: "missing closing )",
		`text.find('a{9999}') == ''`:   "invalid repeat count",
		`text.matches(dyn(1))`:         "no such overload",
	} {
		program, err := env.Compile(expression, celenv.Bool)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		_, err = program.Evaluate(context.Background(), variables)
		if (err != nil) != (fault != "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: got %v, want %q", expression, err, fault)
		}
	}
}
