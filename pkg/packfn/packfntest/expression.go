package packfntest

import (
	"context"
	"errors"

	"github.com/google/cel-go/cel"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

// Expression compiles an expression over a text and a list of texts. The function that it returns
// evaluates it, and reports whether that is too expensive.
func Expression(expression string) (isTooExpensive func(text string, list []string) bool, err error) {
	env := celenv.New(celenv.Variable("text", cel.StringType), celenv.Variable("list", cel.ListType(cel.StringType)), celenv.Regex())
	program, err := env.Compile(expression, celenv.Bool)
	return func(text string, list []string) bool {
		_, err := program.Evaluate(context.Background(), map[string]any{"text": text, "list": list})
		return errors.Is(err, celenv.ErrTooExpensive)
	}, err
}
