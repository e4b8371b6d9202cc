package pipeline

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "packfn/pipeline")) }

// Without a Kptfile there is nothing to say, and a step without a program has no arguments.
func TestNothing(t *testing.T) {
	if (&Checker{}).HasWork() {
		t.Error("a checker of no Kptfile has work")
	}
	if got := (&Step{}).Arguments(); len(got) > 0 {
		t.Errorf("a step without a program has the arguments %q", got)
	}
}
