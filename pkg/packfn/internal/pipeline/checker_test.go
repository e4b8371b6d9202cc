package pipeline

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "packfn/pipeline")) }

// There is something to say where selectors hide something, and nothing about a Kptfile without a name.
func TestHasWork(t *testing.T) {
	if !(&Checker{Hidden: []Hidden{{}}}).HasWork() || (&Checker{}).HasWork() {
		t.Error("a resource that is hidden is work, and nothing is none")
	}
	if got := (&Step{}).Arguments(); len(got) > 0 {
		t.Errorf("a step without a program has the arguments %q", got)
	}
}
