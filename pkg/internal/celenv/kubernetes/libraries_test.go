package kubernetes_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/celenv/kubernetes"
)

// CEL itself counts 1 for each call of these functions, which makes the limit a
// million calls of any length.
func TestFunctionsCostByLength(t *testing.T) {
	env := celenv.New(celenv.Variable("list", cel.ListType(cel.IntType)), kubernetes.Libraries())
	list := make([]int64, 2000)
	variables := map[string]any{"list": list}
	for _, body := range []string{
		`list.sum() == 0`, `list.isSorted()`, `list.min() == 0`, `list.indexOf(1) == -1`,
	} {
		program, err := env.Compile(`list.all(x, `+body+`)`, celenv.Bool)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := program.Evaluate(context.Background(), variables); !errors.Is(err, celenv.ErrTooExpensive) {
			t.Errorf("%s: got %v", body, err)
		}
	}
}
