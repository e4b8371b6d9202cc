package celenv_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

func TestEvaluateTerms(t *testing.T) {
	env := celenv.New(celenv.Variable("m", cel.MapType(cel.StringType, cel.DynType)), celenv.Variable("list", cel.ListType(cel.IntType)))
	long := make([]any, 300)
	for i := range long {
		long[i] = int64(0)
	}
	vars := map[string]any{"m": map[string]any{"one": int64(1), "text": "x"}, "list": long}
	// One of these costs about 0.6 of the limit.
	costly := `list.all(a, list.all(b, a + b == 0))`
	for _, c := range []struct {
		expression string
		held       int
		holds      bool
		err        string // a part of the error, "" if it compiles
	}{
		{`true`, 1, true, ""},
		{`m.one == 1`, 1, true, ""},
		{`m.one == 2`, 0, false, ""},
		{`m.one == 1 && m.text == "x"`, 2, true, ""},
		{`m.one == 1 && (m.text == "x" && m.one == 2) && m.one == 1`, 2, false, ""},
		{`m.two == 1 && false`, 0, false, "no such key: two"},
		{`true && m.text && true`, 1, false, "string"},
		{`m.one == 1 && m.one == 1 || m.one == 2`, 1, true, ""},
		{`!(m.one == 1 && m.one == 2)`, 1, true, ""},
		{costly, 1, true, ""},
		{costly + " && " + costly, 1, false, "costs more than its limit"},
		{`m.one == 2 && ` + costly + " && " + costly, 0, false, ""},
	} {
		p, err := env.Compile(c.expression, celenv.Bool)
		if err != nil {
			t.Fatal(err)
		}
		held, cost, err := p.EvaluateTerms(context.Background(), vars)
		holds := held == len(p.Terms())
		if held != c.held || holds != c.holds || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: got %d, %v, %v", c.expression, held, holds, err)
		}
		if cost == 0 && c.expression != `true` {
			t.Errorf("%s: costs nothing", c.expression)
		}
		whole, wholeErr := p.Evaluate(context.Background(), vars)
		if (whole == types.True) != holds {
			t.Errorf("%s: term by term %v, as a whole %v", c.expression, holds, whole)
		}
		if errors.Is(err, celenv.ErrTooExpensive) != errors.Is(wholeErr, celenv.ErrTooExpensive) {
			t.Errorf("%s: term by term %v, as a whole %v", c.expression, err, wholeErr)
		}
		if held < len(p.Terms()) {
			if one, _, oneErr := p.EvaluateTerm(context.Background(), held, vars); one && !errors.Is(err, celenv.ErrTooExpensive) {
				t.Errorf("%s: the term %d holds by itself: %v", c.expression, held, oneErr)
			}
		}
	}
}
