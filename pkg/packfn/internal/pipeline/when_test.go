package pipeline

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// An expression that costs too much ends the render.
func TestCostlyWhen(t *testing.T) {
	items := list.FileItems([]byte(strings.Repeat("kind: A\n---\n", 300)), "b.yaml")
	step := Step{Entry: kptpackage.Function{When: "resources.all(a, resources.all(b, resources.all(c, a.kind == b.kind)))"}}
	if got, err := step.Runs(items); err == nil || got || !strings.Contains(err.Error(), "costs more") || !strings.HasPrefix(err.Error(), "when: ") {
		t.Errorf("got %v, %v", got, err)
	}
}
