package variant

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "variant")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// With files as arguments a PackageVariant among them is the configuration.
func TestFiles(t *testing.T) {
	if f := Function(); !f.AcceptsFiles || len(f.Accepts) != 1 || f.Accepts[0].Kind != Kind {
		t.Errorf("%v of %v", f.AcceptsFiles, f.Accepts)
	}
}
